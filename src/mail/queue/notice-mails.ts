import type { AuditLine } from '../../database/entities/audit-line.ts';
import type { Em } from '../../database/orm.ts';
import { statement } from '../../database/statement.ts';
import type { AuditLineId, StoreId, UserId } from '../../domain/ids.ts';
import { NOTICED_ACTIONS, type NoticedAction } from '../../domain/notice.ts';
import { COUNT_ATTEMPT } from './mail-attempts.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
/** A notice is about a recent action. Unsent ones expire after this time: mails may be off, or the server away. */
const LASTS_MS = 3 * DAY_MS;
/** The most expired rows that each new notice deletes. They accumulate if mails are off. */
const DELETED_AT_ONCE = 100;

interface Kept {
  readonly lineId: AuditLineId;
  readonly storeId: StoreId;
  readonly toOwners: boolean;
  /** The person the action is about, if they get the mail too; else null. */
  readonly subjectId: string | null;
  readonly now: Date;
  readonly before: Date;
  readonly limit: number;
}

/** The owners after the action. An owner whom it removed gets the mail as its subject. */
const KEEP = statement<Kept>(
  'keep notice mails',
  () => `
  with old as (
    delete from notice_mails where (line_id, user_id) in (
      select line_id, user_id from notice_mails where created_at < :before order by created_at limit :limit
      for update skip locked
    )
  )
  insert into notice_mails (line_id, user_id, created_at)
  select :lineId, id, :now from users
  where id = :subjectId
    or (:toOwners::boolean and id in (select user_id from memberships where store_id = :storeId and role = 'owner'))`,
);

/** Queues mails about a line to its store's owners or to its subject, in the transaction that writes the line. */
export async function keepNotice(em: Em, line: AuditLine): Promise<void> {
  const { id: lineId, storeId, createdAt: now, subjectId } = line;
  if (storeId === null) return;
  const noticedBy = NOTICED_ACTIONS[line.action as NoticedAction];
  const before = new Date(now.getTime() - LASTS_MS);
  const subject = noticedBy === 'owners' ? null : subjectId;
  const toOwners = noticedBy !== 'subject';
  await KEEP(em, { lineId, storeId, toOwners, subjectId: subject, now, before, limit: DELETED_AT_ONCE });
}

/** A mail about a line to one person. */
export interface NoticeMail {
  readonly lineId: AuditLineId;
  readonly userId: UserId;
  readonly createdAt: Date;
  /** The number of attempts, including this one. */
  readonly attempts: number;
}

/** Claims some due mails, as with receipts: no other process takes them until their next attempt. */
export const TAKE_NOTICE_MAILS = statement<{ now: Date; limit: number }, NoticeMail>(
  'take notice mails',
  () => `
  update notice_mails set ${COUNT_ATTEMPT}
  where (line_id, user_id) in (
    select line_id, user_id from notice_mails where next_attempt_at <= :now
    order by next_attempt_at limit :limit for update skip locked
  )
  returning line_id as "lineId", user_id as "userId", created_at as "createdAt", attempts`,
);

/** Whether the notice has expired. */
export function isStale({ createdAt }: NoticeMail, now: Date): boolean {
  return now.getTime() - createdAt.getTime() > LASTS_MS;
}

/** Deletes a mail that was sent or has expired. */
export const END_NOTICE_MAIL = statement<{ mail: Pick<NoticeMail, 'lineId' | 'userId'> }>(
  'end a notice mail',
  () => 'delete from notice_mails where line_id = :mail.lineId and user_id = :mail.userId',
);
