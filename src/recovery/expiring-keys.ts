import type { Logger } from 'pino';
import { noteAttention, resolveAttention } from '../database/attention.ts';
import type { Database } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import type { ApiKeyId, StoreId } from '../domain/ids.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

/** How long before its expiry a key is noted. */
export const EXPIRY_NOTICE_MS = 7 * DAY_MS;

/** A key without a request for this long is not in use. */
const IN_USE_MS = 30 * DAY_MS;

/** A key with a shorter life than this is meant to expire soon. */
const SHORT_LIVED_MS = 14 * DAY_MS;

interface Window {
  readonly now: Date;
  readonly before: Date;
  readonly usedAfter: Date;
  readonly shortLivedMs: number;
}

/** Production keys only: an expired dev key is no incident, nor is the end of a key that was replaced. */
const EXPIRING = statement<Window, { id: ApiKeyId; storeId: StoreId }>(
  'keys in use that expire',
  () => `
  select id, store_id as "storeId" from api_keys
  where expires_at > :now and expires_at < :before and revoked_at is null and replaced_by_id is null and not dev_mode
    and last_used_at > :usedAfter and expires_at - created_at > :shortLivedMs * interval '1 millisecond'`,
);

const NOTED = statement<object, { id: string }>(
  'expiring keys that were noted',
  () => `select subject_id as id from attention where kind = 'KEY_EXPIRES' and resolved_at is null`,
);

/**
 * Notes keys in use that expire within {@link EXPIRY_NOTICE_MS}, and closes the notes of those that no longer do: moved,
 * revoked or expired. Asked again, each is noted and logged once.
 */
export async function noteExpiringKeys(database: Database, now: Date, log: Logger): Promise<void> {
  const kind = 'KEY_EXPIRES';
  const keys = await EXPIRING(database, {
    now,
    before: new Date(now.getTime() + EXPIRY_NOTICE_MS),
    usedAfter: new Date(now.getTime() - IN_USE_MS),
    shortLivedMs: SHORT_LIVED_MS,
  });
  for (const { id, storeId } of keys)
    await noteAttention(database, { kind, subjectId: id, storeId, devMode: false, since: now, now }, log);
  const expiring = new Set<string>(keys.map(({ id }) => id));
  for (const { id } of await NOTED(database, {}))
    if (!expiring.has(id)) await resolveAttention(database, { kind, subjectId: id, now });
}
