import { z } from 'zod';
import type { Customer } from '../../database/entities/customer.ts';
import type { Subscription } from '../../database/entities/subscription.ts';
import { cardView, presentCard } from '../../wire/card.ts';
import { eventCustomer, publishedCustomer } from '../parties.ts';
import { publishedSubscription, subscription } from './objects.ts';

export const cardUpdatedData = z.strictObject({
  subscription,
  customer: eventCustomer,
  card: z.strictObject(cardView.shape).meta({ id: 'EventCard', description: 'The card as it is now.' }),
});
export type CardUpdatedEventData = z.output<typeof cardUpdatedData>;

/** The `data` of `subscription.card_updated`. */
export function cardUpdatedEventData(
  renewed: Subscription,
  customer: Customer | null,
  publicUrl: string,
): CardUpdatedEventData {
  return {
    subscription: publishedSubscription(renewed, publicUrl),
    customer: publishedCustomer(customer),
    card: presentCard(renewed),
  };
}
