import { ApplicationFailure } from '@temporalio/common';
import { type Charge, ChargeEntity } from '../../database/entities/charge.ts';
import { type Dispute, DisputeEntity } from '../../database/entities/dispute.ts';
import { PaymentEntity } from '../../database/entities/payment.ts';
import type { Em } from '../../database/orm.ts';
import type { ChargeStatus } from '../../domain/charge.ts';
import type { ChargeId, DisputeId } from '../../domain/ids.ts';
import { disputeLostAmounts, disputeOpenedAmounts, disputeWonAmounts } from '../../domain/ledger.ts';
import { isInquiry } from '../../domain/reversal.ts';
import { mintId } from '../../ids.ts';
import { writeMovement } from '../../ledger/ledger.ts';
import { noteIfNegative } from '../../ledger/negative-balance.ts';
import type { ProviderDispute } from '../../providers/ports/disputes.ts';
import type { ProviderPayment } from '../../providers/ports/payment.ts';
import { portOf } from '../../providers/provider.ts';
import type { ChargeDeps } from '../effects.ts';
import { loadCharge, lockCharge, statusOf } from '../load-charge.ts';
import {
  countReversals,
  leftOf,
  lockToTakeBack,
  partOf,
  reversalDeliveriesLeft,
  reversedBy,
  settleAfterReversal,
  settledAtAfter,
  takeBack,
  writeReversalEvent,
} from '../refunds/reversal.ts';
import { bookTakenFromSuspense } from '../refunds/taken-from-suspense.ts';
import { recordDisputeFees } from './dispute-fees.ts';
import { recordInquiry } from './inquiry.ts';
import { respondByOf } from './respond-by.ts';
import { recordResponse } from './response.ts';
import { sendDueEvidence } from './send-evidence.ts';

/**
 * Brings a charge's dispute to its status at the provider. Notifications may be late or lost, so the first one to
 * arrive may report the end: the dispute is then opened and decided. May be repeated.
 * @returns the charge's status afterwards.
 */
export async function recordDispute(
  deps: ChargeDeps,
  chargeId: ChargeId,
  providerDisputeId: string,
  now: Date,
): Promise<ChargeStatus> {
  const loaded = await loadCharge(deps, chargeId);
  const { em, charge, provider } = loaded;
  await sendDueEvidence(deps, em, loaded, providerDisputeId, now);
  const published = await portOf(provider, 'disputes').find(providerDisputeId);
  if (published !== null) {
    const { providerPaymentId = null } = published;
    const findPayment = async () =>
      providerPaymentId === null ? null : provider.charges.findPayment(providerPaymentId);
    return followDispute(deps, em, charge, published, findPayment, now);
  }
  deps.log.warn({ chargeId }, 'notified dispute not found');
  return charge.status;
}

/**
 * Records a dispute that the caller has already read from the provider.
 * @param findPayment returns the disputed payment; null if the provider does not name it, or does not know it.
 */
export async function followDispute(
  deps: ChargeDeps,
  em: Em,
  charge: Charge,
  published: ProviderDispute,
  findPayment: () => Promise<ProviderPayment | null>,
  now: Date,
): Promise<ChargeStatus> {
  const { id: chargeId, provider, providerReference } = charge;
  if (published.reference !== providerReference) {
    deps.log.warn({ chargeId }, 'notified dispute belongs to another charge');
    return charge.status;
  }
  const { status } = published;
  if (isInquiry(status)) {
    const inquiry = { ...published, status };
    await em.transactional((tx) => recordInquiry(tx, charge, inquiry, now));
    await recordResponse(em, provider, published, now);
    await recordDisputeFees(deps, em, charge, published, now);
    return statusOf(em, chargeId);
  }
  const dispute = await em.transactional((tx) => open(deps, tx, chargeId, provider, published, now));
  if (dispute === null) {
    const payment = await findPayment();
    const hasEnded = payment !== null && (await bookTakenFromSuspense(deps, em, charge, payment, now));
    if (hasEnded) return statusOf(em, chargeId);
    deps.log.warn({ chargeId, status: charge.status }, 'dispute ignored');
    return statusOf(em, chargeId);
  }
  await recordResponse(em, provider, published, now);
  await recordDisputeFees(deps, em, charge, published, now);
  if (status !== 'OPEN')
    await em.transactional((tx) => decide(tx, chargeId, dispute.id, status, now, deps.publicUrl));
  for (const happened of ['disputed', 'lost', 'won'] as const) {
    const deliveries = await reversalDeliveriesLeft(em, charge, happened, dispute.id);
    for (const delivery of deliveries) await deps.startDelivery(delivery);
  }
  return settleAfterReversal(deps, em, chargeId);
}

/**
 * @returns the dispute, opened now or before. An inquiry becomes a dispute. Null if the charge is not PAID, if it has another open dispute, or if
 *   the charge has not accepted the disputed payment.
 */
async function open(
  { publicUrl, log }: ChargeDeps,
  em: Em,
  chargeId: ChargeId,
  provider: string,
  published: ProviderDispute,
  now: Date,
): Promise<Dispute | null> {
  const { providerDisputeId, reason } = published;
  const charge = await lockCharge(em, chargeId);
  const known = await em.findOne(
    DisputeEntity,
    { provider, providerDisputeId },
    { disableIdentityMap: true },
  );
  if (known !== null && !isInquiry(known.status)) return known;
  if (charge.status !== 'PAID' || !(await isOfAcceptedPayment(em, charge, published))) return null;
  const left = leftOf(charge);
  // A pending refund must end before the disputed amount is known: the refund may take everything, or fail because
  // the dispute has taken its money.
  const isLess = left.paidCents < (published.amountCents ?? 0);
  // A PAID charge has no open dispute, so reserved money that is not returned yet belongs to a refund.
  const isBeingRefunded = charge.reversedCents > charge.refundedCents;
  if (charge.refundId !== null || (isLess && isBeingRefunded))
    throw ApplicationFailure.retryable('The charge is being refunded', 'REFUND_UNDER_WAY');
  const atStake = partOf(charge, Math.min(published.amountCents ?? left.paidCents, left.paidCents));
  if (atStake.paidCents === 0) return null;
  const { stage = null } = published;
  const atOpening = {
    status: 'OPEN',
    reason,
    amountCents: atStake.paidCents,
    platformFeeCents: atStake.feeCents,
    respondBy: respondByOf(charge.method, { respondBy: published.respondBy ?? null, openedAt: now }),
    stage,
    closedAt: null,
  } as const;
  const dispute: Dispute = {
    id: known?.id ?? mintId<DisputeId>('dispute', now),
    chargeId,
    provider,
    providerDisputeId,
    evidenceSubmittedAt: known?.evidenceSubmittedAt ?? null,
    openedAt: now,
    ...atOpening,
  };
  // An inquiry that becomes a dispute keeps its row. The charge is locked, so nobody else changes it meanwhile.
  if (known === null) await em.insert(DisputeEntity, dispute);
  else await em.nativeUpdate(DisputeEntity, { id: known.id }, { ...atOpening, openedAt: now });
  const counted = await countReversals(em, charge);
  const disputed: Charge = { ...counted, status: 'UNDER_DISPUTE', updatedAt: now };
  await em.nativeUpdate(ChargeEntity, { id: chargeId }, { status: 'UNDER_DISPUTE', updatedAt: now });
  const opened = {
    happened: 'disputed',
    charge: disputed,
    subjectId: dispute.id,
    reason,
    dispute: { ...dispute, amountCents: atStake.paidCents },
  } as const;
  await writeReversalEvent(em, opened, now, publicUrl);
  const amounts = disputeOpenedAmounts(reversedBy(charge, dispute));
  await writeMovement(em, charge, { kind: 'DISPUTE_OPENED', subjectId: dispute.id, amounts, createdAt: now });
  await noteIfNegative(em, log, charge, now);
  return dispute;
}

/**
 * The payer's bank may also dispute a payment that was or will be returned. That does not concern the charge's
 * money.
 */
async function isOfAcceptedPayment(
  em: Em,
  { id: chargeId, provider }: Charge,
  { providerPaymentId = null }: ProviderDispute,
): Promise<boolean> {
  if (providerPaymentId === null) return true;
  return (await em.count(PaymentEntity, { chargeId, provider, providerPaymentId, outcome: 'ACCEPTED' })) > 0;
}

/** Decides an open dispute; a decided one stays as it is. */
async function decide(
  em: Em,
  chargeId: ChargeId,
  disputeId: DisputeId,
  status: 'WON' | 'LOST',
  now: Date,
  publicUrl: string,
): Promise<void> {
  // The conditional update also locks the row: a second decision waits and then finds the dispute closed.
  const decided = await em.nativeUpdate(
    DisputeEntity,
    { id: disputeId, status: 'OPEN' },
    { status, stage: null, closedAt: now },
  );
  if (decided === 0) return;
  const charge = await lockToTakeBack(em, chargeId);
  const dispute = await em.findOneOrFail(DisputeEntity, { id: disputeId });
  if (status === 'WON') return win(em, charge, dispute, now, publicUrl);
  const { reason } = dispute;
  const taken = reversedBy(charge, dispute);
  // A refund that was under way when the dispute was opened may have failed since: that part belongs to the store.
  const lost = await takeBack(em, charge, 'PAID', now);
  await writeReversalEvent(
    em,
    {
      happened: 'lost',
      charge: lost,
      subjectId: disputeId,
      reason,
      dispute: { ...dispute, amountCents: taken.paidCents },
    },
    now,
    publicUrl,
  );
  const amounts = disputeLostAmounts(taken);
  await writeMovement(em, charge, { kind: 'DISPUTE_LOST', subjectId: disputeId, amounts, createdAt: now });
}

async function win(em: Em, charge: Charge, dispute: Dispute, now: Date, publicUrl: string): Promise<void> {
  const settledAt = settledAtAfter(charge, now);
  await em.nativeUpdate(ChargeEntity, { id: charge.id }, { status: 'PAID', settledAt, updatedAt: now });
  const won: Charge = { ...(await countReversals(em, charge)), status: 'PAID', settledAt, updatedAt: now };
  const { id: subjectId, reason } = dispute;
  const given = reversedBy({ ...charge, settledAt }, dispute);
  const published = {
    happened: 'won',
    charge: won,
    subjectId,
    reason,
    dispute: { ...dispute, amountCents: given.paidCents },
  } as const;
  await writeReversalEvent(em, published, now, publicUrl);
  const amounts = disputeWonAmounts(given);
  await writeMovement(em, charge, { kind: 'DISPUTE_WON', subjectId, amounts, createdAt: now });
}
