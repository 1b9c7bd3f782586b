import { z } from 'zod';
import type { AccountMoney } from '../../database/ledger/clearing.ts';
import { PROVIDER_USES } from '../../domain/provider-use.ts';

/** An account of the store at a provider, and the money that lies there (ours). */
export const accountView = z
  .object({
    id: z.string().meta({ description: 'Of the provider account; `sandbox` in dev mode.' }),
    profile: z.string().nullable().meta({ description: 'The institution.' }),
    serves: z.array(z.enum(PROVIDER_USES)).meta({
      description: 'What new charges and payouts use it for; empty once it was removed.',
    }),
    held: z.int().meta({
      description:
        'Cents that lie there, as far as Recebe has booked them: what was paid at it, less what was sent, refunded or lost ' +
        'from it, with fees and with what is pending or blocked. What was there before, or is moved at the bank, is not in ' +
        'it unless an operator has recorded it.',
    }),
    available: z.int().meta({
      description:
        'Cents of the available balance that lie there, and so can be paid out from there. All accounts together have the ' +
        'whole available balance. Below zero if more was sent from an account than was paid at it.',
    }),
  })
  .meta({ id: 'StoreAccount' });

export function presentAccount(account: AccountMoney): z.output<typeof accountView> {
  const { id, profile, uses, heldCents, availableCents } = account;
  return { id, profile, serves: [...uses], held: heldCents, available: availableCents };
}
