import { accountsById } from '../../../accounts/provider-accounts.ts';
import { keysById } from '../../../api/keys/api-keys.ts';
import type { Attention } from '../../../database/entities/attention.ts';
import { type ApiKeyId, type DeliveryId, ID_PREFIX, type ProviderAccountId } from '../../../domain/ids.ts';
import { webhooksOfDeliveries } from '../../../webhooks/webhook-names.ts';
import { institutionName } from '../accounts/account-kinds.ts';
import type { Visit } from '../frame/visit.ts';

/** The names of keys, provider accounts and the webhooks of deliveries, by the ids of the concerns' subjects. */
export async function subjectNames(
  visit: Visit,
  concerns: readonly Pick<Attention, 'subjectId'>[],
): Promise<ReadonlyMap<string, string>> {
  const { em, store, caller } = visit;
  const idsOf = <Id extends string>(prefix: string) =>
    concerns.map(({ subjectId }) => subjectId).filter((id): id is Id => id.startsWith(prefix));
  const keys = await keysById(em, { storeId: store.id }, idsOf<ApiKeyId>(ID_PREFIX.apiKey));
  const accounts = await accountsById(em, store.id, idsOf<ProviderAccountId>(ID_PREFIX.providerAccount));
  const webhooks = await webhooksOfDeliveries(em, caller, idsOf<DeliveryId>(ID_PREFIX.delivery));
  return new Map<string, string>([
    ...keys.map(({ id, description, lastFour }) => [id, `${description} …${lastFour}`] as const),
    ...accounts.map((account) => [account.id, institutionName(visit, account)] as const),
    ...[...webhooks].map(([id, { name }]) => [id, name] as const),
  ]);
}
