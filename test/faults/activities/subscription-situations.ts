import type { Activities } from '../../../activities/index.ts';
import { type Charge, ChargeEntity } from '../../../src/database/entities/charge.ts';
import { type Subscription, SubscriptionEntity } from '../../../src/database/entities/subscription.ts';
import type { PlanUpdateId } from '../../../src/domain/ids.ts';
import { mintId } from '../../../src/ids.ts';
import { addUsage, billWith, DAY_MS, insertSubscription } from '../../support/fixtures/subscriptions.ts';
import { insertProduct } from '../../support/rows/checkout-rows.ts';
import type { Act, Place, Situation } from './place.ts';

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
function atEndOfCycle(place: Place, method: Method, maxRetry = 3): Promise<Subscription> {
  const anchor = new Date(Date.now() - 7 * DAY_MS);
  return insertSubscription(place, anchor, { cycle: 'WEEKLY', methods: [method], maxRetry });
}

const secondOf = ({ id }: Subscription, nowMs: number) => ({ subscriptionId: id, number: 2, nowMs });

/** A subscription in its second cycle, and the charge of that cycle. */
export async function openedCycle(
  place: Place,
  method: Method,
  maxRetry?: number,
): Promise<{ subscription: Subscription; charge: Charge }> {
  const subscription = await atEndOfCycle(place, method, maxRetry);
  await place.worker().openCycle(secondOf(subscription, Date.now()));
  const where = { checkoutId: subscription.checkoutId, cycleId: { $ne: null } };
  return { subscription, charge: await place.database.em.fork().findOneOrFail(ChargeEntity, where) };
}

/** Its attempt has failed, and the failure is not recorded. */
async function failedCycle(place: Place, maxRetry?: number) {
  const opened = await openedCycle(place, 'CARD', maxRetry);
  place.provider.declineNext('insufficient_funds');
  await place.worker().authorizeCharge({ chargeId: opened.charge.id, nowMs: Date.now() });
  return opened;
}

async function recordedFailure(place: Place, maxRetry?: number) {
  const { subscription, charge } = await failedCycle(place, maxRetry);
  const failure = { ...secondOf(subscription, Date.now()), attempt: 1, chargeId: charge.id };
  await place.worker().recordFailedAttempt(failure);
  return subscription;
}

const opening =
  (method: Method, before: (place: Place, subscription: Subscription) => Promise<unknown> = async () => {}) =>
  async (place: Place): Promise<Act> => {
    const subscription = await atEndOfCycle(place, method);
    await before(place, subscription);
    return (worker, nowMs) => worker.openCycle(secondOf(subscription, nowMs));
  };

async function planChangeOf(place: Place, { id: subscriptionId }: Subscription): Promise<Act> {
  const { id: productId } = await insertProduct(place, { cycle: 'WEEKLY', priceCents: 8_000 });
  const planUpdateId = mintId<PlanUpdateId>('planUpdate', new Date());
  const change = { subscriptionId, planUpdateId, productId, quantity: 1 };
  return (worker, nowMs) => worker.changePlan({ ...change, nowMs });
}

const failing =
  (maxRetry: number, dunningEnd?: 'PAUSE' | 'KEEP_PAST_DUE') =>
  async (place: Place): Promise<Act> => {
    if (dunningEnd) await billWith(place, { dunningEnd });
    const { subscription, charge } = await failedCycle(place, maxRetry);
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
  (name: PlainActivity, make: (place: Place) => Promise<Subscription>) =>
  async (place: Place): Promise<Act> => {
    const { id: subscriptionId } = await make(place);
    return (worker, nowMs) => worker[name]({ subscriptionId, nowMs });
  };

const inCycle = (method: Method) => async (place: Place) => (await openedCycle(place, method)).subscription;
const midCycle = (place: Place) => insertSubscription(place, new Date(Date.now() - 2 * DAY_MS));
const pauseOf = ({ id }: Subscription, nowMs: number, untilMs: number | null = null) =>
  ({ subscriptionId: id, untilMs, keepsAnchor: true, nowMs }) as const;

async function pausedMidCycle(place: Place): Promise<Subscription> {
  const subscription = await midCycle(place);
  await place.worker().pauseSubscription(pauseOf(subscription, Date.now(), Date.now() + 1));
  return subscription;
}

async function endingWithCycle(place: Place): Promise<Subscription> {
  const { id } = await midCycle(place);
  await place.worker().scheduleCancellation({ subscriptionId: id, nowMs: Date.now() });
  return place.database.em.fork().findOneOrFail(SubscriptionEntity, { id });
}

/** Its cancellation is due: it was scheduled for an end that is over. */
async function dueToEnd(place: Place): Promise<Subscription> {
  const subscription = await endingWithCycle(place);
  const past = new Date(Date.now() - 60_000);
  const changes = { cycleEndsAt: past, cancelAt: past };
  await place.database.em.fork().nativeUpdate(SubscriptionEntity, { id: subscription.id }, changes);
  return subscription;
}

/** Situations of subscriptions, by activity. */
export const SUBSCRIPTION_SITUATIONS: Record<SubscriptionActivity & keyof Activities, readonly Situation[]> =
  {
    openCycle: [
      { when: 'a card pays', prepare: opening('CARD') },
      { when: 'a PIX code pays', prepare: opening('PIX') },
      { when: 'there is usage', prepare: opening('CARD', (place, each) => addUsage(place, each, 30)) },
      {
        when: 'a change of plan is pending',
        prepare: opening('PIX', async (place, each) =>
          (await planChangeOf(place, each))(place.worker(), Date.now()),
        ),
      },
      {
        when: 'the subscription was cancelled',
        prepare: opening('CARD', (place, { id }) =>
          place.worker().cancelSubscription({ subscriptionId: id, nowMs: Date.now() }),
        ),
      },
    ],
    retryCycle: [
      {
        when: 'an attempt has failed',
        async prepare(place) {
          const subscription = await recordedFailure(place);
          return (worker, nowMs) => worker.retryCycle({ ...secondOf(subscription, nowMs), attempt: 2 });
        },
      },
      {
        when: 'an earlier attempt was paid after all',
        async prepare(place) {
          const { subscription, charge } = await openedCycle(place, 'CARD');
          await place.worker().authorizeCharge({ chargeId: charge.id, nowMs: Date.now() });
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
        async prepare(place) {
          const { subscription, charge } = await openedCycle(place, 'CARD');
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
        async prepare(place) {
          const { id } = await insertSubscription(place, new Date(), { trialDays: 7 });
          const endsAtMs = Date.now() + 20 * DAY_MS;
          return (worker, nowMs) => worker.changeTrial({ subscriptionId: id, endsAtMs, nowMs });
        },
      },
    ],
    endPause: [{ when: 'its time is over', prepare: plainly('endPause', pausedMidCycle) }],
    pauseSubscription: [
      {
        when: 'nothing is charged',
        async prepare(place) {
          const subscription = await midCycle(place);
          return (worker, nowMs) => worker.pauseSubscription(pauseOf(subscription, nowMs));
        },
      },
      {
        when: 'a code is open',
        async prepare(place) {
          const { subscription } = await openedCycle(place, 'PIX');
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
        prepare: async (place) => planChangeOf(place, await midCycle(place)),
      },
      {
        when: 'it replaces another one',
        async prepare(place) {
          const subscription = await midCycle(place);
          await (await planChangeOf(place, subscription))(place.worker(), Date.now());
          return planChangeOf(place, subscription);
        },
      },
    ],
  };
