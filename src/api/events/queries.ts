import { type FilterQuery, raw } from '@mikro-orm/core';
import { type Event, EventEntity, type EventRow } from '../../database/entities/event.ts';
import type { Em } from '../../database/orm.ts';
import { RECORDED_EVENT_NAMES } from '../../domain/event.ts';
import { type EventId, ID_PREFIX } from '../../domain/ids.ts';
import type { Caller } from '../frame/caller.ts';
import { ownedBy, requireRow } from '../frame/rows.ts';
import { createdWithin } from '../frame/time-range.ts';
import type { ListEventsQuery } from './schema.ts';

/** The condition of GET `/events/list`. */
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

/** An event of the caller's. @throws ApiError NOT_FOUND */
export function requireEvent(em: Em, caller: Caller, id: string): Promise<Event> {
  return requireRow(em, EventEntity, { ...ownedBy(caller), id: id as EventId, sample: false }, 'Event');
}

/** A condition in SQL, with its values. */
interface Condition {
  readonly sql: string;
  readonly values: readonly (string | boolean)[];
}

/** A condition as the EntityManager takes it. */
export function holds({ sql, values }: Condition): { [key: symbol]: [] } {
  return { [raw(sql, values)]: [] };
}

/** No sample. In the words of the indexes, which hold nothing else. */
const HAPPENED: Condition = { sql: 'not sample', values: [] };

/** Columns of events that hold ids of one kind only. */
const COLUMN_OF_PREFIX = [
  [ID_PREFIX.customer, 'customer_id'],
  [ID_PREFIX.checkout, 'checkout_id'],
  [ID_PREFIX.subscription, 'subscription_id'],
] as const;

/**
 * The events that are about an id. Of one kind only there may be more of the same id than a page holds, and each of
 * these has a column and an index in the order of the list. Any other id is in the key, or is the subject.
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
