import { deletionOf } from '../database/delete-in-batches.ts';
import type { Database } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import type { OptInEventName } from '../domain/event-names.ts';
import type { StoreId } from '../domain/ids.ts';

const HOUR_MS = 3_600_000;

/** The age at which a note is renewed, so that reading does not write each time. */
const EXACT_TO_MS = HOUR_MS;

/** How long a client that has read events counts as a reader: a program may pause for weeks. */
export const READER_KEPT_MS = 30 * 24 * HOUR_MS;

/** An environment whose events are read. */
interface Read {
  readonly storeId: StoreId;
  readonly devMode: boolean;
}

const NOTE = statement<Read & { names: readonly OptInEventName[]; now: Date; before: Date }>(
  'note that events are read',
  () => `
  insert into event_readers (event_name, store_id, dev_mode, read_at)
  select name, :storeId, :devMode::boolean, :now::timestamptz from unnest(:names::text[]) as asked (name)
  where not exists (
    select from event_readers
    where event_name = name and store_id = :storeId and dev_mode = :devMode::boolean and read_at > :before::timestamptz)
  order by name
  on conflict (event_name, store_id, dev_mode)
    do update set read_at = greatest(event_readers.read_at, excluded.read_at)`,
);

/**
 * Notes that events of these names are read, so that they are recorded from now on ({@link isListenedFor}); at most
 * one write an hour.
 * @param now real time, whatever the store's clock.
 */
export async function noteReading(
  database: Database,
  { storeId, devMode }: Read,
  names: readonly OptInEventName[],
  now: Date,
): Promise<void> {
  if (names.length === 0) return;
  await NOTE(database, { storeId, devMode, names, now, before: new Date(now.getTime() - EXACT_TO_MS) });
}

/** Deletes readers that have not read since an instant. */
export const forgetReaders = deletionOf('forget who read events', {
  table: 'event_readers',
  key: ['event_name', 'store_id', 'dev_mode'],
  age: 'read_at',
});

/** The arguments, as SQL. */
interface Asked {
  readonly name: string;
  readonly storeId: string;
  readonly devMode: string;
}

/** SQL: whether an endpoint is subscribed to an event of that name, or someone reads such events (decision 15). */
export function isListenedFor({ name, storeId, devMode }: Asked): string {
  return `(exists (
      select from webhooks
      where store_id = ${storeId} and dev_mode = ${devMode} and deleted_at is null and disabled_at is null
        and ${name} = any (events))
    or exists (
      select from event_readers where event_name = ${name} and store_id = ${storeId} and dev_mode = ${devMode}))`;
}
