import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type Psp, startPsp } from '../../scripts/psp/start-psp.ts';
import { notificationPath } from '../../src/accounts/open-account.ts';
import { paymentsOfTime } from '../../src/accounts/payments-of-day.ts';
import { openAttention, resolveAttention } from '../../src/database/attention.ts';
import { PaymentEntity } from '../../src/database/entities/payment.ts';
import type { ProviderAccount } from '../../src/database/entities/provider-account.ts';
import { addDays, saoPauloDateOf, saoPauloMidnight } from '../../src/domain/civil-date.ts';
import type { ChargeId, StoreId } from '../../src/domain/ids.ts';
import { accountsToList } from '../../src/notifications/provider-listings.ts';
import { takeListed } from '../../src/notifications/take-listed.ts';
import { reconciliationScheduleId } from '../../workflows/reconciliation.contract.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { openBankAccount } from '../support/api/bank-account.ts';
import type { MoneyApp } from '../support/api/money-app.ts';
import { createStoreAtBank } from '../support/api/store-at-bank.ts';
import { run } from '../support/cli/command.ts';
import { recordStatements } from '../support/rows/asked-statements.ts';
import { chargeOf } from '../support/rows/payments.ts';
import { eventually } from '../support/waiting/eventually.ts';

const KEY = randomBytes(32).toString('base64');
const DAY_MS = 86_400_000;
/** A reference that no charge of Recebe has. */
const STRANGER = 'A'.repeat(26);

let app: MoneyApp;
let psp: Psp;
let storeId: StoreId;
let account: ProviderAccount;
/** A client with a production key. */
let api: ApiClient;

beforeAll(async () => {
  ({ app, psp, storeId, api, account } = await createStoreAtBank([KEY]));
  // Each test starts its own rounds.
  await eventually(() => schedule().pause());
});
afterEach(() => psp.faults.clear());
afterAll(async () => {
  await app.close();
  await psp.close();
});

/** A store and the bank of its account. */
interface Shop {
  readonly psp: Psp;
  readonly api: ApiClient;
}

/** An entry of the bank's notification of a payment. */
const publishedEventsOf = ({
  endToEndId,
  reference,
}: Partial<Awaited<ReturnType<typeof payWithoutNotification>>> = {}) => ({
  endToEndId,
  txid: reference,
  valor: '25.00',
  horario: new Date().toISOString(),
});

const schedule = () => app.temporal.schedule.getHandle(reconciliationScheduleId(app.taskQueue));
const sql = (text: string, values: readonly unknown[] = []) =>
  app.database.em.fork().execute<Record<string, unknown>[]>(text, values);

/** A paid charge for which the bank sends no notification. */
async function payWithoutNotification(at: Shop = { psp, api }) {
  const { id } = dataOf<{ id: ChargeId }>(
    await at.api.post('/v2/transparents/create', { method: 'PIX', data: { amount: 2_500 } }),
  );
  const reference = id.slice(-STRANGER.length);
  return { id, reference, endToEndId: at.psp.bank.pay(reference).endToEndId };
}

/** Payments of a charge that another program created with the same account. */
function payStranger(times: number): void {
  const [like] = Object.values(psp.bank.state.charges);
  if (psp.bank.paymentsOf(STRANGER).length === 0) psp.bank.putCharge('cob', STRANGER, like?.asked);
  for (let paid = 0; paid < times; paid += 1) psp.bank.pay(STRANGER, { whateverItsStatus: true });
}

/** Ends one second from now: a round excludes payments of its last millisecond. */
const round = (changes: Partial<Parameters<typeof takeListed>[0]> = {}, isOver?: () => void) =>
  takeListed({ ...app.parts, ...changes }, new Date(Date.now() + 1_000), isOver);
const statusOf = async (id: string) => (await chargeOf(api, id)).status;
const paymentsOf = (chargeId: ChargeId) => app.database.em.fork().count(PaymentEntity, { chargeId });
const listingOf = async ({ id }: ProviderAccount) =>
  (await accountsToList(app.database, { removedAfter: new Date(0) })).find((listing) => listing.id === id);
const listedUntil = async (of: ProviderAccount) => (await listingOf(of))?.listedUntil;

describe('a payment without a notification', () => {
  it('records the payment in the next round, scheduled every five minutes', async () => {
    const { id } = await payWithoutNotification();
    const { spec, policies } = await eventually(() => schedule().describe());
    expect(spec.intervals).toMatchObject([{ every: 5 * 60_000 }]);
    expect(policies.overlap).toBe('SKIP');
    await schedule().trigger();
    await eventually(async () => expect(await statusOf(id)).toBe('PAID'));
  });

  it('records one payment from ten simultaneous notifications and rounds', async () => {
    const payment = await payWithoutNotification();
    const { id } = payment;
    const notification = { pix: [publishedEventsOf(payment)] };
    const path = notificationPath(account, app.parts.secretsKeys);
    await Promise.all(
      Array.from({ length: 10 }, (_, nth) => (nth % 2 === 0 ? round() : app.api.post(path, notification))),
    );
    expect(await statusOf(id)).toBe('PAID');
    expect(await paymentsOf(id)).toBe(1);
    expect(await round()).toMatchObject({ taken: 0, failed: 0 });
  });

  it('records each payment once if an interrupted round is repeated', async () => {
    const before = await listedUntil(account);
    const first = await payWithoutNotification();
    payStranger(130);
    const last = await payWithoutNotification();
    let pages = -1;
    const diesOnTheSecondPage = () => {
      pages += 1;
      if (pages >= 2) throw new Error('the worker died');
    };
    await expect(round({}, diesOnTheSecondPage)).rejects.toThrow('the worker died');
    expect([await statusOf(first.id), await statusOf(last.id)]).toEqual(['PAID', 'PENDING']);
    expect(await listedUntil(account)).toEqual(before);
    expect(await round()).toMatchObject({ accounts: 1, taken: 1, failed: 0 });
    expect([await statusOf(first.id), await statusOf(last.id)]).toEqual(['PAID', 'PAID']);
    expect([await paymentsOf(first.id), await paymentsOf(last.id)]).toEqual([1, 1]);
  });

  it('skips a payment that cannot be recorded and retries it in a later round', async () => {
    const stuck = await payWithoutNotification();
    const other = await payWithoutNotification();
    const before = await listedUntil(account);
    const { intake } = app.parts;
    const receivePayment: typeof intake.receivePayment = async (listed, requestId) => {
      if (listed.providerPaymentId === stuck.endToEndId) throw new Error('Temporal is away');
      return intake.receivePayment(listed, requestId);
    };
    expect(
      await round({
        intake: { receivePayment, receiveDispute: (...args) => intake.receiveDispute(...args) },
      }),
    ).toMatchObject({ taken: 1, failed: 1 });
    expect([await statusOf(stuck.id), await statusOf(other.id)]).toEqual(['PENDING', 'PAID']);
    expect(await listedUntil(account)).toEqual(before);
    expect(await round()).toMatchObject({ taken: 1, failed: 0 });
    expect(await listedUntil(account)).not.toEqual(before);
  });

  it('records a payment that the bank listed late once its day has passed', async () => {
    const { id, endToEndId } = await payWithoutNotification();
    const today = saoPauloDateOf(new Date(Date.now() - 3 * 3_600_000));
    const noon = new Date(saoPauloMidnight(addDays(today, -1)).getTime() + DAY_MS / 2);
    const payment = psp.bank.findPayment(endToEndId);
    psp.bank.state.payments[endToEndId] = { ...payment, paidAt: noon.toISOString() };
    expect(await round()).toMatchObject({ taken: 0 });
    await sql(`update provider_accounts set created_at = created_at - interval '3 days' where id = ?`, [
      account.id,
    ]);
    expect(await round()).toMatchObject({ taken: 1 });
    expect(await statusOf(id)).toBe('PAID');
    expect((await listingOf(account))?.daysListedUntil).toEqual(saoPauloMidnight(today));
  });
});

it('notes a payment without a charge once, even after its note was closed', async () => {
  payStranger(1);
  await round();
  const noted = (await openAttention(app.database, 1_000)).filter(({ kind }) => kind === 'UNKNOWN_PAYMENT');
  const payments = psp.bank.paymentsOf(STRANGER);
  expect(noted).toHaveLength(payments.length);
  expect(new Set(noted.map(({ subjectId }) => subjectId))).toEqual(
    new Set(payments.map(({ endToEndId }) => `${account.id}/${endToEndId}`)),
  );
  expect(noted[0]).toMatchObject({ storeId, devMode: false });
  const [{ subjectId = '' } = {}] = noted;
  await resolveAttention(app.database, { kind: 'UNKNOWN_PAYMENT', subjectId, now: new Date() });
  expect(await round()).toMatchObject({ unknown: 0 });
});

it('skips a listed payment that cannot be read, notes it, and records the others', async () => {
  const { id, endToEndId } = await payWithoutNotification();
  const readable = psp.bank.findPayment(endToEndId);
  psp.bank.state.payments.broken = { ...readable, endToEndId: undefined as never };
  const before = await listedUntil(account);
  expect(await round()).toMatchObject({ taken: 1, failed: 0 });
  delete psp.bank.state.payments.broken;
  expect(await statusOf(id)).toBe('PAID');
  expect(await listedUntil(account)).not.toEqual(before);
  const noted = (await openAttention(app.database, 1_000)).filter(
    ({ kind }) => kind === 'UNREADABLE_PAYMENT',
  );
  expect(noted).toMatchObject([{ subjectId: expect.stringMatching(/\/sha256-[0-9a-f]{16}$/) }]);
});

it('records a listed payment with a malformed refund, and notes that refund once', async () => {
  const { id, endToEndId } = await payWithoutNotification();
  const { refunds } = psp.bank.findPayment(endToEndId);
  const broken = { id: 'D1', rtrId: 'D1', amountCents: 100, askedAt: new Date().toISOString() };
  refunds.push(broken as never);
  expect(await round()).toMatchObject({ taken: 1, failed: 0 });
  expect(await statusOf(id)).toBe('PAID');
  const unreadable = async () => {
    const open = await openAttention(app.database, 1_000);
    return open.filter(({ subjectId }) => subjectId.startsWith(`${account.id}/${endToEndId}/`));
  };
  const [noted] = await unreadable();
  expect(noted).toMatchObject({ kind: 'UNREADABLE_PAYMENT', storeId, devMode: false });
  await resolveAttention(app.database, {
    kind: 'UNREADABLE_PAYMENT',
    subjectId: noted?.subjectId ?? '',
    now: new Date(),
  });
  await round();
  expect(await unreadable()).toEqual([]);
  refunds.pop();
});

it('looks up charges, payments and notes by their indexes', async () => {
  const asked = await recordStatements(app.database);
  await round();
  await paymentsOfTime(app.database, { provider: account.id, from: new Date(0), until: new Date() });
  const { plans } = await asked.explain();
  for (const index of [
    'charges_provider_provider_reference_key',
    'attention_unknown_payments',
    'payments_at_banks on payments payment',
  ])
    expect(plans).toContain(index);
});

it('continues past an unreachable bank and asks a removed account for 91 days', async () => {
  const gone = await startPsp({ certificates: psp.certificates });
  const { storeId: elsewhere } = await app.anotherStore();
  const away = await openBankAccount(app, gone, elsewhere);
  await gone.close();
  const { id } = await payWithoutNotification();
  expect(await round()).toMatchObject({ accounts: 2, failed: 1, taken: 1 });
  expect(await statusOf(id)).toBe('PAID');
  expect(await listedUntil(away)).toBeNull();
  const removed = (days: number) =>
    sql('update provider_accounts set removed_at = ? where id = ?', [
      new Date(Date.now() - days * DAY_MS),
      away.id,
    ]);
  await removed(90);
  expect(await round()).toMatchObject({ failed: 1 });
  await removed(92);
  expect(await round()).toMatchObject({ accounts: 1, failed: 0 });
});

describe('reconcile --day', () => {
  let shop: Shop;
  let id: string;
  /** Notifies of the first payment, so that Recebe asks the bank for its refund immediately. */
  let remind: () => Promise<unknown>;
  const day = saoPauloDateOf(new Date());
  const payments: Awaited<ReturnType<typeof payWithoutNotification>>[] = [];
  beforeAll(async () => {
    const bank = await startPsp({ certificates: psp.certificates });
    const { storeId: owner } = await app.anotherStore();
    shop = { psp: bank, api: await app.clientWith({ storeId: owner, devMode: false }) };
    const at = await openBankAccount(app, bank, owner);
    id = at.id;
    for (let paid = 0; paid < 4; paid += 1) payments.push(await payWithoutNotification(shop));
    await round();
    dataOf(await shop.api.post('/v2/transparents/refund', { id: payments[0]?.id, amount: 1_000 }));
    const path = notificationPath(at, app.parts.secretsKeys);
    remind = () => app.api.post(path, { pix: [publishedEventsOf(payments[0])] });
  });
  afterAll(() => shop.psp.close());

  async function reconcile(args = `--day ${day} --account ${id}`) {
    const env = { DATABASE_URL: app.database.config.get('clientUrl') ?? '', SECRETS_KEY: KEY };
    const { code, out, errors } = await run(`reconcile ${args} --json`, env);
    return { code, errors, days: out === '' ? [] : JSON.parse(out) };
  }
  const notes = async () =>
    (await openAttention(app.database, 1_000)).filter(({ kind }) => kind === 'BANK_DIFFERENCE');

  it('finds no difference between bank and ledger, to the cent', async () => {
    const totals = { payments: 4, cents: 10_000, refundedCents: 1_000 };
    const same = { accountId: id, day, bank: totals, here: totals, differences: [] };
    await eventually(async () => {
      await remind();
      expect(await reconcile()).toMatchObject({ code: 0, days: [same] });
    });
    expect(await notes()).toEqual([]);
  });

  it('lists each payment that differs and notes the day until all match', async () => {
    const [lost, changed, unknown, takenBack] = payments.map(({ endToEndId }) => endToEndId);
    const em = app.database.em.fork();
    const row = await em.findOneOrFail(PaymentEntity, { providerPaymentId: `${lost}` });
    const { bank } = shop.psp;
    const atBank = { ...bank.state.payments };
    await sql('delete from payments where id = ?', [row.id]);
    await sql('update payments set amount_cents = 2499 where provider_payment_id = ?', [changed]);
    delete bank.state.payments[`${unknown}`];
    const { refunds } = bank.findPayment(`${takenBack}`);
    bank.takeBack(`${takenBack}`, 'MED_FRAUDE', 500);

    const found = await reconcile();
    expect(found).toMatchObject({ code: 1, errors: expect.stringContaining('differ in 4 places') });
    const problems = [
      { problem: 'MISSING_HERE', providerPaymentId: lost, chargeId: null, bankCents: 2_500, hereCents: null },
      { problem: 'OTHER_AMOUNT', providerPaymentId: changed, bankCents: 2_500, hereCents: 2_499 },
      { problem: 'OTHER_REFUNDS', providerPaymentId: takenBack, bankCents: 500, hereCents: 0 },
      { problem: 'MISSING_AT_BANK', providerPaymentId: unknown, bankCents: null, hereCents: 2_500 },
    ].map((each) => expect.objectContaining(each));
    expect(found.days[0].differences).toEqual(expect.arrayContaining(problems));
    expect(found.days[0].differences).toHaveLength(4);
    await reconcile();
    expect(await notes()).toMatchObject([{ subjectId: `${id}/${day}`, devMode: false }]);

    await em.fork().insert(PaymentEntity, row);
    await sql('update payments set amount_cents = 2500 where provider_payment_id = ?', [changed]);
    Object.assign(bank.state.payments, atBank);
    refunds.length = 0;
    expect(await reconcile()).toMatchObject({ code: 0 });
    expect(await notes()).toEqual([]);
  });

  it('names the account whose bank does not answer and compares the others', async () => {
    shop.psp.refuseCertificates(true);
    const both = await reconcile(`--day ${day}`);
    shop.psp.refuseCertificates(false);
    expect(both.days).toMatchObject([
      { accountId: account.id, differences: expect.anything() },
      { accountId: id, error: expect.anything() },
    ]);
    expect(both).toMatchObject({ code: 1, errors: expect.stringContaining('1 of 2 accounts') });
  });

  it('compares yesterday in São Paulo if no day is given', async () => {
    const yesterday = addDays(saoPauloDateOf(new Date()), -1);
    const answer = await reconcile(`--account ${id}`);
    expect(answer).toMatchObject({ code: 0, days: [{ accountId: id, day: yesterday, differences: [] }] });
  });

  it('refuses an invalid or future day', async () => {
    for (const wrong of ['2026-02-30', addDays(day, 1)])
      expect(await reconcile(`--day ${wrong}`)).toMatchObject({ code: 2, days: [] });
  });
});
