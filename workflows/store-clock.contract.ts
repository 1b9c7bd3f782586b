import { defineSignal } from '@temporalio/workflow';
import type { StoreId } from '../src/domain/ids.ts';

/** The workflow's type name. Every history contains it, so it must never be renamed. */
export const STORE_CLOCK_WORKFLOW = 'storeClock';

/** One workflow per store, so that only one run advances its clock. */
export function storeClockWorkflowId(storeId: StoreId): string {
  return `clock/${storeId}`;
}

/** The clock's position and target are in its row. */
export interface StoreClockInput {
  readonly storeId: StoreId;
}

/** A new target of the clock is committed. A run that was about to end continues to that target. */
export const journeyBegunSignal = defineSignal('journeyBegun');

export interface ClockMoved {
  /** The time that the store's clock has reached, in milliseconds since 1970. */
  readonly nowMs: number;
}

/** The clock of the run's store has reached the instant that the run waits for. A repeated signal has no effect. */
export const clockMovedSignal = defineSignal<[ClockMoved]>('clockMoved');

/** The time at which an activity was requested. */
export interface Moment {
  /** The workflow's time, in milliseconds since 1970. */
  readonly nowMs: number;
  /**
   * The store whose dev environment the run belongs to. Its clock may have been moved, so the activity works with
   * the store's time (activities/activity-clock.ts). Absent in production.
   */
  readonly devStoreId?: StoreId;
}
