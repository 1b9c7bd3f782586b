import type { SubAccountId } from './ids.ts';
import type { MovementKind } from './ledger.ts';
import { shareOf } from './money.ts';

/** A part of a PIX payment that goes to a sub-account, as the store ordered it with the charge. */
export interface Split {
  readonly subAccountId: SubAccountId;
  readonly amountCents: number;
}

/** A charge has at most this many splits. */
export const MAX_SPLITS = 20;

/** The smallest withdrawal of a sub-account, with its fee (AbacatePay's public documentation). */
export const MIN_WITHDRAWAL_CENTS = 100;

/**
 * Why a sub-account's money moved: the kind of the movement that it belongs to. A payment and its reversals move it between store
 * and sub-account; a withdrawal takes it out, and its failure or return puts it back.
 */
export const ENTRY_KINDS = [
  'PAYMENT',
  'REFUND_RESERVED',
  'REFUND_FAILED',
  'REFUND_REVIVED',
  'DISPUTE_OPENED',
  'DISPUTE_WON',
  'PAYOUT_RESERVED',
  'PAYOUT_FAILED',
  'PAYOUT_REVIVED',
  'PAYOUT_RETURNED',
] as const satisfies readonly MovementKind[];
export type EntryKind = (typeof ENTRY_KINDS)[number];

/** A sub-account's share of a payment: what it received, what it has given back, and what it has now. */
export interface HeldShare {
  readonly receivedCents: number;
  readonly returnedCents: number;
  readonly balanceCents: number;
}

/**
 * What a sub-account gives back now, so that it has given back its proportion of everything that refunds and disputes have taken of
 * the payment. It never gives more than it has: the store bears the rest. Negative if it gets money back, after a refund failed or a
 * dispute was won.
 */
export function shareToReturnCents(
  { receivedCents, returnedCents, balanceCents }: HeldShare,
  { reversedCents, paidCents }: { readonly reversedCents: number; readonly paidCents: number },
): number {
  const dueCents = shareOf(receivedCents, reversedCents, paidCents) - returnedCents;
  return Math.min(dueCents, balanceCents);
}
