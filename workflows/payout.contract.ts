import { defineQuery } from '@temporalio/workflow';
import type { PayoutId } from '../src/domain/ids.ts';
import type { PayoutStatus } from '../src/domain/payout.ts';

/** The workflow's type name; it stands in every history and is never renamed. */
export const PAYOUT_WORKFLOW = 'payout';

/** One workflow per payout or transfer, so that money is sent by one only. */
export function payoutWorkflowId(payoutId: PayoutId): string {
  return `payout/${payoutId}`;
}

export interface PayoutInput {
  readonly payoutId: PayoutId;
  /** How often the provider was asked before this run; absent in a first one. */
  readonly asked?: number;
}

export interface PayoutState {
  readonly status: PayoutStatus;
  /** How often the provider has been asked. */
  readonly asked: number;
}

export const payoutStateQuery = defineQuery<PayoutState>('state');
