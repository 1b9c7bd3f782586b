import { ApplicationFailure } from '@temporalio/common';
import type { ChargeDeps } from '../charges/effects.ts';
import { noteAttention, resolveAttention, wasResolved } from '../database/attention.ts';
import { type Payout, PayoutEntity } from '../database/entities/payout.ts';
import type { Em } from '../database/orm.ts';
import type { PayoutId } from '../domain/ids.ts';
import type { PayoutStatus } from '../domain/payout.ts';
import { RECOVERED_CONTENT } from '../domain/recovered.ts';
import { unattemptedDeliveries } from '../events/delivery-to-start.ts';
import { moneyOrderedAt, noteMoneyOrder } from '../ledger/note-money-order.ts';
import type { PayoutsPort, TransferAnswer } from '../providers/ports/payouts.ts';
import { portOf } from '../providers/provider.ts';
import { issuerOrRetry } from '../providers/serving-provider.ts';
import { approvalAt } from './payout-approval.ts';
import { endEventNameOf, endPayout } from './payout-end.ts';
import { bookReturns, returnEventKeys } from './payout-returns.ts';
import { transferOf } from './transfer-of.ts';
import { answerOfUnapproved, LONGEST_LAG_MS } from './unapproved-payout.ts';

/** A provider's answer about the payout itself. */
type KnownAnswer = Exclude<TransferAnswer, { readonly outcome: 'OTHER_TRANSFER' | 'REFUSED_IN_DOUBT' }>;

/** What sending payouts works with. */
export type PayoutDeps = Pick<ChargeDeps, 'database' | 'providers' | 'publicUrl' | 'startDelivery' | 'log'>;

/**
 * Orders the payout at the provider, or asks for its status, and records how it ended: the money has left, or is
 * the store's again. Returns PENDING while the provider does not know, and while the payout waits for an approval.
 */
export async function advancePayout(deps: PayoutDeps, payoutId: PayoutId, now: Date): Promise<PayoutStatus> {
  const em = deps.database.em.fork();
  const payout = await em.findOne(PayoutEntity, { id: payoutId }, { disableIdentityMap: true });
  if (payout === null) throw ApplicationFailure.nonRetryable(`No payout ${payoutId}`, 'PAYOUT_NOT_FOUND');
  if (payout.status !== 'PENDING') return startDeliveriesLeft(deps, em, payout);
  const answer = await knownAnswer(deps, em, payout, await answerOf(deps, em, payout, now), now);
  if (answer.outcome === 'PENDING') return 'PENDING';
  const step = { now, publicUrl: deps.publicUrl, log: deps.log };
  await em.transactional(async (tx) => {
    const { status } = await endPayout(tx, payout, answer, step);
    await resolveAttention(tx, { kind: 'PAYOUT_IN_DOUBT', subjectId: payoutId, now });
    if (status === 'COMPLETE' && answer.outcome === 'COMPLETE')
      await bookReturns(tx, payoutId, answer.returns ?? [], step);
  });
  return startDeliveriesLeft(
    deps,
    em,
    await em.findOneOrFail(PayoutEntity, { id: payoutId }, { disableIdentityMap: true }),
  );
}

async function answerOf(deps: PayoutDeps, em: Em, payout: Payout, now: Date): Promise<TransferAnswer> {
  const { approval, decidedAt } = await approvalAt(em, payout, now);
  if (approval === 'WAITING') return { outcome: 'PENDING' };
  const payouts = portOf(await issuerOrRetry(deps, payout), 'payouts');
  if (approval === 'REJECTED' || approval === 'EXPIRED')
    return answerOfUnapproved(payouts, payout, { approval, decidedAt: decidedAt ?? now, now });
  if (payout.contentHash === RECOVERED_CONTENT) return answerOfRecovered(payouts, payout, now);
  const mayHaveBeenOrdered = await noteMoneyOrder(em, { subjectId: payout.id, now });
  return payouts.send({ ...transferOf(payout, now), mayHaveBeenOrdered });
}

/**
 * A payout that was rebuilt after a restore had been ordered before it. Its key may be masked, so it is looked up
 * and never ordered. The provider has listed it, so "not found" is no answer.
 */
async function answerOfRecovered(payouts: PayoutsPort, payout: Payout, now: Date): Promise<TransferAnswer> {
  const found = await payouts.find(transferOf(payout, now));
  return found.outcome === 'NOT_FOUND' ? { outcome: 'PENDING' } : found;
}

/** Decides the answers that the provider leaves open. */
function knownAnswer(
  deps: PayoutDeps,
  em: Em,
  payout: Payout,
  asked: TransferAnswer,
  now: Date,
): KnownAnswer | Promise<KnownAnswer> {
  switch (asked.outcome) {
    case 'OTHER_TRANSFER':
      return mismatch(deps, em, payout, now);
    case 'REFUSED_IN_DOUBT':
      return refusedInDoubt(deps, em, payout, asked.reason, now);
    default:
      return asked;
  }
}

/**
 * The provider refuses an order that an earlier request may have given, and does not know it. Look-ups lag, so it
 * is asked again. Once the look-up can no longer lag, a person is asked as well.
 */
async function refusedInDoubt(
  deps: PayoutDeps,
  em: Em,
  payout: Payout,
  reason: string,
  now: Date,
): Promise<KnownAnswer> {
  const since = (await moneyOrderedAt(em, payout.id)) ?? now;
  if (now.getTime() - since.getTime() < LONGEST_LAG_MS) return { outcome: 'PENDING' };
  return pendingUntilResolved(deps, em, payout, { kind: 'PAYOUT_IN_DOUBT', reason, since, now });
}

/** The provider has another transfer under this id, so nothing was sent for this payout. */
function mismatch(deps: PayoutDeps, em: Em, payout: Payout, now: Date): Promise<KnownAnswer> {
  const reason = 'the bank has another transfer under this id';
  return pendingUntilResolved(deps, em, payout, { kind: 'PAYOUT_MISMATCH', reason, since: now, now });
}

interface Undecided {
  readonly kind: 'PAYOUT_MISMATCH' | 'PAYOUT_IN_DOUBT';
  /** Why the payout failed, if it failed. */
  readonly reason: string;
  readonly since: Date;
  readonly now: Date;
}

/** A person decides: once they have checked the provider and closed the note, the money is the store's again. */
async function pendingUntilResolved(
  { log }: PayoutDeps,
  em: Em,
  { id: subjectId, storeId, devMode }: Payout,
  { kind, reason, since, now }: Undecided,
): Promise<KnownAnswer> {
  if (await wasResolved(em, { kind, subjectId })) return { outcome: 'FAILED', reason };
  await noteAttention(em, { kind, subjectId, storeId, devMode, since, now }, log);
  return { outcome: 'PENDING' };
}

/** Starts deliveries without an attempt, including those of an earlier run that died before. */
async function startDeliveriesLeft(deps: PayoutDeps, em: Em, payout: Payout): Promise<PayoutStatus> {
  const keys = [`${endEventNameOf(payout)}/${payout.id}`, ...(await returnEventKeys(em, payout))];
  for (const key of keys)
    for (const delivery of await unattemptedDeliveries(em, key)) await deps.startDelivery(delivery);
  return payout.status;
}
