import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { ProductCycle } from '../../domain/cycle.ts';
import type { PlanUpdateId, SubscriptionId } from '../../domain/ids.ts';
import type { Proration } from '../../domain/proration.ts';
import type { SubscribedPlan } from '../../domain/subscribed-plan.ts';

/**
 * A change of plan, its quantity or its add-ons. One that waits for the next cycle is PENDING, at most one of a subscription (a unique index); one that
 * started at once is APPLIED.
 */
export const PlanUpdateEntity = defineEntity({
  name: 'PlanUpdate',
  tableName: 'plan_updates',
  properties: {
    id: p.text().$type<PlanUpdateId>().primary(),
    subscriptionId: p.text().$type<SubscriptionId>(),
    status: p.text().$type<'PENDING' | 'APPLIED' | 'REPLACED'>(),
    plan: p.json().columnType('json').$type<SubscribedPlan>(),
    amountCents: p.bigint('number'),
    cycle: p.text().$type<ProductCycle>(),
    starts: p.text().$type<'NEXT_CYCLE' | 'NOW'>().default('NEXT_CYCLE'),
    /** How the change is charged if it starts now; null otherwise. */
    proration: p.text().$type<Proration>().strictNullable(),
    requestedAt: p.datetime(),
    appliedAt: p.datetime().strictNullable(),
  },
});
export type PlanUpdate = InferEntity<typeof PlanUpdateEntity>;
