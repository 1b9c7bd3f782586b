import type { Em } from '../../database/orm.ts';
import { statement } from '../../database/statement.ts';
import { type CheckoutItem, itemsText } from '../../domain/checkout.ts';
import type { ChargeId, StoreId } from '../../domain/ids.ts';

const READ = statement<
  { ids: readonly ChargeId[]; storeId: StoreId; devMode: boolean },
  { readonly id: ChargeId; readonly items: readonly CheckoutItem[] }
>(
  'read products of payments',
  () => `
  select id, items from charges
  where id = any (:ids::text[]) and store_id = :storeId and dev_mode = :devMode and items is not null`,
);

/** What these payments pay for, by their ids: `2 × Café, Chá`. Payments without products are left out. */
export async function productsOfPayments(
  em: Em,
  { storeId, devMode }: { readonly storeId: StoreId; readonly devMode: boolean },
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await READ(em, { ids: ids as readonly ChargeId[], storeId, devMode });
  return new Map(rows.map(({ id, items }) => [id, itemsText(items)]));
}
