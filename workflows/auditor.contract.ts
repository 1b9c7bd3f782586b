/** The workflow's type name. Every history contains it, so it must never be renamed. */
export const AUDITOR_WORKFLOW = 'auditor';

/** One schedule for all workers of a task queue. Its runs are `<this>-<time>`. */
export function auditorScheduleId(taskQueue: string): string {
  return `auditor/${taskQueue}`;
}
