import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { ChargeId, RefundId, StoreId } from '../../domain/ids.ts';
import type { RefundRefusal, RefundStatus } from '../../domain/reversal.ts';

/**
 * Money on its way back to a payer, asked for by the integrator. Its route inserts it as REQUESTED; from then
 * on only the workflow of its charge changes it. A charge has at most one that has not FAILED (a unique
 * index).
 */
export const RefundEntity = defineEntity({
  name: 'Refund',
  tableName: 'refunds',
  properties: {
    id: p.text().$type<RefundId>().primary(),
    chargeId: p.text().$type<ChargeId>(),
    storeId: p.text().$type<StoreId>(),
    devMode: p.boolean(),
    status: p.text().$type<RefundStatus>(),
    /** All that was paid: there are no partial refunds (contract section 4). */
    amountCents: p.bigint('number'),
    /** The integrator's words; events repeat them. */
    reason: p.text().strictNullable(),
    /** Why it FAILED. */
    refusal: p.text().$type<RefundRefusal>().strictNullable(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
  },
});
export type Refund = InferEntity<typeof RefundEntity>;
