import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createKey } from '../../../src/api/keys/api-keys.ts';
import { noteAttention } from '../../../src/database/attention.ts';
import { ChargeEntity } from '../../../src/database/entities/charge.ts';
import { DeliveryEntity } from '../../../src/database/entities/delivery.ts';
import { DisputeEntity } from '../../../src/database/entities/dispute.ts';
import { WebhookEntity } from '../../../src/database/entities/webhook.ts';
import type { AttentionKind } from '../../../src/domain/attention.ts';
import type { DisputeId, StoreId } from '../../../src/domain/ids.ts';
import type { Role } from '../../../src/domain/role.ts';
import { createTestApp, createTestStore, type TestApp } from '../../support/api/app.ts';
import { signedIn } from '../../support/dashboard/dashboard-user.ts';
import { fill } from '../../support/rows/fill.ts';

let app: TestApp;
let storeId: StoreId;
beforeAll(async () => {
  app = await createTestApp();
  ({ id: storeId } = await createTestStore(app.database));
  await fill(app.database, [{ storeId, charges: 200 }]);
});
afterAll(() => app.close());

const em = () => app.database.em.fork();
const signedInAs = (role: Role, store: StoreId) =>
  signedIn({ url: app.api.url, database: app.database }, store, role, `${role}-${store}@example.com`);
const home = async (store: StoreId, path = '/dev', role: Role = 'owner') =>
  (await signedInAs(role, store)).get(`/dashboard/${store}${path}`, { 'Accept-Language': 'en' });

describe('the first page', () => {
  it('shows the chosen period, and compares it with the one before', async () => {
    const { html, text } = await home(storeId, '/dev?period=7d');
    expect(html).toMatch(/period=7d" aria-current="true"/);
    expect(text).toMatch(/Compared with \d/);
    expect((await home(storeId, '/dev?period=%00')).status).toBe(400);
  });

  it('leads a new store through its first steps', async () => {
    const { id } = await createTestStore(app.database);
    expect((await home(id)).text).toContain('First steps: 0 of 5');
  });

  it('says in production how to get an account', async () => {
    const { id } = await createTestStore(app.database);
    const { text, html } = await home(id, '/prod');
    expect(text).toContain('This store cannot take real money yet.');
    expect(html).toContain('/docs/guides/going-live');
    expect((await home(id)).text).not.toContain('cannot take real money');
  });

  it('links each concern to where it is solved', async () => {
    const { id: chargeId } = await em().findOneOrFail(ChargeEntity, {
      storeId,
      status: 'PAID',
      method: 'PIX',
    });
    await em().nativeUpdate(ChargeEntity, { id: chargeId }, { status: 'UNDER_DISPUTE' });
    const openedAt = new Date(Date.now() - 86_400_000);
    const dispute = { chargeId, provider: 'sandbox', providerDisputeId: 'd', reason: null, closedAt: null };
    const id = 'disp_00000000000000000000000001' as DisputeId;
    const amounts = { amountCents: 1_234, platformFeeCents: 0 };
    await em().insert(DisputeEntity, { id, ...dispute, ...amounts, status: 'OPEN', openedAt } as never);
    const about: readonly (readonly [AttentionKind, string, string])[] = [
      ['KEY_EXPIRES', 'key_1', '/keys'],
      ['DELIVERY_OVERDUE', 'log_1', '/webhooks'],
      ['PAYOUT_OVERDUE', 'tran_1', '/payouts/tran_1'],
      ['NEGATIVE_BALANCE', storeId, '/balance'],
      ['NOTICE_OVERDUE', id, `/payments/${chargeId}`],
      ['PROVIDER_AWAY', 'acco_1', '/docs/guides/providers'],
    ];
    const now = new Date();
    for (const [kind, subjectId] of about)
      await noteAttention(em(), { kind, subjectId, storeId, devMode: true, since: now, now });
    const given = { storeId, devMode: true, description: 'Loja on-line', permissions: [] };
    const { key } = await createKey(em(), given, new Date());
    const expiring = { kind: 'KEY_EXPIRES', subjectId: key.id, storeId, devMode: true } as const;
    await noteAttention(em(), { ...expiring, since: now, now });
    const { html, text } = await home(storeId);
    expect(text).toContain(`Loja on-line …${key.lastFour}.`);
    expect(text).toContain('A payment is disputed, and R$ 12,34 are blocked.');
    expect(text).toMatch(/it decides by \d{1,2} \w+/);
    const concerns = html.slice(html.indexOf('class="concerns"'));
    expect(concerns).toContain('<code>key_1</code>');
    for (const subjectId of [storeId, id, 'tran_1', key.id])
      expect(concerns).not.toContain(`<code>${subjectId}</code>`);
    for (const [kind, , path] of about) expect([kind, concerns.includes(`${path}"`)]).toEqual([kind, true]);
    const support = (await home(storeId, '/dev', 'support')).html;
    expect(support.slice(support.indexOf('class="concerns"'))).not.toContain('/keys"');
  });

  it('shows what becomes available in a calendar of five weeks', async () => {
    const { id } = await em().findOneOrFail(ChargeEntity, { storeId, status: 'PAID', refundId: null });
    const settlesAt = new Date(Date.now() + 86_400_000);
    const money = { paidAmountCents: 98_765, platformFeeCents: 80, reversedCents: 0, reversedFeeCents: 0 };
    await em().nativeUpdate(ChargeEntity, { id }, { ...money, settlesAt, settledAt: null });
    const { html } = await home(storeId);
    expect(html.match(/<li class="day /g)).toHaveLength(35);
    expect(html).toMatch(/day--some"[^>]*>.*<span class="day__amount">R\$\u00a098[67],\d\d/);
  });
});

it('names the webhooks of an event, also deleted ones', async () => {
  const { eventId, webhookId } = await em().findOneOrFail(DeliveryEntity, { storeId });
  const page = () => home(storeId, `/dev/events/${eventId}`);
  await em().nativeUpdate(WebhookEntity, { id: webhookId }, { name: 'Estoque' });
  expect((await page()).html).toMatch(new RegExp(`/webhooks/${webhookId}">Estoque</a>`));
  await em().nativeUpdate(WebhookEntity, { id: webhookId }, { deletedAt: new Date() });
  const { html, text } = await page();
  expect(text).toContain('Estoque (deleted)');
  expect(html).not.toMatch(/>(webh|log)_/);
});
