import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import type { DeletedRows } from '../domain/retention.ts';
import { firstIdAt } from '../ids.ts';

/** Events per statement, so that none takes long and its locks are short. */
const BATCH = 500;

interface Range {
  readonly after: string;
  /** An id: ids begin with their time, so they order by time. */
  readonly before: string;
}

/**
 * Deliveries that ended long ago: one that was resent lately is kept. Rows that are locked are left to the next
 * round.
 */
const DELETE_DELIVERIES = statement<
  Range & { readonly finishedBefore: Date; readonly limit: number },
  { readonly last: string | null; readonly deleted: number }
>(
  'delete old deliveries',
  () => `
  with old as (
    select id from events where id > :after and id < :before order by id limit :limit
  ), finished as (
    select delivery.id from old join deliveries delivery on delivery.event_id = old.id
    where delivery.status <> 'PENDING' and delivery.finished_at < :finishedBefore
    for update of delivery skip locked
  ), attempts as (
    delete from delivery_attempts attempt using finished where attempt.delivery_id = finished.id
  ), gone as (
    delete from deliveries using finished where deliveries.id = finished.id returning 1
  )
  select (select max(id) from old) as last, (select count(*) from gone) as deleted`,
);

/** A separate statement, which sees the result of the previous one: an event stays while it has a delivery. */
const DELETE_EVENTS = statement<
  { readonly after: string; readonly upTo: string },
  { readonly deleted: number }
>(
  'delete old events',
  () => `
  with old as (
    select id from events where id > :after and id <= :upTo
      and not exists (select from deliveries where event_id = events.id)
    for update skip locked
  ), gone as (
    delete from events using old where events.id = old.id returning 1
  )
  select count(*) as deleted from gone`,
);

/**
 * Deletes events older than an instant, with their deliveries and attempts. An event with a pending delivery stays,
 * and so does that delivery. Any number of processes may do so at once, and stop at any point: the next one
 * continues. It pauses for as long as it works, since payments need the same disk.
 *
 * @param isOver called between two batches; throws to stop early.
 */
export async function deleteOldEvents(
  database: Database,
  before: Date,
  isOver: () => void = () => {},
): Promise<Pick<DeletedRows, 'events' | 'deliveries'>> {
  const range = { before: firstIdAt('event', before), finishedBefore: before, limit: BATCH };
  let [events, deliveries] = [0, 0];
  for (let after = ''; ; ) {
    isOver();
    const beganMs = performance.now();
    const [batch] = await DELETE_DELIVERIES(database, { ...range, after });
    const upTo = batch?.last ?? null;
    if (batch === undefined || upTo === null) return { events, deliveries };
    const [gone] = await DELETE_EVENTS(database, { after, upTo });
    deliveries += batch.deleted;
    events += gone?.deleted ?? 0;
    after = upTo;
    await sleep(performance.now() - beganMs);
  }
}
