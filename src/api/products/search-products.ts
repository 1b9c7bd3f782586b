import { statement } from '../../database/statement.ts';
import type { ProductId, StoreId } from '../../domain/ids.ts';

/** Names have no index: only this many of the newest products are searched by name. */
const LOOKED_THROUGH = 1_000;
const MOST_FOUND = 5;

/** Products on sale whose `externalId` is the text, or whose name contains it, ignoring case. Newest first, at most five. */
export const searchProducts = statement<
  { storeId: StoreId; devMode: boolean; text: string },
  { readonly id: ProductId; readonly name: string; readonly priceCents: number }
>(
  'search products by name',
  () => `
  select id, name, price_cents::float8 as "priceCents" from (
    (select id, name, price_cents, created_at from products
     where store_id = :storeId and dev_mode = :devMode and deleted_at is null and external_id = :text::text)
    union
    (select id, name, price_cents, created_at from (
       select id, name, price_cents, created_at, archived_at from products
       where store_id = :storeId and dev_mode = :devMode and deleted_at is null
       order by created_at desc, id desc limit ${LOOKED_THROUGH}
     ) newest
     where archived_at is null and strpos(lower(name), lower(:text::text)) > 0)
  ) found order by created_at desc, id desc limit ${MOST_FOUND}`,
);
