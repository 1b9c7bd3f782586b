import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { RecordedEventName } from '../../domain/event.ts';
import type {
  ChargeId,
  CheckoutId,
  CustomerId,
  EventId,
  StoreId,
  SubscriptionId,
  WebhookId,
} from '../../domain/ids.ts';

/** Something integrators are told, written in the transaction that made it true. */
export const EventEntity = defineEntity({
  name: 'Event',
  tableName: 'events',
  properties: {
    id: p.text().$type<EventId>().primary(),
    storeId: p.text().$type<StoreId>(),
    devMode: p.boolean(),
    name: p.text().$type<RecordedEventName>(),
    /** Whose personal data `data` holds, so that it can be erased from there. */
    customerId: p.text().$type<CustomerId>().strictNullable(),
    /**
     * Unique: `<event name>/<id of what it happened to>`, so that a retried activity adds no second event.
     */
    key: p.text(),
    /**
     * What it happened to where its key names something else: the charge of a refund or a dispute. The ids of an
     * event are those in its `data`; a list of those that one is about looks at them here (decision 35).
     */
    subjectId: p.text().$type<ChargeId | WebhookId>().strictNullable(),
    checkoutId: p.text().$type<CheckoutId>().strictNullable(),
    subscriptionId: p.text().$type<SubscriptionId>().strictNullable(),
    /** Made to try an endpoint out: it tells the example of its event, which has not happened. */
    sample: p.boolean().default(false),
    /** The envelope's `data` as JSON text, kept as text so that every delivery sends the same bytes. */
    data: p.text(),
    createdAt: p.datetime(),
    /** The transaction that has recorded it, as Postgres counts them; null of those before there was this column. */
    recordedIn: p.string().columnType('xid8').defaultRaw('pg_current_xact_id()').strictNullable().lazy(),
  },
});
export type EventRow = InferEntity<typeof EventEntity>;

/** As it is written, and read where its order among others does not matter. */
export type Event = Omit<EventRow, 'recordedIn'>;
