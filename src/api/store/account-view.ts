import { z } from 'zod';
import { PROVIDER_USES } from '../../domain/provider-use.ts';
import type { AccountMoney } from '../../ledger/clearing.ts';

/** An account of the store at a provider, with the money there (our addition). */
export const accountView = z
  .object({
    id: z.string().meta({ description: 'The provider account; `sandbox` in dev mode.' }),
    profile: z.string().nullable().meta({ description: 'The institution.' }),
    serves: z.array(z.enum(PROVIDER_USES)).meta({
      description: 'The new charges and payouts that use it; empty once it was removed.',
    }),
    held: z.int().meta({
      description:
        'Cents at the account as booked by Recebe: payments minus payouts, refunds, lost disputes and ' +
        'fees, including pending and blocked amounts. Earlier money, and transfers made at the bank, are not ' +
        'included unless an operator has recorded them.',
    }),
    available: z.int().meta({
      description:
        'Cents of the available balance at this account, which can be paid out from it. The accounts together have the ' +
        'whole available balance. Negative if more was sent from the account than was paid to it.',
    }),
  })
  .meta({ id: 'StoreAccount' });

export function presentAccount(account: AccountMoney): z.output<typeof accountView> {
  const { id, profile, uses, heldCents, availableCents } = account;
  return { id, profile, serves: [...uses], held: heldCents, available: availableCents };
}
