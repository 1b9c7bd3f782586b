import { defineQuery, defineSignal } from '@temporalio/workflow';
import type { DebitStatus } from '../src/domain/debit.ts';
import type { ChargeId } from '../src/domain/ids.ts';

/** The workflow's type name. Every history contains it, so it must never be renamed. */
export const DEBIT_WORKFLOW = 'debit';

/** One workflow per debit, from its order to its outcome. */
export function debitWorkflowId(debitId: ChargeId): string {
  return `debit/${debitId}`;
}

export interface DebitInput {
  /** The id of the debit's charge. */
  readonly debitId: ChargeId;
}

/** The row has changed: nobody wants the debit any more, or the provider has news of it. */
export const debitNewsSignal = defineSignal('news');

export interface DebitState {
  readonly status: DebitStatus;
  /** When it has work again, in milliseconds since 1970; null once it has ended. */
  readonly nextAtMs: number | null;
}

export const debitStateQuery = defineQuery<DebitState>('state');
