import { ApplicationFailure } from '@temporalio/common';
import { type Charge, ChargeEntity } from '../../database/entities/charge.ts';
import { type Dispute, DisputeEntity } from '../../database/entities/dispute.ts';
import { PaymentEntity } from '../../database/entities/payment.ts';
import type { Em } from '../../database/orm.ts';
import type { ChargeId, DisputeId } from '../../domain/ids.ts';
import { disputeOpenedAmounts } from '../../domain/ledger.ts';
import { isInquiry, type PaymentPart } from '../../domain/reversal.ts';
import { mintId } from '../../ids.ts';
import { noteIfNegative } from '../../ledger/negative-balance.ts';
import type { ProviderDispute } from '../../providers/ports/disputes.ts';
import { followReversal } from '../../sub-accounts/splits.ts';
import type { ChargeDeps } from '../effects.ts';
import { lockCharge } from '../load-charge.ts';
import { placedPart } from '../receivables/receivable-rows.ts';
import { bookExcess } from '../refunds/excess.ts';
import { countReversals, leftOf, partOf, reversedBy, writeReversalEvent } from '../refunds/reversal.ts';
import { writeDisputeMovement } from './dispute-movement.ts';
import { respondByOf } from './respond-by.ts';
import { excessOfDispute, storeWithdrawals } from './withdrawals.ts';

/**
 * A REFUNDED charge holds nothing that a dispute could block, and stays REFUNDED: the dispute, its fee, and what the
 * provider takes a second time are recorded all the same.
 * @returns the dispute, opened now or before. An inquiry becomes a dispute. Null if the charge was never paid, if it has another open
 *   dispute, if the charge has not accepted the disputed payment, or if nothing was left of it and nothing is taken.
 */
export async function openDispute(
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
