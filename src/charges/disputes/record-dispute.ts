import { ApplicationFailure } from '@temporalio/common';
import { type Charge, ChargeEntity } from '../../database/entities/charge.ts';
import { type Dispute, DisputeEntity } from '../../database/entities/dispute.ts';
import { PaymentEntity } from '../../database/entities/payment.ts';
import type { Em } from '../../database/orm.ts';
import type { ChargeStatus } from '../../domain/charge.ts';
import type { ChargeId, DisputeId } from '../../domain/ids.ts';
import {
  disputeLostAmounts,
  disputeOpenedAmounts,
  disputeWonAmounts,
  type LedgerAmounts,
} from '../../domain/ledger.ts';
import { isInquiry, type PaymentPart } from '../../domain/reversal.ts';
import { mintId } from '../../ids.ts';
import { noteIfNegative } from '../../ledger/negative-balance.ts';
import { writeMovement } from '../../ledger/write-movement.ts';
import type { ProviderDispute } from '../../providers/ports/disputes.ts';
import type { ProviderPayment } from '../../providers/ports/payment.ts';
import { portOf } from '../../providers/provider.ts';
import { followReversal } from '../../sub-accounts/splits.ts';
import type { ChargeDeps } from '../effects.ts';
import { loadCharge, lockCharge, statusOf } from '../load-charge.ts';
import { placedPart } from '../receivables/receivable-rows.ts';
import { bookExcess } from '../refunds/excess.ts';
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
import { endUndecided } from './end-undecided.ts';
import { recordInquiry } from './inquiry.ts';
import { respondByOf } from './respond-by.ts';
import { recordResponse } from './response.ts';
import { noteWaitingEvidence, sendDueEvidence } from './send-evidence.ts';
import { excessOfDispute, followWithdrawals, storeWithdrawals } from './withdrawals.ts';

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
  const port = portOf(provider, 'disputes');
  const found = await port.find(providerDisputeId).catch(async (error: unknown) => {
    await noteWaitingEvidence(deps, em, charge, providerDisputeId, now);
    throw error;
  });
  const isChanged = found !== null && (await sendDueEvidence(deps, em, loaded, found, now));
  const published = isChanged ? ((await port.find(providerDisputeId)) ?? found) : found;
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
  await followWithdrawals(deps, em, charge, dispute.id, published, now);
  if (status !== 'OPEN') await em.transactional((tx) => decide(deps, tx, chargeId, dispute.id, status, now));
  for (const happened of ['disputed', 'lost', 'won'] as const) {
    const deliveries = await reversalDeliveriesLeft(em, charge, happened, dispute.id);
    for (const delivery of deliveries) await deps.startDelivery(delivery);
  }
  return settleAfterReversal(deps, em, chargeId);
}

/**
 * A REFUNDED charge holds nothing that a dispute could block, and stays REFUNDED: the dispute, its fee, and what the
 * provider takes a second time are recorded all the same.
 * @returns the dispute, opened now or before. An inquiry becomes a dispute. Null if the charge was never paid, if it has another open
 *   dispute, if the charge has not accepted the disputed payment, or if nothing was left of it and nothing is taken.
 */
async function open(
  deps: ChargeDeps,
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
  const { status } = charge;
  if (status !== 'PAID' && status !== 'REFUNDED') return null;
  if (!(await isOfAcceptedPayment(em, charge, published))) return null;
  const left = status === 'PAID' ? leftOf(charge) : NOTHING;
  // A pending refund must end before the disputed amount is known: the refund may take everything, or fail because
  // the dispute has taken its money.
  const isLess = left.paidCents < (published.amountCents ?? 1);
  // A PAID charge has no open dispute, so reserved money that is not returned yet belongs to a refund.
  const isBeingRefunded = charge.reversedCents > charge.refundedCents;
  if (status === 'PAID' && (charge.refundId !== null || (isLess && isBeingRefunded)))
    throw ApplicationFailure.retryable('The charge is being refunded', 'REFUND_UNDER_WAY');
  const atStakeCents = Math.min(published.amountCents ?? left.paidCents, left.paidCents);
  const atStake = atStakeCents === 0 ? NOTHING : partOf(charge, atStakeCents);
  if (atStakeCents === 0 && (!takesMoney(published) || (await hasOpenDispute(em, charge)))) return null;
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
  const during = atStakeCents === 0 ? status : 'UNDER_DISPUTE';
  const disputed: Charge = { ...counted, status: during, updatedAt: now };
  await em.nativeUpdate(ChargeEntity, { id: chargeId }, { status: during, updatedAt: now });
  await storeWithdrawals(em, dispute, published, now);
  const excessCents = await excessOfDispute(em, dispute);
  const opened = {
    happened: 'disputed',
    charge: disputed,
    subjectId: dispute.id,
    reason,
    dispute: { ...dispute, amountCents: atStakeCents, excessCents },
  } as const;
  await writeReversalEvent(em, opened, now, deps.publicUrl);
  const amounts = disputeOpenedAmounts(await placedPart(em, charge, reversedBy(charge, dispute)));
  const movement = { kind: 'DISPUTE_OPENED', subjectId: dispute.id } as const;
  if (atStakeCents > 0) await followReversal(em, counted, movement, now);
  await writeDisputeMovement(em, charge, { ...movement, amounts, now });
  await noteIfNegative(em, deps.log, charge, now);
  await bookExcess(deps, em, charge, { subjectId: dispute.id, totalCents: excessCents }, now);
  return dispute;
}

const NOTHING: PaymentPart = { paidCents: 0, feeCents: 0 };

/** Whether a provider takes, or may take, money for a dispute of which nothing was left. */
function takesMoney({ amountCents, withdrawals = [], fees = [] }: ProviderDispute): boolean {
  return (amountCents ?? 0) > 0 || withdrawals.length > 0 || fees.length > 0;
}

async function hasOpenDispute(em: Em, { id: chargeId }: Charge): Promise<boolean> {
  return (await em.count(DisputeEntity, { chargeId, status: 'OPEN' })) > 0;
}

/** A dispute that blocks nothing of its payment moves nothing of it. */
async function writeDisputeMovement(
  em: Em,
  charge: Charge,
  movement: {
    readonly kind: 'DISPUTE_OPENED' | 'DISPUTE_WON' | 'DISPUTE_LOST';
    readonly subjectId: DisputeId;
    readonly amounts: LedgerAmounts;
    readonly now: Date;
  },
): Promise<void> {
  const { now: createdAt, ...written } = movement;
  if (movement.amounts.blockedCents !== 0) await writeMovement(em, charge, { ...written, createdAt });
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
  deps: ChargeDeps,
  em: Em,
  chargeId: ChargeId,
  disputeId: DisputeId,
  status: 'WON' | 'LOST',
  now: Date,
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
  const excessCents = await excessOfDispute(em, dispute);
  const end = status === 'WON' ? win : lose;
  await endUndecided(em, dispute, now);
  await end(em, charge, { ...dispute, excessCents }, now, deps.publicUrl);
  const owner = { ...charge, provider: dispute.provider };
  await bookExcess(deps, em, owner, { subjectId: disputeId, totalCents: excessCents }, now);
}

type DecidedDispute = Dispute & { readonly excessCents: number };

async function lose(
  em: Em,
  charge: Charge,
  dispute: DecidedDispute,
  now: Date,
  publicUrl: string,
): Promise<void> {
  const { id: subjectId, reason } = dispute;
  const taken = reversedBy(charge, dispute);
  // A refund that was under way when the dispute was opened may have failed since: that part belongs to the store.
  const lost = await takeBack(em, charge, 'PAID', now);
  const published = {
    happened: 'lost',
    charge: lost,
    subjectId,
    reason,
    dispute: { ...dispute, amountCents: taken.paidCents },
  } as const;
  await writeReversalEvent(em, published, now, publicUrl);
  const amounts = disputeLostAmounts(taken);
  await writeDisputeMovement(em, charge, { kind: 'DISPUTE_LOST', subjectId, amounts, now });
}

async function win(
  em: Em,
  held: Charge,
  dispute: DecidedDispute,
  now: Date,
  publicUrl: string,
): Promise<void> {
  const isHeld = held.status === 'UNDER_DISPUTE';
  const status = isHeld ? 'PAID' : held.status;
  const settledAt = isHeld ? await settledAtAfter(em, held, now) : held.settledAt;
  await em.nativeUpdate(ChargeEntity, { id: held.id }, { status, settledAt, updatedAt: now });
  const won: Charge = { ...(await countReversals(em, held)), status, settledAt, updatedAt: now };
  const { id: subjectId, reason } = dispute;
  const given = reversedBy({ ...held, settledAt }, dispute);
  const published = {
    happened: 'won',
    charge: won,
    subjectId,
    reason,
    dispute: { ...dispute, amountCents: given.paidCents },
  } as const;
  await writeReversalEvent(em, published, now, publicUrl);
  const amounts = disputeWonAmounts(await placedPart(em, won, given));
  const movement = { kind: 'DISPUTE_WON', subjectId } as const;
  await writeDisputeMovement(em, held, { ...movement, amounts, now });
  if (given.paidCents > 0) await followReversal(em, won, movement, now);
}
