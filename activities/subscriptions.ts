import { ChargeEntity } from '../src/database/entities/charge.ts';
import { SubscriptionEntity } from '../src/database/entities/subscription.ts';
import type { Em } from '../src/database/orm.ts';
import type { ChargeStatus } from '../src/domain/charge.ts';
import type { ChargeId, SubscriptionId } from '../src/domain/ids.ts';
import type { SubscriptionStatus } from '../src/domain/subscription.ts';
import { nextCycleAtOf } from '../src/domain/usage-cycle.ts';
import { cancelNow, closeCharges, followEnd } from '../src/subscriptions/cancel-subscription.ts';
import { changePlan, type PlanChange, type WantedPlan } from '../src/subscriptions/change-plan.ts';
import { changeTrial, type TrialTerms } from '../src/subscriptions/change-trial.ts';
import {
  beginAttempt,
  type CycleAttempt,
  type CycleCharge,
  firstCardCharge,
  startAttempt,
} from '../src/subscriptions/dunning/begin-attempt.ts';
import { type FailedCycleAttempt, failAttempt } from '../src/subscriptions/dunning/fail-attempt.ts';
import { payOpenCycle } from '../src/subscriptions/dunning/pay-open-cycle.ts';
import type { SubscriptionDeps } from '../src/subscriptions/effects.ts';
import { openCycle } from '../src/subscriptions/open-cycle.ts';
import {
  type MovedSubscription,
  type PauseTerms,
  pauseSubscription,
} from '../src/subscriptions/pause-subscription.ts';
import { hasNoCharge, type OpenCycle, openedAtOf } from '../src/subscriptions/planned-cycle.ts';
import { readPosition } from '../src/subscriptions/read-position.ts';
import { resumeSubscription } from '../src/subscriptions/resume-subscription.ts';
import {
  endAtPeriodEnd,
  type ScheduledCancellation,
  scheduleCancellation,
} from '../src/subscriptions/schedule-cancellation.ts';
import { withHeartbeats } from './heartbeats.ts';

interface Moment {
  readonly subscriptionId: SubscriptionId;
  /** The workflow's time, in milliseconds since 1970. */
  readonly nowMs: number;
}

/** An opened cycle with the charge of its first attempt, or the fact that the subscription was cancelled or paused before. */
export type OpenedCycle =
  | { readonly status: 'CANCELLED' | 'PAUSED' }
  | {
      readonly status: 'ACTIVE';
      /** Null if nothing was used in a period of usage: nothing is charged. */
      readonly charge: CycleCharge | null;
      /** When the next cycle opens. */
      readonly endsAtMs: number;
    };

/**
 * Why nothing is charged. A subscription that has been resumed since counts as paused too: both requests are about to
 * move the run on.
 */
async function whyStopped(
  deps: SubscriptionDeps,
  id: SubscriptionId,
  now: Date,
): Promise<'CANCELLED' | 'PAUSED'> {
  const { status } = await deps.database.em.fork().findOneOrFail(SubscriptionEntity, { id });
  if (status === 'ACTIVE') return 'PAUSED';
  // An earlier run may have died between the cancellation and what follows it.
  await followEnd(deps, id, now);
  return 'CANCELLED';
}

/** When the cycle after this one opens. A run that was reset asks for a cycle whose successor is open already. */
function nextOpeningAt({ subscription, cycle }: Pick<OpenCycle, 'subscription' | 'cycle'>): Date {
  return cycle.number < subscription.cycleNumber ? openedAtOf(cycle) : nextCycleAtOf(subscription);
}

/** The activities of a subscription's workflow. */
export function createSubscriptionActivities(deps: SubscriptionDeps) {
  return {
    /**
     * Opens the cycle of this number and begins its first attempt: applies a pending change of plan, sums up usage
     * and fixes the amount. A repeated call finds the same cycle and charge.
     */
    async openCycle({
      subscriptionId,
      number,
      nowMs,
    }: Moment & { readonly number: number }): Promise<OpenedCycle> {
      const now = new Date(nowMs);
      const em = deps.database.em.fork();
      const first = (tx: Em, opened: OpenCycle) => firstCardCharge(deps, tx, opened, now);
      const opened = await openCycle(deps, em, { subscriptionId, number, now }, first);
      if (opened === null) return { status: await whyStopped(deps, subscriptionId, now) };
      const endsAtMs = nextOpeningAt(opened).getTime();
      if (hasNoCharge(opened.cycle)) return { status: 'ACTIVE', charge: null, endsAtMs };
      const charge = opened.charge
        ? await startAttempt(deps, opened.charge, subscriptionId, now)
        : await beginAttempt(deps, em, { ...opened, attempt: 1, now });
      if (charge === null) return { status: await whyStopped(deps, subscriptionId, now) };
      return { status: 'ACTIVE', charge, endsAtMs };
    },

    /**
     * Begins another attempt at an open cycle, unless an earlier attempt has paid it after all. Null if the
     * subscription was cancelled meanwhile, PAUSED if it was paused.
     */
    async retryCycle(input: Moment & CycleAttempt): Promise<CycleCharge | 'PAUSED' | null> {
      const now = new Date(input.nowMs);
      const em = deps.database.em.fork();
      const opened = await openCycle(deps, em, { ...input, now }, async () => null);
      const charge = opened && (await beginAttempt(deps, em, { ...opened, attempt: input.attempt, now }));
      if (charge !== null) return charge;
      return (await whyStopped(deps, input.subscriptionId, now)) === 'PAUSED' ? 'PAUSED' : null;
    },

    /** Records a failed attempt. The last one of the retry policy ends the subscription (contract section 6). */
    async recordFailedAttempt(
      input: Moment & CycleAttempt & { readonly chargeId: ChargeId },
    ): Promise<FailedCycleAttempt> {
      return failAttempt(deps, input);
    },

    /**
     * Resumes the workflow of an attempt that did not signal its end, in case someone terminated it.
     * @returns the charge's status: PENDING if it is still not known.
     */
    async resumeAttempt({
      subscriptionId,
      chargeId,
      nowMs,
    }: Moment & { readonly chargeId: ChargeId }): Promise<ChargeStatus> {
      const charge = await deps.database.em.fork().findOneOrFail(ChargeEntity, { id: chargeId });
      return (await startAttempt(deps, charge, subscriptionId, new Date(nowMs))).status;
    },

    /** Ends the subscription at once, with everything that is being charged. */
    async cancelSubscription({ subscriptionId, nowMs }: Moment): Promise<SubscriptionStatus> {
      return withHeartbeats(() => cancelNow(deps, subscriptionId, new Date(nowMs)));
    },

    /** @see scheduleCancellation */
    async scheduleCancellation({ subscriptionId, nowMs }: Moment): Promise<ScheduledCancellation> {
      return scheduleCancellation(deps, subscriptionId, new Date(nowMs));
    },

    /** Ends the subscription if its scheduled cancellation is due, with everything that is being charged. */
    async endAtPeriodEnd({ subscriptionId, nowMs }: Moment): Promise<SubscriptionStatus> {
      return withHeartbeats(() => endAtPeriodEnd(deps, subscriptionId, new Date(nowMs)));
    },

    /** @see resumeSubscription */
    async resumeSubscription({ subscriptionId, nowMs }: Moment): Promise<MovedSubscription> {
      return resumeSubscription(deps, subscriptionId, new Date(nowMs));
    },

    /** Where the run continues, by its row: an attempt may be due earlier than the run knows. */
    readPosition: ({ subscriptionId }: Moment): Promise<MovedSubscription> =>
      readPosition(deps, subscriptionId),

    /** @see payOpenCycle */
    payOpenCycle: ({ subscriptionId, nowMs }: Moment): Promise<MovedSubscription> =>
      payOpenCycle(deps, subscriptionId, new Date(nowMs)),

    /** @see changeTrial */
    changeTrial: ({ nowMs, ...terms }: TrialTerms & Moment): Promise<MovedSubscription> =>
      changeTrial(deps, terms, new Date(nowMs)),

    /** Ends a pause whose time is over, unless its row says otherwise. */
    async endPause({ subscriptionId, nowMs }: Moment): Promise<MovedSubscription> {
      return resumeSubscription(deps, subscriptionId, new Date(nowMs), true);
    },

    /** @see pauseSubscription */
    pauseSubscription: ({ nowMs, ...terms }: PauseTerms & Moment): Promise<MovedSubscription> =>
      pauseSubscription(deps, terms, new Date(nowMs)),

    /** Closes the charges of a cycle that a pause has given up. */
    async closeSubscriptionCharges({ subscriptionId }: Moment): Promise<void> {
      return withHeartbeats(() => closeCharges(deps, subscriptionId));
    },

    /** @see changePlan */
    changePlan: ({ nowMs, ...wanted }: WantedPlan & Moment): Promise<PlanChange> =>
      changePlan(deps, wanted, new Date(nowMs)),
  };
}
