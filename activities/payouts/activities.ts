import { ApplicationFailure } from '@temporalio/common';
import { noteAttention, wasResolved } from '../../src/database/attention.ts';
import { unattemptedDeliveries } from '../../src/database/delivery-to-start.ts';
import { type Payout, PayoutEntity } from '../../src/database/entities/payout.ts';
import { writeMovement } from '../../src/database/ledger/ledger.ts';
import { noteMoneyOrder } from '../../src/database/note-money-order.ts';
import type { Em } from '../../src/database/orm.ts';
import type { EventName } from '../../src/domain/event.ts';
import type { PayoutId } from '../../src/domain/ids.ts';
import { payoutCompletedAmounts, payoutFailedAmounts } from '../../src/domain/ledger.ts';
import type { PayoutStatus } from '../../src/domain/payout.ts';
import { payoutEventData } from '../../src/events/payout.ts';
import { writeEvent } from '../../src/events/record.ts';
import type { EndedTransfer, TransferAnswer } from '../../src/providers/provider.ts';
import { type ActivityDeps, requireIssuer } from '../deps.ts';
import { approvalAt } from './payout-approval.ts';
import { answerOfUnapproved, transferOf } from './unapproved-payout.ts';

/** What a provider says of the payout itself. */
type KnownAnswer = Exclude<TransferAnswer, { readonly outcome: 'OTHER_TRANSFER' }>;

/** What becomes of payouts and transfers. */
export function createPayoutActivities(deps: ActivityDeps) {
  return {
    /**
     * Has the provider send the money, or asks what has become of it, and writes down how it ended: as money
     * that has left, or is the store's again. Answers PENDING while the provider does not know, and while it waits for an approval.
     */
    async advancePayout({
      payoutId,
      nowMs,
    }: {
      readonly payoutId: PayoutId;
      readonly nowMs: number;
    }): Promise<PayoutStatus> {
      const em = deps.database.em.fork();
      const payout = await em.findOne(PayoutEntity, { id: payoutId }, { disableIdentityMap: true });
      if (payout === null) throw ApplicationFailure.nonRetryable(`No payout ${payoutId}`, 'PAYOUT_NOT_FOUND');
      if (payout.status !== 'PENDING') return told(deps, em, payout);
      const now = new Date(nowMs);
      const asked = await answerOf(deps, em, payout, now);
      const answer = asked.outcome === 'OTHER_TRANSFER' ? await mismatch(deps, em, payout, now) : asked;
      if (answer.outcome === 'PENDING') return 'PENDING';
      const ended = await em.transactional((tx) => end(tx, payout, answer, now, deps.publicUrl));
      return told(deps, em, ended);
    },
  };
}

async function answerOf(deps: ActivityDeps, em: Em, payout: Payout, now: Date): Promise<TransferAnswer> {
  const { approval, decidedAt } = await approvalAt(em, payout, now);
  if (approval === 'WAITING') return { outcome: 'PENDING' };
  const provider = await requireIssuer(deps, payout);
  if (approval === 'REJECTED' || approval === 'EXPIRED')
    return answerOfUnapproved(provider, payout, { approval, decidedAt: decidedAt ?? now, now });
  const mayHaveBeenOrdered = await noteMoneyOrder(em, { subjectId: payout.id, now });
  return provider.sendPix({ ...transferOf(payout, now), mayHaveBeenOrdered });
}

/**
 * The provider has another transfer under this id, so nothing was sent for this payout. A person decides: their note is
 * closed once they have looked, and the money is the store's again.
 */
async function mismatch(
  deps: ActivityDeps,
  em: Em,
  { id, storeId, devMode }: Payout,
  now: Date,
): Promise<Exclude<KnownAnswer, { readonly outcome: 'COMPLETE' }>> {
  const subject = { kind: 'PAYOUT_MISMATCH', subjectId: id } as const;
  if (await wasResolved(em, subject))
    return { outcome: 'FAILED', reason: 'the bank has another transfer under this id' };
  await noteAttention(em, { ...subject, storeId, devMode, since: now, now }, deps.log);
  return { outcome: 'PENDING' };
}

/** Conditional: what an earlier run has ended stays as it is. */
async function end(
  em: Em,
  payout: Payout,
  answer: EndedTransfer,
  now: Date,
  publicUrl: string,
): Promise<Payout> {
  const change = {
    status: answer.outcome,
    endToEndIdentifier: answer.outcome === 'COMPLETE' ? answer.endToEndIdentifier : null,
    failureReason: answer.outcome === 'FAILED' ? answer.reason : null,
    updatedAt: now,
  };
  const ended: Payout = { ...payout, ...change };
  const changed = await em.nativeUpdate(PayoutEntity, { id: payout.id, status: 'PENDING' }, change);
  if (changed === 0) return em.findOneOrFail(PayoutEntity, { id: payout.id }, { disableIdentityMap: true });
  const data = payoutEventData(ended, answer, publicUrl);
  await writeEvent(em, { ...payout, customerId: null }, eventNameOf(ended), payout.id, data, now);
  const sent = { amountCents: payout.amountCents, feeCents: payout.platformFeeCents };
  await writeMovement(em, payout, {
    ...(answer.outcome === 'COMPLETE'
      ? { kind: 'PAYOUT_COMPLETED', amounts: payoutCompletedAmounts(sent) }
      : { kind: 'PAYOUT_FAILED', amounts: payoutFailedAmounts(sent) }),
    subjectId: payout.id,
    createdAt: now,
  });
  return ended;
}

/** Starts the deliveries that no attempt has been made for: also those of an earlier run that died before. */
async function told(deps: ActivityDeps, em: Em, payout: Payout): Promise<PayoutStatus> {
  const key = `${eventNameOf(payout)}/${payout.id}`;
  for (const delivery of await unattemptedDeliveries(em, key)) await deps.startDelivery(delivery);
  return payout.status;
}

function eventNameOf({ kind, status }: Payout): EventName {
  const result = status === 'COMPLETE' ? 'completed' : 'failed';
  return kind === 'PAYOUT' ? `payout.${result}` : `transfer.${result}`;
}
