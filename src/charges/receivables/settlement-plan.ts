import type { Charge } from '../../database/entities/charge.ts';
import type { Receivable } from '../../database/entities/receivable.ts';
import { METHOD_TRAITS } from '../../domain/payment-methods.ts';
import { type ReceivablePart, withFees } from '../../domain/receivable.ts';
import type { ProviderPayment } from '../../providers/ports/payment.ts';
import { settlesAtOf } from '../methods/settles-at.ts';
import { isMoneyAvailable } from './is-money-available.ts';

/** When a payment becomes available to the store. */
export interface SettlementPlan {
  /** Of the next part that is pending; of the last one if none is. */
  readonly settlesAt: Date;
  /** Null while a part is pending. */
  readonly settledAt: Date | null;
  /** One per installment, in order; empty if the payment settles at once. */
  readonly receivables: readonly Receivable[];
}

/** The plan of a payment that is being accepted at `now` (contract section 4, "Settlement"). */
export function settlementPlanOf(
  charge: Charge,
  payment: Pick<ProviderPayment, 'settlesAt' | 'installments'> | null,
  paidAt: Date,
  now: Date,
): SettlementPlan {
  const parts = withFees(payment?.installments ?? [], charge.platformFeeCents);
  if (parts.length === 0 || !mayHaveReceivables(charge)) {
    const settlesAt = settlesAtOf(charge, payment, paidAt);
    return { settlesAt, settledAt: isMoneyAvailable(settlesAt, paidAt, now) ? now : null, receivables: [] };
  }
  const days = parts.map(({ settlesAt }) => settlesAt).toSorted((one, other) => Number(one) - Number(other));
  const next = days.find((day) => day > now);
  return {
    settlesAt: next ?? new Date(Math.max(...days.map(Number))),
    settledAt: next === undefined ? now : null,
    receivables: parts.map((part, index) => receivableOf(charge, part, index + 1, now)),
  };
}

/** A receivable that is settled if its day has come. */
export function receivableOf(
  { id: chargeId, storeId, devMode }: Pick<Charge, 'id' | 'storeId' | 'devMode'>,
  { amountCents: grossCents, feeCents, settlesAt }: ReceivablePart,
  number: number,
  now: Date | null,
): Receivable {
  const settledAt = now !== null && settlesAt <= now ? now : null;
  return {
    ...{ id: `${chargeId}/${number}`, chargeId, storeId, devMode, number },
    ...{ grossCents, feeCents, settlesAt, settledAt },
  };
}

/** Spares all other charges, above all those of PIX, a look for rows that they never have. */
export function mayHaveReceivables({
  method,
  installmentsCount,
}: Pick<Charge, 'method' | 'installmentsCount'>): boolean {
  return METHOD_TRAITS[method].takesInstallments && (installmentsCount ?? 1) > 1;
}

/** The store's share of what has not settled, before reversals. */
export function unsettledCentsOf(receivables: readonly Receivable[]): number {
  return receivables
    .filter(({ settledAt }) => settledAt === null)
    .reduce((sum, { grossCents, feeCents }) => sum + grossCents - feeCents, 0);
}
