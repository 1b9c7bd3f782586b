import type { Charge } from '../../database/entities/charge.ts';
import type { Em } from '../../database/orm.ts';
import { statement } from '../../database/statement.ts';
import type { DeliveryStatus } from '../../domain/delivery.ts';
import { RECORDED_EVENT_NAMES, type RecordedEventName } from '../../domain/event-names.ts';
import type { DeliveryId, EventId, WebhookId } from '../../domain/ids.ts';

/** An event about a payment, with its deliveries and their responses. */
export interface TimelineEvent {
  readonly id: EventId;
  readonly name: RecordedEventName;
  readonly createdAt: Date;
  readonly deliveries: readonly TimelineDelivery[];
}

/** Instants in the format that Postgres writes into JSON. */
export interface TimelineDelivery {
  readonly id: DeliveryId;
  readonly webhookId: WebhookId;
  readonly webhookName: string;
  readonly isWebhookGone: boolean;
  readonly status: DeliveryStatus;
  readonly attempts: number;
  readonly nextAttemptAt: string | null;
  readonly finishedAt: string | null;
  /** Of the newest attempt; null if there was no attempt or no response. */
  readonly statusCode: number | null;
  readonly error: string | null;
}

const MOST_EVENTS = 30;

const READ = statement<{ chargeId: string; keys: readonly string[] }, TimelineEvent>(
  'read events about a payment',
  () => `
  select event.id, event.name, event.created_at as "createdAt", (
      select coalesce(json_agg(json_build_object('id', delivery.id, 'webhookId', delivery.webhook_id, 'webhookName', webhook.name,
        'isWebhookGone', webhook.deleted_at is not null or webhook.disabled_at is not null, 'status', delivery.status,
        'attempts', delivery.attempts, 'nextAttemptAt', delivery.next_attempt_at, 'finishedAt', delivery.finished_at,
        'statusCode', newest.status_code, 'error', newest.error) order by delivery.id), '[]')
      from deliveries delivery join webhooks webhook on webhook.id = delivery.webhook_id left join lateral (
        select status_code, error from delivery_attempts attempt where attempt.delivery_id = delivery.id
        order by started_at desc limit 1
      ) newest on true
      where delivery.event_id = event.id
    ) as deliveries
  from (
    select id, name, created_at from events where key = any (:keys::text[])
    union
    select id, name, created_at from events where subject_id = :chargeId and not sample
    order by created_at limit ${MOST_EVENTS}
  ) event order by event.created_at, event.id`,
);

/** The events published about a charge, oldest first. */
export function eventsAbout(em: Em, { id }: Pick<Charge, 'id'>): Promise<TimelineEvent[]> {
  return READ(em, { chargeId: id, keys: RECORDED_EVENT_NAMES.map((name) => `${name}/${id}`) });
}
