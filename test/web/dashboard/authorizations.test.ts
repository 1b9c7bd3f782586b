import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { AuditLineEntity } from '../../../src/database/entities/audit-line.ts';
import { ChargeEntity } from '../../../src/database/entities/charge.ts';
import { MandateEntity } from '../../../src/database/entities/mandate.ts';
import { SubscriptionEntity } from '../../../src/database/entities/subscription.ts';
import type { MandateId } from '../../../src/domain/ids.ts';
import { AUTHORIZATION_REFUSED } from '../../../src/domain/mandate.ts';
import { createTestApp, type TestApp } from '../../support/api/app.ts';
import { type DashboardUser, hiddenFields, signedIn } from '../../support/dashboard/dashboard-user.ts';
import { insertMandate } from '../../support/rows/mandates.ts';
import { insertSubscribed } from '../../support/rows/subscriber-rows.ts';

const ASK = 'Pedir Pix Automático';
const END = 'Encerrar a autorização';
const WITHDRAW = 'Retirar o pedido';

let app: TestApp;
let owner: DashboardUser;
beforeAll(async () => {
  app = await createTestApp({ starter: { startSoon: () => undefined } });
  owner = await signedIn({ url: app.api.url, database: app.database }, app.storeId, 'owner');
});
afterAll(() => app.close());

const em = () => app.database.em.fork();
const pageOf = ({ id }: { readonly id: string }) => `/dashboard/${app.storeId}/dev/subscriptions/${id}`;
const mandateOf = (id: string) => em().findOneOrFail(MandateEntity, { id: id as MandateId });
const linesOf = (subjectId: string, action: string) => em().count(AuditLineEntity, { subjectId, action });

it('asks the payer, shows the page to send, and withdraws the request', async () => {
  const { first, subscription } = await insertSubscribed(app, 'CARD');
  const payer = { payerName: 'Ana Souza', payerTaxId: '52998224725' };
  await em().nativeUpdate(ChargeEntity, { id: first.id }, payer);
  const page = pageOf(subscription);
  expect((await owner.get(page)).text).toContain(ASK);
  const asked = await owner.submit(page, `${page}/authorize`, { pixAutomatic: 'variable' });
  expect(asked).toMatchObject({ status: 303 });
  const mandate = await em().findOneOrFail(MandateEntity, { checkoutId: subscription.checkoutId });
  expect(mandate).toMatchObject({ status: 'PENDING', amountCents: null });
  expect(await linesOf(subscription.id, 'mandates/create')).toBe(1);
  const { html, text } = await owner.get(page);
  expect(html).toContain(`/authorize/${mandate.id}"`);
  expect(text).toContain(WITHDRAW);
  expect(text).not.toContain(END);
  await owner.submit(page, `${page}/authorizations/${mandate.id}/end`);
  expect((await mandateOf(mandate.id)).endRequestedAt).not.toBeNull();
  expect(await linesOf(mandate.id, 'mandates/cancel')).toBe(1);
  expect((await owner.get(page)).text).not.toContain(WITHDRAW);
});

it('ends the authorization in use, and not one of another subscription', async () => {
  const { subscription } = await insertSubscribed(app, 'PIX');
  const { subscription: other } = await insertSubscribed(app, 'PIX');
  const mandate = await insertMandate(app.database, subscription);
  const others = await insertMandate(app.database, other);
  const page = pageOf(subscription);
  const end = `${page}/authorizations/${mandate.id}/end`;
  expect((await owner.get(page)).text).toContain(END);
  expect(
    await owner.post(`${page}/authorizations/${others.id}/end`, hiddenFields(await owner.get(page), end)),
  ).toMatchObject({ status: 404 });
  expect((await mandateOf(others.id)).endRequestedAt).toBeNull();
  await owner.submit(page, end);
  expect(await mandateOf(mandate.id)).toMatchObject({
    endRequestedAt: expect.any(Date),
    endedBy: 'RECEIVER',
  });
  const row = await em().findOneOrFail(SubscriptionEntity, { id: subscription.id });
  expect(row).toMatchObject({ mandateId: null, status: 'ACTIVE' });
});

it('keeps a wrong choice in the dialog, and asks nobody', async () => {
  const { subscription } = await insertSubscribed(app, 'CARD');
  const page = pageOf(subscription);
  const wrong = await owner.submit(page, `${page}/authorize`, { pixAutomatic: 'sometimes' });
  expect(wrong.status).toBe(422);
  expect(await em().count(MandateEntity, { checkoutId: subscription.checkoutId })).toBe(0);
  expect(await linesOf(subscription.id, 'mandates/create')).toBe(0);
});

it('says why a subscription ended with its authorization', async () => {
  const { subscription } = await insertSubscribed(app, 'PIX');
  const ended = {
    status: 'CANCELLED',
    canceledAt: new Date(),
    cancelledDueTo: AUTHORIZATION_REFUSED,
  } as const;
  await em().nativeUpdate(SubscriptionEntity, { id: subscription.id }, ended);
  const { text } = await owner.get(pageOf(subscription));
  expect(text).toContain('o pagador encerrou a autorização do Pix Automático');
  expect(text).not.toContain(ASK);
});
