import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { CustomerId, OutsidePaymentId, StoreId, SubscriptionId } from '../../domain/ids.ts';
import { OUTSIDE_METHODS } from '../../domain/imports.ts';

/**
 * A payment that another system took and settled before the store came here. It is history to show: no movement, balance,
 * statistic or reconciliation counts it, and it cannot be refunded here. It never changes.
 */
export const OutsidePaymentEntity = defineEntity({
  name: 'OutsidePayment',
  tableName: 'outside_payments',
  properties: {
    id: p.text().$type<OutsidePaymentId>().primary(),
    storeId: p.text().$type<StoreId>(),
    devMode: p.boolean(),
    /** Which system: `csv`, `stripe`, or another name. */
    source: p.text(),
    /** The payment's id there. */
    externalId: p.text(),
    customerId: p.text().$type<CustomerId>().strictNullable(),
    subscriptionId: p.text().$type<SubscriptionId>().strictNullable(),
    method: p.enum(OUTSIDE_METHODS),
    amountCents: p.bigint('number'),
    /** What of it was refunded there. */
    refundedCents: p.bigint('number'),
    paidAt: p.datetime(),
    createdAt: p.datetime(),
  },
});
export type OutsidePayment = InferEntity<typeof OutsidePaymentEntity>;
