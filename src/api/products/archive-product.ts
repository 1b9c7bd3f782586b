import { type Product, ProductEntity } from '../../database/entities/product.ts';
import type { ProductId } from '../../domain/ids.ts';
import type { ApiRequest } from '../frame/request.ts';
import { keptBy } from '../frame/rows.ts';
import { requireProduct } from './queries.ts';

type OneProduct = ApiRequest<unknown, { readonly id: string }>;

/**
 * Takes a product off sale until it is restored. Safe to repeat: an archived product stays unchanged.
 * @throws ApiError 404 if it does not exist.
 */
export function archiveProduct(request: OneProduct): Promise<Product> {
  return setArchived(request, { archivedAt: null }, request.now);
}

/** Sells an archived product again. Safe to repeat. @throws ApiError 404 if it does not exist. */
export function restoreProduct(request: OneProduct): Promise<Product> {
  return setArchived(request, { archivedAt: { $ne: null } }, null);
}

/** In one transaction, so that the response shows this request's own result. */
function setArchived(request: OneProduct, onlyIf: object, archivedAt: Date | null): Promise<Product> {
  const { key, body, now } = request;
  return request.transaction(async (em) => {
    const where = { ...keptBy(key), id: body.id as ProductId, ...onlyIf };
    const changed = await em.nativeUpdate(ProductEntity, where, { archivedAt, updatedAt: now });
    const product = await requireProduct(em, key, { id: body.id });
    if (changed > 0) await request.recordAction(em, product.id);
    return product;
  });
}
