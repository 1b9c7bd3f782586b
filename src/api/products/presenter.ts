import type { Product } from '../../database/entities/product.ts';
import type { ProductView } from './schema.ts';

/** A product as integrators see it: the address of its file stays inside. */
export function presentProduct(product: Product): ProductView {
  return {
    id: product.id,
    externalId: product.externalId,
    name: product.name,
    description: product.description,
    imageUrl: product.imageUrl,
    price: product.priceCents,
    currency: 'BRL',
    cycle: product.cycle,
    trialDays: product.trialDays,
    status: 'ACTIVE',
    hasFile: product.fileUrl !== null,
    devMode: product.devMode,
    createdAt: product.createdAt.toISOString(),
    updatedAt: product.updatedAt.toISOString(),
  };
}
