import { type Payout, PayoutEntity } from '../database/entities/payout.ts';
import { writeMovement } from '../database/ledger/ledger.ts';
import type { Em } from '../database/orm.ts';
import type { EventName } from '../domain/event.ts';
import { payoutCompletedAmounts, payoutFailedAmounts, sentMoneyOf } from '../domain/ledger.ts';
import { payoutEventData } from '../events/payout.ts';
import { writeEvent } from '../events/record.ts';
import type { EndedTransfer } from '../providers/provider.ts';

/** What ends, returns and revivals of payouts are booked with. */
export interface PayoutStep {
  readonly now: Date;
  /** Where payers reach this service, without a slash at the end. */
  readonly publicUrl: string;
}

/**
 * Records how a payout ended in the caller's transaction: state, event and movement. It changes only a payout that is
 * PENDING: what an earlier run has ended stays as it is.
 * @returns the payout as it is afterwards.
 */
export async function endPayout(
  em: Em,
  payout: Payout,
  answer: EndedTransfer,
  { now, publicUrl }: PayoutStep,
): Promise<Payout> {
  const change = {
    status: answer.outcome,
    endToEndIdentifier: answer.outcome === 'COMPLETE' ? answer.endToEndIdentifier : null,
    failureReason: answer.outcome === 'FAILED' ? answer.reason : null,
    completedAt: answer.outcome === 'COMPLETE' ? now : null,
    updatedAt: now,
  };
  const ended: Payout = { ...payout, ...change };
  const changed = await em.nativeUpdate(PayoutEntity, { id: payout.id, status: 'PENDING' }, change);
  if (changed === 0) return em.findOneOrFail(PayoutEntity, { id: payout.id }, { disableIdentityMap: true });
  const data = payoutEventData(ended, answer, publicUrl);
  await writeEvent(em, { ...payout, customerId: null }, endEventNameOf(ended), payout.id, data, now);
  await writeMovement(em, payout, {
    ...(answer.outcome === 'COMPLETE'
      ? { kind: 'PAYOUT_COMPLETED', amounts: payoutCompletedAmounts(sentMoneyOf(payout)) }
      : { kind: 'PAYOUT_FAILED', amounts: payoutFailedAmounts(sentMoneyOf(payout)) }),
    subjectId: payout.id,
    createdAt: now,
  });
  return ended;
}

/** The event of a payout's end. One that came back was completed first. */
export function endEventNameOf({ kind, status }: Pick<Payout, 'kind' | 'status'>): EventName {
  const result = status === 'FAILED' ? 'failed' : 'completed';
  return kind === 'PAYOUT' ? `payout.${result}` : `transfer.${result}`;
}
