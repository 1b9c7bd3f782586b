import { allHandlersFinished, condition, continueAsNew } from '@temporalio/workflow';
import type { SubscriptionStatus } from '../src/domain/subscription.ts';
import { withDomainCancellation } from './lib/cancellation.ts';
import { endAtPeriodEnd, watchPeriodEnd } from './lib/period-end.ts';
import { moment, RunClock } from './lib/run-clock.ts';
import { isSubscriptionLong } from './lib/subscription-progress.ts';
import { cancelSubscription, handleRequests } from './lib/subscription-requests.ts';
import { newStretch, type SubscriptionStretch } from './lib/subscription-stretch.ts';
import { awaitNextCycle, awaitPayment, sleepThroughPause } from './lib/subscription-waits.ts';
import type { DueAttempt, SubscriptionInput } from './subscription.contract.ts';

/**
 * The whole life of one subscription. It ends when the integrator cancels the subscription, or when its charges failed too often. It
 * is durable because a subscription lives for years. Each cycle must be charged once, and none after a cancellation, despite crashes.
 *
 * Postgres holds plan, usage and cycle, and decides what may be charged; the run holds the time. Usage stays in
 * rows, which are summed up when a cycle opens. A run starts with a delay until its first cycle is due.
 *
 * A stretch of it begins where the row is after a request has moved it. A run continues as new only once its history is long, because the
 * server delays the successor of a run that was woken before its start delay was over by the rest of that delay
 * (`ContinueAsNewMinBackoff`): a charge that is due now would wait for weeks.
 */
export async function subscription(input: SubscriptionInput): Promise<SubscriptionStatus> {
  const clock = new RunClock();
  let stretch: SubscriptionStretch | undefined;
  return withDomainCancellation(
    async () => {
      for (let from = input; ; ) {
        stretch = newStretch(from, clock);
        const end = await liveThrough(stretch);
        if (typeof end === 'string') return end;
        if (isSubscriptionLong()) await continueAsNew<typeof subscription>(end);
        from = end;
      }
    },
    async () => stretch && cancelSubscription(stretch),
  );
}

/** @returns where the next stretch begins, or the status with which the subscription has ended. */
async function liveThrough(stretch: SubscriptionStretch): Promise<SubscriptionInput | SubscriptionStatus> {
  const { input, progress } = stretch;
  handleRequests(stretch);
  if (input.cancelAtMs !== undefined) void watchPeriodEnd(stretch, input.cancelAtMs);
  if (input.awaitsPayment) await awaitPayment(stretch);
  else if (input.pausedUntilMs !== undefined) await sleepThroughPause(stretch, input.pausedUntilMs);
  else progress.showNextCycle();
  const open = await chargeCycles(stretch);
  // The handlers of this stretch are done before those of the next one take over.
  await condition(allHandlersFinished);
  return progress.isActive ? progress.inputOfNextRun(input, open) : progress.status;
}

/**
 * Charges one cycle after the other until the subscription ends, its row has moved, or the history is long.
 * @returns the open attempt with which the next stretch continues; null if none is open.
 */
async function chargeCycles(stretch: SubscriptionStretch): Promise<DueAttempt | null> {
  const { subscriptionId, input, progress, cycles, collect } = stretch;
  let open = input.resumes ?? null;
  while (progress.isActive) {
    const number = progress.nextNumber;
    if (open === null) await progress.betweenCycles(() => awaitNextCycle(stretch));
    if (progress.isLeaving || !progress.isActive) return open;

    const cycle = await cycles.openCycle({ subscriptionId, number, ...moment() });
    if (cycle.status === 'CANCELLED') progress.moveTo('CANCELLED');
    if (!progress.isActive) return null;
    // The request that has paused it is about to move this run on.
    if (cycle.status !== 'ACTIVE') {
      await condition(() => progress.isOver);
      if (progress.isPeriodOver) await endAtPeriodEnd(stretch);
      continue;
    }

    // Nothing was used in a period of usage.
    if (cycle.charge !== null) {
      open = await collect(cycle.charge, open);
      if (progress.isPeriodOver) await endAtPeriodEnd(stretch);
      // The history became long during the collection, a pause has given the cycle up, or somebody has resumed it.
      if (!progress.isActive || open !== null || progress.hasMoved) return open;
    }
    progress.nextCycle(cycle.endsAtMs);
    if (progress.isHistoryLong) return null;
  }
  return null;
}
