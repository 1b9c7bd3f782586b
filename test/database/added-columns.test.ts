import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { AccountProviders } from '../../src/accounts/account-providers.ts';
import { addAccount } from '../../src/accounts/accounts.ts';
import { noteEndingCertificates } from '../../src/accounts/ending-certificates.ts';
import { accountClaims } from '../../src/accounts/order-claims.ts';
import { exampleNfseSettings } from '../../src/api/invoices/nfse/settings-schema.ts';
import type { ShownInvoice } from '../../src/api/invoices/schema.ts';
import { ExpectedLine } from '../../src/audit-log/expected-line.ts';
import { recordAction } from '../../src/audit-log/record-action.ts';
import { verifyAudit } from '../../src/audit-log/verify-audit.ts';
import { eraseDueCards } from '../../src/cards/erase-due-cards.ts';
import { noteOrder } from '../../src/charges/charge-orders.ts';
import { saveFile, saveTexts } from '../../src/charges/disputes/evidence-rows.ts';
import { noteAttention } from '../../src/database/attention.ts';
import { loadPersonalNumbers } from '../../src/database/encryption/data-key.ts';
import { ChargeEntity } from '../../src/database/entities/charge.ts';
import { DebitEntity } from '../../src/database/entities/debit.ts';
import { DisputeEntity } from '../../src/database/entities/dispute.ts';
import { MandateEntity } from '../../src/database/entities/mandate.ts';
import { SubscriptionEntity } from '../../src/database/entities/subscription.ts';
import type { Em } from '../../src/database/orm.ts';
import { storeTimeOf } from '../../src/database/store-clock.ts';
import { addDays, saoPauloDateOf } from '../../src/domain/civil-date.ts';
import { cyclePeriod } from '../../src/domain/cycle.ts';
import type { ChargeId, UserId } from '../../src/domain/ids.ts';
import { DEFAULT_PORTAL_SETTINGS } from '../../src/domain/portal-settings.ts';
import { DEFAULT_REMINDER_SETTINGS, morningOf, nextSendingDay } from '../../src/domain/reminders.ts';
import { noteReading } from '../../src/events/event-readers.ts';
import { AnonymousTraffic } from '../../src/http/anonymous-traffic.ts';
import { RateLimiter } from '../../src/http/rate-limiter.ts';
import { SharedRates } from '../../src/http/shared-rates.ts';
import { invitationSubject } from '../../src/identity/invitees.ts';
import { userOf } from '../../src/identity/users.ts';
import { mintId } from '../../src/ids.ts';
import { issueOf } from '../../src/invoices/issue-invoices.ts';
import { recordMove } from '../../src/ledger/account-moves.ts';
import { verifySinceCheckpoint } from '../../src/ledger/ledger-checkpoint.ts';
import { settlePart } from '../../src/ledger/suspense.ts';
import { KEEP_CONSENT_MAIL, TAKE_CONSENT_MAILS } from '../../src/mail/queue/consent-mails.ts';
import { KEEP_INVITATION_MAIL, TAKE_INVITATION_MAILS } from '../../src/mail/queue/invitation-mails.ts';
import { TAKE_INVOICE_MAILS } from '../../src/mail/queue/invoice-mails.ts';
import { TAKE_NOTICE_MAILS } from '../../src/mail/queue/notice-mails.ts';
import { TAKE_PAYER_CODE_MAILS } from '../../src/mail/queue/payer-code-mails.ts';
import { KEEP_RECEIPT_MAIL, TAKE_RECEIPT_MAILS } from '../../src/mail/queue/receipt-mails.ts';
import {
  DROP_NEEDLESS_REMINDERS,
  END_REMINDER_MAIL,
  TAKE_REMINDER_MAILS,
} from '../../src/mail/queue/reminder-mails.ts';
import {
  DROP_NEEDLESS_SUBSCRIPTION_REMINDERS,
  END_SUBSCRIPTION_REMINDER_MAIL,
  TAKE_SUBSCRIPTION_REMINDER_MAILS,
} from '../../src/mail/queue/subscription-reminder-mails.ts';
import { advanceDebit } from '../../src/mandates/advance-debit.ts';
import { planDebits } from '../../src/mandates/plan-debits.ts';
import { noteListed } from '../../src/notifications/provider-listings.ts';
import { readStatementDay } from '../../src/notifications/statement-day.ts';
import type { PostResult } from '../../src/outbound/post-result.ts';
import { writeReminders } from '../../src/reminders/reminder-round.ts';
import { recipientOf, unsubscribe } from '../../src/reminders/unsubscribe.ts';
import { SecretsKeys } from '../../src/secrets/secrets-keys.ts';
import { saveBillingSettings } from '../../src/stores/billing-settings.ts';
import { savePortalSettings } from '../../src/stores/portal-settings.ts';
import { saveReminderSettings } from '../../src/stores/reminder-settings.ts';
import { reportToBreaker } from '../../src/webhooks/circuit-breaker.ts';
import { loadAttempt } from '../../src/webhooks/load-attempt.ts';
import type { PublishedNfse } from '../../src/wire/nfse.ts';
import { dataOf } from '../support/api/api-client.ts';
import { createMoneyApp, type MoneyApp } from '../support/api/money-app.ts';
import { secondFactorOf, signedIn } from '../support/dashboard/dashboard-user.ts';
import { advance } from '../support/fixtures/clock.ts';
import { debitDeps } from '../support/fixtures/debit-deps.ts';
import { importFolder, runImportCommand } from '../support/fixtures/import-files.ts';
import { TestBank } from '../support/outside/test-bank.ts';
import { type Endpoint, startWebhookSink, type WebhookSink } from '../support/outside/webhook-sink.ts';
import { buildPixCharge, buildWebhook, insertDelivery, insertWebhook } from '../support/rows/build.ts';
import { typeCard } from '../support/rows/card-tokens.ts';
import { buildCoupon, buildProduct } from '../support/rows/catalog.ts';
import { buildCheckout } from '../support/rows/checkouts.ts';
import { credit } from '../support/rows/credit.ts';
import { insertHeldPayment } from '../support/rows/held-payment.ts';
import { accessKeyOf } from '../support/rows/nfse.ts';
import { buildPaidCheckout, buildPaidPix, takeUpSell } from '../support/rows/payments.ts';
import { setControls } from '../support/rows/payout-controls.ts';
import { insertSubscription } from '../support/rows/subscribed-rows.ts';
import { testAccounts } from '../support/rows/two-accounts.ts';
import { SILENT_LOG } from '../support/servers/silent-temporal.ts';
import { eventually } from '../support/waiting/eventually.ts';
import { waitFor } from '../support/waiting/wait-for.ts';
import { payForm } from '../support/web/pay-form.ts';
import { PortalReader } from '../support/web/portal-reader.ts';

const NOTHING = async () => ({ items: [], nextCursor: null });
const NO_BOOKS = { entries: NOTHING, payouts: NOTHING };

let app: MoneyApp;
let sink: WebhookSink;
beforeAll(async () => {
  [app, sink] = await Promise.all([createMoneyApp(), startWebhookSink()]);
  for (const table of await tables()) {
    await app.database.em.fork().execute(`alter table ${table} add column zz_new int not null default 1`);
  }
});
afterAll(async () => {
  await app.close();
  await sink[Symbol.asyncDispose]();
});

async function tables(): Promise<string[]> {
  const found = await app.database.em.fork().execute<{ name: string }[]>(
    `select table_name as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
  );
  return found.map(({ name }) => name);
}

const ANA = { name: 'Ana Souza', taxId: '529.982.247-25', email: 'ana@example.com' };
const CARD = {
  method: 'CARD',
  cardNumber: '4242 4242 4242 4242',
  cardHolder: 'ANA SOUZA',
  cardCvv: '123',
  cardExpiry: `12/${String(new Date().getUTCFullYear() + 1).slice(-2)}`,
};
const MONTHS_AGO = new Date(Date.now() - 2 * 31 * 24 * 60 * 60 * 1_000);

async function post<Data>(path: string, body: unknown = {}): Promise<Data> {
  return dataOf(await app.api.post(path, body));
}

it("keeps the previous release's statements working with a new column in any table", async () => {
  const [v1, v2] = [sink.endpoint(), sink.endpoint()];
  await moveIn();
  await loadPersonalNumbers(app.database, new SecretsKeys([randomBytes(32).toString('base64')]), true);
  const v1Events = ['billing.created', 'billing.paid', 'billing.failed'];
  const events = ['transparent.completed', 'checkout.completed', 'subscription.renewed', 'payout.completed'];
  const name = 'Order system';
  const secret = 'a-secret-of-some-length';
  await post('/v1/webhooks/create', { name, secret, endpoint: v1.url, events: v1Events });
  await buildWebhook(app.api, { endpoint: v2.url, events });

  await payTransparentCharges();
  await payCards();
  await payCheckouts();
  await payBilling();
  await useSubscription();
  await renewSubscription();
  await debitSubscription();
  await sendMoney();
  const about = { kind: 'RETURN_REFUSED', subjectId: 'paym_1', storeId: null, devMode: null } as const;
  await noteAttention(app.database, { ...about, since: MONTHS_AGO, now: new Date() });
  await new AnonymousTraffic(app.database).count(['pagesOfAddress', '192.0.2.1']);
  await shareRates();
  await eventually(async () => {
    expect(namesOf(v1)).toEqual(new Set(v1Events));
    expect(namesOf(v2)).toEqual(new Set(events));
  });
  await resendRange();
  await eraseCustomers();
  await eraseCards();
  // Erased cards are deleted.
  await payCards();
  await advance(app.api, { by: 'PT1S' });
  await enterDashboard();
  await enterPortal();
  await takeReceiptMail();
  await declareService();
  await takeInvoiceMail();
  await takeConsentMail();
  await takeInvitationMail();
  await takeReminder();
  await takeNoticeMail();
  await expectLine();
  await noteReading(
    app.database,
    { storeId: app.storeId, devMode: true },
    ['transparent.expired'],
    new Date(),
  );
  await keepAccount();
  for (const maxDayCents of [1, 2])
    await setControls(app.database, { storeId: app.storeId, devMode: true }, { maxDayCents });
  for (const isFull of [true, false]) {
    const { discrepancies } = await verifySinceCheckpoint(app.database.em.fork(), new Date(), isFull);
    expect(discrepancies).toEqual([]);
    const { faults } = await verifyAudit(app.database.em.fork(), new Date(), isFull);
    expect(faults).toEqual([]);
  }

  await moveMoney();
  await holdPartly();

  // This comes last, since a later answer of the endpoint would close the breaker again.
  await hang();
  const empty: string[] = [];
  for (const table of await tables()) {
    const rows = await app.database.em.fork().execute(`select zz_new from ${table} limit 1`);
    if (rows.length === 0) empty.push(table);
  }
  // An empty table would prove nothing about the statements that write to it.
  expect(empty).toEqual([]);
});

/** Ordered in a week's time, as the sandbox takes no order earlier. */
async function debitSubscription(): Promise<void> {
  const { id: productId } = await buildProduct(app.api, { price: 4_900, cycle: 'MONTHLY' });
  const order = { items: [{ id: productId, quantity: 1 }], methods: ['PIX'], pixAutomatic: 'fixed' };
  const { id } = await post<{ id: string }>('/v2/subscriptions/create', order);
  const payer = { name: 'Ana Souza', taxId: '529.982.247-25' };
  await post('/v2/checkouts/simulate-payment', { id, payer });
  const now = new Date(Date.now() + 26 * 24 * 60 * 60 * 1_000);
  const deps = debitDeps(app);
  const owner = { storeId: app.storeId, devMode: true };
  // A round leaves out a row that the worker changes at that moment.
  await waitFor(async () => (await planDebits(deps, { now, owner })) === 1);
  const debit = await app.database.em.fork().findOneOrFail(DebitEntity, { storeId: app.storeId });
  expect(await advanceDebit(deps, debit.id, now)).toMatchObject({ status: 'ORDERED' });
}

/** By the command, in a process of its own. */
async function moveIn(): Promise<void> {
  using folder = importFolder({
    customers: [{ id: 'c1', name: 'Bia Lima', email: 'bia@example.com' }],
    payments: [{ id: 'h1', customer: 'c1', amount: '49,90', method: 'PIX', paid_at: '2026-01-15' }],
  });
  const url = app.database.config.get('clientUrl') ?? '';
  const { ended } = await runImportCommand({ url, storeId: app.storeId }, `csv ${folder.path}`);
  expect(ended).toMatchObject({ code: 0 });
}

/** On the shop's own page, again without the payer, and in installments that settle one by one. */
async function payCards(): Promise<void> {
  const data = { amount: 5_000, customer: ANA };
  const token = await typeCard(app.database, app.storeId);
  const create = (card: object) =>
    post<{ cardToken: string }>('/v2/transparents/create', { method: 'CARD', data: { ...data, ...card } });
  const { cardToken } = await create({ token });
  await create({ cardToken });
  await create({ token: await typeCard(app.database, app.storeId, '4000000000000036'), installments: 3 });
}

/** A customer who signs in to the portal with the code that dev mode shows, and changes their address. */
async function enterPortal(): Promise<void> {
  const customer = dataOf<{ id: string }>(
    await app.api.post('/v2/customers/create', { email: 'portal@example.com' }),
  );
  const link = dataOf<{ url: string }>(
    await app.api.post('/v2/customer-portal/create', { customerId: customer.id }),
  );
  const path = new URL(link.url).pathname;
  const reader = new PortalReader(app);
  await reader.signIn(path, 'portal@example.com');
  const place = { storeId: app.storeId, devMode: true };
  for (const longestPauseDays of [30, null])
    await savePortalSettings(
      app.database.em.fork(),
      place,
      { ...DEFAULT_PORTAL_SETTINGS, longestPauseDays, changesEmail: true },
      new Date(),
    );
  await reader.changeEmail(path, 'portal.two@example.com');
  await TAKE_PAYER_CODE_MAILS(app.database, { now: new Date(), limit: 10 });
}

/** As the dashboard keeps one for somebody who is invited. */
async function takeInvitationMail(): Promise<void> {
  const { database, storeId } = app;
  const now = new Date();
  const em = database.em.fork();
  const { id: userId } = await userOf(em, 'invited@example.com', now);
  expect(await invitationSubject(em, storeId, userId)).toMatch(/^invt_/);
  const mail = {
    userId,
    storeId,
    role: 'finance',
    inviterId: null,
    language: 'pt',
    createdAt: now,
  } as const;
  await KEEP_INVITATION_MAIL(database, { mail });
  await TAKE_INVITATION_MAILS(database, { now, limit: 10 });
}

/** As a request keeps one, and a worker takes it. */
async function takeConsentMail(): Promise<void> {
  const { id: mandateId } = await app.database.em
    .fork()
    .findOneOrFail(MandateEntity, { storeId: app.storeId });
  await KEEP_CONSENT_MAIL(app.database, { mandateId });
  expect(await TAKE_CONSENT_MAILS(app.database, { now: new Date(), limit: 10 })).toHaveLength(1);
}

/** As the line of a new production key keeps one for each owner, and a worker takes it. */
async function takeNoticeMail(): Promise<void> {
  const { database, storeId } = app;
  const now = new Date();
  const done = { action: 'keys/create', subjectId: null, devMode: false, now };
  await database.em
    .fork()
    .transactional((em) => recordAction(em, { kind: 'CLI', operator: 'ana', storeId }, done));
  expect(await TAKE_NOTICE_MAILS(database, { now, limit: 10 })).not.toEqual([]);
}

/** As a form of the dashboard notes one before a workflow does what was asked. */
async function expectLine(): Promise<void> {
  const { database, storeId } = app;
  const [user] = await database.em.fork().execute<{ id: UserId }[]>('select id from users limit 1');
  if (user === undefined) throw new Error('nobody has entered');
  const actor = { kind: 'PERSON', userId: user.id, role: 'owner', storeId, address: '127.0.0.0' } as const;
  const done = { action: 'subscriptions/cancel', subjectId: 'subs_1', devMode: true, now: new Date() };
  await database.em
    .fork()
    .transactional((em) => ExpectedLine.note(em, database, { ...actor, submission: 'form-1' }, done));
}

/** As a page keeps one, and a worker takes it. */
async function takeReceiptMail(): Promise<void> {
  const { id: chargeId } = await buildPixCharge(app.api);
  const kept = { chargeId: chargeId as ChargeId, language: 'pt' };
  await KEEP_RECEIPT_MAIL(app.database, kept);
  await TAKE_RECEIPT_MAILS(app.database, { now: new Date(), limit: 10 });
}

/** A paid invoice is published again, this time with a mail server. The worker's issuer has none, and must not see it. */
async function takeInvoiceMail(): Promise<void> {
  const environment = { storeId: app.storeId, devMode: true };
  await app.database.em.fork().transactional(async (em) => {
    await em.execute(
      `update invoices set published_status = 'OPEN' where status = 'PAID' and number_year is not null`,
    );
    const database = { em: { fork: () => ({ transactional: (work: (tx: Em) => unknown) => work(em) }) } };
    const deps = {
      database: database as never,
      startDelivery: async () => {},
      sendsMail: true,
      log: SILENT_LOG,
    };
    await issueOf(deps, environment, new Date());
  });
  await TAKE_INVOICE_MAILS(app.database, { now: new Date(), limit: 10 });
}

/** A DPS is issued, and its cancellation asked for. */
async function declareService(): Promise<void> {
  await post('/v2/invoices/nfse/update-settings', exampleNfseSettings);
  const [invoice] = dataOf<ShownInvoice[]>(await app.api.get('/v2/invoices/list?status=PAID'));
  const nfse = await post<PublishedNfse>('/v2/invoices/nfse/issue', { invoiceId: invoice?.id });
  const { id } = nfse;
  await post('/v2/invoices/nfse/report', { id, status: 'AUTHORIZED', accessKey: accessKeyOf(nfse) });
  await post('/v2/invoices/nfse/cancel', { id });
}

/** A boleto is due, and its payer wants no more reminders. */
async function takeReminder(): Promise<void> {
  const owner = { storeId: app.storeId, devMode: true };
  const now = await storeTimeOf(app.database, owner, new Date());
  const renewal = { channel: 'EMAIL', steps: [-1] } as const;
  const ofSubscriptions = { ...DEFAULT_REMINDER_SETTINGS.ofSubscriptions, RENEWAL: renewal };
  const settings = { ...DEFAULT_REMINDER_SETTINGS, channel: 'EMAIL', steps: [0], ofSubscriptions } as const;
  await app.database.em.fork().transactional((em) => saveReminderSettings(em, owner, settings, now));
  const dueDate = addDays(saoPauloDateOf(now), 9);
  await post('/v2/transparents/create', {
    method: 'BOLETO',
    data: { amount: 5_000, dueDate, customer: ANA },
  });
  const morning = morningOf(nextSendingDay(dueDate));
  const cycleEndsAt = new Date(morning.getTime() + 24 * 60 * 60_000);
  await insertSubscription(app, { cycleStartsAt: new Date(0), cycleEndsAt });
  const deps = {
    database: app.database,
    sendsMail: true,
    publicUrl: 'https://recebe.test',
    startDelivery: async () => undefined,
    log: SILENT_LOG,
  };
  expect(await writeReminders(deps, { now: morning, owner })).toBeGreaterThan(0);
  const limits = { now: new Date(), devMode: true, limit: 10 };
  await DROP_NEEDLESS_REMINDERS(app.database, limits);
  await DROP_NEEDLESS_SUBSCRIPTION_REMINDERS(app.database, limits);
  const taken = await TAKE_SUBSCRIPTION_REMINDER_MAILS(app.database, limits);
  for (const each of taken)
    await END_SUBSCRIPTION_REMINDER_MAIL(app.database, { mail: each, status: 'SENT', now: limits.now });
  const [mail] = await TAKE_REMINDER_MAILS(app.database, limits);
  if (mail === undefined) throw new Error('no reminder is due');
  const { customerId } = await app.database.em.fork().findOneOrFail(ChargeEntity, { id: mail.chargeId });
  if (customerId === null) throw new Error('the charge has no customer');
  const { token } = await recipientOf(app.database.em.fork(), customerId, ANA.email, limits.now);
  await unsubscribe(app.database, token, limits.now);
  await END_REMINDER_MAIL(app.database, { mail, status: 'SENT', now: limits.now });
}

/** As the command line keeps one, and a charge of real money goes to it. */
async function keepAccount(): Promise<void> {
  const kinds = { bank: new TestBank() };
  const keys = new SecretsKeys([randomBytes(32).toString('base64')]);
  const { database, storeId } = app;
  const settings = { clientId: 'shop' };
  const secrets = { clientSecret: 'secret' };
  const given = { storeId, kind: 'bank', profile: 'north', uses: null, settings, secrets };
  const { account } = await addAccount({ em: database.em.fork(), keys, kinds }, given, new Date());
  const sandbox = await app.parts.providers.issuerOf({ provider: 'sandbox', devMode: true });
  const providers = new AccountProviders({ database, secretsKeys: keys, kinds, sandbox, log: app.parts.log });
  const storeProviders = await providers.providersOf({ storeId, devMode: false });
  expect(storeProviders.get('PIX')?.name).toBe(account.id);
  const now = new Date();
  await readStatementDay(
    app.database.em.fork(),
    { id: 'pacc_added' as never, storeId: app.storeId },
    NO_BOOKS,
    saoPauloDateOf(new Date()),
    new Date(),
  );
  await noteListed(database, { id: account.id, listedUntil: now, daysListedUntil: null });
  const chargeId = mintId<ChargeId>('pixCharge', now);
  await noteOrder(database, { chargeId, provider: account.id, now });
  const claims = accountClaims(database, account.id);
  await claims.claim(chargeId, 1_000);
  expect(await claims.record(chargeId, 'pay_1')).toBe('pay_1');
  await noteEndingCertificates(database, new Date(), app.parts.log);
}

/** As the command line records it; after the ledger was verified, which would find no charge for this payment. */
async function moveMoney(): Promise<void> {
  const { database } = app;
  const { storeId, paidAt, sendsFrom } = await testAccounts(database).shop();
  await credit(database, { storeId, devMode: false, provider: paidAt }, 2_000);
  const move = { fromProvider: paidAt, toProvider: sendsFrom, amountCents: 1_500, reference: 'E1' };
  await database.em.fork().transactional((em) => recordMove(em, move, new Date()));
}

/** As a bank that refused to return a payment shows it once the payer's bank took a part. */
async function holdPartly(): Promise<void> {
  const { id } = await buildPixCharge(app.api);
  const em = app.database.em.fork();
  const held = { storeId: app.storeId, chargeId: id as ChargeId, amountCents: 2_500 };
  await settlePart(em, await insertHeldPayment(em, held), 1_000, new Date());
}

function namesOf({ received }: Endpoint): Set<string> {
  return new Set(received.map(({ body }) => JSON.parse(body).event));
}

/** PIX that is refunded, disputed or cancelled, and a boleto. */
async function payTransparentCharges(): Promise<void> {
  const customer = { ...ANA, cellphone: '+55 47 91234-5678' };
  const body = {
    method: 'PIX',
    data: { amount: 2_500, externalId: 'order-1', customer, metadata: { orderId: '1' } },
  };
  const once = { headers: { 'Idempotency-Key': 'once' } };
  const pix = dataOf<{ id: string }>(await app.api.post('/v2/transparents/create', body, once));
  expect(dataOf(await app.api.post('/v2/transparents/create', body, once))).toEqual(pix);
  await post(`/v2/transparents/simulate-payment?id=${pix.id}`);
  await post('/v2/transparents/refund', { id: pix.id });
  await post('/v2/dev/disputes/open', { id: pix.id, amount: 2_500 });
  await post('/v2/dev/disputes/lose', { id: pix.id });
  const id = await buildPaidPix(app.api);
  await post('/v2/dev/disputes/open', { id, fee: 5_500 });
  await draftEvidence();
  await post('/v2/dev/disputes/win', { id });
  await post('/v2/transparents/cancel', { id: (await buildPixCharge(app.api)).id });
  const data = { amount: 2_500, customer };
  const boleto = await post<{ id: string }>('/v2/transparents/create', { method: 'BOLETO', data });
  await post(`/v2/transparents/simulate-payment?id=${boleto.id}`);
}

/** Evidence for the only dispute. */
async function draftEvidence(): Promise<void> {
  const em = app.database.em.fork();
  const { id } = await em.findOneOrFail(DisputeEntity, { status: 'OPEN' });
  const now = new Date();
  const file = { kind: 'receipt', type: 'application/pdf', content: Buffer.from('%PDF-1.7') } as const;
  expect(await saveTexts(em, id, { uncategorizedText: 'Entregue' }, now)).toBe(true);
  expect(await saveFile(em, id, file, now)).toBe('SAVED');
}

/** By card: with a coupon, declined, and with one thing more on the same card. */
async function payCheckouts(): Promise<void> {
  const { code } = await buildCoupon(app.api);
  const { id } = await buildCheckout(app.api, { coupons: [code], externalId: 'order-1' });
  await payForm(app.api.url, id, { ...CARD, coupon: code });
  await eventually(async () => {
    const checkout = dataOf(await app.api.get(`/v2/checkouts/get?id=${id}`));
    expect(checkout).toMatchObject({ status: 'PAID', paidAmount: 4_500 });
  });
  const declined = await buildCheckout(app.api);
  await payForm(app.api.url, declined.id, { ...CARD, cardNumber: '4000 0000 0000 0002' });
  await post('/v2/checkouts/cancel', { id: declined.id });
  const { id: upSellProductId } = await buildProduct(app.api, { price: 2_000 });
  await takeUpSell(app, await buildPaidCheckout(app.api, { methods: ['CARD'], upSellProductId }));
}

async function payBilling(): Promise<void> {
  const products = [{ externalId: 'shirt', name: 'Camiseta', quantity: 1, price: 5_000 }];
  const back = { returnUrl: 'https://shop.example.com', completionUrl: 'https://shop.example.com' };
  const { id } = await post<{ id: string }>('/v1/billing/create', { methods: ['PIX'], products, ...back });
  await post('/v2/checkouts/simulate-payment', { id, method: 'PIX' });
}

async function useSubscription(): Promise<void> {
  const planOf = async () => ({ id: (await buildProduct(app.api, { cycle: 'MONTHLY' })).id, quantity: 1 });
  const checkout = await post<{ id: string }>('/v2/subscriptions/create', { items: [await planOf()] });
  const { subscriptionId: id } = await post<{ subscriptionId: string }>('/v2/checkouts/simulate-payment', {
    id: checkout.id,
    payer: ANA,
  });
  const { id: productId } = await buildProduct(app.api, { price: 5 });
  await post('/v2/subscriptions/record-usage', { id, productId, units: 3, action: 'add' });
  await post('/v2/subscriptions/record-usage', { id, productId, units: 1, action: 'subtract' });
  // Its payer would have to confirm the first one.
  await app.api.post('/v2/dev/cards/change', { id, number: '4000002500003155' });
  await post('/v2/dev/cards/change', { id });
  const { id: nextId, quantity } = await planOf();
  await post('/v2/subscriptions/change-plan', { id, productId: nextId, quantity });
  await post('/v2/subscriptions/cancel', { id });
}

/** Its second and third cycle are due. */
async function renewSubscription(): Promise<void> {
  const owner = { storeId: app.storeId, devMode: true };
  const settings = {
    dunningEnd: 'KEEP_PAST_DUE',
    missedCycles: 'CHARGE',
    mailsInvoices: true,
    mailsConsents: true,
    mandateEnd: 'CODE',
  } as const;
  await saveBillingSettings(app.database.em.fork(), owner, settings, new Date());
  const subscription = await insertSubscription(app, {
    cardToken: 'sandbox_approved_00',
    anchorAt: MONTHS_AGO,
    cycleStartsAt: MONTHS_AGO,
    cycleEndsAt: cyclePeriod(MONTHS_AGO, 'MONTHLY', 0).endsAt,
    createdAt: MONTHS_AGO,
  });
  await app.parts.subscriptionUpdates.start(subscription, Date.now());
  const { id } = subscription;
  await eventually(async () => {
    const renewed = await app.database.em.fork().findOneOrFail(SubscriptionEntity, { id });
    expect(renewed).toMatchObject({ cycleNumber: 3, failedAttempts: 0 });
  });
}

async function sendMoney(): Promise<void> {
  await buildPaidPix(app.api, { amount: 50_000 });
  await post('/v2/payouts/create', { amount: 1_000, externalId: 'payout-1' });
  const seller = await post<{ id: string }>('/v2/sub-accounts/create', { name: 'Ana', taxId: '52998224725' });
  await buildPaidPix(app.api, { amount: 2_000, splits: [{ subAccountId: seller.id, amount: 1_000 }] });
  // Its bank sends it back.
  const pix = { type: 'EMAIL', key: 'devolve@example.com' };
  await post('/v2/pix/send', { amount: 1_000, externalId: 'transfer-1', pix });
  await eventually(async () => {
    const ends = { payouts: 'COMPLETE', pix: 'REFUNDED' };
    for (const [sent, status] of Object.entries(ends)) {
      const list = dataOf(await app.api.get(`/v2/${sent}/list`));
      expect(list).toEqual([expect.objectContaining({ status })]);
    }
  });
}

/** The card of the cancelled subscription, which is due a month later. */
async function eraseCards(): Promise<void> {
  const { database, parts } = app;
  const deps = { database, providers: parts.providers, log: parts.log };
  const due = new Date(Date.now() + 31 * 24 * 60 * 60 * 1_000);
  expect(await eraseDueCards(deps, due)).toBeGreaterThan(0);
  // The next one stays, so that the table is not empty.
  await useSubscription();
}

async function eraseCustomers(): Promise<void> {
  const known = dataOf<{ id: string }[]>(await app.api.get('/v2/customers/list'));
  expect(known).not.toEqual([]);
  for (const { id } of known) await post(`/v2/customers/delete?id=${id}`);
}

async function resendRange(): Promise<void> {
  const [webhook] = dataOf<{ id: string }[]>(await app.api.get('/v2/webhooks/list'));
  const range = { from: MONTHS_AGO, to: new Date(), status: 'DELIVERED' };
  const { id } = await post<{ id: string }>('/v2/webhooks/resend', { webhookId: webhook?.id, ...range });
  await eventually(async () => {
    const resend = dataOf(await app.api.get(`/v2/webhooks/resend/get?id=${id}`));
    expect(resend).toMatchObject({ status: 'DONE' });
  });
}

/** An endpoint does not answer. */
async function hang(): Promise<void> {
  const webhook = await insertWebhook(app.database, { storeId: app.storeId });
  const { id } = await insertDelivery(app.database, webhook);
  const result = { outcome: 'failed', durationMs: 30_000 } as PostResult;
  const found = await loadAttempt(app.database, id, 'key');
  await reportToBreaker(app.database, found, result, { nowMs: Date.now(), isProbe: false });
}

async function enterDashboard(): Promise<void> {
  const { api, database, storeId } = app;
  await signedIn({ url: api.url, database }, storeId, 'owner');
  await secondFactorOf(database, 'owner@example.com', new SecretsKeys([]));
}

async function shareRates(): Promise<void> {
  const limiter = new RateLimiter({ perSecond: 1, burst: 1 });
  const rates = new SharedRates(app.database, limiter, app.deps.log);
  for (const fromMs of [0, 1_000]) {
    rates.note(`${app.storeId}/dev`, fromMs);
    await rates.exchange(fromMs + 999);
  }
}
