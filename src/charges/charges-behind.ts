import type { Em } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import type { ChargeId } from '../domain/ids.ts';
import type { StoreEnvironment } from '../domain/store-environment.ts';

const READ = statement<StoreEnvironment & { ids: readonly string[] }, { id: string; chargeId: ChargeId }>(
  'find charges of refunds, payments and disputes',
  () => `
  select about.id, charge.id as "chargeId" from (
    select id, charge_id from refunds where id = any (:ids::text[])
    union all select id, charge_id from payments where id = any (:ids::text[])
    union all select id, charge_id from disputes where id = any (:ids::text[])
  ) about join charges charge on charge.id = about.charge_id
  where charge.store_id = :storeId and charge.dev_mode = :devMode`,
);

/** The owner's charges that these refunds, payments and disputes are about. */
export async function chargesBehind(
  em: Em,
  { storeId, devMode }: StoreEnvironment,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ChargeId>> {
  if (ids.length === 0) return new Map();
  const rows = await READ(em, { storeId, devMode, ids });
  return new Map(rows.map(({ id, chargeId }) => [id, chargeId]));
}
