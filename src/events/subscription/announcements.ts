import { z } from 'zod';
import type { Customer } from '../../database/entities/customer.ts';
import type { Debit } from '../../database/entities/debit.ts';
import type { Subscription } from '../../database/entities/subscription.ts';
import { type ExpiryAnnouncedDays, lastValidDay, shownExpiry } from '../../domain/card-expiry.ts';
import { amountCents, timestamp } from '../../wire/fields.ts';
import { eventCustomer, publishedCustomer } from '../parties.ts';
import { eventDebit, publishedDebit } from './debit.ts';
import { publishedSubscription, subscription } from './objects.ts';
import { trialData, trialEventData } from './trial-started.ts';

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

export const upcomingData = z.strictObject({
  subscription,
  customer: eventCustomer,
  nextCycle,
  debit: eventDebit,
});
export type UpcomingEventData = z.output<typeof upcomingData>;

/**
 * The `data` of `subscription.upcoming`.
 * @param nextAmountCents the price of the next cycle as of now.
 * @param debit the debit that was ordered for it; null without one.
 */
export function upcomingEventData(
  charged: Subscription,
  nextAmountCents: number,
  customer: Customer | null,
  publicUrl: string,
  debit: Debit | null,
): UpcomingEventData {
  return {
    subscription: publishedSubscription(charged, publicUrl),
    customer: publishedCustomer(customer),
    nextCycle: publishedNextCycle(charged, nextAmountCents),
    debit: publishedDebit(debit),
  };
}

const expiringCard = z
  .strictObject({
    brand: z.string().nullable(),
    lastFour: z.string().nullable(),
    expiryMonth: z.int().nullable(),
    expiryYear: z.int().nullable(),
    lastDay: z.string().meta({ description: 'The last day on which the card is valid, in São Paulo.' }),
  })
  .meta({ id: 'EventExpiringCard' });

export const cardExpiringData = z.strictObject({
  subscription,
  customer: eventCustomer,
  card: expiringCard,
  daysBefore: z.int().meta({
    description: 'Which announcement this is: 30 or 7. `card.lastDay` may be closer.',
  }),
});
export type CardExpiringEventData = z.output<typeof cardExpiringData>;

/** The `data` of `subscription.card_expiring`. */
export function cardExpiringEventData(
  paying: Subscription,
  customer: Customer | null,
  daysBefore: ExpiryAnnouncedDays,
  publicUrl: string,
): CardExpiringEventData {
  const { id, cardBrand: brand, cardLastFour: lastFour, cardExpiryMonth } = paying;
  if (cardExpiryMonth === null) throw new Error(`${id} has no card that expires`);
  return {
    subscription: publishedSubscription(paying, publicUrl),
    customer: publishedCustomer(customer),
    card: { brand, lastFour, ...shownExpiry(cardExpiryMonth), lastDay: lastValidDay(cardExpiryMonth) },
    daysBefore,
  };
}

export const trialEndingData = trialData.extend({ nextCycle });
export type TrialEndingEventData = z.output<typeof trialEndingData>;

/** The `data` of `subscription.trial_ending`. @param nextAmountCents as above. */
export function trialEndingEventData(
  ending: Subscription,
  nextAmountCents: number,
  customer: Customer | null,
  publicUrl: string,
): TrialEndingEventData {
  return {
    ...trialEventData(ending, customer, publicUrl),
    nextCycle: publishedNextCycle(ending, nextAmountCents),
  };
}
