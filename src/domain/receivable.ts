import { shareOf } from './money.ts';

/** A part of a payment that its provider pays out on a day of its own. */
export interface PaidPart {
  readonly amountCents: number;
  readonly settlesAt: Date;
}

/** A part of a paid charge as the ledger sees it. Its share of the store is what was paid less the fee. */
export interface ReceivablePart extends PaidPart {
  readonly feeCents: number;
}

/**
 * Divides the platform's fee over the parts of a payment in proportion to them, so that the sum is exact and no part has a
 * higher fee than its amount.
 * @returns the parts in the same order; empty if there is only one, or if the fee takes the whole payment.
 */
export function withFees(parts: readonly PaidPart[], feeCents: number): ReceivablePart[] {
  const total = parts.reduce((sum, { amountCents }) => sum + amountCents, 0);
  if (parts.length < 2 || total <= feeCents || parts.some(({ amountCents }) => amountCents <= 0)) return [];
  let before = 0;
  return parts.map((part) => {
    const begun = shareOf(feeCents, before, total);
    before += part.amountCents;
    return { ...part, feeCents: shareOf(feeCents, before, total) - begun };
  });
}

/**
 * The share of reversed money that lies in the pending account. Refunds and disputes take money that has not settled first,
 * and settled money only when no other is left.
 *
 * @param unsettledCents the store's share of the parts that have not settled, before reversals.
 * @param beforeCents the store's share of all other reversals.
 * @param partCents the store's share of this one.
 */
export function pendingPartCents(unsettledCents: number, beforeCents: number, partCents: number): number {
  const left = (reversedCents: number) => Math.max(0, unsettledCents - reversedCents);
  return left(beforeCents) - left(beforeCents + partCents);
}
