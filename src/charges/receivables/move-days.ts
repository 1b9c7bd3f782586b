import { type Charge, ChargeEntity } from '../../database/entities/charge.ts';
import { type Receivable, ReceivableEntity } from '../../database/entities/receivable.ts';
import type { Em } from '../../database/orm.ts';
import { type ReceivablePart, withFees } from '../../domain/receivable.ts';
import type { ProviderPayment } from '../../providers/ports/payment.ts';
import type { ChargeDeps } from '../effects.ts';
import { lockCharge } from '../load-charge.ts';
import { receivablesOf, writeReceivables } from './receivable-rows.ts';
import { mayHaveReceivables, receivableOf } from './settlement-plan.ts';

/**
 * Takes over the days that a provider names for the installments of an accepted payment, such as an earlier one after an
 * anticipation. Installments that have settled stay as they are. A payment that was accepted before its days were known gets its
 * receivables now. May be repeated.
 */
export async function followInstallmentDays(
  deps: ChargeDeps,
  em: Em,
  charge: Charge,
  payment: ProviderPayment,
  now: Date,
): Promise<void> {
  const { installments = [] } = payment;
  if (installments.length < 2 || !mayHaveReceivables(charge)) return;
  const next = await em.transactional((tx) => move(tx, charge, installments, now));
  if (next !== null) await deps.startSettlement(charge, next);
}

/** @returns the day on which the next part settles; null if nothing is to settle. */
async function move(
  em: Em,
  { id }: Charge,
  installments: NonNullable<ProviderPayment['installments']>,
  now: Date,
): Promise<Date | null> {
  const charge = await lockCharge(em, id);
  const { paidAmountCents, settledAt, settlesAt } = charge;
  const paidCents = installments.reduce((sum, { amountCents }) => sum + amountCents, 0);
  if (settledAt !== null || settlesAt === null || paidCents !== paidAmountCents) return null;
  const parts = withFees(installments, charge.platformFeeCents);
  const known = await receivablesOf(em, charge);
  const receivables = known.length > 0 ? await moveEach(em, known, parts) : await begin(em, charge, parts);
  const pending = receivables.filter((each) => each.settledAt === null).map((each) => each.settlesAt);
  if (pending.length === 0) return null;
  const next = new Date(Math.min(...pending.map((day) => day.getTime())));
  if (next.getTime() !== settlesAt.getTime())
    await em.nativeUpdate(ChargeEntity, { id }, { settlesAt: next, updatedAt: now });
  return charge.status === 'PAID' && charge.refundId === null ? next : null;
}

async function begin(em: Em, charge: Charge, parts: readonly ReceivablePart[]): Promise<Receivable[]> {
  const receivables = parts.map((part, index) => receivableOf(charge, part, index + 1, null));
  await writeReceivables(em, receivables);
  return receivables;
}

async function moveEach(
  em: Em,
  known: readonly Receivable[],
  parts: readonly ReceivablePart[],
): Promise<Receivable[]> {
  return Promise.all(
    known.map(async (receivable, index) => {
      const { id, settledAt } = receivable;
      const settlesAt = parts[index]?.settlesAt;
      if (settledAt !== null || settlesAt === undefined) return receivable;
      if (settlesAt.getTime() === receivable.settlesAt.getTime()) return receivable;
      await em.nativeUpdate(ReceivableEntity, { id, settledAt: null }, { settlesAt });
      return { ...receivable, settlesAt };
    }),
  );
}
