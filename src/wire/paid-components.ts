import { z } from 'zod';
import type { PaidComponents } from '../domain/charge.ts';

/** The parts of a payment in cents. Their sum, less the discount, is the paid amount. */
export const paidComponents = z
  .object({ original: z.int(), interest: z.int(), fine: z.int(), discount: z.int() })
  .meta({ id: 'PaidComponents' });

/** The parts as the API and events show them. */
export function publishedComponents(paid: PaidComponents | null): z.output<typeof paidComponents> | null {
  if (paid === null) return null;
  const { originalCents, interestCents, fineCents, discountCents } = paid;
  return { original: originalCents, interest: interestCents, fine: fineCents, discount: discountCents };
}
