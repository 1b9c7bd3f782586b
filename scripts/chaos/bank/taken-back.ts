import type { BankPayment, BankRefund, BankState } from '../../psp/state.ts';

/** Whether the store requested the refund, rather than the payer's bank (MED). */
export const isAskedFor = ({ kind }: BankRefund): boolean => kind === 'ORIGINAL';

interface TakenBack {
  readonly payment: BankPayment;
  readonly refund: BankRefund;
}

/** Refunds that payers' banks have completed or begun. */
export function takenBack({ payments }: Pick<BankState, 'payments'>): TakenBack[] {
  return Object.values(payments).flatMap((payment) =>
    payment.refunds.filter((refund) => !isAskedFor(refund)).map((refund) => ({ payment, refund })),
  );
}
