import { z } from 'zod';
import type { PlanUpdate } from '../../database/entities/plan-update.ts';
import type { Proration } from '../../domain/proration.ts';
import { amountCents, timestamp } from '../fields.ts';
import { addOnsView, presentAddOns } from './add-ons.ts';

/** When a new plan starts, in the words of the API. */
export const CHANGE_STARTS = ['next_cycle', 'now'] as const;

/** {@link Proration} in the words of the API. */
export const PRORATION_WORDS = [
  'none',
  'difference',
  'full',
] as const satisfies readonly Lowercase<Proration>[];

export const planUpdateView = z
  .object({
    id: z.string(),
    devMode: z.boolean(),
    subscriptionId: z.string(),
    status: z
      .enum(['PENDING', 'APPLIED', 'REPLACED'])
      .meta({ description: '`PENDING` until the next cycle. `APPLIED` from the start if it starts now.' }),
    productId: z.string(),
    quantity: z.int(),
    addOns: addOnsView,
    newAmount: amountCents,
    when: z.enum(CHANGE_STARTS).meta({ description: 'When the new plan starts.' }),
    proration: z
      .enum(PRORATION_WORDS)
      .nullable()
      .meta({ description: 'How a change that starts now is charged; null for the next cycle.' }),
    requestedAt: timestamp,
  })
  .meta({ id: 'PlanUpdate' });

export type ShownPlanUpdate = z.output<typeof planUpdateView>;

/** The response to a plan change (contract section 6). */
export function presentPlanUpdate(update: PlanUpdate, devMode: boolean): ShownPlanUpdate {
  return {
    id: update.id,
    devMode,
    subscriptionId: update.subscriptionId,
    status: update.status,
    productId: update.plan.productId,
    quantity: update.plan.quantity,
    addOns: presentAddOns(update.plan),
    newAmount: update.amountCents,
    when: update.starts === 'NOW' ? 'now' : 'next_cycle',
    proration: update.proration && (update.proration.toLowerCase() as Lowercase<Proration>),
    requestedAt: update.requestedAt.toISOString(),
  };
}
