import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { ProductId, SubscriptionId, UsageRecordId } from '../../domain/ids.ts';

/** Units of a pay-as-you-go product, at the price it had at that moment; never changed. */
export const UsageRecordEntity = defineEntity({
  name: 'UsageRecord',
  tableName: 'usage_records',
  properties: {
    id: p.text().$type<UsageRecordId>().primary(),
    subscriptionId: p.text().$type<SubscriptionId>(),
    productId: p.text().$type<ProductId>(),
    /** The cycle that it is charged with. */
    cycleNumber: p.integer().name('installment_number'),
    action: p.text().$type<'add' | 'subtract'>(),
    units: p.bigint('number'),
    unitPriceCents: p.bigint('number'),
    /** What it changed in the cycle if units do not all cost the same: maybe negative. Null if they cost `unitPriceCents` each. */
    amountCents: p.bigint('number').strictNullable(),
    recordedAt: p.datetime(),
  },
});
export type UsageRecord = InferEntity<typeof UsageRecordEntity>;
