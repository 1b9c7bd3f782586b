import type { DeliveryId } from '../domain/ids.ts';
import type { DeliveryToStart } from './entities/delivery.ts';
import type { Database, Em } from './orm.ts';
import { statement } from './statement.ts';

const COLUMNS = `delivery.id as "deliveryId", delivery.webhook_id as "webhookId",
  event.store_id as "storeId", event.dev_mode as "devMode", event.name as "eventName"`;

const FIND_UNATTEMPTED = statement<{ eventKey: string }, DeliveryToStart>(
  'find the unattempted deliveries of an event',
  () => `
  select ${COLUMNS} from events event join deliveries delivery on delivery.event_id = event.id
  where event.key = :eventKey and delivery.status = 'PENDING' and delivery.attempts = 0`,
);

/**
 * The deliveries of an event that no attempt has been made for yet. `eventKey` is
 * `<event name>/<subject id>`.
 */
export function unattemptedDeliveries(em: Em, eventKey: string): Promise<DeliveryToStart[]> {
  return FIND_UNATTEMPTED(em, { eventKey });
}

/** What starting the workflows of these deliveries takes. */
export function deliveriesToStart(em: Em, ids: readonly DeliveryId[]): Promise<DeliveryToStart[]> {
  return em.execute<DeliveryToStart[]>(
    `select ${COLUMNS} from events event join deliveries delivery on delivery.event_id = event.id
     where delivery.id = any(string_to_array(:ids, ','))`,
    { ids: ids.join(',') },
  );
}

/** What starting this delivery's workflow takes. @throws where there is no such delivery. */
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
