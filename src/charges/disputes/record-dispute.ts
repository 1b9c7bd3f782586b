import type { Charge } from '../../database/entities/charge.ts';
import type { Em } from '../../database/orm.ts';
import type { ChargeStatus } from '../../domain/charge.ts';
import type { ChargeId } from '../../domain/ids.ts';
import { isInquiry } from '../../domain/reversal.ts';
import type { ProviderDispute } from '../../providers/ports/disputes.ts';
import type { ProviderPayment } from '../../providers/ports/payment.ts';
import { portOf } from '../../providers/provider.ts';
import type { ChargeDeps } from '../effects.ts';
import { loadCharge, statusOf } from '../load-charge.ts';
import { reversalDeliveriesLeft, settleAfterReversal } from '../refunds/reversal.ts';
import { bookTakenFromSuspense } from '../refunds/taken-from-suspense.ts';
import { decideDispute } from './decide-dispute.ts';
import { recordDisputeFees } from './dispute-fees.ts';
import { recordInquiry } from './inquiry.ts';
import { openDispute } from './open-dispute.ts';
import { recordResponse } from './response.ts';
import { noteWaitingEvidence, sendDueEvidence } from './send-evidence.ts';
import { followWithdrawals } from './withdrawals.ts';

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
  const dispute = await em.transactional((tx) => openDispute(deps, tx, chargeId, provider, published, now));
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
  if (status !== 'OPEN')
    await em.transactional((tx) => decideDispute(deps, tx, chargeId, dispute.id, status, now));
  for (const happened of ['disputed', 'lost', 'won'] as const) {
    const deliveries = await reversalDeliveriesLeft(em, charge, happened, dispute.id);
    for (const delivery of deliveries) await deps.startDelivery(delivery);
  }
  return settleAfterReversal(deps, em, chargeId);
}
