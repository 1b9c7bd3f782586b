import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { ShownInvoice } from '../../src/api/invoices/schema.ts';
import { DEFAULT_BILLING_SETTINGS } from '../../src/domain/billing-settings.ts';
import type { StoreId } from '../../src/domain/ids.ts';
import { DEFAULT_REMINDER_SETTINGS } from '../../src/domain/reminders.ts';
import { InvoiceMailer } from '../../src/mail/invoice-mailer.ts';
import { saveBillingSettings } from '../../src/stores/billing-settings.ts';
import { saveReminderSettings } from '../../src/stores/reminder-settings.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { createMoneyApp, type MoneyApp } from '../support/api/money-app.ts';
import { advance } from '../support/fixtures/clock.ts';
import { decodedMail, type MailServer, startMailServer } from '../support/outside/mail-server.ts';
import { buildCustomer, buildProduct } from '../support/rows/catalog.ts';
import { buildCheckout } from '../support/rows/checkouts.ts';
import { payCheckout } from '../support/rows/payments.ts';
import { SILENT_LOG } from '../support/servers/silent-temporal.ts';
import { eventually } from '../support/waiting/eventually.ts';

let app: MoneyApp;
let server: MailServer;
beforeAll(async () => {
  server = await startMailServer({ later: 451 });
  const { smtpUrl } = server;
  app = await createMoneyApp({ config: { mail: { smtpUrl, from: 'faturas@example.com' } } });
});
afterAll(async () => {
  await app.close();
  await server[Symbol.asyncDispose]();
});

async function storeThatMails(mailsInvoices = true) {
  const { storeId, api } = await app.anotherStore();
  const owner = { storeId, devMode: true };
  const settings = { ...DEFAULT_BILLING_SETTINGS, mailsInvoices };
  await saveBillingSettings(app.database.em.fork(), owner, settings, new Date());
  return { storeId, api };
}

/** The paid checkout of a customer whom the merchant named. @returns its invoice. */
async function paid(api: ApiClient, email: string): Promise<ShownInvoice> {
  const customer = await buildCustomer(api, { email });
  const checkout = await buildCheckout(api, { customerId: customer.id });
  await payCheckout(api, checkout.id);
  return invoiceOf(api, `checkoutId=${checkout.id}`);
}

async function invoiceOf(api: ApiClient, query: string): Promise<ShownInvoice> {
  return eventually(async () => {
    const [found] = dataOf<ShownInvoice[]>(await api.get(`/v2/invoices/list?status=PAID&${query}`));
    expect(found).toBeDefined();
    return found as ShownInvoice;
  });
}

const mailsOf = ({ id }: ShownInvoice) => server.mails.filter((mail) => mail.includes(`<invoice.${id}@`));
const mailOf = (invoice: ShownInvoice) =>
  eventually(() => {
    expect(mailsOf(invoice)).toHaveLength(1);
    return mailsOf(invoice)[0] ?? '';
  });
const waitingIn = (storeId: StoreId) =>
  app.database.em.fork().execute<{ next: string }[]>(
    `select next_attempt_at::text as next from invoice_mails join invoices on invoices.id = invoice_id
       where store_id = :storeId`,
    { storeId },
  );

it('mails a paid invoice once, as a PDF, with the tax id masked', async () => {
  const { storeId, api } = await storeThatMails();
  const invoice = await paid(api, 'ana@example.com');
  const mail = await mailOf(invoice);
  expect(mail).toMatch(/^From: .* <faturas@example.com>\r\nTo: ana@example.com\r\n/m);
  expect(mail).toContain(`filename=invoice-${invoice.number}.pdf`);
  expect(mail).toContain('Content-Type: application/pdf');
  expect(mail).not.toMatch(/52998224725|529\.982/);
  await eventually(async () => expect(await waitingIn(storeId)).toEqual([]));
  expect(mailsOf(invoice)).toHaveLength(1);
});

it('mails nothing unless the store has asked for it', async () => {
  const { api: silent } = await storeThatMails(false);
  const unwanted = await paid(silent, 'caio@example.com');
  const { api } = await storeThatMails();
  // Written later, so the one above would have come first.
  await mailOf(await paid(api, 'davi@example.com'));
  expect(mailsOf(unwanted)).toEqual([]);
});

it('mails nothing to a customer whom only a payer named', async () => {
  const { storeId, api } = await storeThatMails();
  await buildCustomer(api, { email: 'bia@example.com', taxId: '111.444.777-35' });
  const checkout = await buildCheckout(api, { methods: ['PIX'] });
  await fetch(`${api.url}/pay/${checkout.id}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { Origin: api.url },
    body: new URLSearchParams({ method: 'PIX', payerName: 'Eva', payerTaxId: '111.444.777-35' }),
  });
  await api.post('/v2/checkouts/simulate-payment', { id: checkout.id, method: 'PIX' });
  await invoiceOf(api, `checkoutId=${checkout.id}`);
  await eventually(async () => expect(await waitingIn(storeId)).toEqual([]));
  expect(server.mails.filter((mail) => mail.includes('bia@example.com'))).toEqual([]);
});

it('mails in the language of the page on which the payer paid', async () => {
  const { api } = await storeThatMails();
  const checkout = await buildCheckout(api, { methods: ['PIX'] });
  await fetch(`${api.url}/pay/${checkout.id}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { Origin: api.url, 'Accept-Language': 'en-US' },
    body: new URLSearchParams({ method: 'PIX', payerName: 'Eva', payerEmail: 'eva@example.com' }),
  });
  await api.post('/v2/checkouts/simulate-payment', { id: checkout.id, method: 'PIX' });
  const invoice = await invoiceOf(api, `checkoutId=${checkout.id}`);
  const mail = await mailOf(invoice);
  expect(decodedMail(mail)).toContain(`Subject: Invoice ${invoice.number} – `);
});

it('mails in the language of the reminders to a payer without a page', async () => {
  const { storeId, api } = await storeThatMails();
  const settings = { ...DEFAULT_REMINDER_SETTINGS, language: 'es' };
  const owner = { storeId, devMode: true };
  await saveReminderSettings(app.database.em.fork(), owner, settings, new Date());
  const invoice = await paid(api, 'lola@example.com');
  expect(decodedMail(await mailOf(invoice))).toContain(`Subject: Factura ${invoice.number} – `);
});

it('mails the invoice of each renewal', async () => {
  const { api } = await storeThatMails();
  const plan = await buildProduct(api, { price: 4_900, cycle: 'MONTHLY' });
  const { id: customerId } = await buildCustomer(api, { email: 'rui@example.com' });
  const body = { items: [{ id: plan.id, quantity: 1 }], methods: ['CARD'], customerId };
  const { id } = dataOf<{ id: string }>(await api.post('/v2/subscriptions/create', body));
  await api.post('/v2/checkouts/simulate-payment', { id, method: 'CARD' });
  await mailOf(await invoiceOf(api, `checkoutId=${id}`));
  await advance(api, { by: 'P32D' });
  const renewals = await eventually(async () => {
    const all = dataOf<ShownInvoice[]>(await api.get(`/v2/invoices/list?status=PAID&checkoutId=${id}`));
    expect(all).toHaveLength(2);
    return all;
  });
  for (const renewal of renewals) expect(await mailOf(renewal)).toContain('To: rui@example.com');
});

it('retries later after a busy mail server, and sends one mail from parallel workers', async () => {
  const { storeId, api } = await storeThatMails();
  const invoice = await paid(api, 'later@example.com');
  await eventually(() => expect(server.refused).toContain('later@example.com'));
  expect(mailsOf(invoice)).toEqual([]);
  delete server.refusals.later;
  const { smtpUrl } = server;
  const mailers = Array.from(
    { length: 3 },
    () => new InvoiceMailer(app.database, app.api.url, { smtpUrl, from: 'faturas@example.com' }, SILENT_LOG),
  );
  const soon = new Date(Date.now() + 6 * 60_000);
  const taken = await Promise.all(mailers.map((mailer) => mailer.sendDue(soon)));
  expect(taken.reduce((sum, count) => sum + count)).toBe(1);
  expect(mailsOf(invoice)).toHaveLength(1);
  expect(await waitingIn(storeId)).toEqual([]);
  await Promise.all(mailers.map((mailer) => mailer.close()));
});
