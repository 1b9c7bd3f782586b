import { defineSignal } from '@temporalio/workflow';
import type { CivilDate } from '../src/domain/civil-date.ts';
import type { StoreId } from '../src/domain/ids.ts';

/** The workflow's type name. Every history contains it, so it must never be renamed. */
export const SETTLEMENT_WORKFLOW = 'settlement';

/** One workflow per store, environment and day. */
export function settlementWorkflowId(storeId: StoreId, devMode: boolean, day: CivilDate): string {
  return `settlement/${storeId}/${devMode ? 'dev' : 'prod'}/${day}`;
}

export interface SettlementInput {
  readonly storeId: StoreId;
  readonly devMode: boolean;
  /** When the day begins, in milliseconds since 1970. */
  readonly settlesAtMs: number;
}

export interface PaymentDueInput {
  /**
   * When the payment settles, in milliseconds since 1970: on the run's day, but maybe later than the instant the
   * run was started for.
   */
  readonly settlesAtMs: number;
}

/** A payment that settles on this day was accepted so late that the run may have missed it. */
export const paymentDueSignal = defineSignal<[PaymentDueInput]>('paymentDue');
