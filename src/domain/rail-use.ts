import { PAYMENT_METHODS } from './charge.ts';

/** What a payment rail is used for: to be paid in one way, or to send money. */
export const RAIL_USES = [...PAYMENT_METHODS, 'PAYOUT'] as const;
export type RailUse = (typeof RAIL_USES)[number];
