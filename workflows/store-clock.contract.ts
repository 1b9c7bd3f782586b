import { defineSignal } from '@temporalio/workflow';
import type { StoreId } from '../src/domain/ids.ts';

/** The workflow's type name; it stands in every history and is never renamed. */
export const STORE_CLOCK_WORKFLOW = 'storeClock';

/** One workflow per store: its clock is advanced by one only. */
export function storeClockWorkflowId(storeId: StoreId): string {
  return `clock/${storeId}`;
}

/** Where the clock stands and is to come to is in its row. */
export interface StoreClockInput {
  readonly storeId: StoreId;
}

/** The clock has been sent on its way, which is committed. A run that was about to end takes it there. */
export const journeyBegunSignal = defineSignal('journeyBegun');

export interface ClockMoved {
  /** To which the store's clock has come, in milliseconds since 1970. */
  readonly nowMs: number;
}

/** The clock of the run's store has come to what the run waits for. Told twice it is told once. */
export const clockMovedSignal = defineSignal<[ClockMoved]>('clockMoved');

/** When an activity is asked for. */
export interface Moment {
  /** The workflow's time, in milliseconds since 1970. */
  readonly nowMs: number;
  /**
   * Whose dev environment the run is of, as its clock may have been moved: the activity then works with the
   * store's time (activities/activity-clock.ts). Absent in production.
   */
  readonly devStoreId?: StoreId;
}
