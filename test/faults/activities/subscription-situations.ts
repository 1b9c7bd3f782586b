import type { Activities } from '../../../activities/index.ts';
import { type Charge, ChargeEntity } from '../../../src/database/entities/charge.ts';
import { type Subscription, SubscriptionEntity } from '../../../src/database/entities/subscription.ts';
import type { PlanUpdateId } from '../../../src/domain/ids.ts';
import { mintId } from '../../../src/ids.ts';
import { addUsage, billWith, DAY_MS, insertSubscription } from '../../support/fixtures/subscriptions.ts';
import { insertProduct } from '../../support/rows/checkout-rows.ts';
import type { Act, Situation, StoreFixture } from './store-fixture.ts';

type SubscriptionActivity =
  | 'openCycle'
  | 'retryCycle'
  | 'recordFailedAttempt'
  | 'resumeAttempt'
  | 'cancelSubscription'
  | 'scheduleCancellation'
  | 'endAtPeriodEnd'
  | 'resumeSubscription'
  | 'readPosition'
  | 'payOpenCycle'
  | 'changeTrial'
  | 'endPause'
  | 'pauseSubscription'
  | 'closeSubscriptionCharges'
  | 'changePlan';

type Method = 'PIX' | 'CARD';

/** A subscription at the end of its first cycle. */
function atEndOfCycle(store: StoreFixture, method: Method, maxRetry = 3): Promise<Subscription> {
  const anchor = new Date(Date.now() - 7 * DAY_MS);
  return insertSubscription(store, anchor, { cycle: 'WEEKLY', methods: [method], maxRetry });
}

const secondOf = ({ id }: Subscription, nowMs: number) => ({ subscriptionId: id, number: 2, nowMs });

/** A subscription in its second cycle, and the charge of that cycle. */
export async function openedCycle(
  store: StoreFixture,
  method: Method,
  maxRetry?: number,
): Promise<{ subscription: Subscription; charge: Charge }> {
  const subscription = await atEndOfCycle(store, method, maxRetry);
  await store.worker().openCycle(secondOf(subscription, Date.now()));
  const where = { checkoutId: subscription.checkoutId, cycleId: { $ne: null } };
  return { subscription, charge: await store.database.em.fork().findOneOrFail(ChargeEntity, where) };
}

/** Its attempt has failed, and the failure is not recorded. */
async function failedCycle(store: StoreFixture, maxRetry?: number) {
  const opened = await openedCycle(store, 'CARD', maxRetry);
  store.provider.declineNext('insufficient_funds');
  await store.worker().authorizeCharge({ chargeId: opened.charge.id, nowMs: Date.now() });
  return opened;
}

async function recordedFailure(store: StoreFixture, maxRetry?: number) {
  const { subscription, charge } = await failedCycle(store, maxRetry);
  const failure = { ...secondOf(subscription, Date.now()), attempt: 1, chargeId: charge.id };
  await store.worker().recordFailedAttempt(failure);
  return subscription;
}

const opening =
  (
    method: Method,
    before: (store: StoreFixture, subscription: Subscription) => Promise<unknown> = async () => {},
  ) =>
  async (store: StoreFixture): Promise<Act> => {
    const subscription = await atEndOfCycle(store, method);
    await before(store, subscription);
    return (worker, nowMs) => worker.openCycle(secondOf(subscription, nowMs));
  };

async function planChangeOf(store: StoreFixture, { id: subscriptionId }: Subscription): Promise<Act> {
  const { id: productId } = await insertProduct(store, { cycle: 'WEEKLY', priceCents: 8_000 });
  const planUpdateId = mintId<PlanUpdateId>('planUpdate', new Date());
  const change = { subscriptionId, planUpdateId, productId, quantity: 1 };
  return (worker, nowMs) => worker.changePlan({ ...change, nowMs });
}

const failing =
  (maxRetry: number, dunningEnd?: 'PAUSE' | 'KEEP_PAST_DUE') =>
  async (store: StoreFixture): Promise<Act> => {
    if (dunningEnd) await billWith(store, { dunningEnd });
    const { subscription, charge } = await failedCycle(store, maxRetry);
    return async (worker, nowMs) => {
      const failure = { ...secondOf(subscription, nowMs), attempt: 1, chargeId: charge.id };
      // A run that was given up does not care who recorded that.
      const { isRecorded: _, ...answer } = await worker.recordFailedAttempt(failure);
      return answer;
    };
  };

type Plain =
  | 'cancelSubscription'
  | 'scheduleCancellation'
  | 'resumeSubscription'
  | 'payOpenCycle'
  | 'endPause';
type PlainActivity = Plain | 'endAtPeriodEnd' | 'readPosition' | 'closeSubscriptionCharges';

/** An activity that needs the subscription's id only. */
const plainly =
  (name: PlainActivity, make: (store: StoreFixture) => Promise<Subscription>) =>
  async (store: StoreFixture): Promise<Act> => {
    const { id: subscriptionId } = await make(store);
    return (worker, nowMs) => worker[name]({ subscriptionId, nowMs });
  };

const inCycle = (method: Method) => async (store: StoreFixture) =>
  (await openedCycle(store, method)).subscription;
const midCycle = (store: StoreFixture) => insertSubscription(store, new Date(Date.now() - 2 * DAY_MS));
const pauseOf = ({ id }: Subscription, nowMs: number, untilMs: number | null = null) =>
  ({ subscriptionId: id, untilMs, keepsAnchor: true, nowMs }) as const;

async function pausedMidCycle(store: StoreFixture): Promise<Subscription> {
  const subscription = await midCycle(store);
  await store.worker().pauseSubscription(pauseOf(subscription, Date.now(), Date.now() + 1));
  return subscription;
}

async function endingWithCycle(store: StoreFixture): Promise<Subscription> {
  const { id } = await midCycle(store);
  await store.worker().scheduleCancellation({ subscriptionId: id, nowMs: Date.now() });
  return store.database.em.fork().findOneOrFail(SubscriptionEntity, { id });
}

/** Its cancellation is due: it was scheduled for an end that is over. */
async function dueToEnd(store: StoreFixture): Promise<Subscription> {
  const subscription = await endingWithCycle(store);
  const past = new Date(Date.now() - 60_000);
  const changes = { cycleEndsAt: past, cancelAt: past };
  await store.database.em.fork().nativeUpdate(SubscriptionEntity, { id: subscription.id }, changes);
  return subscription;
}

/** Situations of subscriptions, by activity. */
export const SUBSCRIPTION_SITUATIONS: Record<SubscriptionActivity & keyof Activities, readonly Situation[]> =
  {
    openCycle: [
      { when: 'a card pays', prepare: opening('CARD') },
      { when: 'a PIX code pays', prepare: opening('PIX') },
      { when: 'there is usage', prepare: opening('CARD', (store, each) => addUsage(store, each, 30)) },
      {
        when: 'a change of plan is pending',
        prepare: opening('PIX', async (store, each) =>
          (await planChangeOf(store, each))(store.worker(), Date.now()),
        ),
      },
      {
        when: 'the subscription was cancelled',
        prepare: opening('CARD', (store, { id }) =>
          store.worker().cancelSubscription({ subscriptionId: id, nowMs: Date.now() }),
        ),
      },
    ],
    retryCycle: [
      {
        when: 'an attempt has failed',
        async prepare(store) {
          const subscription = await recordedFailure(store);
          return (worker, nowMs) => worker.retryCycle({ ...secondOf(subscription, nowMs), attempt: 2 });
        },
      },
      {
        when: 'an earlier attempt was paid after all',
        async prepare(store) {
          const { subscription, charge } = await openedCycle(store, 'CARD');
          await store.worker().authorizeCharge({ chargeId: charge.id, nowMs: Date.now() });
          return (worker, nowMs) => worker.retryCycle({ ...secondOf(subscription, nowMs), attempt: 2 });
        },
      },
    ],
    recordFailedAttempt: [
      { when: 'another attempt follows', prepare: failing(3) },
      { when: 'the last one cancels', prepare: failing(1) },
      { when: 'the last one pauses', prepare: failing(1, 'PAUSE') },
      { when: 'the last one leaves it past due', prepare: failing(1, 'KEEP_PAST_DUE') },
    ],
    resumeAttempt: [
      {
        when: 'the run of an attempt was lost',
        async prepare(store) {
          const { subscription, charge } = await openedCycle(store, 'CARD');
          const input = { subscriptionId: subscription.id, chargeId: charge.id };
          return (worker, nowMs) => worker.resumeAttempt({ ...input, nowMs });
        },
      },
    ],
    cancelSubscription: [
      { when: 'a code is open', prepare: plainly('cancelSubscription', inCycle('PIX')) },
      { when: 'nothing is charged', prepare: plainly('cancelSubscription', midCycle) },
    ],
    scheduleCancellation: [
      { when: 'a cycle is paid', prepare: plainly('scheduleCancellation', midCycle) },
      { when: 'its period is over', prepare: plainly('scheduleCancellation', inCycle('PIX')) },
    ],
    endAtPeriodEnd: [
      { when: 'its cancellation is due', prepare: plainly('endAtPeriodEnd', dueToEnd) },
      { when: 'no cancellation is scheduled', prepare: plainly('endAtPeriodEnd', inCycle('PIX')) },
    ],
    resumeSubscription: [
      { when: 'it is paused', prepare: plainly('resumeSubscription', pausedMidCycle) },
      { when: 'its cancellation is scheduled', prepare: plainly('resumeSubscription', endingWithCycle) },
    ],
    readPosition: [{ when: 'an attempt is due', prepare: plainly('readPosition', recordedFailure) }],
    payOpenCycle: [{ when: 'an attempt has failed', prepare: plainly('payOpenCycle', recordedFailure) }],
    changeTrial: [
      {
        when: 'its end moves',
        async prepare(store) {
          const { id } = await insertSubscription(store, new Date(), { trialDays: 7 });
          const endsAtMs = Date.now() + 20 * DAY_MS;
          return (worker, nowMs) => worker.changeTrial({ subscriptionId: id, endsAtMs, nowMs });
        },
      },
    ],
    endPause: [{ when: 'its time is over', prepare: plainly('endPause', pausedMidCycle) }],
    pauseSubscription: [
      {
        when: 'nothing is charged',
        async prepare(store) {
          const subscription = await midCycle(store);
          return (worker, nowMs) => worker.pauseSubscription(pauseOf(subscription, nowMs));
        },
      },
      {
        when: 'a code is open',
        async prepare(store) {
          const { subscription } = await openedCycle(store, 'PIX');
          return (worker, nowMs) => worker.pauseSubscription(pauseOf(subscription, nowMs));
        },
      },
    ],
    closeSubscriptionCharges: [
      { when: 'a code is open', prepare: plainly('closeSubscriptionCharges', inCycle('PIX')) },
    ],
    changePlan: [
      {
        when: 'it waits for the next cycle',
        prepare: async (store) => planChangeOf(store, await midCycle(store)),
      },
      {
        when: 'it replaces another one',
        async prepare(store) {
          const subscription = await midCycle(store);
          await (await planChangeOf(store, subscription))(store.worker(), Date.now());
          return planChangeOf(store, subscription);
        },
      },
    ],
  };
