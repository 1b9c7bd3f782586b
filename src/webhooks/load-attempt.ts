import { ApplicationFailure } from '@temporalio/common';
import type { Database } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import type { DeliveryStatus } from '../domain/delivery.ts';
import type { RecordedEventName } from '../domain/event-names.ts';
import type { DeliveryId, EventId, StoreId, WebhookId } from '../domain/ids.ts';

/** The request of a delivery's workflow. */
export interface DeliveryAttemptInput {
  readonly deliveryId: DeliveryId;
  /** True if a finished delivery is to be sent again. */
  readonly resend: boolean;
  /** Unique per attempt, and the same when the activity runs again for it. */
  readonly attemptKey: string;
  /** The pause before the next attempt if this one fails; null for the last one. */
  readonly retryDelayMs: number | null;
  /** The workflow's time, in milliseconds since 1970. */
  readonly nowMs: number;
}

/** The result of an attempt that has not delivered. */
export interface FailedAttempt {
  readonly status: DeliveryStatus;
  /** What it was about and how it failed, for operators who look at the run. Histories have this name. */
  readonly said: string;
}

export interface DeliveryToAttempt {
  readonly status: DeliveryStatus;
  readonly webhookId: WebhookId;
  readonly storeId: StoreId;
  readonly endpoint: string;
  /** As it is stored. */
  readonly secret: string;
  readonly secretKeyId: string | null;
  /** The previous secret, if it was rotated lately. */
  readonly previousSecret: string | null;
  readonly previousSecretKeyId: string | null;
  readonly previousSecretUntil: Date | null;
  readonly eventId: EventId;
  readonly eventName: RecordedEventName;
  /** The id of the event's subject, as people know it. */
  readonly about: string;
  readonly devMode: boolean;
  /** Whether the endpoint uses v2. */
  readonly isV2: boolean;
  readonly isSample: boolean;
  /** The event's data as JSON text. */
  readonly data: string;
  /** False once the webhook was deleted or disabled. */
  readonly reachable: boolean;
  /** Whether the endpoint hung lately, and until when it is paused; null if it did not. */
  readonly hasHung: boolean;
  readonly pausedUntil: Date | null;
  /** True if this attempt has already been recorded. */
  readonly recorded: boolean;
}

const LOAD = statement<{ deliveryId: DeliveryId; attemptKey: string }, DeliveryToAttempt>(
  'load an attempt',
  () => `
  select delivery.status, webhook.id as "webhookId", webhook.store_id as "storeId", webhook.endpoint, webhook.secret,
    webhook.secret_key_id as "secretKeyId", webhook.previous_secret as "previousSecret",
    webhook.previous_secret_key_id as "previousSecretKeyId", webhook.previous_secret_until as "previousSecretUntil",
    event.id as "eventId", event.name as "eventName",
    coalesce(
      case split_part(event.name, '.', 1) when 'checkout' then event.checkout_id when 'subscription' then event.subscription_id end,
      event.subject_id, split_part(event.key, '/', 2)) as about, event.dev_mode as "devMode", event.data, event.sample as "isSample", webhook.v2 as "isV2",
    webhook.deleted_at is null and webhook.disabled_at is null as reachable,
    breaker.webhook_id is not null as "hasHung", breaker.paused_until as "pausedUntil",
    exists (
      select from delivery_attempts attempt
      where attempt.delivery_id = delivery.id and attempt.attempt_key = :attemptKey
    ) as recorded
  from deliveries delivery
  join events event on event.id = delivery.event_id
  join webhooks webhook on webhook.id = delivery.webhook_id
  left join endpoint_breakers breaker on breaker.webhook_id = webhook.id
  where delivery.id = :deliveryId`,
);

/** Everything one attempt needs, in one query. */
export async function loadAttempt(
  database: Database,
  deliveryId: DeliveryId,
  attemptKey: string,
): Promise<DeliveryToAttempt> {
  const [row] = await LOAD(database, { deliveryId, attemptKey });
  if (row === undefined)
    throw ApplicationFailure.nonRetryable(`No delivery ${deliveryId}`, 'DELIVERY_NOT_FOUND');
  return row;
}
