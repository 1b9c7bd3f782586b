import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { ChargeId, CycleId, SubscriptionId } from '../../domain/ids.ts';

/**
 * One cycle of a subscription as it is charged, unique by number. Each attempt at it is a charge of its own;
 * the one that makes it PAID does so in the statement that accepts its payment, so a cycle is paid at most
 * once.
 *
 * The table, the columns that point to it (`installment_id`, `installment_number`), the prefix of its ids
 * (`intl_`) and the wire format keep the name they were published with. In the code an installment is a part
 * of a card payment.
 */
export const CycleEntity = defineEntity({
  name: 'Cycle',
  tableName: 'installments',
  properties: {
    id: p.text().$type<CycleId>().primary(),
    subscriptionId: p.text().$type<SubscriptionId>(),
    /** The first payment of all is 1. */
    number: p.integer(),
    /** FAILED where its subscription has ended before it was paid. */
    status: p.text().$type<'PENDING' | 'PAID' | 'FAILED'>(),
    /** Plan and usage together, fixed when the cycle was opened. */
    amountCents: p.bigint('number'),
    usageCents: p.bigint('number'),
    startsAt: p.datetime(),
    endsAt: p.datetime(),
    paidByChargeId: p.text().$type<ChargeId>().strictNullable(),
    createdAt: p.datetime(),
  },
});
export type Cycle = InferEntity<typeof CycleEntity>;
