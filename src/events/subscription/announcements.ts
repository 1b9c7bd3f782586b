import { z } from 'zod';
import type { Customer } from '../../database/entities/customer.ts';
import type { Subscription } from '../../database/entities/subscription.ts';
import { amountCents, timestamp } from '../../wire/fields.ts';
import { eventCustomer, publishedCustomer } from '../parties.ts';
import { trialData, trialEventData } from './data.ts';
import { publishedSubscription, subscription } from './objects.ts';

const nextCycle = z
  .strictObject({
    number: z.int(),
    startsAt: timestamp.meta({ description: 'When it will be charged.' }),
    amount: amountCents.meta({
      description: 'Cents of the next charge as of now: the plan or the scheduled change, with usage so far.',
    }),
  })
  .meta({ id: 'EventNextCycle' });

/** The price of the next cycle in cents, as of now. */
function publishedNextCycle(
  { cycleNumber, cycleEndsAt }: Subscription,
  cents: number,
): z.output<typeof nextCycle> {
  return { number: cycleNumber + 1, startsAt: cycleEndsAt.toISOString(), amount: cents };
}

export const upcomingData = z.strictObject({ subscription, customer: eventCustomer, nextCycle });
export type UpcomingEventData = z.output<typeof upcomingData>;

/** The `data` of `subscription.upcoming`. @param nextAmountCents the price of the next cycle as of now. */
export function upcomingEventData(
  charged: Subscription,
  nextAmountCents: number,
  customer: Customer | null,
): UpcomingEventData {
  return {
    subscription: publishedSubscription(charged),
    customer: publishedCustomer(customer),
    nextCycle: publishedNextCycle(charged, nextAmountCents),
  };
}

export const trialEndingData = trialData.extend({ nextCycle });
export type TrialEndingEventData = z.output<typeof trialEndingData>;

/** The `data` of `subscription.trial_ending`. @param nextAmountCents as above. */
export function trialEndingEventData(
  ending: Subscription,
  nextAmountCents: number,
  customer: Customer | null,
): TrialEndingEventData {
  return { ...trialEventData(ending, customer), nextCycle: publishedNextCycle(ending, nextAmountCents) };
}
