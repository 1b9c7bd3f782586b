import type { BankPayment, BankRefund, BankState } from '../../psp/state.ts';

/** Whether a store asked for it, and not the payer's bank (MED). */
export const isAskedFor = ({ kind }: BankRefund): boolean => kind === 'ORIGINAL';

interface TakenBack {
  readonly payment: BankPayment;
  readonly refund: BankRefund;
}

/** What payers' banks have taken back, or are about to. */
export function takenBack({ payments }: Pick<BankState, 'payments'>): TakenBack[] {
  return Object.values(payments).flatMap((payment) =>
    payment.refunds.filter((refund) => !isAskedFor(refund)).map((refund) => ({ payment, refund })),
  );
}
