import type { Charge } from '../../database/entities/charge.ts';
import { type Receivable, ReceivableEntity } from '../../database/entities/receivable.ts';
import type { Em } from '../../database/orm.ts';
import type { TakenMoney } from '../../domain/ledger.ts';
import { pendingPartCents } from '../../domain/receivable.ts';
import { mayHaveReceivables, unsettledCentsOf } from './settlement-plan.ts';

/** The receivables of a charge, first installment first; empty if it settles at once. */
export async function receivablesOf(
  em: Em,
  charge: Pick<Charge, 'id' | 'method' | 'installmentsCount'>,
): Promise<Receivable[]> {
  if (!mayHaveReceivables(charge)) return [];
  const inOrder = { disableIdentityMap: true, orderBy: { number: 'asc' } } as const;
  return em.find(ReceivableEntity, { chargeId: charge.id }, inOrder);
}

/** Writes them, if there are any, in the transaction of the payment. */
export async function writeReceivables(em: Em, receivables: readonly Receivable[]): Promise<void> {
  if (receivables.length > 0) await em.insertMany(ReceivableEntity, [...receivables]);
}

/**
 * A part that is taken from a charge, or given back to it, with the share of it that is pending. The caller holds the charge.
 * @param others the charge as it is without this part: before it is taken, or after it is given back.
 */
export async function placedPart(em: Em, others: Charge, taken: TakenMoney): Promise<TakenMoney> {
  if (taken.isSettled) return taken;
  const receivables = await receivablesOf(em, others);
  if (receivables.length === 0) return taken;
  const beforeCents = others.reversedCents - others.reversedFeeCents;
  const partCents = taken.paidCents - taken.feeCents;
  return { ...taken, pendingCents: pendingPartCents(unsettledCentsOf(receivables), beforeCents, partCents) };
}
