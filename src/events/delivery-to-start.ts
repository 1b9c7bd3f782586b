import type { DeliveryToStart } from '../database/entities/delivery.ts';
import type { Database, Em } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import type { DeliveryId } from '../domain/ids.ts';

const COLUMNS = `delivery.id as "deliveryId", delivery.webhook_id as "webhookId",
  event.store_id as "storeId", event.dev_mode as "devMode", event.name as "eventName"`;

const FIND_UNATTEMPTED = statement<{ eventKey: string }, DeliveryToStart>(
  'find the unattempted deliveries of an event',
  () => `
  select ${COLUMNS} from events event join deliveries delivery on delivery.event_id = event.id
  where event.key = :eventKey and delivery.status = 'PENDING' and delivery.attempts = 0`,
);

/** The deliveries of an event without an attempt. `eventKey` is `<event name>/<subject id>`. */
export function unattemptedDeliveries(em: Em, eventKey: string): Promise<DeliveryToStart[]> {
  return FIND_UNATTEMPTED(em, { eventKey });
}

type Found = DeliveryToStart & {
  readonly attemptsMade: number | null;
  readonly nextAttemptAt: string | null;
};

/**
 * The input for starting the workflows of deliveries that were never started, or whose run was lost. A scheduled
 * attempt has its number in the schedule as key. A requested attempt has the number of the previous scheduled one
 * and a suffix, as in `3.1`.
 */
export async function deliveriesToStart(em: Em, ids: readonly DeliveryId[]): Promise<DeliveryToStart[]> {
  const found = await em.execute<Found[]>(
    `select ${COLUMNS}, delivery.next_attempt_at as "nextAttemptAt",
       (select substring(attempt_key from '-([0-9]+)([.][0-9]+){0,1}$')::integer from delivery_attempts attempt
        where attempt.delivery_id = delivery.id order by started_at desc limit 1) as "attemptsMade"
     from events event join deliveries delivery on delivery.event_id = event.id
     where delivery.id = any(string_to_array(:ids, ','))`,
    { ids: ids.join(',') },
  );
  return found.map(({ attemptsMade, nextAttemptAt, ...delivery }) =>
    attemptsMade === null || nextAttemptAt === null
      ? delivery
      : { ...delivery, progress: { attemptsMade, nextAttemptAt: new Date(nextAttemptAt) } },
  );
}

/** The input for starting this delivery's workflow. @throws if there is no such delivery. */
export async function deliveryToStart(database: Database, deliveryId: DeliveryId): Promise<DeliveryToStart> {
  const [row] = await database.em
    .fork()
    .execute<DeliveryToStart[]>(
      `select ${COLUMNS} from events event join deliveries delivery on delivery.event_id = event.id where delivery.id = :deliveryId`,
      { deliveryId },
    );
  if (row === undefined) throw new Error(`no delivery ${deliveryId}`);
  return row;
}
