import { z } from 'zod';
import type { Balance } from '../../ledger/balance.ts';

export const balanceView = z
  .object({
    available: z.int().meta({
      description: 'Cents that can be paid out now; negative if disputes block more than the balance.',
    }),
    pending: z.int().meta({ description: 'Cents of payments that have not settled yet, after fees.' }),
    blocked: z.int().meta({ description: 'Cents of payments under dispute.' }),
  })
  .meta({ id: 'Balance' });
export type ShownBalance = z.output<typeof balanceView>;

export function presentBalance({ availableCents, pendingCents, blockedCents }: Balance): ShownBalance {
  return { available: availableCents, pending: pendingCents, blocked: blockedCents };
}
