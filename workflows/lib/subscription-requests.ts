import { ApplicationFailure, setHandler } from '@temporalio/workflow';
import type { SubscriptionStatus } from '../../src/domain/subscription.ts';
import type { MovedSubscription } from '../../src/subscriptions/pause-subscription.ts';
import {
  attemptNowUpdate,
  type ChangePlanInput,
  cancelSubscriptionUpdate,
  changePlanUpdate,
  changeTrialUpdate,
  type PauseInput,
  pauseUpdate,
  payUpdate,
  resumeUpdate,
  scheduleCancellationUpdate,
  subscriptionStateQuery,
  type TrialInput,
  wakeSignal,
} from '../subscription.contract.ts';
import { subscriptionEndings } from './activity-options.ts';
import { shielded } from './cancellation.ts';
import { endAtPeriodEnd, watchPeriodEnd } from './period-end.ts';
import { moment } from './run-clock.ts';
import type { SubscriptionStretch } from './subscription-stretch.ts';
import { moveOn } from './subscription-waits.ts';

/** Answers requests from now on. The activity of a request changes the row, and the run then follows the row. */
export function handleRequests(stretch: SubscriptionStretch): void {
  const { progress, cycles, changes } = stretch;
  const at = () => ({ subscriptionId: stretch.subscriptionId, ...moment() });
  const refuseUnlessActive = () => {
    if (!progress.isActive)
      throw ApplicationFailure.nonRetryable('The subscription is cancelled', 'NOT_ACTIVE');
  };
  /** A request that moves the row. */
  const move = (request: () => Promise<MovedSubscription>) => changes.take(() => moveBy(stretch, request));

  setHandler(subscriptionStateQuery, () => progress.shown());
  setHandler(
    cancelSubscriptionUpdate,
    shielded(() => cancelSubscription(stretch)),
  );
  setHandler(
    scheduleCancellationUpdate,
    shielded(() => changes.take(() => scheduleCancellation(stretch))),
    { validator: refuseUnlessActive },
  );
  setHandler(
    pauseUpdate,
    shielded((terms: PauseInput) => changes.take(() => pause(stretch, terms))),
    { validator: (_terms: PauseInput) => refuseUnlessActive() },
  );
  setHandler(
    resumeUpdate,
    shielded(() => move(() => cycles.resumeSubscription(at()))),
    { validator: refuseUnlessActive },
  );
  setHandler(
    attemptNowUpdate,
    shielded(() => move(() => cycles.readPosition(at()))),
    { validator: refuseUnlessActive },
  );
  setHandler(
    payUpdate,
    shielded(() => move(() => cycles.payOpenCycle(at()))),
    { validator: refuseUnlessActive },
  );
  setHandler(
    changeTrialUpdate,
    shielded((terms: TrialInput) => move(() => cycles.changeTrial({ ...at(), ...terms }))),
    { validator: (_terms: TrialInput) => refuseUnlessActive() },
  );
  setHandler(wakeSignal, async () => {
    if (progress.isActive) await move(() => cycles.readPosition(at()));
  });
  setHandler(
    changePlanUpdate,
    shielded((change: ChangePlanInput) =>
      change.proration === undefined
        ? changePlan(stretch, change)
        : changes.take(() => changePlan(stretch, change)),
    ),
    { validator: (_change: ChangePlanInput) => refuseUnlessActive() },
  );
}

/** Cancels the subscription now, whatever else is in progress. */
export async function cancelSubscription({
  subscriptionId,
  progress,
}: SubscriptionStretch): Promise<SubscriptionStatus> {
  progress.moveTo(await subscriptionEndings.cancelSubscription({ subscriptionId, ...moment() }));
  return progress.status;
}

async function moveBy(
  stretch: SubscriptionStretch,
  request: () => Promise<MovedSubscription>,
): Promise<SubscriptionStatus> {
  const moved = await request();
  moveOn(stretch, moved);
  return moved.status;
}

async function pause(stretch: SubscriptionStretch, terms: PauseInput): Promise<SubscriptionStatus> {
  const { subscriptionId, progress, cycles } = stretch;
  const status = await moveBy(stretch, () =>
    cycles.pauseSubscription({ subscriptionId, ...moment(), ...terms }),
  );
  // The open cycle is given up: a code can be paid no more, and a payment that comes anyway is returned.
  if (progress.isActive) await subscriptionEndings.closeSubscriptionCharges({ subscriptionId, ...moment() });
  return status;
}

async function scheduleCancellation(stretch: SubscriptionStretch): Promise<SubscriptionStatus> {
  const { subscriptionId, progress, cycles } = stretch;
  const { status, cancelAtMs, isDue } = await cycles.scheduleCancellation({ subscriptionId, ...moment() });
  progress.moveTo(status);
  if (isDue) await endAtPeriodEnd(stretch);
  if (!progress.isActive || cancelAtMs === null || cancelAtMs === progress.cancelAtMs) return progress.status;
  progress.endsWith(cancelAtMs);
  void watchPeriodEnd(stretch, cancelAtMs);
  progress.leaveIfLong();
  return status;
}

async function changePlan(
  { subscriptionId, progress, cycles }: SubscriptionStretch,
  change: ChangePlanInput,
): Promise<SubscriptionStatus> {
  const changed = await cycles.changePlan({ subscriptionId, ...moment(), ...change });
  progress.moveTo(changed.status);
  if (changed.status === 'ACTIVE') {
    progress.plan = changed.plan;
    // It starts now: a cycle was opened, and a new run collects it.
    if (changed.position !== undefined) progress.moveOn(changed.position);
  }
  // Updates alone can fill a history. The server limits the updates of one run, and would then refuse a
  // cancellation too.
  progress.leaveIfLong();
  // Not `progress.status`: a cancellation may have arrived meanwhile, but this change was accepted before it.
  return changed.status;
}
