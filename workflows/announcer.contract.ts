/** The workflow's type name. Every history contains it, so it must never be renamed. */
export const ANNOUNCER_WORKFLOW = 'announcer';

/** One schedule for all workers of a task queue. Its runs are `<this>-<time>`. */
export function announcerScheduleId(taskQueue: string): string {
  return `announcer/${taskQueue}`;
}
