import type { MandateEnd } from './mandate.ts';

/** What follows the last failed attempt at a cycle that the retry policy allows. */
export const DUNNING_ENDS = ['CANCEL', 'PAUSE', 'KEEP_PAST_DUE'] as const;
export type DunningEnd = (typeof DUNNING_ENDS)[number];

/**
 * What happens to cycles whose whole period has passed before they could be charged, after a long dunning or outage.
 * SKIP: they are never charged. CHARGE: they are charged one after the other.
 */
export const MISSED_CYCLES = ['SKIP', 'CHARGE'] as const;
export type MissedCycles = (typeof MISSED_CYCLES)[number];

/** How a store bills, in one environment. */
export interface BillingSettings {
  readonly dunningEnd: DunningEnd;
  readonly missedCycles: MissedCycles;
  /** Whether paid invoices are mailed to their payers. */
  readonly mailsInvoices: boolean;
  /** Whether requests to authorize debits are mailed to their payers. */
  readonly mailsConsents: boolean;
  /** What happens to a subscription whose payer ends the authorization. */
  readonly mandateEnd: MandateEnd;
}

/** The settings of a store that has not changed them. A payer is not charged several times at once without being asked. */
export const DEFAULT_BILLING_SETTINGS: BillingSettings = {
  dunningEnd: 'CANCEL',
  missedCycles: 'SKIP',
  mailsInvoices: false,
  mailsConsents: false,
  mandateEnd: 'CANCEL',
};
