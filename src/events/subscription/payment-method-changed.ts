import { z } from 'zod';
import type { Subscription } from '../../database/entities/subscription.ts';
import { METHOD_TRAITS } from '../../domain/payment-methods.ts';
import { cardView, presentCard } from '../../wire/card.ts';
import { eventCustomer } from '../parties.ts';
import { subscription } from './objects.ts';

const eventCard = z.strictObject(cardView.shape);

export const paymentMethodChangedData = z.strictObject({
  subscription,
  customer: eventCustomer,
  card: eventCard
    .nullable()
    .meta({ id: 'EventNewCard', description: 'The card of later charges; null if they are paid by PIX.' }),
  previousCard: eventCard.nullable().meta({
    id: 'EventPreviousCard',
    description: 'The card that was replaced; null if the subscription was paid by PIX.',
  }),
});
export type PaymentMethodChangedEventData = z.output<typeof paymentMethodChangedData>;

/** What pays a subscription now, and what has paid it before, as events show it. */
export function methodsOfChange(
  changed: Subscription,
  before: Subscription,
): Pick<PaymentMethodChangedEventData, 'card' | 'previousCard'> {
  return { card: cardOf(changed), previousCard: cardOf(before) };
}

function cardOf(subscription: Subscription) {
  return METHOD_TRAITS[subscription.method].keepsInstrument ? presentCard(subscription) : null;
}
