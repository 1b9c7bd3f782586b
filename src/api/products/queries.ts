import { type Product, ProductEntity } from '../../database/entities/product.ts';
import type { Em } from '../../database/orm.ts';
import type { ProductId } from '../../domain/ids.ts';
import type { Caller } from '../frame/caller.ts';
import { fieldError, notFound } from '../frame/errors.ts';

interface ProductKey {
  readonly id?: string | undefined;
  readonly externalId?: string | undefined;
}

/** The caller's own products, of its store and environment and not deleted, that match `key`. */
export function productFilter({ storeId, devMode }: Caller, { id, externalId }: ProductKey) {
  return {
    storeId,
    devMode,
    deletedAt: null,
    ...(id !== undefined && { id: id as ProductId }),
    ...(externalId !== undefined && { externalId }),
  };
}

/** @throws ApiError NOT_FOUND, the same for one that is another's, of the other environment, deleted, or never was. */
export async function requireProduct(em: Em, caller: Caller, key: ProductKey): Promise<Product> {
  const where = productFilter(caller, key);
  const product = await em.findOne(ProductEntity, where, { disableIdentityMap: true });
  if (product === null) throw notFound('Product');
  return product;
}

/** @throws ApiError 409 where the `externalId` is taken. The unique index decides between requests at once. */
export async function insertProduct(em: Em, row: Product): Promise<void> {
  const insert = em.qb(ProductEntity).insert(row).onConflict().ignore().returning('id');
  if ((await insert.execute('all')).length > 0) return;
  const message = 'is taken by another product; use another one, or delete that product first';
  throw fieldError(409, 'EXTERNAL_ID_CONFLICT', 'externalId', message);
}
