import { z } from 'zod';
import type { SavedCard } from '../../database/entities/saved-card.ts';
import { cardView, presentCard } from '../../wire/card.ts';
import { idText, timestamp } from '../../wire/fields.ts';

export const exampleSavedCardId = 'scrd_01KAK0Y3PX7V4T6R2W9ZB5XHMD';
export const exampleCardCustomerId = 'cust_01KAK0Y3PN5C7D9E1F2G3H4J5K';

/** A saved card (our addition). */
export const savedCardView = z
  .object({
    id: z
      .string()
      .meta({ description: 'The `cardToken` of `transparents/create` and `checkouts/one-click`.' }),
    customerId: z.string(),
    card: cardView,
    devMode: z.boolean(),
    createdAt: timestamp,
  })
  .meta({ id: 'SavedCard' });
export type ShownSavedCard = z.output<typeof savedCardView>;

export const listSavedCardsQuery = z.object({
  customerId: idText(exampleCardCustomerId).meta({ description: "The customer's id." }),
});

export const savedCardIdBody = z.strictObject({ id: idText(exampleSavedCardId) });

export function presentSavedCard(saved: SavedCard): ShownSavedCard {
  const { id, customerId, devMode, brand, lastFour, expiryMonth, createdAt } = saved;
  const card = presentCard({ cardBrand: brand, cardLastFour: lastFour, cardExpiryMonth: expiryMonth });
  return { id, customerId, card, devMode, createdAt: createdAt.toISOString() };
}

export const exampleSavedCard: ShownSavedCard = {
  id: exampleSavedCardId,
  customerId: exampleCardCustomerId,
  card: { brand: 'visa', lastFour: '4242', expiryMonth: 12, expiryYear: 2040 },
  devMode: true,
  createdAt: '2026-12-04T14:22:08.120Z',
};
