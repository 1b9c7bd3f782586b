import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { ShownMandate } from '../../src/api/mandates/schema.ts';
import { DEFAULT_BILLING_SETTINGS } from '../../src/domain/billing-settings.ts';
import type { StoreId } from '../../src/domain/ids.ts';
import { ConsentMailer } from '../../src/mail/consent-mailer.ts';
import { saveBillingSettings } from '../../src/stores/billing-settings.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { createMoneyApp, type MoneyApp } from '../support/api/money-app.ts';
import { advance } from '../support/fixtures/clock.ts';
import { type MailServer, startMailServer } from '../support/outside/mail-server.ts';
import { buildCustomer, buildProduct } from '../support/rows/catalog.ts';
import { SILENT_LOG } from '../support/servers/silent-temporal.ts';
import { eventually } from '../support/waiting/eventually.ts';

const CARD = { number: '4242424242424242' };

let app: MoneyApp;
let server: MailServer;
beforeAll(async () => {
  server = await startMailServer({ later: 451 });
  app = await createMoneyApp({ config: { mail: { smtpUrl: server.smtpUrl, from: 'loja@example.com' } } });
});
afterAll(async () => {
  await app.close();
  await server[Symbol.asyncDispose]();
});

async function storeThatMails(mailsConsents = true) {
  const { storeId, api } = await app.anotherStore();
  const settings = { ...DEFAULT_BILLING_SETTINGS, mailsConsents };
  await saveBillingSettings(app.database.em.fork(), { storeId, devMode: true }, settings, new Date());
  return { storeId, api };
}

async function post<Data = { readonly id: string }>(api: ApiClient, path: string, body: object) {
  return dataOf<Data>(await api.post(`/v2/${path}`, body));
}

/** A subscription of R$ 49.00 a month, paid by card, of a customer whom the merchant named. */
async function subscribed(api: ApiClient, email: string): Promise<string> {
  const plan = await buildProduct(api, { name: 'Plano Pro', price: 4_900, cycle: 'MONTHLY' });
  const customer = await buildCustomer(api, { email, taxId: '529.982.247-25' });
  const items = [{ id: plan.id, quantity: 1 }];
  const { id } = await post(api, 'subscriptions/create', {
    items,
    methods: ['CARD'],
    customerId: customer.id,
  });
  const paid = await post<{ subscriptionId: string }>(api, 'checkouts/simulate-payment', { id, card: CARD });
  return paid.subscriptionId;
}

const request = (api: ApiClient, subscriptionId: string) =>
  post<ShownMandate>(api, 'mandates/create', { subscriptionId });

const mailsOf = ({ id }: Pick<ShownMandate, 'id'>) =>
  server.mails.filter((mail) => mail.includes(`<authorization.${id}@`));
const mailOf = (mandate: ShownMandate) =>
  eventually(() => {
    expect(mailsOf(mandate)).toHaveLength(1);
    return mailsOf(mandate)[0] ?? '';
  });
const waitingIn = (storeId: StoreId) =>
  app.database.em
    .fork()
    .execute<object[]>(
      'select mandate_id from consent_mails join mandates on mandates.id = mandate_id where store_id = :storeId',
      { storeId },
    );

it('mails a request once, with its page and what it costs', async () => {
  const { storeId, api } = await storeThatMails();
  const id = await subscribed(api, 'ana@example.com');
  const [mandate] = await Promise.all([request(api, id), request(api, id), request(api, id)]);
  const mail = await mailOf(mandate);
  expect(mail).toMatch(/^From: .* <loja@example.com>\r\nTo: ana@example.com\r\n/m);
  const text = mail.replaceAll('=\r\n', '');
  expect(text).toContain(`/authorize/${mandate.id}`);
  expect(text).toMatch(/R\$.{0,9}49,00/);
  expect(text).not.toContain('52998224725');
  await eventually(async () => expect(await waitingIn(storeId)).toEqual([]));
  expect(mailsOf(mandate)).toHaveLength(1);
});

it('mails the request that a change of plan needs', async () => {
  const { api } = await storeThatMails();
  const id = await subscribed(api, 'bia@example.com');
  const first = await request(api, id);
  await post(api, 'dev/mandates/answer', { id: first.id, answer: 'accept' });
  const plan = await buildProduct(api, { name: 'Plano Max', price: 9_900, cycle: 'MONTHLY' });
  await post(api, 'subscriptions/change-plan', { id, productId: plan.id, quantity: 1 });
  await advance(api, { by: 'PT1H' });
  const next = await eventually(async () => {
    const [newest] = dataOf<ShownMandate[]>(await api.get(`/v2/mandates/list?subscriptionId=${id}`));
    expect(newest).toMatchObject({ status: 'PENDING', amount: 9_900 });
    return newest as ShownMandate;
  });
  expect((await mailOf(next)).replaceAll('=\r\n', '')).toContain('Plano Max');
});

it('mails nothing unless the store has asked for it', async () => {
  const { api: silent } = await storeThatMails(false);
  const unwanted = await request(silent, await subscribed(silent, 'caio@example.com'));
  const { api } = await storeThatMails();
  // Written later, so the one above would have come first.
  await mailOf(await request(api, await subscribed(api, 'davi@example.com')));
  expect(mailsOf(unwanted)).toEqual([]);
});

it('mails nothing once the request was withdrawn', async () => {
  const { storeId, api } = await storeThatMails();
  const mandate = await request(api, await subscribed(api, 'later@example.com'));
  await eventually(() => expect(server.refused).toContain('later@example.com'));
  await post(api, 'mandates/cancel', { id: mandate.id });
  delete server.refusals.later;
  const { smtpUrl } = server;
  const mailer = new ConsentMailer(
    app.database,
    app.api.url,
    { smtpUrl, from: 'loja@example.com' },
    SILENT_LOG,
  );
  expect(await mailer.sendDue(new Date(Date.now() + 6 * 60_000))).toBe(1);
  await mailer.close();
  expect(mailsOf(mandate)).toEqual([]);
  expect(await waitingIn(storeId)).toEqual([]);
});
