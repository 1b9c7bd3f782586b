import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { ChargeStatus } from '../src/domain/charge.ts';
import type { ProductCycle } from '../src/domain/cycle.ts';
import type { ChargeId, PlanUpdateId, ProductId, SubscriptionId } from '../src/domain/ids.ts';
import type { SubscriptionStatus } from '../src/domain/subscription.ts';

/** The workflow's type name; it stands in every history and is never renamed. */
export const SUBSCRIPTION_WORKFLOW = 'subscription';

/** One workflow per subscription, for as long as it lives. */
export function subscriptionWorkflowId(subscriptionId: SubscriptionId): string {
  return `subscription/${subscriptionId}`;
}

/** What the next cycle costs, without usage. */
export interface NextPlan {
  readonly productId: ProductId;
  readonly quantity: number;
  readonly amountCents: number;
  readonly cycle: ProductCycle;
}

/** An attempt at a cycle that has been opened. */
export interface DueAttempt {
  /** Counts from 1. */
  readonly attempt: number;
  /** When it is, or was, due, in milliseconds since 1970. */
  readonly dueAtMs: number;
  /** Why the attempt before it failed; null where there was none. */
  readonly lastFailure: string | null;
}

/** Where a run goes on; everything else is in Postgres. Instants are milliseconds since 1970. */
export interface SubscriptionInput {
  readonly subscriptionId: SubscriptionId;
  /** The cycle that is charged next, or goes on being charged; the first payment of all is number 1. */
  readonly nextNumber: number;
  /** When its cycle starts. */
  readonly nextChargeAtMs: number;
  /** Only shown to operators: what is charged is read from Postgres. */
  readonly plan: NextPlan;
  /** Set where the run goes on in the middle of a cycle: that attempt is due, or under way. */
  readonly resumes?: DueAttempt;
}

/** Ends the subscription at once. Answers with its status when nothing can be charged any more. */
export const cancelSubscriptionUpdate = defineUpdate<SubscriptionStatus>('cancel');

export interface ChangePlanInput {
  readonly planUpdateId: PlanUpdateId;
  readonly productId: ProductId;
  readonly quantity: number;
}

/**
 * From the next cycle on the subscription costs this. The newest change replaces an earlier one that still
 * waits.
 */
export const changePlanUpdate = defineUpdate<SubscriptionStatus, [ChangePlanInput]>('changePlan');

export interface ChargeEnded {
  readonly chargeId: ChargeId;
  readonly status: ChargeStatus;
}

/** The charge of an attempt has ended. Told twice it is told once. */
export const chargeEndedSignal = defineSignal<[ChargeEnded]>('chargeEnded');

/** What an operator sees: why the subscription is where it is. */
export interface SubscriptionState {
  readonly status: SubscriptionStatus;
  readonly nextNumber: number;
  /** Of the next cycle, a change that waits for it included. */
  readonly plan: NextPlan;
  readonly nextChargeAt: string;
  /** Of the cycle that is being charged; 0 when all is well. */
  readonly failedAttempts: number;
  readonly lastFailure: string | null;
  readonly retryAt: string | null;
}

export const subscriptionStateQuery = defineQuery<SubscriptionState>('state');
