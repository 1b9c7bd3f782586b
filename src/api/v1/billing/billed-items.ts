import { type Product, ProductEntity } from '../../../database/entities/product.ts';
import type { Em } from '../../../database/orm.ts';
import { type CheckoutItem, itemOf } from '../../../domain/checkout.ts';
import type { ProductId } from '../../../domain/ids.ts';
import { mintId } from '../../../ids.ts';
import { refuseArchived } from '../../checkouts/references.ts';
import { brokenRule } from '../../frame/errors.ts';
import type { ApiRequest } from '../../frame/request.ts';
import { keptBy } from '../../frame/rows.ts';
import type { BilledProduct } from './schema.ts';

/**
 * The items of a billing with the names and prices that it sends. Products are created by `externalId`.
 * Existing ones are updated if v1 created them; v2 products stay unchanged. If an `externalId` occurs twice,
 * the product gets the last values, and each item keeps its own name and price.
 *
 * @throws ApiError 422 for an archived product, and for one with a cycle, which v1 does not support.
 */
export async function billedItems(
  request: ApiRequest,
  products: readonly BilledProduct[],
): Promise<CheckoutItem[]> {
  const { em } = request;
  let found = await findProducts(request, products);
  const lastOfEach = new Map(products.map((product) => [product.externalId, product]));
  const changed = [...lastOfEach.values()].filter(
    (product) => !isKept(found.get(product.externalId), product),
  );
  if (changed.length > 0) {
    // All requests use the same order, or two with the same products could deadlock.
    changed.sort((one, other) => (one.externalId < other.externalId ? -1 : 1));
    for (const product of changed) await upsert(em, request, product);
    found = await findProducts(request, products);
  }
  return products.map(({ externalId, name, price, quantity }, index) => {
    const product = found.get(externalId);
    if (product === undefined || product.cycle !== null) {
      throw brokenRule(
        'PRODUCT_HAS_CYCLE',
        `products[${index}].externalId`,
        'is a product with a cycle; use another one in v1',
      );
    }
    refuseArchived(product, `products[${index}].externalId`);
    return itemOf({ ...product, name, priceCents: price }, quantity);
  });
}

async function findProducts({ em, key }: ApiRequest, products: readonly BilledProduct[]) {
  const externalIds = products.map(({ externalId }) => externalId);
  const where = { ...keptBy(key), externalId: { $in: externalIds } };
  const found = await em.find(ProductEntity, where, { disableIdentityMap: true });
  return new Map<string, Product>(found.map((product) => [product.externalId, product]));
}

/**
 * Whether nothing changes, as in most billings; then no lock is taken. An omitted description stays
 * unchanged.
 */
function isKept(found: Product | undefined, { name, description, price }: BilledProduct): boolean {
  if (found === undefined) return false;
  if (!found.madeBySale || found.archivedAt !== null) return true;
  const sameText = !description || found.description === description;
  return found.name === name && found.priceCents === price && sameText;
}

/** The unique index decides between parallel requests. A v2 product stays unchanged. */
async function upsert(em: Em, { key, now }: ApiRequest, product: BilledProduct): Promise<void> {
  await em.execute(
    `insert into products
       (id, store_id, dev_mode, external_id, name, description, price_cents, made_by_v1, created_at, updated_at)
     values (:id, :storeId, :devMode, :externalId, :name, :description, :price, true, :now, :now)
     on conflict (store_id, dev_mode, external_id) where deleted_at is null do update
       set name = excluded.name, description = coalesce(excluded.description, products.description),
           price_cents = excluded.price_cents, updated_at = excluded.updated_at
       where products.made_by_v1 and products.archived_at is null`,
    {
      id: mintId<ProductId>('product', now),
      storeId: key.storeId,
      devMode: key.devMode,
      externalId: product.externalId,
      name: product.name,
      description: product.description ?? null,
      price: product.price,
      now,
    },
    'run',
  );
}
