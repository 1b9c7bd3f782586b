/** The workflow's type name. Every history contains it, so it must never be renamed. */
export const RETENTION_WORKFLOW = 'retention';

/** One schedule for all workers of a task queue. Its runs are `<this>-<time>`. */
export function retentionScheduleId(taskQueue: string): string {
  return `retention/${taskQueue}`;
}
