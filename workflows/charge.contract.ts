import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { ChargeStatus } from '../src/domain/charge.ts';
import type { ChargeId, RefundId } from '../src/domain/ids.ts';

/** The workflow's type name. Every history contains it, so it must never be renamed. */
export const CHARGE_WORKFLOW = 'charge';

/** One workflow per charge: starting a charge twice runs it once. */
export function chargeWorkflowId(chargeId: ChargeId): string {
  return `charge/${chargeId}`;
}

/** Ids and instants only: personal data stays in Postgres. Instants are milliseconds since 1970. */
export interface ChargeInput {
  readonly chargeId: ChargeId;
  /** When a boleto with interest or fine starts to cost more; null if nothing is ever added. */
  readonly lateFromMs: number | null;
  /** When payments are no longer accepted. */
  readonly closesAtMs: number;
  /** Set if the charge is decided at once: a card payment, or a payment of nothing. */
  readonly authorizes?: boolean;
  /**
   * Set with `authorizes` if the charge collects a cycle: no payer waits, so the run retries until the issuer
   * answers.
   */
  readonly collects?: boolean;
  /**
   * Set if the charge was already paid: the run exists for the update that started it, and ends after it. It also ends
   * if no update arrives: the server may have lost the one that it accepted.
   */
  readonly reopens?: boolean;
  /** The reversals that an earlier run has requested and the provider has not finished. This run keeps polling them. */
  readonly unfinished?: readonly PendingReversalInput[];
}

/** The type of the failure that ends a run of a failed charge; its detail is the reason. */
export const CHARGE_FAILED = 'CHARGE_FAILED';

/** Money to return to the payer: a refund, or a payment that was not accepted. */
export type SentBack = RefundInput | ConfirmPaymentInput;

/** A pending reversal in the input of the run that continues another run. */
export type PendingReversalInput = SentBack & {
  /** Set if the provider does not know the payment yet: when the look-ups began, in milliseconds since 1970. */
  readonly unknownSinceMs?: number;
  /** When to poll the provider next, in milliseconds since 1970. */
  readonly dueAtMs: number;
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
 * The payer of a card is back from their bank, or a provider notified a payment again while money of this charge is
 * being returned: the run asks the provider now. A signal is needed because the run has already answered the update
 * of that payment.
 */
export const providerNewsSignal = defineSignal('providerNews');

/**
 * A provider notified again a payment that has no row here. The run has already answered the update of the first
 * notification, so this signal makes it look the payment up again until it is found.
 */
export const lookUpPaymentSignal = defineSignal<[ConfirmPaymentInput]>('lookUpPayment');

/** Returns the status of a card charge as soon as it is decided, or PENDING once its payer has to confirm it. */
export const authorizeUpdate = defineUpdate<ChargeStatus>('authorize');

/** The integrator cancels the charge. Returns its status: PAID if the payer was first. */
export const cancelUpdate = defineUpdate<ChargeStatus>('cancel');

export interface RefundInput {
  /** The reason stays in the refund's row: text of the integrator must not enter a history. */
  readonly refundId: RefundId;
}

/** The integrator refunds the payment. Returns the charge's status; the refund's row has its result. */
export const refundUpdate = defineUpdate<ChargeStatus, [RefundInput]>('refund');

export interface ConfirmDisputeInput {
  /** The provider's id of the dispute. The workflow asks the provider for its status. */
  readonly providerDisputeId: string;
}

/** A provider notified that a dispute was opened or decided. Returns the charge's status afterwards. */
export const confirmDisputeUpdate = defineUpdate<ChargeStatus, [ConfirmDisputeInput]>('confirmDispute');

/** What the query `state` returns. A run still in its start delay answers no query. */
export interface ChargeState {
  readonly status: ChargeStatus;
  readonly closesAt: string;
}

export const chargeStateQuery = defineQuery<ChargeState>('state');
