import { type Payout, PayoutEntity } from '../database/entities/payout.ts';
import type { Em } from '../database/orm.ts';
import type { EventName } from '../domain/event-names.ts';
import { payoutCompletedAmounts, payoutFailedAmounts, sentMoneyOf } from '../domain/ledger.ts';
import { payoutEventData } from '../events/payout.ts';
import { writeEvent } from '../events/record.ts';
import { writeMovement } from '../ledger/write-movement.ts';
import type { EndedTransfer } from '../providers/ports/payouts.ts';
import { returnWithdrawal } from '../sub-accounts/withdrawals.ts';

/** What booking ends, returns and revivals of payouts needs. */
export interface PayoutStep {
  readonly now: Date;
  /** The URL at which payers reach this service, without a trailing slash. */
  readonly publicUrl: string;
}

/**
 * Records in the caller's transaction how a payout ended: state, event and movement. Changes only a PENDING payout:
 * the result of an earlier run stays.
 * @returns the payout afterwards.
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
  if (answer.outcome === 'FAILED') {
    const returnedCents = payout.amountCents + payout.platformFeeCents;
    await returnWithdrawal(em, payout, returnedCents, { kind: 'PAYOUT_FAILED', subjectId: payout.id, now });
  }
  return ended;
}

/** The event of a payout's end. A returned payout was completed first. */
export function endEventNameOf({ kind, status }: Pick<Payout, 'kind' | 'status'>): EventName {
  const result = status === 'FAILED' ? 'failed' : 'completed';
  return kind === 'PAYOUT' ? `payout.${result}` : `transfer.${result}`;
}
