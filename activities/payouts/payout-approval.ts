import { type Payout, PayoutEntity } from '../../src/database/entities/payout.ts';
import type { Em } from '../../src/database/orm.ts';
import { type ApprovalStatus, isReleasedWhenDue } from '../../src/domain/payout-controls.ts';
import type { TransferAnswer } from '../../src/providers/provider.ts';

/** Why a payout failed that was not approved, where a provider's word stands otherwise. */
const FAILURES = { REJECTED: 'approval_rejected', EXPIRED: 'approval_expired' } as const;

/**
 * What the approval of a payout says before its provider is asked. A decision is final, so a run that repeats this gets
 * the same answer. Of a person who decides at the moment the time is over, the first one is kept.
 * @returns null if the money may be sent.
 */
export async function answerOfApproval(
  em: Em,
  payout: Payout,
  now: Date,
): Promise<Exclude<TransferAnswer, { readonly outcome: 'COMPLETE' }> | null> {
  const approval = payout.approval === 'WAITING' ? await approvalAt(em, payout, now) : payout.approval;
  if (approval === 'WAITING') return { outcome: 'PENDING' };
  if (approval === 'REJECTED' || approval === 'EXPIRED')
    return { outcome: 'FAILED', reason: FAILURES[approval] };
  return null;
}

/** Releases or expires a payout whose time is over. */
async function approvalAt(em: Em, payout: Payout, now: Date): Promise<ApprovalStatus | null> {
  const { id, approvalReasons, approvalDueAt } = payout;
  if (approvalDueAt === null || now < approvalDueAt) return 'WAITING';
  const approval = isReleasedWhenDue(approvalReasons ?? ['AMOUNT']) ? 'RELEASED' : 'EXPIRED';
  const waiting = { id, approval: 'WAITING' as const };
  const change = { approval, approvalDecidedAt: now } as const;
  if ((await em.nativeUpdate(PayoutEntity, waiting, change)) === 1) return approval;
  return (await em.findOneOrFail(PayoutEntity, { id }, { disableIdentityMap: true })).approval;
}
