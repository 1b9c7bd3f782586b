import type { SubAccountId } from './ids.ts';
import type { PixKeyType } from './pix-key.ts';

/** A payout goes to the store's own account, a transfer to any PIX key. */
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

/** The platform's fee for sending money: none. Stored per payout, so that a fee can be introduced. */
export const PAYOUT_FEE_CENTS = 0;

/** What a payout's request and answers call its amount: the fee is charged in addition, but is a part of what a sub-account withdraws. */
export function requestedCentsOf(payout: {
  readonly subAccountId: SubAccountId | null;
  readonly amountCents: number;
  readonly platformFeeCents: number;
}): number {
  const { subAccountId, amountCents, platformFeeCents } = payout;
  return subAccountId === null ? amountCents : amountCents + platformFeeCents;
}

/** Where a transfer goes. */
export interface PixDestination {
  readonly type: PixKeyType;
  readonly key: string;
  /** The BR Code's txid, by which the payee identifies the payment. Null or absent if the payment carries none. */
  readonly txid?: string | null;
}
