import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { ChargeId, RefundId, StoreId } from '../../domain/ids.ts';
import type { RefundInitiator, RefundRefusal, RefundStatus } from '../../domain/reversal.ts';

/**
 * Money on its way back to a payer, asked for by the integrator. Its route inserts it as REQUESTED; from then
 * on only the workflow of its charge changes it. A charge has any number of a part, and at most one that takes
 * the rest and has not FAILED (a unique index).
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
    /** Of one that takes the rest, what that was when it was asked for; once it is set aside, what it came to. */
    amountCents: p.bigint('number'),
    /** Whether it takes all that is left of the payment, as it does where no amount is asked for. */
    takesRest: p.boolean().defaultRaw('true'),
    /** What the platform gives back with it. Null while it is REQUESTED, and of a refund in full by a release before. */
    platformFeeCents: p.bigint('number').strictNullable(),
    /** The integrator's words; events repeat them. */
    reason: p.text().strictNullable(),
    /** Why it FAILED. */
    refusal: p.text().$type<RefundRefusal>().strictNullable(),
    /** BANK where it was made there and not asked for here, as by the bank's app, its staff or another system. */
    initiatedBy: p.text().$type<RefundInitiator>().defaultRaw("'STORE'"),
    /** When it became COMPLETED after it had FAILED here: the provider had returned the money all the same. */
    revivedAt: p.datetime().strictNullable(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
  },
});
export type Refund = InferEntity<typeof RefundEntity>;
