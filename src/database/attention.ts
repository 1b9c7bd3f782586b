import type { Logger } from 'pino';
import type { AttentionKind } from '../domain/attention.ts';
import type { AttentionId, StoreId } from '../domain/ids.ts';
import { mintId } from '../ids.ts';
import { afterCommit } from './after-commit.ts';
import { type Attention, AttentionEntity } from './entities/attention.ts';
import type { Database, Em } from './orm.ts';
import { statement } from './statement.ts';

/** What needs a person: one open row per kind and subject. */
export interface AttentionSubject {
  readonly kind: AttentionKind;
  readonly subjectId: string;
}

export interface NotedAttention extends AttentionSubject {
  /** Null, like `devMode`, if it concerns the service as a whole. */
  readonly storeId: StoreId | null;
  readonly devMode: boolean | null;
  /** Since when something is wrong; may be long before `now`. */
  readonly since: Date;
  readonly now: Date;
}

const NOTE = statement<{ id: AttentionId; noted: NotedAttention }, { id: AttentionId }>(
  'note attention',
  () => `
    insert into attention (id, kind, subject_id, store_id, dev_mode, since, noted_at, resolved_at)
    values (:id, :noted.kind, :noted.subjectId, :noted.storeId, :noted.devMode, :noted.since, :noted.now, null)
    on conflict (kind, subject_id) where resolved_at is null
      do update set since = excluded.since where excluded.since < attention.since
    returning id`,
);

/**
 * Notes that something needs a person. A repeated note of an open subject changes nothing but keeps the earliest
 * `since`; after it was resolved, it is new.
 *
 * @param log warns of a new note after the commit; null if the caller warns.
 * @returns whether it is new.
 */
export async function noteAttention(
  on: Em | Database,
  noted: NotedAttention,
  log: Logger | null = null,
): Promise<boolean> {
  const id = mintId<AttentionId>('attention', noted.now);
  const [written] = await NOTE(on, { id, noted });
  const isNew = written?.id === id;
  if (isNew && log !== null) afterCommit(on, () => warnOfAttention(log, noted));
  return isNew;
}

/** The log line for alerts: kind and ids, without personal data. */
export function warnOfAttention(log: Logger, { kind, subjectId, storeId, devMode }: NotedAttention): void {
  log.warn({ attention: kind, subjectId, storeId, devMode }, 'attention needed');
}

const RESOLVE = statement<AttentionSubject & { now: Date }, { id: AttentionId }>(
  'resolve attention',
  () => `
    update attention set resolved_at = :now
    where kind = :kind and subject_id = :subjectId and resolved_at is null returning id`,
);

/** Closes the open row of a subject. @returns false if there is none. */
export async function resolveAttention(
  on: Em | Database,
  subject: AttentionSubject & { readonly now: Date },
): Promise<boolean> {
  return (await RESOLVE(on, subject)).length > 0;
}

const WAS_RESOLVED = statement<AttentionSubject, { id: AttentionId }>(
  'whether attention was resolved',
  () => `
    select id from attention
    where kind = :kind and subject_id = :subjectId and resolved_at is not null limit 1`,
);

/** Whether someone has resolved this subject before. */
export async function wasResolved(on: Em | Database, subject: AttentionSubject): Promise<boolean> {
  return (await WAS_RESOLVED(on, subject)).length > 0;
}

const OPEN = statement<{ limit: number }, Attention>(
  'open attention',
  (columns) => `
    select ${columns.read(AttentionEntity, 'attention')} from attention
    where resolved_at is null order by since, id limit :limit`,
);

/** The open notes, longest waiting first. */
export function openAttention(on: Em | Database, limit: number): Promise<Attention[]> {
  return OPEN(on, { limit });
}
