import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { CheckoutItem } from '../../domain/checkout.ts';
import type { ProductCycle } from '../../domain/cycle.ts';
import type { PlanUpdateId, SubscriptionId } from '../../domain/ids.ts';

/**
 * A change of plan that waits for the next cycle; of one subscription at most one is PENDING (a unique
 * index).
 */
export const PlanUpdateEntity = defineEntity({
  name: 'PlanUpdate',
  tableName: 'plan_updates',
  properties: {
    id: p.text().$type<PlanUpdateId>().primary(),
    subscriptionId: p.text().$type<SubscriptionId>(),
    status: p.text().$type<'PENDING' | 'APPLIED' | 'REPLACED'>(),
    plan: p.json().columnType('json').$type<CheckoutItem>(),
    amountCents: p.bigint('number'),
    cycle: p.text().$type<ProductCycle>(),
    requestedAt: p.datetime(),
    appliedAt: p.datetime().strictNullable(),
  },
});
export type PlanUpdate = InferEntity<typeof PlanUpdateEntity>;
