import type { Em } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import { ACTOR_KINDS } from '../domain/audit-actor.ts';
import type { AuditLineId, StoreId } from '../domain/ids.ts';
import { isNoticed, NOTICED_BY_OWNERS, type NoticedAction } from '../domain/notice.ts';

/** An audit line that owners are notified of, with readable names of actor and subject. */
export interface NoticedLine {
  readonly id: AuditLineId;
  readonly storeId: StoreId;
  readonly action: NoticedAction;
  /** The e-mail address of the person concerned; null if there is none. */
  readonly subjectEmail: string | null;
  /** The actor: a person's e-mail address, or the account at the command line. Null after an erasure. */
  readonly actorName: string | null;
  readonly createdAt: Date;
}

const COLUMNS = `
  select line.id, line.store_id as "storeId", line.action, subject.email as "subjectEmail",
    coalesce(actor.email, line.operator) as "actorName", line.created_at as "createdAt"
  from audit_lines line
    left join invitees invitee on invitee.id = line.subject_id
    left join users subject on subject.id = coalesce(invitee.user_id, line.subject_id)
    left join users actor on actor.id = line.user_id`;

/**
 * The newest line of each action and subject, so that a repeated action does not hide others. The newest line of each action comes first:
 * someone who changes ten webhooks does not hide a member who has joined.
 */
const SINCE = statement<
  { storeId: StoreId; since: Date; actions: readonly string[]; kinds: readonly string[]; limit: number },
  NoticedLine
>(
  'read noticed lines',
  () => `${COLUMNS}
    join (
      select distinct on (action, subject_id) id from audit_lines
      where store_id = :storeId and created_at > :since and action = any(:actions::text[])
        and dev_mode is not true and actor_kind = any(:kinds::text[])
      order by action, subject_id, created_at desc, id desc
    ) newest on newest.id = line.id
  order by row_number() over (partition by line.action order by line.created_at desc, line.id desc) > 1,
    line.created_at desc, line.id desc limit :limit`,
);

const KINDS = ACTOR_KINDS.filter((actorKind) => isNoticed({ action: 'team/join', devMode: null, actorKind }));

/** One line of each action, and one more. */
const LIMIT = NOTICED_BY_OWNERS.length + 1;

/**
 * The lines that owners of a store are notified of: the newest of each action, newest first, and then the newest others.
 * There is always at least one other, if others exist.
 */
export function noticedLinesSince(em: Em, storeId: StoreId, since: Date): Promise<NoticedLine[]> {
  return SINCE(em, { storeId, since, actions: NOTICED_BY_OWNERS, kinds: KINDS, limit: LIMIT });
}

/** A single such line, for its mail. */
export const READ_NOTICED_LINE = statement<{ id: AuditLineId }, NoticedLine>(
  'read a noticed line',
  () => `${COLUMNS} where line.id = :id`,
);
