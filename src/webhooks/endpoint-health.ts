import type { Em } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import type { StoreId, WebhookId } from '../domain/ids.ts';

/** How an endpoint has answered lately. */
export interface EndpointHealth {
  readonly webhookId: WebhookId;
  /** Deliveries of the period, at most {@link MOST_DELIVERIES} of the newest. */
  readonly delivered: number;
  /** Given up, or waiting for another attempt after a failed one. */
  readonly failed: number;
  /** Not attempted yet. */
  readonly waiting: number;
  /** Null if none of the newest {@link MOST_DELIVERIES} was delivered. */
  readonly lastSuccessAt: Date | null;
  readonly lastFailureAt: Date | null;
  /** Why the last failed attempt failed. */
  readonly lastError: string | null;
  /** When deliveries to a hanging endpoint resume; null if it is not paused. */
  readonly pausedUntil: Date | null;
}

/** Bounds the cost of an endpoint with millions of deliveries. */
export const MOST_DELIVERIES = 500;
/** The last failed attempt is looked for among so many deliveries. */
const MOST_ATTEMPTED = 50;

const READ = statement<
  { storeId: StoreId; webhookIds: readonly WebhookId[]; since: Date; now: Date },
  EndpointHealth
>(
  'read health of endpoints',
  () => `
  select webhook.id as "webhookId", counted.*, failure.started_at as "lastFailureAt", failure.error as "lastError",
    case when breaker.paused_until > :now then breaker.paused_until end as "pausedUntil"
  from webhooks webhook left join endpoint_breakers breaker on breaker.webhook_id = webhook.id
  cross join lateral (
    select count(*) filter (where is_recent and status = 'DELIVERED')::int as delivered,
      count(*) filter (where is_recent and status <> 'DELIVERED' and (status = 'FAILED' or attempts > 0))::int as failed,
      count(*) filter (where is_recent and status = 'PENDING' and attempts = 0)::int as waiting,
      max(finished_at) filter (where status = 'DELIVERED') as "lastSuccessAt"
    from (
      select status, attempts, finished_at, created_at >= :since as is_recent from deliveries
      where webhook_id = webhook.id order by created_at desc, id desc limit ${MOST_DELIVERIES}
    ) newest
  ) counted
  left join lateral (
    select attempt.started_at, attempt.error from (
      select id from deliveries where webhook_id = webhook.id and attempts > 0
      order by created_at desc, id desc limit ${MOST_ATTEMPTED}
    ) attempted join delivery_attempts attempt on attempt.delivery_id = attempted.id
    where attempt.error is not null order by attempt.started_at desc limit 1
  ) failure on true
  where webhook.store_id = :storeId and webhook.id = any(:webhookIds::text[])`,
);

/**
 * How these endpoints of a store have answered since an instant of the store's time.
 * @param now real time, for pauses.
 */
export async function endpointHealth(
  em: Em,
  storeId: StoreId,
  webhookIds: readonly WebhookId[],
  { since, now }: { readonly since: Date; readonly now: Date },
): Promise<ReadonlyMap<WebhookId, EndpointHealth>> {
  if (webhookIds.length === 0) return new Map();
  const rows = await READ(em, { storeId, webhookIds, since, now });
  return new Map(rows.map((row) => [row.webhookId, row]));
}

/** Whether the endpoint's last attempt failed: nothing has arrived since. */
export function isFailing({
  lastSuccessAt,
  lastFailureAt,
}: Pick<EndpointHealth, 'lastSuccessAt' | 'lastFailureAt'>): boolean {
  return lastFailureAt !== null && (lastSuccessAt === null || lastSuccessAt < lastFailureAt);
}
