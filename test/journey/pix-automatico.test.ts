import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ShownMandate } from '../../src/api/mandates/schema.ts';
import { DebitEntity } from '../../src/database/entities/debit.ts';
import { DEFAULT_BILLING_SETTINGS } from '../../src/domain/billing-settings.ts';
import { addDays, saoPauloDateOf } from '../../src/domain/civil-date.ts';
import type { ProductCycle } from '../../src/domain/cycle.ts';
import type { EventName } from '../../src/domain/event-names.ts';
import type { SandboxDebitBehaviour } from '../../src/domain/sandbox-payers.ts';
import { noteReading } from '../../src/events/event-readers.ts';
import { saveBillingSettings } from '../../src/stores/billing-settings.ts';
import type { ShownSubscriptionCheckout } from '../../src/wire/checkout.ts';
import type { ShownSubscription } from '../../src/wire/subscription/schema.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { createMoneyApp, type MoneyApp } from '../support/api/money-app.ts';
import { advance, clockOf } from '../support/fixtures/clock.ts';
import { IS_THOROUGH } from '../support/jest/thoroughness.ts';
import { buildProduct } from '../support/rows/catalog.ts';

/** The test CPFs of the guide. */
const PAYERS: Readonly<Record<SandboxDebitBehaviour, string>> = {
  PAYS: '52998224725',
  REFUSES: '80000000167',
  IGNORES: '80000000248',
  LEAVES: '80000000329',
  PAYS_FIRST_RETRY: '80000000400',
  PAYS_LAST_RETRY: '80000000590',
  NEVER_PAYS: '80000000671',
  HAS_CEILING: '80000000752',
};
const BEHAVIOURS = Object.keys(PAYERS) as SandboxDebitBehaviour[];

let app: MoneyApp;
let api: ApiClient;
beforeAll(async () => {
  app = await createMoneyApp();
});
afterAll(() => app.close());

interface Wanted {
  readonly payer: SandboxDebitBehaviour;
  readonly amount: number;
  readonly amountKind: 'fixed' | 'variable';
  readonly cycle: ProductCycle;
  readonly maxRetry: number;
  readonly everyDays: number;
}

const MONTHLY: Wanted = {
  payer: 'PAYS',
  amount: 4_900,
  amountKind: 'fixed',
  cycle: 'MONTHLY',
  maxRetry: 3,
  everyDays: 1,
};

async function post<Data = { readonly id: string }>(path: string, body: object = {}): Promise<Data> {
  return dataOf<Data>(await api.post(`/v2/${path}`, body));
}

/** @returns the id of a subscription whose first cycle is paid. */
async function subscribed(wanted: Partial<Wanted> = {}): Promise<string> {
  const { payer, amount, amountKind, cycle, maxRetry, everyDays } = { ...MONTHLY, ...wanted };
  const { id: productId } = await buildProduct(api, { price: amount, cycle });
  const { id } = await post('subscriptions/create', {
    items: [{ id: productId, quantity: 1 }],
    methods: ['PIX'],
    pixAutomatic: amountKind,
    retryPolicy: { maxRetry, retryEvery: everyDays },
  });
  const payment = { id, payer: { name: 'Ana Souza', taxId: PAYERS[payer] } };
  return (await post<{ subscriptionId: string }>('checkouts/simulate-payment', payment)).subscriptionId;
}

const subscription = async (id: string) =>
  dataOf<ShownSubscription>(await api.get(`/v2/subscriptions/get?id=${id}`));

/** What events of a subscription say of the debit, newest first. */
async function debitsIn(name: EventName, id: string) {
  const events = dataOf<{ data: { subscription: { id: string }; debit: unknown } }[]>(
    await api.get(`/v2/events/list?name=${name}`),
  );
  return events.filter(({ data }) => data.subscription.id === id).map(({ data }) => data.debit);
}

const mandateOf = async (id: string) =>
  dataOf<ShownMandate[]>(await api.get(`/v2/mandates/list?subscriptionId=${id}`))[0];

describe('a subscription that is debited by PIX', () => {
  beforeAll(async () => {
    api = (await app.anotherStore()).api;
  });

  it('asks for consent with its first payment, and is debited on the day of a cycle', async () => {
    const id = await subscribed();
    expect(await mandateOf(id)).toMatchObject({ status: 'ACTIVE', amountKind: 'FIXED', amount: 4_900 });
    await advance(api, { by: 'P27D' });
    const [ordered] = (await mandateOf(id))?.debits ?? [];
    expect(ordered).toMatchObject({ cycleNumber: 2, status: 'ORDERED', amount: 4_900 });
    await advance(api, { by: 'P6D' });
    expect(await subscription(id)).toMatchObject({
      state: 'ACTIVE',
      currentCycle: { number: 2 },
      currentCharge: null,
    });
    expect((await mandateOf(id))?.debits[0]).toMatchObject({ status: 'PAID' });
    const paid = dataOf<{ amount: number; paidAt: string }>(
      await api.get(`/v2/payments/get?id=${ordered?.id}`),
    );
    expect(paid.amount).toBe(4_900);
    expect(saoPauloDateOf(new Date(paid.paidAt))).toBe(ordered?.dueDate);
  });

  it.each([
    ['MONTHLY', { maxRetry: 10, retryEvery: 1 }, { maxRetry: 3, retryEvery: 1 }],
    ['MONTHLY', { maxRetry: 3, retryEvery: 3 }, { maxRetry: 2, retryEvery: 3 }],
    ['MONTHLY', { maxRetry: 2, retryEvery: 10 }, { maxRetry: 0, retryEvery: 10 }],
    ['WEEKLY', { maxRetry: 3, retryEvery: 2 }, { maxRetry: 2, retryEvery: 2 }],
  ] as const)('shows what is left of a retry policy for debits: %s, %j', async (cycle, wanted, left) => {
    const plan = await buildProduct(api, { cycle });
    const order = { items: [{ id: plan.id, quantity: 1 }], methods: ['PIX'], retryPolicy: wanted };
    const debited = await post<ShownSubscriptionCheckout>('subscriptions/create', {
      ...order,
      pixAutomatic: 'fixed',
    });
    expect(debited.debitRetryPolicy).toEqual(left);
    const payment = { id: debited.id, payer: { name: 'Ana Souza', taxId: PAYERS.PAYS } };
    const { subscriptionId } = await post<{ subscriptionId: string }>('checkouts/simulate-payment', payment);
    expect(await subscription(subscriptionId)).toMatchObject({ retryPolicy: wanted, debitRetryPolicy: left });
    const byCodes = await post<ShownSubscriptionCheckout>('subscriptions/create', order);
    expect(byCodes.debitRetryPolicy).toBeNull();
  });

  it('says in events how the debit of a cycle stands', async () => {
    const { storeId, api: other } = await app.anotherStore();
    api = other;
    await noteReading(app.database, { storeId, devMode: true }, ['subscription.upcoming'], new Date());
    const id = await subscribed();
    const failing = await subscribed({ payer: 'NEVER_PAYS' });
    await advance(api, { by: 'P27D' });
    const debit = (await mandateOf(id))?.debits[0];
    expect(await debitsIn('subscription.upcoming', id)).toMatchObject([{ id: debit?.id, status: 'ORDERED' }]);
    await advance(api, { by: 'P12D' });
    expect(await debitsIn('subscription.completed', id)).toEqual([null]);
    const mandateId = (await mandateOf(id))?.id;
    expect(await debitsIn('subscription.renewed', id)).toEqual([{ ...debit, status: 'PAID', mandateId }]);
    expect(await debitsIn('subscription.payment_failed', failing)).toMatchObject([
      null,
      null,
      { cycleNumber: 2, status: 'FAILED', failure: 'AM04' },
    ]);
  });

  it('carries usage that is recorded after the order to the next cycle', async () => {
    const id = await subscribed({ amountKind: 'variable' });
    await advance(api, { by: 'P26D' });
    const unit = await buildProduct(api, { price: 100 });
    await post('subscriptions/record-usage', { id, productId: unit.id, units: 5, action: 'add' });
    await advance(api, { by: 'P7D' });
    expect((await mandateOf(id))?.debits[0]).toMatchObject({ status: 'PAID', amount: 4_900 });
    const preview = await post<{ charges: { amount: number }[] }>('subscriptions/preview', { id });
    expect(preview.charges.map(({ amount }) => amount)).toEqual([5_400]);
    await advance(api, { by: 'P31D' });
    expect((await mandateOf(id))?.debits[0]).toMatchObject({ cycleNumber: 3, status: 'PAID', amount: 5_400 });
  });

  it('issues a code if a cycle costs something else than a fixed authorization', async () => {
    const id = await subscribed();
    const unit = await buildProduct(api, { price: 100 });
    await post('subscriptions/record-usage', { id, productId: unit.id, units: 5, action: 'add' });
    await advance(api, { by: 'P32D' });
    const { currentCharge } = await subscription(id);
    expect(currentCharge).toMatchObject({ status: 'PENDING', brCode: expect.any(String) });
    expect((await mandateOf(id))?.debits).toEqual([]);
  });

  it.each(['subscriptions/cancel', 'subscriptions/pause'])('drops the ordered debit on %s', async (path) => {
    const id = await subscribed();
    await advance(api, { by: 'P26D' });
    const [debit] = (await mandateOf(id))?.debits ?? [];
    expect(debit).toMatchObject({ status: 'ORDERED' });
    await post(path, { id });
    await advance(api, { by: 'P10D' });
    expect((await mandateOf(id))?.debits).toMatchObject([{ id: debit?.id, status: 'DROPPED' }]);
    expect((await subscription(id)).currentCycle.number).toBe(1);
  });

  it('orders another debit if a cancellation is undone in time', async () => {
    const id = await subscribed();
    await advance(api, { by: 'P24D' });
    await post('subscriptions/cancel', { id, atPeriodEnd: true });
    await advance(api, { by: 'PT2H' });
    expect((await mandateOf(id))?.debits).toMatchObject([{ status: 'DROPPED' }]);
    await post('subscriptions/resume', { id });
    await advance(api, { by: 'P10D' });
    expect((await mandateOf(id))?.debits).toMatchObject([{ status: 'PAID' }, { status: 'DROPPED' }]);
  });

  it('ends with the authorization that its payer ends at the bank', async () => {
    const id = await subscribed();
    const mandate = await mandateOf(id);
    await post('dev/mandates/answer', { id: mandate?.id, answer: 'cancel' });
    expect(await subscription(id)).toMatchObject({
      status: 'CANCELLED',
      cancelledDueTo: 'pix_automatic_authorization_refused',
      mandateId: null,
    });
    expect(await mandateOf(id)).toMatchObject({ status: 'CANCELLED', endedBy: 'PAYER', endCode: 'SLCR' });
  });

  it('issues codes after its payer ends the authorization, if the store wants that', async () => {
    const { storeId, api: other } = await app.anotherStore();
    api = other;
    const settings = { ...DEFAULT_BILLING_SETTINGS, mandateEnd: 'CODE' as const };
    await saveBillingSettings(app.database.em.fork(), { storeId, devMode: true }, settings, new Date());
    const id = await subscribed();
    await advance(api, { by: 'P26D' });
    await post('dev/mandates/answer', { id: (await mandateOf(id))?.id, answer: 'cancel' });
    await advance(api, { by: 'P6D' });
    expect(await subscription(id)).toMatchObject({
      status: 'ACTIVE',
      mandateId: null,
      currentCharge: { brCode: expect.any(String) },
    });
    expect((await mandateOf(id))?.debits).toMatchObject([{ status: 'DROPPED' }]);
  });

  it('refuses to ask for consent without PIX', async () => {
    const { id: productId } = await buildProduct(api, { cycle: 'MONTHLY' });
    const order = { items: [{ id: productId, quantity: 1 }], pixAutomatic: 'fixed', methods: ['CARD'] };
    const { status, json } = await api.post('/v2/subscriptions/create', order);
    expect(status).toBe(422);
    expect(JSON.stringify(json)).toContain('MANDATE_NOT_POSSIBLE');
  });
});

const MONTHS = IS_THOROUGH ? 24 : 4;
const SUBSCRIPTIONS = IS_THOROUGH ? 50 : 12;
const CYCLES: readonly ProductCycle[] = ['MONTHLY', 'WEEKLY', 'MONTHLY', 'QUARTERLY'];

/** Cycles with more than one live debit, or more than one payment, ever. */
const WRONG = `
  select count(*)::int as count from (
    select subscription_id, number from debits where status in ('ORDERED', 'BEGUN', 'PAID', 'FAILED')
    group by subscription_id, number having count(*) > 1
    union all
    select cycle.subscription_id, cycle.number from installments cycle
      join charges charge on charge.installment_id = cycle.id and charge.status = 'PAID'
    group by cycle.subscription_id, cycle.number having count(*) > 1
  ) wrong`;

const HAS_PYTHON = spawnSync('python3', ['--version']).status === 0;

(HAS_PYTHON ? it : it.skip)(
  `debits ${SUBSCRIPTIONS} subscriptions for ${MONTHS} months as an independent model says`,
  async () => {
    api = (await app.anotherStore()).api;
    const wanted = Array.from({ length: SUBSCRIPTIONS }, (_, index): Wanted => {
      const payer = BEHAVIOURS[index % BEHAVIOURS.length] ?? 'PAYS';
      return {
        payer,
        amount: index % 3 === 0 ? 9_900 : 4_900,
        amountKind: index % 2 === 0 ? 'fixed' : 'variable',
        cycle: CYCLES[Math.floor(index / 2) % CYCLES.length] ?? 'MONTHLY',
        maxRetry: 1 + (index % 4),
        everyDays: 1 + (Math.floor(index / 3) % 3),
      };
    });
    const ids: string[] = [];
    for (const each of wanted) ids.push(await subscribed(each));
    const startsOn = saoPauloDateOf(new Date((await clockOf(api)).now));
    const until = addDays(startsOn, Math.round(MONTHS * 30.4));
    // The last day is over, also in the model.
    await advance(api, { to: `${until}T23:30:00-03:00` });
    const input = wanted.map((each) => JSON.stringify({ ...each, startsOn, until })).join('\n');
    const model = new URL('debit_model.py', import.meta.url).pathname;
    const { stdout, stderr } = spawnSync('python3', [model], { input, encoding: 'utf8' });
    expect(stderr).toBe('');
    const expected = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const seen = [];
    for (const id of ids) seen.push(await historyOf(id));
    expect(seen.map((history, index) => ({ ...wanted[index], ...history }))).toEqual(
      expected.map((history, index) => ({ ...wanted[index], ...history })),
    );
    expect(await app.database.em.fork().execute(WRONG)).toEqual([{ count: 0 }]);
  },
  60 * 60_000,
);

/** What has ended until then, in the form of the model. */
async function historyOf(id: string) {
  const em = app.database.em.fork();
  const rows = await em.find(DebitEntity, { subscriptionId: id as never }, { orderBy: { number: 1 } });
  const debits = [];
  for (const { status, number, dueDate, id: reference } of rows) {
    if (!['PAID', 'FAILED', 'REFUSED', 'DROPPED'].includes(status)) continue;
    const [made] = await em.execute<{ retries: string[] }[]>(
      'select retry_dates as retries from sandbox_debits where reference = ?',
      [reference.slice(-25)],
    );
    const wasOrdered = status === 'PAID' || status === 'FAILED';
    for (const date of made?.retries ?? []) expect(date <= addDays(dueDate, 7)).toBe(true);
    debits.push([number, dueDate, status, wasOrdered ? 1 + (made?.retries.length ?? 0) : 0]);
  }
  const cycles = await em.execute<{ number: number }[]>(
    `select number from installments where subscription_id = ? and status = 'PAID' order by number`,
    [id],
  );
  const { cancelledDueTo } = await subscription(id);
  return { debits, paid: cycles.map(({ number }) => number), ended: cancelledDueTo };
}
