import type { PayoutControls } from './payout-controls.ts';

const HOUR_MS = 60 * 60 * 1_000;

/**
 * Why a payout waits: it is larger than `approvalAboveCents`, its PIX key is new, or its creator lost the right to send it
 * while it waited for a new PIX key.
 */
export const APPROVAL_REASONS = ['AMOUNT', 'NEW_PAYEE', 'LOST_AUTHORITY'] as const;
export type ApprovalReason = (typeof APPROVAL_REASONS)[number];

/** RELEASED: the wait for a new PIX key is over. EXPIRED: nobody approved it in time. */
export const APPROVAL_STATUSES = ['WAITING', 'APPROVED', 'RELEASED', 'REJECTED', 'EXPIRED'] as const;
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

/** A payout that nobody approved within this time fails. */
export const APPROVAL_LASTS_HOURS = 72;

/** The reasons why a payout waits, and until when. */
export interface ApprovalNeeded {
  readonly reasons: readonly ApprovalReason[];
  readonly dueAt: Date;
}

/** Whether a payout that waits for these reasons is sent after its time limit. Otherwise it fails then. */
export function isReleasedWhenDue(reasons: readonly ApprovalReason[]): boolean {
  return reasons.every((reason) => reason === 'NEW_PAYEE');
}

/** @returns why a payout must wait; null if it may be sent at once. */
export function approvalNeededBy(
  { approvalAboveCents, newPayeeWaitHours }: PayoutControls,
  payout: { readonly amountCents: number; readonly isToNewPayee: boolean; readonly createdAt: Date },
): ApprovalNeeded | null {
  const reasons: ApprovalReason[] = [];
  if (approvalAboveCents !== null && payout.amountCents > approvalAboveCents) reasons.push('AMOUNT');
  if (newPayeeWaitHours !== null && payout.isToNewPayee) reasons.push('NEW_PAYEE');
  if (reasons.length === 0) return null;
  const hours = isReleasedWhenDue(reasons) ? (newPayeeWaitHours ?? 0) : APPROVAL_LASTS_HOURS;
  return { reasons, dueAt: hoursAfter(payout.createdAt, hours) };
}

/** @param hours negative for an earlier instant. */
export function hoursAfter(at: Date, hours: number): Date {
  return new Date(at.getTime() + hours * HOUR_MS);
}
