import { type FilterQuery, raw } from '@mikro-orm/core';
import { type Event, EventEntity, type EventRow } from '../../database/entities/event.ts';
import type { Em } from '../../database/orm.ts';
import { RECORDED_EVENT_NAMES } from '../../domain/event-names.ts';
import { type EventId, ID_PREFIX } from '../../domain/ids.ts';
import { ownedBy, requireRow } from '../frame/rows.ts';
import { createdWithin } from '../frame/time-range.ts';
import type { Caller } from '../keys/caller.ts';
import type { ListEventsQuery } from './schema.ts';

/** The query condition of GET `/events/list`. */
export function eventFilter(
  caller: Caller,
  { name, subjectId, from, to }: ListEventsQuery,
): FilterQuery<EventRow> {
  return {
    ...ownedBy(caller),
    ...createdWithin({ createdFrom: from, createdTo: to }),
    ...(name !== undefined && { name }),
    ...holds(HAPPENED),
    ...(subjectId !== undefined && holds(aboutSubject(subjectId))),
  };
}

/** An event of the caller. @throws ApiError NOT_FOUND */
export function requireEvent(em: Em, caller: Caller, id: string): Promise<Event> {
  return requireRow(em, EventEntity, { ...ownedBy(caller), id: id as EventId, sample: false }, 'Event');
}

/** A condition in SQL, with its values. */
interface Condition {
  readonly sql: string;
  readonly values: readonly (string | boolean)[];
}

/** The condition in the form that the EntityManager takes. */
export function holds({ sql, values }: Condition): { [key: symbol]: [] } {
  return { [raw(sql, values)]: [] };
}

/** Excludes samples. The text equals the condition of the partial indexes, so that Postgres uses them. */
const HAPPENED: Condition = { sql: 'not sample', values: [] };

/** Columns of events that hold ids of a single kind. */
const COLUMN_OF_PREFIX = [
  [ID_PREFIX.customer, 'customer_id'],
  [ID_PREFIX.checkout, 'checkout_id'],
  [ID_PREFIX.subscription, 'subscription_id'],
] as const;

/**
 * Matches events about an id. Ids of one kind may have more events than fit on a page, so each such kind has
 * a column with an index in list order. Any other id is in the key, or is the subject.
 */
export function aboutSubject(id: string): Condition {
  const column = COLUMN_OF_PREFIX.find(([prefix]) => id.startsWith(prefix))?.[1];
  if (column !== undefined) return { sql: `${column} = ?`, values: [id] };
  const keys = RECORDED_EVENT_NAMES.map((name) => `${name}/${id}`);
  return {
    sql: `(subject_id = ? or key in (${keys.map(() => '?').join(', ')}))`,
    values: [id, ...keys],
  };
}
