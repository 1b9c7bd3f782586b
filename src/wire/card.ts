import { z } from 'zod';
import type { Charge } from '../database/entities/charge.ts';
import { shownExpiry } from '../domain/card-expiry.ts';

/** A card in responses: nothing of it can be charged. */
export const cardView = z
  .object({
    brand: z.string().nullable(),
    lastFour: z.string().nullable(),
    expiryMonth: z.int().nullable().meta({ description: '1 to 12; null if unknown.' }),
    expiryYear: z.int().nullable(),
  })
  .meta({ id: 'Card' });
export type ShownCard = z.output<typeof cardView>;

/** The card of a charge or subscription. */
export function presentCard({
  cardBrand: brand,
  cardLastFour: lastFour,
  cardExpiryMonth,
}: Pick<Charge, 'cardBrand' | 'cardLastFour' | 'cardExpiryMonth'>): ShownCard {
  return { brand, lastFour, ...shownExpiry(cardExpiryMonth) };
}
