import type { PixKeyType } from './pix-key.ts';

/** A payout goes to the store's own account, a transfer to anybody's PIX key. */
export const PAYOUT_KINDS = ['PAYOUT', 'TRANSFER'] as const;
export type PayoutKind = (typeof PAYOUT_KINDS)[number];

/**
 * Contract section 7, "payout" and "transfer". PENDING until the provider has said how it ended. REFUNDED once the
 * payee's bank has sent all of it back.
 */
export const PAYOUT_STATUSES = ['PENDING', 'COMPLETE', 'FAILED', 'REFUNDED'] as const;
export type PayoutStatus = (typeof PAYOUT_STATUSES)[number];

/** The smallest payout (contract section 3). */
export const MIN_PAYOUT_CENTS = 350;

/** A store may create one payout in this time (contract section 1, "Rate limit"). */
export const PAYOUT_INTERVAL_MS = 60_000;

/** What the platform takes for sending money: nothing. Kept per payout, so that a price can come. */
export const PAYOUT_FEE_CENTS = 0;

/** Where a transfer goes. */
export interface PixDestination {
  readonly type: PixKeyType;
  readonly key: string;
  /** What the payee recognises the payment by, from a BR Code. Null, or left out, if the payment carries none. */
  readonly txid?: string | null;
}
