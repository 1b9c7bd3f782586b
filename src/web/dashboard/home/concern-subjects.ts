import { ApiKeyEntity } from '../../../database/entities/api-key.ts';
import type { Attention } from '../../../database/entities/attention.ts';
import { DeliveryEntity } from '../../../database/entities/delivery.ts';
import { ProviderAccountEntity } from '../../../database/entities/provider-account.ts';
import { type ApiKeyId, type DeliveryId, ID_PREFIX, type ProviderAccountId } from '../../../domain/ids.ts';
import { webhookNames } from '../../../webhooks/webhook-names.ts';
import { institutionName } from '../accounts/account-kinds.ts';
import type { Visit } from '../frame/visit.ts';

/** The names of keys, provider accounts and the webhooks of deliveries, by the ids of the concerns' subjects. */
export async function subjectNames(
  visit: Visit,
  concerns: readonly Pick<Attention, 'subjectId'>[],
): Promise<ReadonlyMap<string, string>> {
  const { em, store } = visit;
  const idsOf = <Id extends string>(prefix: string) =>
    concerns.map(({ subjectId }) => subjectId).filter((id): id is Id => id.startsWith(prefix));
  const own = <Id extends string>(ids: readonly Id[]) => ({ storeId: store.id, id: { $in: [...ids] } });
  const [keyIds, accountIds, deliveryIds] = [
    idsOf<ApiKeyId>(ID_PREFIX.apiKey),
    idsOf<ProviderAccountId>(ID_PREFIX.providerAccount),
    idsOf<DeliveryId>(ID_PREFIX.delivery),
  ];
  const keys = keyIds.length === 0 ? [] : await em.find(ApiKeyEntity, own(keyIds));
  const accounts = accountIds.length === 0 ? [] : await em.find(ProviderAccountEntity, own(accountIds));
  const deliveries = deliveryIds.length === 0 ? [] : await em.find(DeliveryEntity, own(deliveryIds));
  const webhooks = deliveries.length === 0 ? new Map() : await webhookNames(em, visit.caller);
  return new Map<string, string>([
    ...keys.map(({ id, description, lastFour }) => [id, `${description} …${lastFour}`] as const),
    ...accounts.map((account) => [account.id, institutionName(visit, account)] as const),
    ...deliveries.map(({ id, webhookId }) => [id, webhooks.get(webhookId) ?? id] as const),
  ]);
}
