import { type Event, EventEntity } from '../../database/entities/event.ts';
import type { Database } from '../../database/orm.ts';
import { statement } from '../../database/statement.ts';
import type { EventId } from '../../domain/ids.ts';
import type { Caller } from '../frame/caller.ts';

/**
 * A place among the events of a store, in the order of the transactions that recorded them. Nothing is ever
 * recorded before a place that has been read: rows are read only once every transaction has ended that could
 * come before (decision 38).
 */
export interface Place {
  /** Number of the transaction, in digits: it is longer than what a JavaScript number holds. */
  readonly recordedIn: string;
  readonly id: string;
}

/** Before everything that has ever been recorded. */
export const FIRST_PLACE: Place = { recordedIn: '0', id: '0' };

/** Whose events are read on, and from where. */
export interface Reading {
  readonly caller: Pick<Caller, 'storeId' | 'devMode'>;
  readonly place: Place;
}

/** What one reading gets at once. */
export const PAGE = 100;

/** Number of the first transaction that may still be running, so that all before it have ended. */
const FIRST_RUNNING = 'pg_snapshot_xmin(pg_current_snapshot())';

/** An event with its place. */
export type PlacedEvent = Omit<Event, 'recordedIn'> & { readonly recordedIn: string };

const READ_ON = statement<
  {
    numbers: readonly string[];
    storeIds: readonly string[];
    devModes: readonly string[];
    recordedIns: readonly string[];
    ids: readonly string[];
    page: number;
  },
  PlacedEvent & { readonly number: number }
>(
  'read events on',
  (columns) => `
  select reading.number, event.*
  from unnest(:numbers::integer[], :storeIds::text[], :devModes::boolean[], :recordedIns::xid8[], :ids::text[])
    as reading (number, store_id, dev_mode, recorded_in, id)
  cross join lateral (
    select ${columns.read(EventEntity, 'event')}, event.recorded_in as "recordedIn" from events event
    where event.store_id = reading.store_id and event.dev_mode = reading.dev_mode
      and not event.sample and event.recorded_in is not null
      and (event.recorded_in, event.id) > (reading.recorded_in, reading.id)
      and event.recorded_in < ${FIRST_RUNNING}
    order by event.recorded_in, event.id limit :page
  ) as event
  order by reading.number, event."recordedIn", event.id`,
);

/** The next events of each reading, {@link PAGE} at most, in their order: all of them by one statement. */
export async function readOn(
  database: Database,
  readings: readonly Reading[],
): Promise<readonly (readonly PlacedEvent[])[]> {
  const rows = await READ_ON(database, {
    numbers: readings.map((_, number) => String(number)),
    storeIds: readings.map(({ caller }) => caller.storeId),
    devModes: readings.map(({ caller }) => String(caller.devMode)),
    recordedIns: readings.map(({ place }) => place.recordedIn),
    ids: readings.map(({ place }) => place.id),
    page: PAGE,
  });
  const byReading = Map.groupBy(rows, ({ number }) => number);
  return readings.map((_, number) => byReading.get(number) ?? []);
}

const FIND_LAST = statement<Pick<Caller, 'storeId' | 'devMode'>, { id: EventId; recordedIn: string }>(
  'find the last event in order',
  () => `
  select id, recorded_in as "recordedIn" from events
  where store_id = :storeId and dev_mode = :devMode and not sample and recorded_in is not null
    and recorded_in < ${FIRST_RUNNING}
  order by recorded_in desc, id desc limit 1`,
);

/** After all that has been recorded so far. */
export async function lastPlace(database: Database, { storeId, devMode }: Reading['caller']): Promise<Place> {
  const [last] = await FIND_LAST(database, { storeId, devMode });
  return last ?? FIRST_PLACE;
}

const FIND_PLACE = statement<
  Pick<Caller, 'storeId' | 'devMode'> & { id: string },
  { recordedIn: string | null }
>(
  'find the place of an event',
  () => `
  select recorded_in as "recordedIn" from events
  where id = :id and store_id = :storeId and dev_mode = :devMode and not sample`,
);

/**
 * The place of an event of the caller's; null where there is none. What release 0022 has found there comes
 * before all that was recorded since.
 */
export async function placeOf(
  database: Database,
  { storeId, devMode }: Reading['caller'],
  id: string,
): Promise<Place | null> {
  const [found] = await FIND_PLACE(database, { storeId, devMode, id });
  if (found === undefined) return null;
  return found.recordedIn === null ? FIRST_PLACE : { recordedIn: found.recordedIn, id };
}
