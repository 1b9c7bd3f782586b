import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { ChargeId, CycleId, SubscriptionId } from '../../domain/ids.ts';
import type { PeriodPart } from '../../domain/proration.ts';

/**
 * One cycle of a subscription, unique by number. Each attempt at it is a separate charge. The statement that
 * accepts an attempt's payment also makes the cycle PAID, so a cycle is paid at most once.
 *
 * The table, the columns that refer to it (`installment_id`, `installment_number`), the prefix of its ids (`intl_`)
 * and the wire format keep their published names. In the code, an installment is a part of a card payment.
 */
export const CycleEntity = defineEntity({
  name: 'Cycle',
  tableName: 'installments',
  properties: {
    id: p.text().$type<CycleId>().primary(),
    subscriptionId: p.text().$type<SubscriptionId>(),
    /** The first payment is number 1. */
    number: p.integer(),
    /** FAILED if its subscription ended before it was paid. */
    status: p.text().$type<'PENDING' | 'PAID' | 'FAILED'>(),
    /** The plan less its discount and credit, and usage, fixed when the cycle was opened. */
    amountCents: p.bigint('number'),
    /** What a coupon took off the plan. */
    discountCents: p.bigint('number').defaultRaw('0'),
    usageCents: p.bigint('number'),
    /** What was taken from the subscription's credit: negative if it left some, or a small amount open. */
    creditCents: p.bigint('number').defaultRaw('0'),
    /** Set if it covers a part of a period only, because the plan changed within it. */
    part: p.json().columnType('json').$type<PeriodPart>().strictNullable(),
    /** Whether it charges usage only, within a period of the plan. Without any usage it has no charge, and is PAID at once. */
    isUsage: p.boolean().default(false),
    startsAt: p.datetime(),
    endsAt: p.datetime(),
    paidByChargeId: p.text().$type<ChargeId>().strictNullable(),
    createdAt: p.datetime(),
  },
});
export type Cycle = InferEntity<typeof CycleEntity>;
