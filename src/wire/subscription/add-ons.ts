import { z } from 'zod';
import type { SubscribedPlan } from '../../domain/subscribed-plan.ts';
import { amountCents } from '../fields.ts';

export const addOnsView = z
  .array(z.object({ id: z.string(), quantity: z.int(), unitPrice: amountCents }))
  .meta({
    description:
      'The products that are charged with the plan every cycle, with quantity and price of one unit in cents.',
  });

/** Its add-ons, with the prices that its payer accepted. */
export function presentAddOns({ addOns: charged = [] }: SubscribedPlan): z.output<typeof addOnsView> {
  return charged.map(({ productId, quantity, unitPriceCents }) => ({
    id: productId,
    quantity,
    unitPrice: unitPriceCents,
  }));
}
