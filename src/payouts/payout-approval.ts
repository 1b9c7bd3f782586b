import { type Payout, PayoutEntity } from '../database/entities/payout.ts';
import type { Em } from '../database/orm.ts';
import { type ApprovalStatus, isReleasedWhenDue } from '../domain/payout-approval.ts';

/** An approval and when it was decided: by a person, an API key or the time limit. */
interface Decision {
  /** Null for a payout that needs none. */
  readonly approval: ApprovalStatus | null;
  readonly decidedAt: Date | null;
}

/**
 * The approval of a payout at this time. After its time limit it is released or expires. A decision is final, so a
 * run that repeats this gets the same one. If a person decides at the moment of the time limit, the first decision
 * wins.
 */
export async function approvalAt(em: Em, payout: Payout, now: Date): Promise<Decision> {
  const { id, approval, approvalReasons, approvalDueAt } = payout;
  if (approval !== 'WAITING' || approvalDueAt === null || now < approvalDueAt) return decisionOf(payout);
  const due = isReleasedWhenDue(approvalReasons ?? ['AMOUNT']) ? 'RELEASED' : 'EXPIRED';
  const waiting = { id, approval: 'WAITING' as const };
  const change = { approval: due, approvalDecidedAt: now } as const;
  if ((await em.nativeUpdate(PayoutEntity, waiting, change)) === 1) return { approval: due, decidedAt: now };
  return decisionOf(await em.findOneOrFail(PayoutEntity, { id }, { disableIdentityMap: true }));
}

function decisionOf({ approval, approvalDecidedAt }: Payout): Decision {
  return { approval, decidedAt: approvalDecidedAt };
}
