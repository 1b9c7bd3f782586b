import type { AuditLine } from '../../database/entities/audit-line.ts';
import type { Em } from '../../database/orm.ts';
import { statement } from '../../database/statement.ts';
import type { AuditLineId, StoreId, UserId } from '../../domain/ids.ts';
import { NOTICED_ACTIONS, type NoticedAction } from '../../domain/notice.ts';
import { COUNT_ATTEMPT } from './mail-attempts.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
/** A notice is about a recent action. Unsent ones expire after this time: mails may be off, or the server away. */
const LASTS_MS = 3 * DAY_MS;
/**
 * Mails about one action of a store within an hour, and about one action that concerns one person. Without a limit, a stolen session that
 * saves the settings ten times a second would hide the one mail that matters.
 */
const MOST_IN_AN_HOUR = 10;
const HOUR_MS = 60 * 60 * 1_000;
/** The most expired rows that each new notice deletes. They accumulate if mails are off. */
const DELETED_AT_ONCE = 100;

interface Kept {
  readonly lineId: AuditLineId;
  readonly storeId: StoreId;
  readonly action: string;
  readonly toOwners: boolean;
  /** The person the action is about, if they get the mail too; else null. */
  readonly subjectId: string | null;
  readonly now: Date;
  readonly before: Date;
  readonly limit: number;
  readonly hourAgo: Date;
  readonly most: number;
}

/** Whether the lines that are noticed like this one, itself included, are within the limit. @param more narrows them down. */
const withinLimit = (more = 'true') => `(select count(*) from (
    select 1 from audit_lines
    where store_id = :storeId and action = :action and created_at > :hourAgo and dev_mode is not true and actor_kind <> 'API_KEY'
      and ${more} limit :most::int + 1
  ) alike) <= :most::int`;

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
  where (id = :subjectId and ${withinLimit('subject_id = :subjectId')})
    or (:toOwners::boolean and ${withinLimit()}
      and id in (select user_id from memberships where store_id = :storeId and role = 'owner'))`,
);

/** Queues mails about a line to its store's owners or to its subject, in the transaction that writes the line. */
export async function keepNotice(em: Em, line: AuditLine): Promise<void> {
  const { id: lineId, storeId, createdAt: now, subjectId } = line;
  if (storeId === null) return;
  const noticedBy = NOTICED_ACTIONS[line.action as NoticedAction];
  const before = new Date(now.getTime() - LASTS_MS);
  const subject = noticedBy === 'owners' ? null : subjectId;
  const toOwners = noticedBy !== 'subject';
  const hourAgo = new Date(now.getTime() - HOUR_MS);
  const limits = { limit: DELETED_AT_ONCE, most: MOST_IN_AN_HOUR };
  const { action } = line;
  await KEEP(em, { lineId, storeId, action, toOwners, subjectId: subject, now, before, hourAgo, ...limits });
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
