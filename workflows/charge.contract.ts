import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { ChargeStatus } from '../src/domain/charge.ts';
import type { ChargeId, RefundId } from '../src/domain/ids.ts';

/** The workflow's type name; it stands in every history and is never renamed. */
export const CHARGE_WORKFLOW = 'charge';

/** One workflow per charge, so a charge that was started twice runs once. */
export function chargeWorkflowId(chargeId: ChargeId): string {
  return `charge/${chargeId}`;
}

/** Ids and instants only: whatever is personal stays in Postgres. Instants are milliseconds since 1970. */
export interface ChargeInput {
  readonly chargeId: ChargeId;
  /** When a boleto with interest or fine starts to cost more; null where nothing is ever added. */
  readonly lateFromMs: number | null;
  /** When payments are no longer accepted. */
  readonly closesAtMs: number;
  /** Set for what is decided at once: a card payment, or a payment of nothing. */
  readonly authorizes?: boolean;
  /**
   * Set beside `authorizes` where a subscription's cycle is collected: no payer waits for the answer, so it is
   * asked for until it is known.
   */
  readonly collects?: boolean;
  /**
   * Set where the charge was paid before: the run is there for the update that opened it, and ends with it.
   */
  readonly reopens?: boolean;
  /**
   * Set beside `reopens`: the run ends by itself where nothing is asked of it, as when its update was lost
   * with the server that had taken it.
   */
  readonly endsUnasked?: boolean;
  /** Set where an earlier run has asked the provider for them, and it had not finished: it is asked on. */
  readonly unfinished?: readonly PendingReversalInput[];
  /**
   * Set where the charge may FAIL, since its run then ends Failed too, with the reason; one of a release before ends
   * Completed either way.
   */
  readonly failsWithReason?: true;
}

/** The type of the failure in which such a run ends; its detail is the reason. */
export const CHARGE_FAILED = 'CHARGE_FAILED';

/** Money that goes back to its payer: a refund, or a payment that was not accepted. */
export type SentBack = RefundInput | ConfirmPaymentInput;

/** The same in the input of a run that continues another one. */
export type PendingReversalInput = SentBack & {
  /** Set for a payment that the provider does not know yet: since when it is looked up, in milliseconds since 1970. */
  readonly unknownSinceMs?: number;
  /** When it is asked next, in milliseconds since 1970; releases before left it out. */
  readonly dueAtMs?: number;
};

export interface ConfirmPaymentInput {
  /**
   * The provider's id of the payment. The workflow asks the provider about it: a notification alone proves
   * nothing.
   */
  readonly providerPaymentId: string;
}

/** A provider notified a payment. Answers with the charge's status once everything about it is committed. */
export const confirmPaymentUpdate = defineUpdate<ChargeStatus, [ConfirmPaymentInput]>('confirmPayment');

/**
 * A provider told of a payment again, and money of this charge goes back: the provider is asked now what became of it.
 * That it was told before makes the update of that payment one that the run has answered already.
 */
export const providerNewsSignal = defineSignal('providerNews');

/**
 * A provider notified a payment again that has no row here. The update of its first notification has its answer already,
 * so this has the run look the payment up now, and go on doing so.
 */
export const lookUpPaymentSignal = defineSignal<[ConfirmPaymentInput]>('lookUpPayment');

/** Answers with the status of a charge that is decided at once, when it is. */
export const authorizeUpdate = defineUpdate<ChargeStatus>('authorize');

/** The integrator cancels the charge. Answers with its status: PAID where the payer was first. */
export const cancelUpdate = defineUpdate<ChargeStatus>('cancel');

export interface RefundInput {
  /** The reason is in the refund's row: words of the integrator have no place in a history. */
  readonly refundId: RefundId;
}

/**
 * The integrator sends the payment back. Answers with the charge's status; how the refund ended is in its
 * row.
 */
export const refundUpdate = defineUpdate<ChargeStatus, [RefundInput]>('refund');

export interface ConfirmDisputeInput {
  /** The provider's id of the dispute. The workflow asks the provider what has become of it. */
  readonly providerDisputeId: string;
}

/** A provider notified that a dispute was opened or decided. Answers with the charge's status afterwards. */
export const confirmDisputeUpdate = defineUpdate<ChargeStatus, [ConfirmDisputeInput]>('confirmDispute');

/**
 * What an operator sees of a charge that has been woken; one still asleep before its deadline answers no
 * query.
 */
export interface ChargeState {
  readonly status: ChargeStatus;
  readonly closesAt: string;
}

export const chargeStateQuery = defineQuery<ChargeState>('state');
