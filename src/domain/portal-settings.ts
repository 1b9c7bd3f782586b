import type { ProductId } from './ids.ts';

/** How payers may cancel: not at all, with the current cycle, or at once as well. */
export const PORTAL_CANCELLATIONS = ['NEVER', 'AT_PERIOD_END', 'NOW'] as const;
export type PortalCancellation = (typeof PORTAL_CANCELLATIONS)[number];

/** What a store lets its payers do in the customer portal, in one environment. */
export interface PortalSettings {
  readonly cancellation: PortalCancellation;
  /** Whether payers may undo a scheduled cancellation. */
  readonly undoesCancellation: boolean;
  /** The longest pause that payers may choose; null if they may not pause. */
  readonly longestPauseDays: number | null;
  /** Whether payers may replace the card of a subscription. */
  readonly changesCard: boolean;
  /** Whether payers may change between card and PIX, if the store takes both. */
  readonly changesMethod: boolean;
  /** Whether customers may change their name, telephone and CEP. */
  readonly changesDetails: boolean;
  /** Whether customers may change their e-mail address, which proves who they are. */
  readonly changesEmail: boolean;
  /** Whether payers may ask for a refund, which a person at the store then decides. */
  readonly asksForRefunds: boolean;
  /** The plans that payers may change to; none if they may not change their plan. */
  readonly offeredPlanIds: readonly ProductId[];
  /** Whether a more expensive plan of the same frequency starts at once, for the difference. All others start with the next cycle. */
  readonly upgradesAtOnce: boolean;
}

/** A page of plans that a payer can still compare. */
export const MOST_OFFERED_PLANS = 20;

/** A pause of a year is the longest that a store can allow. */
export const MOST_PAUSE_DAYS = 366;

/**
 * The settings of a store that has not changed them. Nobody gets money back or uses something unpaid by these actions: the
 * payer leaves with the end of what they paid for, returns, or pays with another card.
 */
export const DEFAULT_PORTAL_SETTINGS: PortalSettings = {
  cancellation: 'AT_PERIOD_END',
  undoesCancellation: true,
  longestPauseDays: null,
  changesCard: true,
  changesMethod: false,
  changesDetails: false,
  changesEmail: false,
  asksForRefunds: false,
  offeredPlanIds: [],
  upgradesAtOnce: false,
};
