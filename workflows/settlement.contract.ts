import { defineSignal } from '@temporalio/workflow';
import type { CivilDate } from '../src/domain/civil-date.ts';
import type { StoreId } from '../src/domain/ids.ts';

/** The workflow's type name; it stands in every history and is never renamed. */
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
   * When it settles, in milliseconds since 1970: on the run's day, but maybe later than what the run was
   * started for.
   */
  readonly settlesAtMs: number;
}

/** A payment that settles on this day came so late that the run may have passed it over. */
export const paymentDueSignal = defineSignal<[PaymentDueInput]>('paymentDue');
