import type { MandateTerms } from '../ports/mandates.ts';

/** As Bacen's, except that any store may receive debits. */
export const SANDBOX_MANDATE_TERMS: MandateTerms = {
  periodicities: ['WEEKLY', 'MONTHLY', 'QUARTERLY', 'SEMIANNUALLY', 'ANNUALLY'],
  noticeDays: { most: 10, least: 2 },
  retries: { most: 3, withinDays: 7 },
  codes: ['CONSENT', 'CHARGE_AND_CONSENT'],
  amounts: ['FIXED', 'VARIABLE'],
  receivers: 'ANY',
};

/** Bacen's codes: no balance; above what the payer allows; rejected by the payer; cancelled by the payer, or by the store. */
export const CODES = {
  NO_BALANCE: 'AM04',
  ABOVE_CEILING: 'AM02',
  REFUSED: 'AP13',
  CANCELLED: 'SLCR',
  CANCELLED_BY_STORE: 'CPCL',
};
