import { z } from 'zod';
import type { Customer } from '../../database/entities/customer.ts';
import type { Subscription } from '../../database/entities/subscription.ts';
import { timestamp } from '../../wire/fields.ts';
import { eventCustomer, publishedCustomer } from '../parties.ts';
import { publishedSubscription, subscription } from './objects.ts';

export const trialData = z.strictObject({
  subscription: subscription.extend({ trialDays: z.int(), trialEndsAt: timestamp }),
  customer: eventCustomer,
  installmentNumber: z.literal(0).meta({ description: 'The trial is cycle 0.' }),
});
export type TrialEventData = z.output<typeof trialData>;

/** The `data` of `subscription.trial_started`. */
export function trialEventData(
  started: Subscription,
  customer: Customer | null,
  publicUrl: string,
): TrialEventData {
  const { id, trialDays, trialEndsAt } = started;
  if (trialDays === null || trialEndsAt === null) throw new Error(`${id} has no trial`);
  return {
    subscription: {
      ...publishedSubscription(started, publicUrl),
      trialDays,
      trialEndsAt: trialEndsAt.toISOString(),
    },
    customer: publishedCustomer(customer),
    installmentNumber: 0,
  };
}
