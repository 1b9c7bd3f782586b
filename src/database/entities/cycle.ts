import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { ChargeId, InstallmentId, SubscriptionId } from '../../domain/ids.ts';

/**
 * One cycle of a subscription as it is charged, unique by number. Each attempt at it is a charge of its own; the one that
 * makes it PAID does so in the statement that accepts its payment, so a cycle is paid at most once.
 */
export const InstallmentEntity = defineEntity({
  name: 'Installment',
  tableName: 'installments',
  properties: {
    id: p.string().$type<InstallmentId>().primary(),
    subscriptionId: p.string().$type<SubscriptionId>(),
    /** The first payment of all is 1. */
    number: p.integer(),
    /** FAILED where its subscription has ended before it was paid. */
    status: p.string().$type<'PENDING' | 'PAID' | 'FAILED'>(),
    /** Plan and usage together, fixed when the cycle was opened. */
    amountCents: p.bigint('number'),
    usageCents: p.bigint('number'),
    startsAt: p.datetime(),
    endsAt: p.datetime(),
    paidByChargeId: p.string().$type<ChargeId>().strictNullable(),
    createdAt: p.datetime(),
  },
});
export type Installment = InferEntity<typeof InstallmentEntity>;
