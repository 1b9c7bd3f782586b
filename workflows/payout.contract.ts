import { defineQuery } from '@temporalio/workflow';
import type { PayoutId } from '../src/domain/ids.ts';
import type { PayoutStatus } from '../src/domain/payout.ts';

/** The workflow's type name. Every history contains it, so it must never be renamed. */
export const PAYOUT_WORKFLOW = 'payout';

/** One workflow per payout or transfer, so that the money is sent once. */
export function payoutWorkflowId(payoutId: PayoutId): string {
  return `payout/${payoutId}`;
}

export interface PayoutInput {
  readonly payoutId: PayoutId;
  /** How often earlier runs have asked the provider; absent in the first run. */
  readonly asked?: number;
}

export interface PayoutState {
  readonly status: PayoutStatus;
  /** How often the provider has been asked. */
  readonly asked: number;
}

export const payoutStateQuery = defineQuery<PayoutState>('state');
