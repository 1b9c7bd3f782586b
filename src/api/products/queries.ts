import { type Product, ProductEntity } from '../../database/entities/product.ts';
import { insertNew } from '../../database/insert-new.ts';
import type { Em } from '../../database/orm.ts';
import type { ProductId } from '../../domain/ids.ts';
import { fieldError } from '../frame/errors.ts';
import { keptBy, requireRow } from '../frame/rows.ts';
import { createdWithin } from '../frame/time-range.ts';
import type { Caller } from '../keys/caller.ts';

interface ProductKey {
  readonly id?: string | undefined;
  readonly externalId?: string | undefined;
}

interface ProductFilters extends ProductKey {
  readonly status?: 'ACTIVE' | 'ARCHIVED' | undefined;
  readonly createdFrom?: Date | undefined;
  readonly createdTo?: Date | undefined;
}

/** Limits to the caller's products, not deleted, that match `key`. */
export function productFilter(caller: Caller, { id, externalId, status, ...created }: ProductFilters) {
  return {
    ...keptBy(caller),
    ...createdWithin(created),
    ...(id !== undefined && { id: id as ProductId }),
    ...(externalId !== undefined && { externalId }),
    ...(status !== undefined && { archivedAt: status === 'ACTIVE' ? null : { $ne: null } }),
  };
}

/** @throws ApiError NOT_FOUND, as {@link requireRow} does. */
export function requireProduct(em: Em, caller: Caller, key: ProductKey): Promise<Product> {
  return requireRow(em, ProductEntity, productFilter(caller, key), 'Product');
}

/** The caller's plans that are sold, newest first. */
export function plansSold(em: Em, caller: Caller, limit: number): Promise<Product[]> {
  return em.find(
    ProductEntity,
    { ...productFilter(caller, { status: 'ACTIVE' }), cycle: { $ne: null } },
    { orderBy: { createdAt: 'desc', id: 'desc' }, limit, disableIdentityMap: true },
  ) as Promise<Product[]>;
}

/** @throws ApiError 409 if the `externalId` is taken. */
export async function insertProduct(em: Em, row: Product): Promise<void> {
  if (await insertNew(em, ProductEntity, row)) return;
  const message = 'is taken by another product; use another one, or delete that product first';
  throw fieldError(409, 'EXTERNAL_ID_CONFLICT', 'externalId', message);
}
