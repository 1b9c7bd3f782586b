import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ActivityDeps } from '../../activities/deps.ts';
import type { Activities } from '../../activities/index.ts';
import { type Charge, ChargeEntity } from '../../src/database/entities/charge.ts';
import { type Cycle, CycleEntity } from '../../src/database/entities/cycle.ts';
import { PaymentEntity } from '../../src/database/entities/payment.ts';
import type { Subscription } from '../../src/database/entities/subscription.ts';
import { wasPaid } from '../../src/domain/charge.ts';
import type { PlanUpdateId } from '../../src/domain/ids.ts';
import { mintId } from '../../src/ids.ts';
import type { ProviderPayment } from '../../src/providers/ports/payment.ts';
import { type BareFixture, createBareFixture } from '../support/fixtures/bare-fixture.ts';
import { expectKeptAsWritten, ingest, publishedToNoOne } from '../support/fixtures/bare-money.ts';
import { pay, payUnnoticed } from '../support/fixtures/charges.ts';
import { requestRefund } from '../support/fixtures/money.ts';
import {
  addUsage,
  DAY_MS,
  eventsOf,
  insertSubscription,
  subscriptionOf,
} from '../support/fixtures/subscriptions.ts';
import { insertWebhook } from '../support/rows/build.ts';
import { insertProduct } from '../support/rows/checkout-rows.ts';

// A worker dies before an activity of a subscription, or between its transaction and its notifications. Something else
// changes before the activity runs again. After each change, a cycle is paid once, the provider holds what the books
// say, no code of a cancelled subscription can be paid, and each failure is counted once.

const METHODS = ['CARD', 'PIX'] as const;
const EVENTS = ['subscription.renewed', 'subscription.payment_failed', 'subscription.cancelled'] as const;
const MAX_RETRY = 2;

let shared: BareFixture;
let fixture: BareFixture;

beforeAll(async () => {
  shared = await createBareFixture();
});

beforeEach(async () => {
  fixture = await shared.withNewStore();
  const endpoint = 'https://example.com/hooks';
  await insertWebhook(fixture.database, { storeId: fixture.storeId, endpoint, events: [...EVENTS] });
});

afterAll(() => shared.close());

/** A new worker without any state of an earlier one. @param dies the call during which it dies. */
function worker(dies?: keyof ActivityDeps): Activities {
  const death = () => Promise.reject(new Error('the worker died'));
  return fixture.newWorker({
    ...publishedToNoOne(worker),
    ...(dies && { [dies]: death }),
  });
}

interface MoneyScenario {
  readonly subscription: Subscription;
  /** The newest attempt at the second cycle, or null before the first. */
  charge(): Promise<Charge | null>;
}

type Run = (worker: Activities) => Promise<unknown>;

const cycleOf = ({ subscription }: MoneyScenario) => ({
  subscriptionId: subscription.id,
  number: 2,
  nowMs: Date.now(),
});

async function fixtureOf(method: (typeof METHODS)[number]): Promise<MoneyScenario> {
  const anchor = new Date(Date.now() - 7 * DAY_MS);
  const subscription = await insertSubscription(fixture, anchor, {
    cycle: 'WEEKLY',
    methods: [method],
    maxRetry: MAX_RETRY,
    retryEveryDays: 1,
  });
  return {
    subscription,
    charge: async () => (await chargesOfCycle(subscription)).findLast(() => true) ?? null,
  };
}

function chargesOfCycle({ checkoutId }: Subscription): Promise<Charge[]> {
  const where = { checkoutId, cycleId: { $ne: null } };
  return fixture.database.em.fork().find(ChargeEntity, where, { orderBy: { createdAt: 'asc', id: 'asc' } });
}

const opens = (scenario: MoneyScenario) => worker().openCycle(cycleOf(scenario));

/** Ends the newest attempt unpaid. */
async function attemptFails(scenario: MoneyScenario): Promise<void> {
  const charge = await scenario.charge();
  if (charge === null) return;
  const input = { chargeId: charge.id, nowMs: Date.now() };
  if (charge.method === 'PIX') return void (await worker().expireCharge(input));
  fixture.provider.declineNext('insufficient_funds');
  await worker().authorizeCharge(input);
}

async function failureOf(scenario: MoneyScenario, attempt: number) {
  const charge = await scenario.charge();
  if (charge === null) throw new Error('no attempt has begun');
  return { ...cycleOf(scenario), attempt, chargeId: charge.id };
}

async function attemptIsRecorded(scenario: MoneyScenario, attempt: number): Promise<void> {
  await attemptFails(scenario);
  await worker().recordFailedAttempt(await failureOf(scenario, attempt));
}

/** The activity during which the worker dies. `begin` prepares it. */
const CUTS: readonly {
  how: string;
  dies: keyof ActivityDeps;
  begin: (scenario: MoneyScenario) => Promise<Run>;
}[] = [
  {
    how: 'opens a cycle',
    dies: 'startAttempt',
    begin: async (scenario) => (alive) => alive.openCycle(cycleOf(scenario)),
  },
  {
    how: 'records a failed attempt',
    dies: 'startDelivery',
    async begin(scenario) {
      await opens(scenario);
      await attemptFails(scenario);
      const failure = await failureOf(scenario, 1);
      return (alive) => alive.recordFailedAttempt(failure);
    },
  },
  {
    how: 'begins another attempt',
    dies: 'startAttempt',
    async begin(scenario) {
      await opens(scenario);
      await attemptIsRecorded(scenario, 1);
      return (alive) => alive.retryCycle({ ...cycleOf(scenario), attempt: 2 });
    },
  },
  {
    how: 'records the last attempt',
    dies: 'startDelivery',
    async begin(scenario) {
      await opens(scenario);
      await attemptIsRecorded(scenario, 1);
      await worker().retryCycle({ ...cycleOf(scenario), attempt: 2 });
      await attemptFails(scenario);
      const failure = await failureOf(scenario, 2);
      return (alive) => alive.recordFailedAttempt(failure);
    },
  },
  { how: 'cancels, before any notification', dies: 'startDelivery', begin: cancelling },
  { how: 'cancels, before any charge is closed', dies: 'cancelCharge', begin: cancelling },
];

async function cancelling(scenario: MoneyScenario): Promise<Run> {
  await opens(scenario);
  const { subscriptionId, nowMs } = cycleOf(scenario);
  return (alive) => alive.cancelSubscription({ subscriptionId, nowMs });
}

/** Everything that may happen to a subscription and its charges. Each change may come too late. */
const CHANGES: Record<string, (scenario: MoneyScenario) => Promise<unknown>> = {
  nothing: async () => {},
  'the attempt is paid': paid,
  'its code is paid, and no notification arrives': async (scenario) => payerPays(await scenario.charge()),
  'the first code of the cycle was paid in time and is notified late': async ({ subscription }) => {
    const [first] = await chargesOfCycle(subscription);
    if (first?.method === 'PIX') await ingested(payUnnoticed(fixture, first));
  },
  'the attempt is paid, and refunded': async (scenario) => {
    await paid(scenario);
    await refunded(await scenario.charge());
  },
  'the attempt fails': attemptFails,
  'the attempt is given up': async (scenario) => {
    const charge = await scenario.charge();
    return charge && worker().failCharge({ chargeId: charge.id, nowMs: Date.now() });
  },
  'another run has recorded that it failed': async (scenario) => {
    const { status } = (await scenario.charge()) ?? {};
    if (status === 'PENDING')
      await attemptIsRecorded(scenario, (await chargesOfCycle(scenario.subscription)).length);
  },
  'another run has begun the cycle': opens,
  'the subscription is cancelled': (scenario) => worker().cancelSubscription(cycleOf(scenario)),
  'its plan is changed': planChanged,
  'usage is noted': async ({ subscription }) => {
    const { status } = await subscriptionOf(fixture, { id: subscription.id });
    if (status === 'ACTIVE') await addUsage(fixture, subscription, 30);
  },
};

async function paid(scenario: MoneyScenario): Promise<void> {
  const charge = await scenario.charge();
  if (charge?.method === 'CARD') await worker().authorizeCharge({ chargeId: charge.id, nowMs: Date.now() });
  else await ingested(await payerPays(charge));
}

/** Only a code is paid by its payer, unless the provider has closed it. A card is charged by an activity. */
const payerPays = async (charge: Charge | null) => (charge?.method === 'PIX' ? pay(fixture, charge) : null);

const ingested = (payment: ProviderPayment | null) => ingest(fixture, worker(), payment);

async function refunded(charge: Charge | null): Promise<void> {
  if (charge?.status !== 'PAID') return;
  const { id: refundId } = await requestRefund(fixture, charge);
  await worker().refundCharge({ chargeId: charge.id, refundId, nowMs: Date.now() });
}

async function planChanged({ subscription: { id: subscriptionId } }: MoneyScenario): Promise<void> {
  const product = await insertProduct(fixture, { cycle: 'WEEKLY', priceCents: 8_000 });
  const planUpdateId = mintId<PlanUpdateId>('planUpdate', new Date());
  const nowMs = Date.now();
  await worker().changePlan({ subscriptionId, planUpdateId, productId: product.id, quantity: 1, nowMs });
}

/** Delivers missing notifications, if late. Each is sent only once, because a second one could repair a mistake. */
async function letEverythingArrive({ subscription }: MoneyScenario): Promise<void> {
  const em = fixture.database.em.fork();
  for (const { providerReference } of await chargesOfCycle(subscription)) {
    const { payments } = await fixture.provider.findByReference(providerReference);
    for (const payment of payments) {
      const { providerPaymentId } = payment;
      if ((await em.count(PaymentEntity, { providerPaymentId })) === 0) await ingested(payment);
    }
  }
}

async function expectAllIsRight({ subscription }: MoneyScenario): Promise<void> {
  const charges = await chargesOfCycle(subscription);
  expectKeptAsWritten(fixture, charges);
  const paidBy = charges.filter(({ status }) => wasPaid(status)).map(({ id }) => id);
  expect(paidBy.length).toBeLessThan(2);
  const { status, failedAttempts } = await subscriptionOf(fixture, { id: subscription.id });
  const cycle = await cycleNow(subscription);
  expect([cycle?.status === 'PAID', cycle?.paidByChargeId ?? null]).toEqual([
    paidBy.length === 1,
    paidBy[0] ?? null,
  ]);
  const payable = (await codesOf(charges)).filter(({ isOpen }) => isOpen);
  const isUndecided = charges.some(({ status }) => status === 'PENDING');
  if (status === 'CANCELLED') expect(isUndecided).toBe(false);
  if (status === 'CANCELLED' || paidBy.length === 1) expect(payable).toEqual([]);
  expect(payable.length).toBeLessThan(2);
  const events = await eventsOf(fixture, subscription);
  expect(events.filter((name) => name === 'cancelled').length).toBe(status === 'CANCELLED' ? 1 : 0);
  // A paid cycle resets the count of failed attempts.
  const failed = events.filter((name) => name === 'payment_failed').length;
  expect(paidBy.length === 1 ? 0 : failed).toBe(failedAttempts);
  expect(failed).toBeLessThanOrEqual(charges.length);
  expect(events.filter((name) => name === 'renewed').length).toBe(paidBy.length);
}

/** The PIX codes of these charges. A code that was paid once cannot be paid again. */
function codesOf(charges: readonly Charge[]) {
  const codes = charges.filter(({ method }) => method === 'PIX');
  return Promise.all(
    codes.map(async ({ id, status, providerReference }) => {
      const { payments } = await fixture.provider.findByReference(providerReference);
      return { id, status, isOpen: payments.length === 0 && !fixture.provider.isClosed(providerReference) };
    }),
  );
}

const cycleNow = ({ id: subscriptionId }: Subscription): Promise<Cycle | null> =>
  fixture.database.em.fork().findOne(CycleEntity, { subscriptionId, number: 2 });

/** When the worker dies, relative to the activity that runs again after the change. */
const DEATHS: readonly { when: string; diesOnce: boolean }[] = [
  { when: 'before it', diesOnce: false },
  { when: 'when it', diesOnce: true },
];
const TABLE = METHODS.flatMap((method) => DEATHS.map((death) => ({ method, ...death })));

describe.each(TABLE)('a subscription paid by $method, whose worker dies $when', ({ method, diesOnce }) => {
  describe.each(CUTS)('$how, and meanwhile', ({ dies, begin }) => {
    it.each(Object.entries(CHANGES))('%s', async (_, change) => {
      const scenario = await fixtureOf(method);
      const run = await begin(scenario);
      if (diesOnce) await expect(run(worker(dies))).rejects.toThrow('the worker died');
      await change(scenario);
      await run(worker());
      await letEverythingArrive(scenario);
      await expectAllIsRight(scenario);
    });
  });
});
