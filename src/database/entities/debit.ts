import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { CivilDate } from '../../domain/civil-date.ts';
import type { DebitStatus } from '../../domain/debit.ts';
import type { ChargeId, MandateId, StoreId, SubscriptionId } from '../../domain/ids.ts';

/**
 * The debit of one cycle under a mandate: planned and ordered some days before the cycle opens, for an amount that no longer changes.
 * Its charge is stored when the cycle opens, under the same id. The round that plans it and the workflow
 * `debit/<id>` advance it; whatever makes it unwanted makes it DROPPING.
 */
export const DebitEntity = defineEntity({
  name: 'Debit',
  tableName: 'debits',
  properties: {
    /** The id of its charge. */
    id: p.text().$type<ChargeId>().primary(),
    storeId: p.text().$type<StoreId>(),
    devMode: p.boolean(),
    subscriptionId: p.text().$type<SubscriptionId>(),
    mandateId: p.text().$type<MandateId>(),
    /** Of the cycle. */
    number: p.integer(),
    status: p.text().$type<DebitStatus>(),
    /** What the cycle was going to cost when the debit was planned. */
    amountCents: p.bigint('number'),
    dueDate: p.text().$type<CivilDate>(),
    /** Under which the provider knows the instruction and its payment; null until somebody has begun to order it. */
    providerReference: p.text().strictNullable(),
    /** Why the newest attempt, or the order, failed: the provider's code or reason; null if nothing failed. */
    failureCode: p.text().strictNullable(),
    /** When its workflow has work again; null once it has ended. */
    nextAt: p.datetime().strictNullable(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
    /** Null until the workflow's start is known. */
    workflowStartedAt: p.datetime().strictNullable(),
  },
});
export type Debit = InferEntity<typeof DebitEntity>;
