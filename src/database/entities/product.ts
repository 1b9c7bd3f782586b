import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { ProductCycle } from '../../domain/cycle.ts';
import type { ProductId, StoreId } from '../../domain/ids.ts';
import type { UsageCycle } from '../../domain/usage-cycle.ts';
import type { UsagePrice } from '../../domain/usage-price.ts';

/**
 * Something a store sells, unique by the integrator's `externalId` per store and environment while it is not
 * deleted.
 */
export const ProductEntity = defineEntity({
  name: 'Product',
  tableName: 'products',
  properties: {
    id: p.text().$type<ProductId>().primary(),
    storeId: p.text().$type<StoreId>(),
    devMode: p.boolean(),
    externalId: p.text(),
    name: p.text(),
    description: p.text().strictNullable(),
    imageUrl: p.text().strictNullable(),
    /** Where the file that payers get is fetched from; never shown. */
    fileUrl: p.text().strictNullable(),
    priceCents: p.bigint('number'),
    /** Null for a one-off product. */
    cycle: p.text().$type<ProductCycle>().strictNullable(),
    trialDays: p.integer().strictNullable(),
    /** For a plan: how often its usage is charged, if more often than the plan. Never changes. */
    usageCycle: p.text().$type<UsageCycle>().strictNullable(),
    /** For a plan: whether usage that no cycle has charged is charged when a subscription is cancelled. */
    billsFinalUsage: p.boolean().default(false),
    /** How the units of a cycle are priced; null if each costs `priceCents`. Never changes. */
    usagePrice: p.json().columnType('json').$type<UsagePrice>().strictNullable(),
    /** Whether a sale that named its products has made it. Such sales change its name and price, and those of no other product. */
    madeBySale: p.boolean().name('made_by_v1').default(false),
    /** Null while it is sold. An archived product keeps its `externalId` and can be restored. */
    archivedAt: p.datetime().strictNullable(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
    deletedAt: p.datetime().strictNullable(),
  },
});
export type Product = InferEntity<typeof ProductEntity>;
