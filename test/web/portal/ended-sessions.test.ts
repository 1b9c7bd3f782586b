import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AuditLineEntity } from '../../../src/database/entities/audit-line.ts';
import { CardChangeEntity } from '../../../src/database/entities/card-change.ts';
import { ChargeEntity } from '../../../src/database/entities/charge.ts';
import { CustomerEntity } from '../../../src/database/entities/customer.ts';
import { SubscriptionEntity } from '../../../src/database/entities/subscription.ts';
import type { CustomerId } from '../../../src/domain/ids.ts';
import { DEFAULT_PORTAL_SETTINGS } from '../../../src/domain/portal-settings.ts';
import { openAttentionOf } from '../../../src/recovery/open-attention.ts';
import { savePortalSettings } from '../../../src/stores/portal-settings.ts';
import { dataOf } from '../../support/api/api-client.ts';
import { createMoneyApp, type MoneyApp } from '../../support/api/money-app.ts';
import { insertSubscribed } from '../../support/rows/subscriber-rows.ts';
import { csrfOf, PortalReader } from '../../support/web/portal-reader.ts';
import { postSlowly } from '../../support/web/slow-form.ts';

let app: MoneyApp;
beforeAll(async () => {
  app = await createMoneyApp();
  const settings = { ...DEFAULT_PORTAL_SETTINGS, asksForRefunds: true };
  const place = { storeId: app.storeId, devMode: true };
  await em().transactional((tx) => savePortalSettings(tx, place, settings, new Date()));
});
afterAll(() => app.close());

const em = () => app.database.em.fork();
const CARD = { cardNumber: '4242 4242 4242 4242', cardExpiry: '12/49', cardCvv: '123', cardHolder: 'Ana' };

let reader: PortalReader;
let path: string;
let chargeId: string;
let subscriptionId: string;
let customerId: CustomerId;
let email: string;
beforeEach(async () => {
  email = `ana-${crypto.randomUUID()}@example.com`;
  const data = { amount: 2_500, customer: { name: 'Ana Souza', email } };
  const made = await app.api.post('/v2/transparents/create', { method: 'PIX', data });
  chargeId = dataOf<{ id: string }>(made).id;
  await app.api.post(`/v2/transparents/simulate-payment?id=${chargeId}`, {});
  const charge = await em().findOneOrFail(ChargeEntity, { id: chargeId as never });
  customerId = charge.customerId as CustomerId;
  const own = { customerId };
  const { subscription } = await insertSubscribed(app, 'CARD', { checkout: own, subscription: own });
  subscriptionId = subscription.id;
  path = `/portal/${customerId}`;
  reader = new PortalReader(app);
  await reader.signIn(path, email);
});

/** Opens the page of a form and sends it slowly. */
async function sendSlowly(form: string, meanwhile: () => Promise<unknown>) {
  const { text } = await reader.get(`${path}${form}`);
  const own = [...text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)];
  const hidden = Object.fromEntries(own.map(([, name = '', value = '']) => [name, value]));
  const cookie = [...reader.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  return postSlowly(
    { url: `${app.api.url}${path}${form}`, cookie, fields: { ...hidden, ...CARD } },
    meanwhile,
  );
}

async function leave(): Promise<void> {
  const { text } = await reader.get(path);
  const browser = new PortalReader(app);
  for (const [name, value] of reader.cookies) browser.cookies.set(name, value);
  await browser.post(`${path}/leave`, { csrf: csrfOf(text) });
}

const FORMS = [
  ['a cancellation', () => `/subscriptions/${subscriptionId}/cancel`],
  ['another card', () => `/subscriptions/${subscriptionId}/card`],
  ['a request for a refund', () => `/payments/${chargeId}/refund`],
] as const;

const ENDS = [
  ['leaves', leave],
  [
    'gets another address',
    () => em().nativeUpdate(CustomerEntity, { id: customerId }, { email: 'other@example.com' }),
  ],
] as const;

it('does what a slow form asks for while its payer stays', async () => {
  const done = `${path}?done=cancel&subscription=${subscriptionId}`;
  const answer = await sendSlowly(`/subscriptions/${subscriptionId}/cancel`, async () => undefined);
  expect(answer).toEqual({ status: 303, location: done });
});

describe.each(ENDS)('a payer who %s while a form is being sent', (_, end) => {
  it.each(FORMS)('does nothing with %s', async (_name, form) => {
    const answer = await sendSlowly(form(), end);
    expect(answer).toEqual({ status: 303, location: path });
    const about = { actorKind: 'PAYER', subjectId: { $in: [chargeId, subscriptionId] } } as const;
    expect(await em().count(AuditLineEntity, about)).toBe(0);
    const row = await em().findOneOrFail(SubscriptionEntity, { id: subscriptionId as never });
    expect(row.cancelAt).toBeNull();
    expect(await em().count(CardChangeEntity, { subscriptionId: subscriptionId as never })).toBe(0);
    const open = await openAttentionOf(em(), { storeId: app.storeId, devMode: true }, 100);
    expect(open.filter(({ subjectId }) => subjectId === chargeId)).toEqual([]);
  });
});
