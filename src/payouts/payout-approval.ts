import { type Payout, PayoutEntity } from '../database/entities/payout.ts';
import type { Em } from '../database/orm.ts';
import {
  APPROVAL_LASTS_HOURS,
  type ApprovalStatus,
  hoursAfter,
  isReleasedWhenDue,
} from '../domain/payout-approval.ts';
import { holdCreatorAuthority } from './money-authority.ts';

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
  // A run that has read the row before it was held changes nothing: the held row is not due.
  const due = { id, approval: 'WAITING' as const, approvalDueAt: { $lte: now } };
  if (isReleasedWhenDue(approvalReasons ?? ['AMOUNT']))
    await em.transactional(async (tx) => {
      const isAllowed = await holdCreatorAuthority(tx, payout, new Date());
      await tx.nativeUpdate(PayoutEntity, due, isAllowed ? decided('RELEASED', now) : held(payout, now));
    });
  else await em.nativeUpdate(PayoutEntity, due, decided('EXPIRED', now));
  return decisionOf(await em.findOneOrFail(PayoutEntity, { id }, { disableIdentityMap: true }));
}

function decided(approval: 'RELEASED' | 'EXPIRED', now: Date) {
  return { approval, approvalDecidedAt: now };
}

/**
 * From now on it waits for a person, like a payout over the amount that needs an approval. If its run is lost, the sweeper starts
 * another one at the new time limit.
 */
function held({ approvalReasons }: Payout, now: Date) {
  return {
    approvalReasons: [...(approvalReasons ?? []), 'LOST_AUTHORITY' as const],
    approvalDueAt: hoursAfter(now, APPROVAL_LASTS_HOURS),
    workflowStartedAt: null,
  };
}

function decisionOf({ approval, approvalDecidedAt }: Payout): Decision {
  return { approval, decidedAt: approvalDecidedAt };
}
