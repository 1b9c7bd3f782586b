import type { Em } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import type { StoreId, WebhookId } from '../domain/ids.ts';

/** A store in one environment. */
interface Owner {
  readonly storeId: StoreId;
  readonly devMode: boolean;
}

/** Recent deliveries to one endpoint of the store. */
export interface WebhookHealth {
  readonly id: WebhookId;
  readonly name: string;
  readonly isDisabled: boolean;
  /** When deliveries to a hanging endpoint resume; null if it is not paused. */
  readonly pausedUntil: Date | null;
  /** Counted over the newest {@link MOST_DELIVERIES}. */
  readonly delivered: number;
  readonly failed: number;
  readonly pending: number;
}

/** More deliveries would not change the picture. */
const MOST_DELIVERIES = 500;

const READ = statement<Owner & { since: Date; now: Date }, WebhookHealth>(
  'read health of webhooks',
  () => `
  select webhook.id, webhook.name, webhook.disabled_at is not null as "isDisabled",
    case when breaker.paused_until > :now then breaker.paused_until end as "pausedUntil", counted.*
  from webhooks webhook left join endpoint_breakers breaker on breaker.webhook_id = webhook.id, lateral (
    select count(*) filter (where status = 'DELIVERED') as delivered, count(*) filter (where status = 'FAILED') as failed,
      count(*) filter (where status = 'PENDING') as pending
    from (
      select status from deliveries where webhook_id = webhook.id and created_at >= :since
      order by created_at desc, id desc limit ${MOST_DELIVERIES}
    ) newest
  ) counted
  where webhook.store_id = :storeId and webhook.dev_mode = :devMode and webhook.deleted_at is null
  order by counted.failed desc, webhook.created_at desc limit 10`,
);

/** Up to ten endpoints, those with the most failures first. */
export function webhookHealth(
  em: Em,
  { storeId, devMode }: Owner,
  since: Date,
  now: Date,
): Promise<WebhookHealth[]> {
  return READ(em, { storeId, devMode, since, now });
}
