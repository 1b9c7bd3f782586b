import type { AuditLine } from '../../database/entities/audit-line.ts';
import type { Em } from '../../database/orm.ts';
import { statement } from '../../database/statement.ts';
import type { AuditLineId, StoreId, UserId } from '../../domain/ids.ts';
import { NOTICED_ACTIONS, type NoticedAction } from '../../domain/notice.ts';
import { COUNT_ATTEMPT } from './mail-attempts.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
/** A mail says what has just happened. After so long it is not sent any more: mails may be off, or their server away. */
const LASTS_MS = 3 * DAY_MS;
/** Rows that nobody takes, as where mails are off, are deleted with the next one, so many at most. */
const DELETED_AT_ONCE = 100;

interface Kept {
  readonly lineId: AuditLineId;
  readonly storeId: StoreId;
  readonly toOwners: boolean;
  /** Somebody who is mailed besides; null for nobody. */
  readonly subjectId: string | null;
  readonly now: Date;
  readonly before: Date;
  readonly limit: number;
}

/** Owners as they are after the action: whoever was removed by it is mailed as its subject. */
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

/** Has a line mailed to the owners of its store, or to the person whom it is about, in the transaction that writes it. */
export async function keepNotice(em: Em, line: AuditLine): Promise<void> {
  const { id: lineId, storeId, createdAt: now, subjectId } = line;
  if (storeId === null) return;
  const noticedBy = NOTICED_ACTIONS[line.action as NoticedAction];
  const before = new Date(now.getTime() - LASTS_MS);
  const subject = noticedBy === 'owners' ? null : subjectId;
  const toOwners = noticedBy !== 'subject';
  await KEEP(em, { lineId, storeId, toOwners, subjectId: subject, now, before, limit: DELETED_AT_ONCE });
}

/** A line that somebody is to be mailed. */
export interface NoticeMail {
  readonly lineId: AuditLineId;
  readonly userId: UserId;
  readonly createdAt: Date;
  /** How often it was tried, this time included. */
  readonly attempts: number;
}

/** As with receipts: some that are due, so that no other process takes them until the next attempt. */
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

/** Whether it is too late to say so. */
export function isStale({ createdAt }: NoticeMail, now: Date): boolean {
  return now.getTime() - createdAt.getTime() > LASTS_MS;
}

/** It was sent, or is not sent any more. */
export const END_NOTICE_MAIL = statement<{ mail: Pick<NoticeMail, 'lineId' | 'userId'> }>(
  'end a notice mail',
  () => 'delete from notice_mails where line_id = :mail.lineId and user_id = :mail.userId',
);
