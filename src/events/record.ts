import type { DeliveryToStart } from '../database/entities/delivery.ts';
import { type Event, EventEntity } from '../database/entities/event.ts';
import type { Webhook } from '../database/entities/webhook.ts';
import type { Em } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import {
  isV1Only,
  type OptInEventName,
  type RecordedEventName,
  type V1OnlyEventName,
  v1EventNameOf,
} from '../domain/event-names.ts';
import type { CustomerId, DeliveryId, EventId, StoreId, WebhookId } from '../domain/ids.ts';
import { mintId } from '../ids.ts';
import { unattemptedDeliveries } from './delivery-to-start.ts';
import { isListenedFor } from './event-readers.ts';
import type { EventData } from './events.ts';
import { aboutWhat } from './subjects.ts';

/** The store of an event, and the customer whose personal data it contains. */
export interface EventOwner {
  readonly storeId: StoreId;
  readonly devMode: boolean;
  readonly customerId: CustomerId | null;
}

interface NewEvent {
  readonly event: Event;
  /** The deliveries, in the order of {@link NewEvent.webhookIds}. */
  readonly deliveryIds: readonly DeliveryId[];
  readonly webhookIds: readonly WebhookId[];
  readonly workflowStartedAt: Date | null;
}

const INSERT = statement<NewEvent, Pick<Event, 'id'>>(
  'insert an event',
  (columns) => `
  with event as (
    insert into events (${columns.of(EventEntity)}) values (${columns.values(EventEntity, 'event')})
    on conflict do nothing returning id, store_id, dev_mode, name, created_at
  ), delivery as (
    insert into deliveries (id, event_id, webhook_id, store_id, dev_mode, event_name, status, attempts, next_attempt_at, created_at, workflow_started_at)
    select pair.id, event.id, pair.webhook_id, event.store_id, event.dev_mode, event.name, 'PENDING', 0, event.created_at, event.created_at, :workflowStartedAt::timestamptz
    from event, unnest(:deliveryIds::text[], :webhookIds::text[]) as pair (id, webhook_id)
  )
  select id from event`,
);

/**
 * Writes an event with its deliveries in the caller's transaction, once per name and subject.
 * @returns the deliveries to start after the commit, also those that an earlier run has written.
 */
export async function writeEvent<Name extends RecordedEventName>(
  em: Em,
  owner: EventOwner,
  name: Name,
  subjectId: string,
  data: EventData[Name],
  now: Date,
): Promise<DeliveryToStart[]> {
  const event = newEvent(owner, name, subjectId, data, now);
  const deliveries = await newDeliveries(em, event, data);
  const inserted = await INSERT(em, {
    event,
    deliveryIds: deliveries.map(({ deliveryId }) => deliveryId),
    webhookIds: deliveries.map(({ webhookId }) => webhookId),
    workflowStartedAt: isV1Only(name) ? null : now,
  });
  return inserted.length > 0 ? deliveries : unattemptedDeliveries(em, event.key);
}

/**
 * An event as a row. @param subjectId the id of the changed object; name and subject together make the event
 * unique.
 */
export function newEvent<Name extends RecordedEventName>(
  { storeId, devMode, customerId }: EventOwner,
  name: Name,
  subjectId: string,
  data: EventData[Name],
  now: Date,
): Event {
  const id = mintId<EventId>('event', now);
  return {
    id,
    storeId,
    devMode,
    name,
    customerId,
    key: `${name}/${subjectId}`,
    ...aboutWhat(data, subjectId),
    sample: false,
    data: JSON.stringify(data),
    createdAt: now,
  };
}

/**
 * Writes the example of an event, and its delivery to one endpoint, subscribed or not. Lists of events
 * exclude it.
 * @returns the delivery, to start after the commit.
 */
export async function writeSample<Name extends RecordedEventName>(
  em: Em,
  webhook: Pick<Webhook, 'id' | 'storeId' | 'devMode'>,
  { eventName, data }: { readonly eventName: Name; readonly data: EventData[Name] },
  now: Date,
): Promise<DeliveryToStart> {
  const event = newEvent({ ...webhook, customerId: null }, eventName, '', data, now);
  const delivery = newDelivery(event, webhook.id);
  await INSERT(em, {
    event: { ...event, key: `sample/${event.id}`, sample: true },
    deliveryIds: [delivery.deliveryId],
    webhookIds: [webhook.id],
    workflowStartedAt: null,
  });
  return delivery;
}

const FIND_SUBSCRIBED_NAMES = statement<
  { storeId: StoreId; devMode: boolean; names: readonly (OptInEventName | V1OnlyEventName)[] },
  { name: OptInEventName | V1OnlyEventName }
>(
  'find which events are listened for',
  () => `
  select wanted.name from unnest(:names::text[]) as wanted (name)
  where ${isListenedFor({ name: 'wanted.name', storeId: ':storeId', devMode: ':devMode' })}`,
);

/**
 * Which of these events have a subscriber or reader. Checked in advance, so that unpaid objects without one
 * need no transaction and row. The write itself reads the subscribers again.
 */
export async function subscribedAmong<Name extends OptInEventName | V1OnlyEventName>(
  em: Em,
  { storeId, devMode }: Pick<EventOwner, 'storeId' | 'devMode'>,
  names: readonly Name[],
): Promise<Name[]> {
  const subscribed = await FIND_SUBSCRIBED_NAMES(em, { storeId, devMode, names });
  return subscribed.map(({ name }) => name as Name);
}

const FIND_SUBSCRIBED = statement<
  { storeId: StoreId; devMode: boolean; name: RecordedEventName; v1Name: string | null },
  { id: WebhookId }
>(
  'find the endpoints of an event',
  () => `
  select id from webhooks
  where store_id = :storeId and dev_mode = :devMode and deleted_at is null and disabled_at is null
    and case when v2 then :name::text else :v1Name::text end = any (events)`,
);

/**
 * One delivery per endpoint subscribed now (contract section 7), with the event's name in the endpoint's API
 * version; to be written with the event.
 * @param data of the event.
 */
export async function newDeliveries(em: Em, event: Event, data: object): Promise<DeliveryToStart[]> {
  const { storeId, devMode, name } = event;
  const subscribed = await FIND_SUBSCRIBED(em, { storeId, devMode, name, v1Name: v1EventNameOf(name, data) });
  return subscribed.map(({ id }) => newDelivery(event, id));
}

function newDelivery({ storeId, devMode, name, createdAt }: Event, webhookId: WebhookId): DeliveryToStart {
  const deliveryId = mintId<DeliveryId>('delivery', createdAt);
  return { deliveryId, webhookId, storeId, devMode, eventName: name };
}
