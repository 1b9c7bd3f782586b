import { type Product, ProductEntity } from '../database/entities/product.ts';
import type { Em } from '../database/orm.ts';
import type { ProductId } from '../domain/ids.ts';
import { importedIdOf } from './import-ids.ts';
import { foundInStore, type ImportJob, type Planned, refuse } from './job.ts';
import type { ProductRow } from './rows.ts';

/** A product. One that the store has already is taken if it has the same price and cycle. */
export async function prepareProduct(
  em: Em,
  job: ImportJob,
  foreignId: string,
  row: ProductRow,
  now: Date,
): Promise<Planned> {
  const { storeId, devMode } = job;
  const externalId = row.externalId ?? foreignId;
  if (externalId.length > 100) refuse('externalId', 'must have at most 100 characters');
  const where = { storeId, devMode, externalId, deletedAt: null };
  const existing =
    (await em.findOne(ProductEntity, where, { disableIdentityMap: true })) ??
    job.references.plannedAs('product', externalId);
  if (existing !== null) return found(existing, row);
  const product: Product = {
    id: importedIdOf<ProductId>(job, 'product', foreignId),
    ...{ storeId, devMode, externalId },
    name: row.name,
    description: row.description ?? null,
    imageUrl: row.imageUrl ?? null,
    fileUrl: null,
    priceCents: row.price,
    cycle: row.cycle ?? null,
    trialDays: row.trialDays ?? null,
    billsFinalUsage: Boolean(row.cycle),
    usageCycle: row.usageCycle ?? null,
    usagePrice: null,
    madeBySale: false,
    archivedAt: row.archived ? now : null,
    createdAt: now,
    updatedAt: now,
    deletedAt: null,
  };
  const write = async (tx: Em) => {
    await tx.insert(ProductEntity, product);
    return null;
  };
  return { rowId: product.id, outcome: 'MADE', note: null, uniqueBy: externalId, value: product, write };
}

function found(existing: Product, { price, cycle }: ProductRow): Planned {
  if (existing.priceCents !== price || existing.cycle !== (cycle ?? null))
    refuse(
      'externalId',
      `is taken by ${existing.id}, which has another price or cycle; change or delete that product first`,
    );
  return foundInStore(existing);
}
