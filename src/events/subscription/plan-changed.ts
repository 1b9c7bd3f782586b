import { z } from 'zod';
import type { Customer } from '../../database/entities/customer.ts';
import type { PlanUpdate } from '../../database/entities/plan-update.ts';
import type { Subscription } from '../../database/entities/subscription.ts';
import { presentAddOns } from '../../wire/subscription/add-ons.ts';
import { planUpdateView, presentPlanUpdate } from '../../wire/subscription/plan-update.ts';
import { eventCustomer, publishedCustomer } from '../parties.ts';
import { publishedSubscription, subscription } from './objects.ts';

export const planChangedData = z.strictObject({
  subscription: subscription.meta({ description: 'With its future amount, add-ons and frequency.' }),
  customer: eventCustomer,
  update: z.strictObject(planUpdateView.shape),
});
export type PlanChangedEventData = z.output<typeof planChangedData>;

/** The `data` of `subscription.plan_changed`: the subscription after the change, and the change itself. */
export function planChangedEventData(
  changed: Subscription,
  update: PlanUpdate,
  customer: Customer | null,
  publicUrl: string,
): PlanChangedEventData {
  const { plan, amountCents, cycle } = update;
  return {
    subscription: {
      ...publishedSubscription(changed, publicUrl),
      amount: amountCents,
      addOns: presentAddOns(plan),
      frequency: cycle,
    },
    customer: publishedCustomer(customer),
    update: presentPlanUpdate(update, changed.devMode),
  };
}
