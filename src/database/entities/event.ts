import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { RecordedEventName } from '../../domain/event-names.ts';
import type {
  ChargeId,
  CheckoutId,
  CustomerId,
  EventId,
  StoreId,
  SubscriptionId,
  WebhookId,
} from '../../domain/ids.ts';

/** An event for integrators, written in the transaction that caused it. */
export const EventEntity = defineEntity({
  name: 'Event',
  tableName: 'events',
  properties: {
    id: p.text().$type<EventId>().primary(),
    storeId: p.text().$type<StoreId>(),
    devMode: p.boolean(),
    name: p.text().$type<RecordedEventName>(),
    /** The customer whose personal data `data` contains, so that an erasure finds it. */
    customerId: p.text().$type<CustomerId>().strictNullable(),
    /** Unique: `<event name>/<id of the subject>`, so that a retried activity adds no second event. */
    key: p.text(),
    /**
     * The subject if the key names something else: the charge of a refund or a dispute. The ids of an event are
     * those in its `data`; the list of a charge's events uses this column (decision 16).
     */
    subjectId: p.text().$type<ChargeId | WebhookId>().strictNullable(),
    checkoutId: p.text().$type<CheckoutId>().strictNullable(),
    subscriptionId: p.text().$type<SubscriptionId>().strictNullable(),
    /** Created to try an endpoint out: it contains the event's example. */
    sample: p.boolean().default(false),
    /** The envelope's `data` as JSON text, kept as text so that every delivery sends the same bytes. */
    data: p.text(),
    createdAt: p.datetime(),
    /** The transaction that recorded it, in Postgres' numbering; null in rows older than this column. */
    recordedIn: p.string().columnType('xid8').defaultRaw('pg_current_xact_id()').strictNullable().lazy(),
  },
});
export type EventRow = InferEntity<typeof EventEntity>;

/** An event without the column that only its order needs. */
export type Event = Omit<EventRow, 'recordedIn'>;
