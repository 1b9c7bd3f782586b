import { WebhookEntity } from '../database/entities/webhook.ts';
import type { Em } from '../database/orm.ts';
import type { StoreId, WebhookId } from '../domain/ids.ts';
import { type EndpointHealth, endpointHealth } from './endpoint-health.ts';

/** How an endpoint of the store has answered lately. */
export interface WebhookHealth
  extends Pick<EndpointHealth, 'delivered' | 'failed' | 'waiting' | 'pausedUntil'> {
  readonly id: WebhookId;
  readonly name: string;
  readonly isDisabled: boolean;
}

const SHOWN = 10;

const NOTHING_SENT = { delivered: 0, failed: 0, waiting: 0, pausedUntil: null } as const;

/**
 * Up to ten endpoints, those with the most failures first. A store has at most a hundred (contract section 7).
 * @param period as for {@link endpointHealth}.
 */
export async function webhooksByFailures(
  em: Em,
  { storeId, devMode }: { readonly storeId: StoreId; readonly devMode: boolean },
  period: { readonly since: Date; readonly now: Date },
): Promise<WebhookHealth[]> {
  const webhooks = await em.find(
    WebhookEntity,
    { storeId, devMode, deletedAt: null },
    { fields: ['id', 'name', 'disabledAt'], orderBy: { createdAt: 'desc' } },
  );
  const ids = webhooks.map(({ id }) => id);
  const health = await endpointHealth(em, storeId, ids, period);
  return webhooks
    .map(({ id, name, disabledAt }) => {
      const { delivered, failed, waiting, pausedUntil } = health.get(id) ?? NOTHING_SENT;
      return { id, name, isDisabled: disabledAt !== null, delivered, failed, waiting, pausedUntil };
    })
    .toSorted((a, b) => b.failed - a.failed)
    .slice(0, SHOWN);
}
