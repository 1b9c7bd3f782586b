import { DeliveryEntity } from '../database/entities/delivery.ts';
import { type Webhook, WebhookEntity } from '../database/entities/webhook.ts';
import type { Em } from '../database/orm.ts';
import type { DeliveryId, WebhookId } from '../domain/ids.ts';
import type { StoreEnvironment } from '../domain/store-environment.ts';

/** An endpoint as it is named beside its deliveries. */
export type NamedWebhook = Pick<Webhook, 'id' | 'name' | 'deletedAt'>;

/** The owner's endpoints by their ids, removed ones too. @param ids by default all of them. */
export async function namedWebhooks(
  em: Em,
  { storeId, devMode }: StoreEnvironment,
  ids?: readonly string[],
): Promise<ReadonlyMap<string, NamedWebhook>> {
  const where = { storeId, devMode, ...(ids && { id: { $in: ids as WebhookId[] } }) };
  const fields = ['id', 'name', 'deletedAt'] as const;
  const rows = await em.find(WebhookEntity, where, { fields, disableIdentityMap: true });
  return new Map(rows.map((row) => [row.id, row]));
}

/** The endpoints of the owner's deliveries, by the ids of the deliveries. */
export async function webhooksOfDeliveries(
  em: Em,
  owner: StoreEnvironment,
  ids: readonly DeliveryId[],
): Promise<ReadonlyMap<DeliveryId, NamedWebhook>> {
  if (ids.length === 0) return new Map();
  const { storeId, devMode } = owner;
  const where = { storeId, devMode, id: { $in: [...ids] } };
  const fields = ['id', 'webhookId'] as const;
  const deliveries = await em.find(DeliveryEntity, where, { fields, disableIdentityMap: true });
  const webhooks = await namedWebhooks(
    em,
    owner,
    deliveries.map(({ webhookId }) => webhookId),
  );
  return new Map(
    deliveries.flatMap(({ id, webhookId }) => {
      const webhook = webhooks.get(webhookId);
      return webhook === undefined ? [] : [[id, webhook] as const];
    }),
  );
}
