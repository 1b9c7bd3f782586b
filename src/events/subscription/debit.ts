import { z } from 'zod';
import type { Charge } from '../../database/entities/charge.ts';
import { type Debit, DebitEntity } from '../../database/entities/debit.ts';
import type { Em } from '../../database/orm.ts';
import { isDebit, wasPaid } from '../../domain/charge.ts';
import { debitFields, presentDebit } from '../../wire/debit.ts';

export const eventDebit = z
  .strictObject({ ...debitFields.shape, mandateId: z.string() })
  .nullable()
  .meta({
    id: 'EventDebit',
    description: 'The debit by PIX of that cycle; null if it is paid in another way.',
  });

export function publishedDebit(debit: Debit | null): z.output<typeof eventDebit> {
  return debit && { ...presentDebit(debit), mandateId: debit.mandateId };
}

/** The debit that pays a charge; null without one. Its row follows its charge: it has ended as the charge has. */
export async function debitOf(em: Em, charge: Charge | null): Promise<Debit | null> {
  if (charge === null || !isDebit(charge)) return null;
  const debit = await em.findOneOrFail(DebitEntity, { id: charge.id }, { disableIdentityMap: true });
  if (debit.status !== 'BEGUN' || charge.status === 'PENDING') return debit;
  return { ...debit, status: wasPaid(charge.status) ? 'PAID' : 'FAILED' };
}
