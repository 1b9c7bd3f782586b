import { type Event, EventEntity } from '../../database/entities/event.ts';
import type { Database } from '../../database/orm.ts';
import { statement } from '../../database/statement.ts';
import type { EventId } from '../../domain/ids.ts';
import type { Caller } from '../keys/caller.ts';

/**
 * A position among a store's events, in the order of the transactions that recorded them. No event is ever
 * inserted before a position that was read: rows are read only after every earlier transaction has ended
 * (decision 15).
 */
export interface Place {
  /** The transaction id in digits, because it may exceed JavaScript's safe integers. */
  readonly recordedIn: string;
  readonly id: string;
}

/** The position before every event. */
export const FIRST_PLACE: Place = { recordedIn: '0', id: '0' };

/** A store's events to read, starting after a position. */
export interface Reading {
  readonly caller: Pick<Caller, 'storeId' | 'devMode'>;
  readonly place: Place;
}

/** The id of the oldest transaction that may still be running. All earlier ones have ended. */
const FIRST_RUNNING = 'pg_snapshot_xmin(pg_current_snapshot())';

/** An event with its position. */
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

/** The next events of each reader, at most `page` each, in order, with one statement. */
export async function readOn(
  database: Database,
  readings: readonly Reading[],
  page: number,
): Promise<readonly (readonly PlacedEvent[])[]> {
  const rows = await READ_ON(database, {
    numbers: readings.map((_, number) => String(number)),
    storeIds: readings.map(({ caller }) => caller.storeId),
    devModes: readings.map(({ caller }) => String(caller.devMode)),
    recordedIns: readings.map(({ place }) => place.recordedIn),
    ids: readings.map(({ place }) => place.id),
    page,
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

/** The position after all recorded events. */
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
 * The position of the caller's event; null if it does not exist. Events without a transaction come before
 * all others.
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
