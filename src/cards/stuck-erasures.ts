import type { Logger } from 'pino';
import { noteAttention } from '../database/attention.ts';
import type { Database } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import type { StoreId } from '../domain/ids.ts';

/** Providers are away for hours, and accounts are repaired within days. */
const STUCK_AFTER_MS = 3 * 24 * 60 * 60_000;

interface Stuck {
  /** The provider account, or the store if the account is not known. */
  readonly subjectId: string;
  readonly storeId: StoreId;
  readonly devMode: boolean;
  readonly since: Date;
}

const FIND_STUCK = statement<{ before: Date }, Stuck>(
  'find cards that could not be erased',
  () => `
  select coalesce(provider, store_id) as "subjectId", store_id as "storeId", dev_mode as "devMode",
    min(wanted_at) as since
  from card_erasures where wanted_at < :before and failures > 0 group by 1, 2, 3`,
);

/** Asks a person about accounts that have not erased a card for three days, once each. */
export async function noteStuckErasures(database: Database, now: Date, log: Logger): Promise<void> {
  const before = new Date(now.getTime() - STUCK_AFTER_MS);
  for (const stuck of await FIND_STUCK(database, { before }))
    await noteAttention(database, { kind: 'CARD_NOT_ERASED', ...stuck, now }, log);
}

const RESOLVE_ENDED = statement<{ now: Date; before: Date }>(
  'resolve notes of erased cards',
  () => `
  update attention set resolved_at = :now
  where kind = 'CARD_NOT_ERASED' and resolved_at is null and not exists (
    select from card_erasures erasure
    where coalesce(erasure.provider, erasure.store_id) = attention.subject_id
      and wanted_at < :before and failures > 0)`,
);

/** Closes the notes of accounts that have erased all their cards. */
export async function resolveEndedNotes(database: Database, now: Date): Promise<void> {
  await RESOLVE_ENDED(database, { now, before: new Date(now.getTime() - STUCK_AFTER_MS) });
}
