import { WebhookEntity } from '../database/entities/webhook.ts';
import type { Em } from '../database/orm.ts';
import type { StoreId } from '../domain/ids.ts';

/** Names of the owner's endpoints by their ids, removed ones too. */
export async function webhookNames(
  em: Em,
  { storeId, devMode }: { readonly storeId: StoreId; readonly devMode: boolean },
): Promise<ReadonlyMap<string, string>> {
  const fields = ['id', 'name'] as const;
  const rows = await em.find(WebhookEntity, { storeId, devMode }, { fields, disableIdentityMap: true });
  return new Map(rows.map(({ id, name }) => [id, name]));
}
