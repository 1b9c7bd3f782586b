import {
  ApplicationFailure,
  allHandlersFinished,
  condition,
  continueAsNew,
  setHandler,
} from '@temporalio/workflow';
import type { SubscriptionStatus } from '../src/domain/subscription.ts';
import type { MovedSubscription } from '../src/subscriptions/pause-subscription.ts';
import { cyclesIn, subscriptionEndings } from './lib/activity-options.ts';
import { shielded, withDomainCancellation } from './lib/cancellation.ts';
import { cycleCollection } from './lib/cycle-collection.ts';
import { Mutex } from './lib/mutex.ts';
import { moment, RunClock } from './lib/run-clock.ts';
import { isSubscriptionLong, SubscriptionProgress } from './lib/subscription-progress.ts';
import {
  attemptNowUpdate,
  type ChangePlanInput,
  cancelSubscriptionUpdate,
  changePlanUpdate,
  changeTrialUpdate,
  type DueAttempt,
  type PauseInput,
  pauseUpdate,
  payUpdate,
  resumeUpdate,
  type SubscriptionInput,
  scheduleCancellationUpdate,
  subscriptionStateQuery,
  type TrialInput,
  wakeSignal,
} from './subscription.contract.ts';

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
  const current: Current = { cancel: null };
  return withDomainCancellation(
    async () => {
      for (let stretch = input; ; ) {
        const end = await liveThrough(stretch, clock, current);
        if (typeof end === 'string') return end;
        if (isSubscriptionLong()) await continueAsNew<typeof subscription>(end);
        stretch = end;
      }
    },
    async () => current.cancel?.(),
  );
}

/** How the present stretch is cancelled. */
interface Current {
  cancel: (() => Promise<unknown>) | null;
}

/** Handles a stretch. @returns where the next one begins, or the status with which the subscription has ended. */
async function liveThrough(
  input: SubscriptionInput,
  clock: RunClock,
  current: Current,
): Promise<SubscriptionInput | SubscriptionStatus> {
  const { subscriptionId } = input;
  const progress = new SubscriptionProgress(input);
  const mutex = new Mutex();
  // One change of the row at a time: the last one to end is the last one in the row.
  const changes = new Mutex();
  const cycles = cyclesIn(mutex);
  const collect = cycleCollection({ subscriptionId, progress, mutex, clock });

  const chargeCycles = async () => {
    let open = input.resumes ?? null;
    if (input.cancelAtMs !== undefined) void watchPeriodEnd(input.cancelAtMs);
    if (input.awaitsPayment) await awaitPayment();
    else if (input.pausedUntilMs !== undefined) await sleepThroughPause(input.pausedUntilMs);
    else progress.showNextCycle();
    while (progress.isActive) {
      const number = progress.nextNumber;
      if (open === null) await progress.betweenCycles(awaitNextCycle);
      if (progress.isLeaving) return leave(open);
      if (!progress.isActive) break;

      const cycle = await cycles.openCycle({ subscriptionId, number, ...moment() });
      if (cycle.status === 'CANCELLED') progress.moveTo('CANCELLED');
      if (!progress.isActive) break;
      // The request that has paused it is about to move this run on.
      if (cycle.status !== 'ACTIVE') {
        await condition(() => progress.isOver);
        if (progress.isPeriodOver) await endAtPeriodEnd();
        continue;
      }

      // Nothing was used in a period of usage.
      if (cycle.charge === null) {
        progress.nextCycle(cycle.endsAtMs);
        if (progress.isHistoryLong) return leave(null);
        continue;
      }
      open = await collect(cycle.charge, open);
      if (progress.isPeriodOver) await endAtPeriodEnd();
      if (!progress.isActive) break;
      // The history became long during the collection. The new run continues with the open cycle and its attempt.
      // A pause has given the cycle up, or somebody has resumed it.
      if (open !== null || progress.hasMoved) return leave(open);
      progress.nextCycle(cycle.endsAtMs);
      if (progress.isHistoryLong) return leave(null);
    }
    await condition(allHandlersFinished);
    return progress.status;
  };

  /** Until the next cycle begins. Its debit may have opened it already, and has then collected it when its charge ends. */
  const awaitNextCycle = async () => {
    let seen: number;
    do {
      seen = progress.endsBetweenCycles;
      if (seen > 0) await changes.take(moveOnIfOpened);
      if (progress.isOver) return;
      const sooner = () => progress.isOver || progress.endsBetweenCycles > seen;
      await clock.waitUntil(progress.nextChargeAtMs, sooner, `cycle ${progress.nextNumber} begins`);
    } while (progress.endsBetweenCycles > seen);
  };

  /** The handlers of this stretch are done before those of the next one take over. */
  const leave = async (open: DueAttempt | null) => {
    await condition(allHandlersFinished);
    return progress.isActive ? progress.inputOfNextRun(input, open) : progress.status;
  };

  const cancel = async () => {
    progress.moveTo(await subscriptionEndings.cancelSubscription({ subscriptionId, ...moment() }));
    return progress.status;
  };

  /** Its row decides: somebody may have resumed it meanwhile. */
  const endAtPeriodEnd = async () => {
    progress.moveTo(await subscriptionEndings.endAtPeriodEnd({ subscriptionId, ...moment() }));
  };

  /** At the end of the period, wakes a run that collects a cycle: `openCycle` ends a subscription without one. */
  const watchPeriodEnd = async (endsAtMs: number) => {
    const isMoot = () => progress.isOver || progress.cancelAtMs !== endsAtMs;
    await clock.waitUntil(endsAtMs, isMoot, 'period ends');
    if (!progress.isOver && progress.cancelAtMs === endsAtMs) progress.notePeriodEnd();
  };

  /** Until the pause ends by itself, or a request moves this run on. */
  const sleepThroughPause = async (untilMs: number | null) => {
    progress.showPause(untilMs);
    if (untilMs === null) await condition(() => progress.isOver);
    else await clock.waitUntil(untilMs, () => progress.isOver, 'pause ends');
    if (!progress.isOver) await changes.take(endPause);
    // What comes after a pause that is over is in its row: a new run reads it, or the end of the period has come.
    await condition(() => progress.isOver);
  };

  /**
   * Until the unpaid cycle is paid, somebody has another attempt made, or a request moves this run on. A payment that was
   * made in time may be notified late: its signal, or its row at the start of this run, ends the wait.
   */
  const awaitPayment = async () => {
    progress.showUnpaidCycle();
    while (!progress.isOver) {
      const seen = progress.endedCharges;
      await changes.take(moveOnUnlessAwaiting);
      await condition(() => progress.isOver || progress.endedCharges > seen);
    }
  };

  const moveOnUnlessAwaiting = async () => {
    if (progress.hasMoved) return;
    const read = await cycles.readPosition({ subscriptionId, ...moment() });
    if (read.status !== 'ACTIVE' || !read.position?.awaitsPayment) moveOn(read);
  };

  const moveOnIfOpened = async () => {
    if (progress.hasMoved) return;
    const { status, position } = await cycles.readPosition({ subscriptionId, ...moment() });
    const isOpened = position?.resumes !== undefined || (position?.nextNumber ?? 0) > progress.nextNumber;
    if (status !== 'ACTIVE' || isOpened) moveOn({ status, position });
    if (position !== null && position.resumes === undefined && isOpened) progress.showCollected(position);
  };

  const endPause = async () => {
    if (progress.hasMoved) return;
    moveOn(await cycles.endPause({ subscriptionId, ...moment() }));
  };

  const moveOn = ({ status, position }: MovedSubscription) => {
    progress.moveTo(status);
    if (progress.isActive && position !== null) progress.moveOn(position);
  };

  const pause = async (terms: PauseInput) => {
    const paused = await cycles.pauseSubscription({ subscriptionId, ...moment(), ...terms });
    moveOn(paused);
    // The open cycle is given up: a code can be paid no more, and a payment that comes anyway is returned.
    if (progress.isActive)
      await subscriptionEndings.closeSubscriptionCharges({ subscriptionId, ...moment() });
    return paused.status;
  };

  const scheduleCancellation = async () => {
    const { status, cancelAtMs, isDue } = await cycles.scheduleCancellation({
      subscriptionId,
      ...moment(),
    });
    progress.moveTo(status);
    if (isDue) await endAtPeriodEnd();
    if (!progress.isActive || cancelAtMs === null || cancelAtMs === progress.cancelAtMs)
      return progress.status;
    progress.endsWith(cancelAtMs);
    void watchPeriodEnd(cancelAtMs);
    progress.leaveIfLong();
    return status;
  };

  const resume = async () => {
    const resumed = await cycles.resumeSubscription({ subscriptionId, ...moment() });
    moveOn(resumed);
    return resumed.status;
  };

  const attemptNow = async () => {
    const read = await cycles.readPosition({ subscriptionId, ...moment() });
    moveOn(read);
    return read.status;
  };

  const pay = async () => {
    const paid = await cycles.payOpenCycle({ subscriptionId, ...moment() });
    moveOn(paid);
    return paid.status;
  };

  const changeTrial = async (terms: TrialInput) => {
    const changed = await cycles.changeTrial({ subscriptionId, ...moment(), ...terms });
    moveOn(changed);
    return changed.status;
  };

  const changePlan = async (change: ChangePlanInput) => {
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
  };

  const refuseUnlessActive = () => {
    if (!progress.isActive)
      throw ApplicationFailure.nonRetryable('The subscription is cancelled', 'NOT_ACTIVE');
  };

  setHandler(subscriptionStateQuery, () => progress.shown());
  setHandler(cancelSubscriptionUpdate, shielded(cancel));
  setHandler(
    scheduleCancellationUpdate,
    shielded(() => changes.take(scheduleCancellation)),
    { validator: refuseUnlessActive },
  );
  setHandler(
    pauseUpdate,
    shielded((terms: PauseInput) => changes.take(() => pause(terms))),
    { validator: (_terms: PauseInput) => refuseUnlessActive() },
  );
  setHandler(
    resumeUpdate,
    shielded(() => changes.take(resume)),
    { validator: refuseUnlessActive },
  );
  setHandler(
    attemptNowUpdate,
    shielded(() => changes.take(attemptNow)),
    { validator: refuseUnlessActive },
  );
  setHandler(
    payUpdate,
    shielded(() => changes.take(pay)),
    { validator: refuseUnlessActive },
  );
  setHandler(
    changeTrialUpdate,
    shielded((terms: TrialInput) => changes.take(() => changeTrial(terms))),
    { validator: (_terms: TrialInput) => refuseUnlessActive() },
  );
  setHandler(wakeSignal, async () => {
    if (progress.isActive) await changes.take(attemptNow);
  });
  const takeChangeOfPlan = (change: ChangePlanInput) =>
    change.proration === undefined ? changePlan(change) : changes.take(() => changePlan(change));
  setHandler(changePlanUpdate, shielded(takeChangeOfPlan), {
    validator: (_change: ChangePlanInput) => refuseUnlessActive(),
  });
  current.cancel = cancel;
  return chargeCycles();
}
