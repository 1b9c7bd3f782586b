/** The workflow's type name; it stands in every history and is never renamed. */
export const RETENTION_WORKFLOW = 'retention';

/** One schedule for all workers of a task queue. Its runs are `<this>-<time>`. */
export function retentionScheduleId(taskQueue: string): string {
  return `retention/${taskQueue}`;
}
