import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { ChargeStatus } from '../src/domain/charge.ts';
import type { ProductCycle } from '../src/domain/cycle.ts';
import type { ChargeId, PlanUpdateId, ProductId, SubscriptionId } from '../src/domain/ids.ts';
import type { Proration } from '../src/domain/proration.ts';
import type { SubscriptionStatus } from '../src/domain/subscription.ts';
import type { DueAttempt, SubscriptionPosition } from '../src/domain/subscription-position.ts';

export type { DueAttempt, SubscriptionPosition };

/** The workflow's type name. Every history contains it, so it must never be renamed. */
export const SUBSCRIPTION_WORKFLOW = 'subscription';

/** One workflow per subscription, for its whole life. */
export function subscriptionWorkflowId(subscriptionId: SubscriptionId): string {
  return `subscription/${subscriptionId}`;
}

/** The price of the next cycle, without usage. */
export interface NextPlan {
  readonly productId: ProductId;
  readonly quantity: number;
  readonly amountCents: number;
  readonly cycle: ProductCycle;
}

/** Where a run continues; everything else is in Postgres. Instants are milliseconds since 1970. */
export interface SubscriptionInput extends SubscriptionPosition {
  readonly subscriptionId: SubscriptionId;
  /** Shown to operators only: the amount to charge is read from Postgres. */
  readonly plan: NextPlan;
}

/** Ends the subscription at once. Returns its status once nothing can be charged any more. */
export const cancelSubscriptionUpdate = defineUpdate<SubscriptionStatus>('cancel');

/** Ends the subscription with its current cycle, or trial. Returns its status: CANCELLED if that is over already. */
export const scheduleCancellationUpdate = defineUpdate<SubscriptionStatus>('scheduleCancellation');

export interface PauseInput {
  /** When the pause ends by itself; null if somebody ends it. */
  readonly untilMs: number | null;
  /** Whether cycles keep their dates. */
  readonly keepsAnchor: boolean;
}

/** Pauses the subscription at once, or changes its pause. Returns its status. */
export const pauseUpdate = defineUpdate<SubscriptionStatus, [PauseInput]>('pause');

/** Ends a pause and undoes a scheduled cancellation. Returns the status: CANCELLED if it came too late. */
export const resumeUpdate = defineUpdate<SubscriptionStatus>('resume');

/** An attempt at an open cycle is due earlier than this run knows: it reads its row. Returns the status. */
export const attemptNowUpdate = defineUpdate<SubscriptionStatus>('attemptNow');

export interface TrialInput {
  /** When the trial ends; null ends it immediately. */
  readonly endsAtMs: number | null;
}

/** Moves the end of a trial. Returns the status. */
export const changeTrialUpdate = defineUpdate<SubscriptionStatus, [TrialInput]>('changeTrial');

/** Another attempt at an overdue cycle is made now, unless one is under way. Returns the status. */
export const payUpdate = defineUpdate<SubscriptionStatus>('pay');

/** The row of a run that sleeps is overdue: the run reads it. The request that has changed the row could not reach the run. */
export const wakeSignal = defineSignal('wake');

/** An add-on of a change; its name and price are in Postgres. */
export interface WantedAddOn {
  readonly productId: ProductId;
  readonly quantity: number;
}

export interface ChangePlanInput {
  readonly planUpdateId: PlanUpdateId;
  readonly productId: ProductId;
  /** Of the plan; absent if it stays. */
  readonly quantity?: number;
  /** Whether only the quantity or the add-ons change: the plan of the next cycle keeps its product and price. */
  readonly keepsPrice?: true;
  /** All add-ons after the change; absent if they stay as they are. */
  readonly addOns?: readonly WantedAddOn[];
  /** Set if it starts now: how the rest of the current cycle is charged. */
  readonly proration?: Proration;
}

/** Changes the plan, from the next cycle on unless it starts now. A newer change replaces a pending one. */
export const changePlanUpdate = defineUpdate<SubscriptionStatus, [ChangePlanInput]>('changePlan');

export interface ChargeEnded {
  readonly chargeId: ChargeId;
  readonly status: ChargeStatus;
}

/** The charge of an attempt has ended. A repeated signal has no effect. */
export const chargeEndedSignal = defineSignal<[ChargeEnded]>('chargeEnded');

/** What the query `state` returns: why the subscription is where it is. */
export interface SubscriptionState {
  readonly status: SubscriptionStatus;
  readonly nextNumber: number;
  /** The plan of the next cycle, including a pending change. */
  readonly plan: NextPlan;
  readonly nextChargeAt: string;
  /** Failed attempts of the cycle that is being charged; 0 if there are none. */
  readonly failedAttempts: number;
  readonly lastFailure: string | null;
  readonly retryAt: string | null;
  /** When a scheduled cancellation takes effect. */
  readonly cancelAt: string | null;
  readonly isPaused: boolean;
}

export const subscriptionStateQuery = defineQuery<SubscriptionState>('state');
