import { CustomerEntity } from '../../../database/entities/customer.ts';
import type { CustomerId } from '../../../domain/ids.ts';
import type { Visit } from '../frame/visit.ts';

/** The names of the store's customers by id. Customers without a name are left out. */
export async function customerNames(
  { em, caller, devMode }: Visit,
  ids: readonly (string | null | undefined)[],
): Promise<ReadonlyMap<string, string>> {
  const wanted = [...new Set(ids.filter((id) => typeof id === 'string'))];
  if (wanted.length === 0) return new Map();
  const where = { storeId: caller.storeId, devMode, id: { $in: wanted as CustomerId[] } };
  const rows = await em.find(CustomerEntity, where, { fields: ['id', 'name'], disableIdentityMap: true });
  return new Map(rows.flatMap(({ id, name }) => (name ? [[id, name] as const] : [])));
}
