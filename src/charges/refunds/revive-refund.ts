import { ApplicationFailure } from '@temporalio/common';
import type { Logger } from 'pino';
import { afterCommit } from '../../database/after-commit.ts';
import { noteAttention } from '../../database/attention.ts';
import { type Charge, ChargeEntity } from '../../database/entities/charge.ts';
import { type Refund, RefundEntity } from '../../database/entities/refund.ts';
import type { Em } from '../../database/orm.ts';
import { refundRevivedAmounts } from '../../domain/ledger.ts';
import { noteIfNegative } from '../../ledger/negative-balance.ts';
import { writeMovement } from '../../ledger/write-movement.ts';
import { countRefund } from '../../metrics/counters.ts';
import { followReversal } from '../../sub-accounts/splits.ts';
import { placedPart } from '../receivables/receivable-rows.ts';
import { leftOf, partOf, reversedBy, takeBack, writeReversalEvent } from './reversal.ts';

interface ReviveStep {
  readonly now: Date;
  readonly publicUrl: string;
  readonly log: Logger;
}

/**
 * Records, in the caller's transaction, that a provider made a refund that had FAILED here: it becomes COMPLETED
 * and is debited again, with an event and a note for a person. The money has left even if the balance does not
 * cover it. A provider's result is final, so this happens to a refund once. The caller holds the charge
 * (`lockToTakeBack`).
 *
 * A refund with another amount under this id is a different one; "reconcile" names its payment.
 *
 * @returns whether the refund was recorded.
 * @throws retryable while another refund or dispute, which can only fail now, has the money reserved.
 */
export async function reviveRefund(
  em: Em,
  held: Charge,
  refund: Refund,
  returnedCents: number,
  { now, publicUrl, log }: ReviveStep,
): Promise<boolean> {
  const { id: refundId, platformFeeCents } = refund;
  const wasReserved = platformFeeCents !== null;
  if (wasReserved && refund.amountCents !== returnedCents) return false;
  const left = leftOf(held);
  if (returnedCents > left.paidCents) {
    if (held.reversedCents > held.refundedCents)
      throw ApplicationFailure.retryable('The charge is being refunded', 'REFUND_UNDER_WAY');
    return false;
  }
  const feeCents = platformFeeCents ?? partOf(held, returnedCents).feeCents;
  const change = {
    status: 'COMPLETED',
    refusal: null,
    amountCents: returnedCents,
    platformFeeCents: feeCents,
    takesRest: false,
    revivedAt: now,
    updatedAt: now,
  } as const;
  await em.nativeUpdate(RefundEntity, { id: refundId }, change);
  if (returnedCents === left.paidCents) await em.nativeUpdate(ChargeEntity, { id: held.id }, { refundId });
  const charge = await takeBack(em, held, held.status, now);
  const revived: Refund = { ...refund, ...change };
  const published = { happened: 'refunded', charge, subjectId: refundId, reason: refund.reason } as const;
  await writeReversalEvent(em, { ...published, refund, refundCents: returnedCents }, now, publicUrl);
  const { storeId, devMode } = charge;
  const noted = { kind: 'REFUND_REVIVED', subjectId: refundId, storeId, devMode, since: now, now } as const;
  await noteAttention(em, noted, log);
  const amounts = refundRevivedAmounts(await placedPart(em, held, reversedBy(charge, revived)));
  const movement = { kind: 'REFUND_REVIVED', subjectId: refundId } as const;
  await followReversal(em, charge, movement, now);
  await writeMovement(em, charge, { ...movement, amounts, createdAt: now });
  await noteIfNegative(em, log, charge, now);
  afterCommit(em, () => countRefund(charge, returnedCents));
  return true;
}
