import type { BankCharge, BankPayment, BankTransfer } from '../state.ts';

/*
 * What a system of the bank that lags knows: everything that happened before `until`. Null is something that it does not
 * know at all. Instants are ISO 8601.
 */

export function paymentAsSeen(payment: BankPayment, until: string): BankPayment | null {
  if (payment.paidAt > until) return null;
  const refunds = payment.refunds
    .filter(({ askedAt }) => askedAt <= until)
    .map((refund) =>
      refund.settledAt !== null && refund.settledAt > until
        ? ({ ...refund, status: 'EM_PROCESSAMENTO', settledAt: null, reason: null } as const)
        : refund,
    );
  return { ...payment, refunds };
}

export function transferAsSeen(transfer: BankTransfer, until: string): BankTransfer | null {
  if (transfer.askedAt > until) return null;
  const { returns = [], settledAt, ...rest } = transfer;
  const seen = returns.filter(({ returnedAt }) => returnedAt <= until);
  if (settledAt !== undefined && settledAt > until) return { ...rest, status: 'EM_PROCESSAMENTO' };
  return {
    ...rest,
    ...(settledAt !== undefined && { settledAt }),
    ...(seen.length > 0 && { returns: seen }),
  };
}

/** A charge is CONCLUIDA once one of its payments is known. Removals are known at once. */
export function chargeAsSeen(
  charge: BankCharge,
  payments: readonly BankPayment[],
  until: string,
): { readonly charge: BankCharge; readonly payments: readonly BankPayment[] } | null {
  if (charge.createdAt > until) return null;
  const seen = payments.map((payment) => paymentAsSeen(payment, until)).filter((each) => each !== null);
  const isUnpaid = charge.status === 'CONCLUIDA' && seen.length === 0;
  return { charge: isUnpaid ? { ...charge, status: 'ATIVA' } : charge, payments: seen };
}
