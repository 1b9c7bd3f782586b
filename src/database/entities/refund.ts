import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { ChargeId, RefundId, StoreId } from '../../domain/ids.ts';
import type { RefundInitiator, RefundRefusal, RefundStatus } from '../../domain/reversal.ts';

/**
 * A refund that the integrator requested, or the bank made. Its route inserts it as REQUESTED; from then on only
 * the workflow of its charge changes it. A charge has any number of partial refunds, and at most one that takes the
 * rest and has not FAILED (a unique index).
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
    /** If it takes the rest: the rest at the time of the request, and the final amount once it is reserved. */
    amountCents: p.bigint('number'),
    /** Whether it takes everything left of the payment, as it does without an amount. */
    takesRest: p.boolean().defaultRaw('true'),
    /**
     * The platform's fee that is refunded with it. Null while it is REQUESTED, and for a full refund of an earlier
     * release.
     */
    platformFeeCents: p.bigint('number').strictNullable(),
    /** The integrator's words; events repeat them. */
    reason: p.text().strictNullable(),
    /** Why it FAILED. */
    refusal: p.text().$type<RefundRefusal>().strictNullable(),
    /** BANK if it was made at the bank and not requested here: in its app, by its staff or by another system. */
    initiatedBy: p.text().$type<RefundInitiator>().defaultRaw("'STORE'"),
    /** When it became COMPLETED after it had FAILED here: the provider had returned the money after all. */
    revivedAt: p.datetime().strictNullable(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
  },
});
export type Refund = InferEntity<typeof RefundEntity>;
