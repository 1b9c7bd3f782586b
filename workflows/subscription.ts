import {
  ApplicationFailure,
  allHandlersFinished,
  condition,
  continueAsNew,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { CycleCharge } from '../activities/subscriptions/begin-attempt.ts';
import { wasPaid } from '../src/domain/charge.ts';
import type { SubscriptionStatus } from '../src/domain/subscription.ts';
import { cycles, cycleWaits } from './activity-options.ts';
import { chargedByChild } from './charge-by-child.ts';
import { endedCharges } from './ended-charges.ts';
import { searchAttribute } from './search-attributes.contract.ts';
import {
  type ChangePlanInput,
  cancelSubscriptionUpdate,
  changePlanUpdate,
  type SubscriptionInput,
  subscriptionStateQuery,
} from './subscription.contract.ts';
import { chargesTellTheirEnd } from './versions.ts';

/**
 * Far below the 10 000 events at which the server warns; a monthly subscription gets there in a dozen years.
 */
const CONTINUE_AFTER_EVENTS = 2_000;

/** What a cycle that is paid after failures leaves to be searched for. */
const ALL_IS_WELL = [
  { key: searchAttribute.failedAttempts, value: 0 },
  { key: searchAttribute.lastFailure, value: null },
];

/**
 * One run stands for a stretch of one subscription's life: it continues as new while the subscription is
 * active, and ends when that is cancelled, by the integrator or because its charges failed too often. It is
 * durable because a subscription lives for years, each of its cycles must be charged once, and none after it
 * was cancelled, whatever crashes meanwhile.
 *
 * Postgres holds plan, usage and cycle, and decides what may be charged; the run holds the time. Each attempt
 * at a cycle is the workflow of a charge: the activity that begins the attempt starts it, and it tells how it
 * ended. Usage never passes through here: it is rows, summed up when a cycle is opened. A run is started
 * asleep until its first cycle is due.
 */
export async function subscription(input: SubscriptionInput): Promise<SubscriptionStatus> {
  const { subscriptionId } = input;
  let { nextNumber, nextChargeAtMs, plan } = input;
  let status: SubscriptionStatus = 'ACTIVE';
  let failure: { readonly attempts: number; readonly reason: string; readonly retryAtMs: number } | null =
    null;
  const isActive = () => status === 'ACTIVE';
  const endOf = chargesTellTheirEnd() ? endedCharges(() => !isActive()) : chargedByChild;

  /** The only place where the status changes. Nothing leads back to ACTIVE. */
  const moveTo = (next: SubscriptionStatus) => {
    if (next === status || next === 'ACTIVE') return;
    status = next;
    upsertSearchAttributes([
      { key: searchAttribute.status, value: status },
      { key: searchAttribute.nextChargeAt, value: null },
    ]);
    const { attempts, reason } = failure ?? {};
    const last = reason ? ` Its last cycle had failed ${attempts} times (${reason}).` : '';
    setCurrentDetails(`Subscription is **${status}**.${last}`);
  };

  const refuseUnlessActive = () => {
    if (!isActive()) throw ApplicationFailure.nonRetryable('The subscription is cancelled', 'NOT_ACTIVE');
  };
  const showNextCycle = () =>
    setCurrentDetails(`Cycle ${nextNumber} is charged at **${new Date(nextChargeAtMs).toISOString()}**.`);
  setHandler(subscriptionStateQuery, () => ({
    status,
    nextNumber,
    plan,
    nextChargeAt: new Date(nextChargeAtMs).toISOString(),
    failedAttempts: failure?.attempts ?? 0,
    lastFailure: failure?.reason ?? null,
    retryAt: failure === null ? null : new Date(failure.retryAtMs).toISOString(),
  }));
  setHandler(cancelSubscriptionUpdate, async () => {
    moveTo(await cycleWaits.cancelSubscription({ subscriptionId, nowMs: Date.now() }));
    return status;
  });
  setHandler(
    changePlanUpdate,
    async (change) => {
      const changed = await cycles.changePlan({ subscriptionId, nowMs: Date.now(), ...change });
      moveTo(changed.status);
      if (changed.status === 'ACTIVE') plan = changed.plan;
      return status;
    },
    { validator: (_change: ChangePlanInput) => refuseUnlessActive() },
  );

  /** Tries to charge a cycle as often as the retry policy allows. */
  const collect = async (number: number, first: CycleCharge) => {
    let charge = first;
    for (let attempt = 1; ; attempt += 1) {
      setCurrentDetails(`Cycle ${number}, attempt ${attempt}: waits for charge **${charge.chargeId}**.`);
      const outcome = await endOf(charge);
      // One that has been refunded or disputed meanwhile was paid all the same: the cycle is not charged
      // twice.
      if (wasPaid(outcome) || !isActive()) break;
      const at = { subscriptionId, number, nowMs: Date.now() };
      const failed = await cycles.recordFailedAttempt({ ...at, attempt, chargeId: charge.chargeId });
      // A code that had run out was paid in time after all: the cycle is collected.
      if (failed.isPaid) {
        moveTo(failed.status);
        break;
      }
      const { reason, retryAtMs } = failed;
      if (failed.isRecorded) {
        failure = { attempts: attempt, reason, retryAtMs };
        upsertSearchAttributes([
          { key: searchAttribute.nextChargeAt, value: new Date(retryAtMs) },
          { key: searchAttribute.failedAttempts, value: attempt },
          { key: searchAttribute.lastFailure, value: reason },
        ]);
      }
      moveTo(failed.status);
      if (!isActive()) break;
      setCurrentDetails(
        `Cycle ${number} failed ${attempt} times (${reason}); tried again at **${new Date(retryAtMs).toISOString()}**.`,
      );
      await waitUntil(retryAtMs, () => !isActive(), `retry of cycle ${number}`);
      if (!isActive()) break;
      const retry = { subscriptionId, number, attempt: attempt + 1, nowMs: Date.now() };
      const next = await cycles.retryCycle(retry);
      if (next === null) moveTo('CANCELLED');
      if (next === null || !isActive()) break;
      charge = next;
    }
  };

  showNextCycle();
  while (isActive()) {
    await waitUntil(nextChargeAtMs, () => !isActive(), `cycle ${nextNumber} begins`);
    if (!isActive()) break;
    const cycle = await cycles.openCycle({ subscriptionId, number: nextNumber, nowMs: Date.now() });
    if (cycle.status === 'CANCELLED') moveTo('CANCELLED');
    if (cycle.status === 'CANCELLED' || !isActive()) break;
    await collect(nextNumber, cycle.charge);
    if (!isActive()) break;
    nextNumber += 1;
    nextChargeAtMs = cycle.endsAtMs;
    upsertSearchAttributes([
      { key: searchAttribute.cycleNumber, value: nextNumber - 1 },
      { key: searchAttribute.nextChargeAt, value: new Date(nextChargeAtMs) },
      ...(failure === null ? [] : ALL_IS_WELL),
    ]);
    failure = null;
    showNextCycle();
    if (workflowInfo().continueAsNewSuggested || workflowInfo().historyLength > CONTINUE_AFTER_EVENTS) {
      await condition(allHandlersFinished);
      if (isActive())
        await continueAsNew<typeof subscription>({ subscriptionId, nextNumber, nextChargeAtMs, plan });
    }
  }
  await condition(allHandlersFinished);
  return status;
}

async function waitUntil(instantMs: number, sooner: () => boolean, summary: string): Promise<void> {
  const waitMs = instantMs - Date.now();
  if (waitMs > 0) await condition(sooner, waitMs, { summary });
}
