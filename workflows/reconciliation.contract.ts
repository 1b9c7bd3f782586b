/** The workflow's type name. Every history contains it, so it must never be renamed. */
export const RECONCILIATION_WORKFLOW = 'reconciliation';

/** One schedule for all workers of a task queue. Its runs are `<this>-<time>`. */
export function reconciliationScheduleId(taskQueue: string): string {
  return `reconciliation/${taskQueue}`;
}
