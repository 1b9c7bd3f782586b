/** Queued reminders that are looked at for a batch of mails. */
export const LOOKED_AT = 500;

/** Production or dev mode: the thousands that a moved clock makes must not be in front of those to real payers. */
export interface QueueOfMode {
  readonly now: Date;
  readonly devMode: boolean;
}

/** The keys of the first due reminders of a table, for statements with the parameters of {@link QueueOfMode}. */
export function firstQueued(table: string, key: string): string {
  return `
    select ${key} from ${table}
    where status = 'QUEUED' and dev_mode = :devMode and next_attempt_at <= :now order by next_attempt_at limit ${LOOKED_AT}`;
}
