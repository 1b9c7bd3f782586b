import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { DeliveryStatus } from '../../domain/delivery.ts';
import type { RecordedEventName } from '../../domain/event-names.ts';
import type { DeliveryId, EventId, StoreId, WebhookId } from '../../domain/ids.ts';

const properties = {
  eventId: p.text().$type<EventId>(),
  webhookId: p.text().$type<WebhookId>(),
  /** Copied from its event, so that lists of deliveries need not join events. */
  storeId: p.text().$type<StoreId>(),
  devMode: p.boolean(),
  eventName: p.text().$type<RecordedEventName>(),
  status: p.text().$type<DeliveryStatus>(),
  attempts: p.integer(),
  nextAttemptAt: p.datetime().strictNullable(),
  createdAt: p.datetime(),
  finishedAt: p.datetime().strictNullable(),
  /**
   * Null until its start is ensured. Set from the beginning for events of v2: the activity that writes the delivery
   * repeats until it is started, so the sweeper need not.
   */
  workflowStartedAt: p.datetime().strictNullable(),
};

/** One event on its way to one endpoint; unique per event and webhook. Its workflow is `delivery/<id>`. */
export const DeliveryEntity = defineEntity({
  name: 'Delivery',
  tableName: 'deliveries',
  properties: { id: p.text().$type<DeliveryId>().primary(), ...properties },
});
export type Delivery = InferEntity<typeof DeliveryEntity>;

/**
 * Deliveries with the subject of their events. A delivery is created at the time of its event, whose index orders
 * the events of one subject by time: so a page is found quickly however many there are.
 */
export const DeliveryOfSubjectEntity = defineEntity({
  name: 'DeliveryOfSubject',
  expression: `
    select delivery.id, delivery.event_id, delivery.webhook_id, event.store_id, event.dev_mode, delivery.event_name,
      delivery.status, delivery.attempts, delivery.next_attempt_at, event.created_at, delivery.finished_at,
      delivery.workflow_started_at, event.key, event.subject_id, event.checkout_id, event.subscription_id, event.customer_id
    from events event join deliveries delivery on delivery.event_id = event.id
    where not event.sample`,
  properties: { id: p.text().$type<DeliveryId>(), ...properties },
});

/** One POST to the endpoint and its result. */
export const DeliveryAttemptEntity = defineEntity({
  name: 'DeliveryAttempt',
  tableName: 'delivery_attempts',
  properties: {
    deliveryId: p.text().$type<DeliveryId>().primary(),
    /** `<run id>-<number in that run>`: an attempt recorded twice by a retried activity stays one row. */
    attemptKey: p.text().primary(),
    startedAt: p.datetime(),
    durationMs: p.integer(),
    statusCode: p.integer().strictNullable(),
    /** The first bytes of the answer, at most 4 KiB. */
    responseExcerpt: p.text(),
    error: p.text().strictNullable(),
  },
});
export type DeliveryAttempt = InferEntity<typeof DeliveryAttemptEntity>;

/** What starting a delivery's workflow needs. */
export interface DeliveryToStart {
  readonly deliveryId: DeliveryId;
  readonly webhookId: WebhookId;
  readonly storeId: StoreId;
  readonly devMode: boolean;
  readonly eventName: RecordedEventName;
  /** The position in its schedule; absent if no attempt has been made. */
  readonly progress?: DeliveryProgress;
}

/** The position in a delivery's schedule. */
export interface DeliveryProgress {
  /** Attempts of the current schedule: a resend begins a new one. */
  readonly attemptsMade: number;
  readonly nextAttemptAt: Date;
}
