import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ChargeEntity } from '../../src/database/entities/charge.ts';
import { ReminderEntity } from '../../src/database/entities/reminder.ts';
import { ReminderRecipientEntity } from '../../src/database/entities/reminder-recipient.ts';
import { SubscriptionReminderEntity } from '../../src/database/entities/subscription-reminder.ts';
import { addDays, type CivilDate, saoPauloDateOf } from '../../src/domain/civil-date.ts';
import type { ChargeId, CustomerId, StoreId } from '../../src/domain/ids.ts';
import {
  DEFAULT_REMINDER_SETTINGS,
  morningOf,
  nextSendingDay,
  type ReminderSettings,
} from '../../src/domain/reminders.ts';
import { saveReminderSettings } from '../../src/stores/reminder-settings.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { createMoneyApp, type MoneyApp } from '../support/api/money-app.ts';
import { advance, clockOf } from '../support/fixtures/clock.ts';
import { type MailServer, startMailServer } from '../support/outside/mail-server.ts';
import { buildCustomer, buildProduct } from '../support/rows/catalog.ts';
import { buildCheckout } from '../support/rows/checkouts.ts';
import { eventually } from '../support/waiting/eventually.ts';

let app: MoneyApp;
let server: MailServer;
beforeAll(async () => {
  server = await startMailServer({ later: 451, never: 550 });
  const { smtpUrl } = server;
  app = await createMoneyApp({ config: { mail: { smtpUrl, from: 'lembretes@example.com' } } });
});
afterAll(async () => {
  await app.close();
  await server[Symbol.asyncDispose]();
});

const today = () => saoPauloDateOf(new Date());

async function storeThatReminds(changes: Partial<ReminderSettings> = {}) {
  const { storeId, api } = await app.anotherStore();
  const settings = { ...DEFAULT_REMINDER_SETTINGS, channel: 'EMAIL', ...changes } as const;
  const owner = { storeId, devMode: true };
  await app.database.em.fork().transactional((em) => saveReminderSettings(em, owner, settings, new Date()));
  return { storeId, api };
}

async function boleto(api: ApiClient, email: string, dueDate: CivilDate): Promise<string> {
  const customer = { name: 'Ana', taxId: '529.982.247-25', email };
  const data = {
    amount: 10_000,
    dueDate,
    customer,
    fine: { type: 'FIXED', value: 500 },
    description: 'Aula',
  };
  return dataOf<{ id: string }>(await api.post('/v2/transparents/create', { method: 'BOLETO', data })).id;
}

const rowsOf = async (storeId: StoreId) =>
  (
    await app.database.em
      .fork()
      .find(ReminderEntity, { storeId }, { orderBy: { chargeId: 'asc', days: 'asc' } })
  ).map(({ days, status, createdAt }) => ({ days, status, createdAt }));
/** The mails about a charge, with their long lines joined. */
const mailsOf = (id: string) =>
  server.mails
    .filter((mail) => mail.includes(`<reminder.${id}.`))
    .map((mail) => mail.replaceAll('=\r\n', '').replaceAll('\r\n ', ' '));
/** To the morning after a day, so that everything of the day is done. */
const after = (date: CivilDate) => ({ to: morningOf(addDays(date, 1)).toISOString() });

it('mails each step once, on the morning of its day, in the order of the clock', async () => {
  const { storeId, api } = await storeThatReminds();
  const due = addDays(today(), 10);
  const id = await boleto(api, 'ana@example.com', due);
  await advance(api, after(nextSendingDay(addDays(due, 3))));
  expect(await rowsOf(storeId)).toEqual(
    [-3, 0, 3].map((days) => ({
      days,
      status: 'SENT',
      createdAt: morningOf(nextSendingDay(addDays(due, days))),
    })),
  );
  expect(mailsOf(id)).toHaveLength(3);
  const [first = '', , last = ''] = mailsOf(id);
  expect(first).toMatch(/^From: .* <lembretes@example.com>\r\nTo: ana@example.com\r\n/m);
  expect(first).toMatch(/^List-Unsubscribe: <http:\/\/[^>]*\/unsubscribe\/[\w-]{32}>\r$/m);
  expect(first).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m);
  expect(first).toContain(`/boleto/${id}`);
  expect(first).toMatch(/\/portal\/cust_/);
  expect(first).not.toMatch(/52998224725|529\.982/);
  expect(last).toContain('105,00');
});

it('mails nothing after the payment', async () => {
  const { storeId, api } = await storeThatReminds();
  const due = addDays(today(), 10);
  const paid = await boleto(api, 'paid@example.com', due);
  await api.post(`/v2/transparents/simulate-payment?id=${paid}`, {});
  await eventually(async () => {
    const { status } = dataOf<{ status: string }>(await api.get(`/v2/transparents/check?id=${paid}`));
    expect(status).toBe('PAID');
  });
  await advance(api, after(nextSendingDay(addDays(due, 3))));
  expect(await rowsOf(storeId)).toEqual([]);
  expect(mailsOf(paid)).toEqual([]);
});

it('drops a queued reminder that is paid before the mail server is back', async () => {
  const { storeId, api } = await storeThatReminds();
  const due = addDays(today(), 5);
  const id = await boleto(api, 'later@example.com', due);
  await advance(api, { to: morningOf(nextSendingDay(due)).toISOString() });
  await eventually(() => expect(server.refused).toContain('later@example.com'));
  await api.post(`/v2/transparents/simulate-payment?id=${id}`, {});
  await eventually(async () => {
    const { status } = dataOf<{ status: string }>(await api.get(`/v2/transparents/check?id=${id}`));
    expect(status).toBe('PAID');
  });
  delete server.refusals.later;
  const em = app.database.em.fork();
  await em.execute(`update reminders set next_attempt_at = '-infinity' where store_id = :storeId`, {
    storeId,
  });
  await eventually(async () => {
    for (const { status } of await rowsOf(storeId)) expect(status).toBe('DROPPED');
  });
  expect(mailsOf(id)).toEqual([]);
});

it('gives a reminder up that the mail server refuses for good', async () => {
  const { storeId, api } = await storeThatReminds({ steps: [0] });
  const due = addDays(today(), 5);
  await boleto(api, 'never@example.com', due);
  await advance(api, after(nextSendingDay(due)));
  expect(await rowsOf(storeId)).toMatchObject([{ days: 0, status: 'FAILED' }]);
});

it('mails nothing unless the store has asked for it', async () => {
  const { storeId, api } = await storeThatReminds({ channel: 'NONE' });
  const due = addDays(today(), 5);
  await boleto(api, 'bia@example.com', due);
  await advance(api, after(nextSendingDay(addDays(due, 3))));
  expect(await rowsOf(storeId)).toEqual([]);
  expect((await clockOf(api)).status).toBe('ready');
});

it('mails nothing to an address that only a payer typed', async () => {
  const { storeId, api } = await storeThatReminds({ steps: [-1] });
  const { id } = await buildCheckout(api, { methods: ['BOLETO'] });
  await fetch(`${api.url}/pay/${id}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { Origin: api.url },
    body: new URLSearchParams({
      method: 'BOLETO',
      payerName: 'Eva',
      payerTaxId: '111.444.777-35',
      payerEmail: 'victim@example.com',
    }),
  });
  await advance(api, { by: 'P5D' });
  expect(await rowsOf(storeId)).toMatchObject([{ days: -1, status: 'DROPPED' }]);
  expect(
    server.mails.filter((mail) => mail.includes('victim@example.com') && mail.includes('<reminder.')),
  ).toEqual([]);
});

it('ends reminders for those who unsubscribe, with one click or on the page', async () => {
  const { storeId, api } = await storeThatReminds();
  const due = addDays(today(), 10);
  const id = await boleto(api, 'caio@example.com', due);
  await advance(api, { to: morningOf(nextSendingDay(addDays(due, -3))).toISOString() });
  const [mail = ''] = mailsOf(id);
  const url = /List-Unsubscribe: <([^>]*)>/.exec(mail)?.[1] ?? '';
  const page = await fetch(url);
  expect(page.status).toBe(200);
  expect(await page.text()).toMatch(/<form [^>]*method="post">/);
  const oneClick = () =>
    fetch(url, { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) });
  const unknown = await fetch(`${url.slice(0, -4)}AAAA`, { method: 'POST', body: new FormData() });
  const known = await oneClick();
  expect([known.status, unknown.status]).toEqual([200, 200]);
  expect(await known.text()).toBe(await unknown.text());
  expect((await oneClick()).status).toBe(200);
  await advance(api, after(nextSendingDay(addDays(due, 3))));
  expect((await rowsOf(storeId)).map(({ status }) => status)).toEqual(['SENT', 'DROPPED', 'DROPPED']);
  expect(mailsOf(id)).toHaveLength(1);
});

it('mails nothing to a customer who was erased, and keeps no trace of their address', async () => {
  const { storeId, api } = await storeThatReminds();
  const due = addDays(today(), 10);
  const id = await boleto(api, 'davi@example.com', due);
  await advance(api, { to: morningOf(nextSendingDay(addDays(due, -3))).toISOString() });
  expect(mailsOf(id)).toHaveLength(1);
  const { customerId } = await app.database.em.fork().findOneOrFail(ChargeEntity, { id: id as ChargeId });
  await api.post('/v2/customers/delete', { id: customerId });
  await advance(api, after(nextSendingDay(addDays(due, 3))));
  expect((await rowsOf(storeId)).map(({ status }) => status)).toEqual(['SENT', 'DROPPED', 'DROPPED']);
  expect(mailsOf(id)).toHaveLength(1);
  expect(
    await app.database.em.fork().count(ReminderRecipientEntity, { customerId: customerId as CustomerId }),
  ).toBe(0);
});

it('mails reminders of a subscription, on the mornings of its steps', async () => {
  const { storeId, api } = await app.anotherStore();
  const ofSubscriptions = {
    ...DEFAULT_REMINDER_SETTINGS.ofSubscriptions,
    RENEWAL: { channel: 'EMAIL', steps: [-10] },
    PAST_DUE: { channel: 'EMAIL', steps: [1] },
  } as const;
  const settings = { ...DEFAULT_REMINDER_SETTINGS, ofSubscriptions };
  const owner = { storeId, devMode: true };
  await app.database.em.fork().transactional((em) => saveReminderSettings(em, owner, settings, new Date()));
  const customer = await buildCustomer(api, { email: 'gil@example.com' });
  const { id: productId } = await buildProduct(api, { price: 4_900, cycle: 'MONTHLY', name: 'Clube' });
  const body = {
    items: [{ id: productId, quantity: 1 }],
    methods: ['CARD'],
    customerId: customer.id,
    retryPolicy: { maxRetry: 3, retryEvery: 7 },
  };
  const { id } = dataOf<{ id: string }>(await api.post('/v2/subscriptions/create', body));
  // Approved once, and declined from the second charge on.
  const payment = { id, card: { number: '4000000000000341' } };
  const paid = await api.post('/v2/checkouts/simulate-payment', payment);
  const { subscriptionId } = dataOf<{ subscriptionId: string }>(paid);
  await advance(api, { by: 'P1M6D' });
  const rows = await app.database.em.fork().find(SubscriptionReminderEntity, { storeId });
  expect(rows.map(({ kind, days, status }) => [kind, days, status])).toEqual(
    expect.arrayContaining([
      ['RENEWAL', -10, 'SENT'],
      ['PAST_DUE', 1, 'SENT'],
    ]),
  );
  const mails = mailsOf(subscriptionId);
  expect(mails).toHaveLength(2);
  for (const mail of mails) {
    expect(mail).toMatch(/^To: gil@example.com\r$/m);
    expect(mail).toMatch(/^List-Unsubscribe: <http:\/\/[^>]*\/unsubscribe\/[\w-]{32}>\r$/m);
    expect(mail).toContain(`/portal/${customer.id}`);
    expect(mail).toContain('49,00');
  }
});
