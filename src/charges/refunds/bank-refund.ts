import { ApplicationFailure } from '@temporalio/common';
import { type Charge, ChargeEntity } from '../../database/entities/charge.ts';
import { PaymentEntity } from '../../database/entities/payment.ts';
import { type Refund, RefundEntity } from '../../database/entities/refund.ts';
import type { Em } from '../../database/orm.ts';
import type { ChargeStatus } from '../../domain/charge.ts';
import type { ChargeId, RefundId } from '../../domain/ids.ts';
import { refundReservedAmounts } from '../../domain/ledger.ts';
import { METHOD_TRAITS } from '../../domain/payment-methods.ts';
import { unattemptedDeliveries } from '../../events/delivery-to-start.ts';
import { noteIfNegative } from '../../ledger/negative-balance.ts';
import { writeMovement } from '../../ledger/write-movement.ts';
import { bankRefundId } from '../../providers/bank-refund-id.ts';
import type { ProviderPayment, ProviderRefund } from '../../providers/ports/payment.ts';
import { followReversal } from '../../sub-accounts/splits.ts';
import type { ChargeDeps } from '../effects.ts';
import { loadCharge, statusOf } from '../load-charge.ts';
import { placedPart } from '../receivables/receivable-rows.ts';
import { bookExcess } from './excess.ts';
import { complete, giveUp } from './refund-charge.ts';
import { countReversals, leftOf, lockToTakeBack, partOf, reversalDeliveriesLeft } from './reversal.ts';
import { reviveRefund } from './revive-refund.ts';

/** A refund at the bank ends within seconds, like those that Recebe orders. */
const ASK_AGAIN_MS = 5_000;

/**
 * Books refunds (devoluções) of an accepted payment that Recebe did not order: made in the bank's app, by its staff
 * or by another system. The money has left in any case, so the balance may become negative. Each refund is booked
 * once, under an id derived from the payment and the bank's refund id.
 * @returns the charge's status afterwards.
 */
export async function followBankRefunds(
  deps: ChargeDeps,
  em: Em,
  charge: Charge,
  payment: ProviderPayment,
  now: Date,
): Promise<ChargeStatus> {
  const ordinary = (payment.refunds ?? []).filter(({ kind }) => kind === 'ORDINARY');
  if (ordinary.length === 0 || !(await isAccepted(em, charge, payment))) return statusOf(em, charge.id);
  let isUnderWay = false;
  for (const refund of ordinary) {
    const refundId = bankRefundId(charge.provider, payment, refund);
    const step = { chargeId: charge.id, refundId, now, publicUrl: deps.publicUrl };
    const booked = await em.transactional((tx) => book(deps, tx, step, refund));
    if (booked === null) continue;
    isUnderWay ||= booked.isUnderWay;
    for (const delivery of [
      ...(await reversalDeliveriesLeft(em, charge, 'refunded', refundId)),
      ...(await unattemptedDeliveries(em, `refund.failed/${refundId}`)),
    ])
      await deps.startDelivery(delivery);
  }
  if (isUnderWay) deps.askAgain?.(ASK_AGAIN_MS);
  return statusOf(em, charge.id);
}

/**
 * Updates one booked refund whose end is not known, for the auditor. Unlike a refund of a store, it must not be
 * ordered.
 * @returns null if the store requested this refund.
 */
export async function followRefundOfBank(
  deps: ChargeDeps,
  chargeId: ChargeId,
  refundId: RefundId,
  now: Date,
): Promise<ChargeStatus | null> {
  const { em, charge, provider } = await loadCharge(deps, chargeId);
  const refund = await em.findOne(RefundEntity, { id: refundId, initiatedBy: 'BANK' });
  if (refund === null) return null;
  const accepted = { chargeId, outcome: 'ACCEPTED' as const };
  const { providerPaymentId } = await em.findOneOrFail(PaymentEntity, accepted);
  const payment = await provider.charges.findPayment(providerPaymentId);
  return payment === null ? charge.status : followBankRefunds(deps, em, charge, payment, now);
}

async function isAccepted(
  em: Em,
  { id: chargeId, provider }: Charge,
  { providerPaymentId }: ProviderPayment,
): Promise<boolean> {
  return (await em.count(PaymentEntity, { chargeId, provider, providerPaymentId, outcome: 'ACCEPTED' })) > 0;
}

interface BookedRefund {
  /** The bank has not finished the refund. */
  readonly isUnderWay: boolean;
}

interface Step {
  readonly chargeId: ChargeId;
  readonly refundId: RefundId;
  readonly now: Date;
  readonly publicUrl: string;
}

/**
 * Brings one refund to its status at the bank. @returns null if the store requested it: its own run handles it,
 * until it has FAILED.
 */
async function book(
  deps: ChargeDeps,
  em: Em,
  step: Step,
  found: ProviderRefund,
): Promise<BookedRefund | null> {
  const { log } = deps;
  const { chargeId, refundId, now } = step;
  const charge = await lockToTakeBack(em, chargeId);
  const known = await em.findOne(RefundEntity, { id: refundId }, { disableIdentityMap: true });
  if (known?.status === 'FAILED' && found.status === 'RETURNED') {
    const isRevived = await reviveRefund(em, charge, known, found.amountCents, { ...step, log });
    if (isRevived) await bookBeyond(deps, em, charge, step, { found, bookedCents: found.amountCents });
    return { isUnderWay: false };
  }
  if (known?.initiatedBy === 'STORE') return null;
  const bookedCents = known?.amountCents ?? (await insert(em, charge, step, found));
  await bookBeyond(deps, em, charge, step, { found, bookedCents });
  if (known === null && bookedCents === 0) return null;
  const status = known?.status ?? 'PENDING';
  if (status !== 'PENDING') return { isUnderWay: false };
  if (found.status === 'RETURNED') await complete(em, step);
  if (found.status === 'REFUSED') await giveUp(em, step);
  // The bank has returned money that the store may have spent already.
  if (known === null) await noteIfNegative(em, log, charge, now);
  return { isUnderWay: found.status === 'PENDING' };
}

/**
 * Books what the bank has returned beyond what disputes and other refunds had left of the payment. If a dispute is won
 * later, the refund is booked as usual, and this ends.
 */
async function bookBeyond(
  deps: ChargeDeps,
  em: Em,
  charge: Charge,
  { refundId: subjectId, now }: Step,
  { found, bookedCents }: { readonly found: ProviderRefund; readonly bookedCents: number },
): Promise<void> {
  const totalCents = found.status === 'REFUSED' ? 0 : found.amountCents - bookedCents;
  await bookExcess(deps, em, charge, { subjectId, totalCents }, now);
}

/** Reserves the money of a refund that the bank makes. @returns the booked cents; 0 if there is nothing to book. */
async function insert(
  em: Em,
  charge: Charge,
  { chargeId, refundId, now }: Step,
  found: ProviderRefund,
): Promise<number> {
  if (found.status === 'REFUSED') return 0;
  const left = charge.status === 'REFUNDED' ? { paidCents: 0 } : leftOf(charge);
  if (found.amountCents > left.paidCents && (await isReserved(em, charge)))
    throw ApplicationFailure.retryable('The charge is being refunded', 'REFUND_UNDER_WAY');
  const part = partOf(charge, Math.min(found.amountCents, left.paidCents));
  if (part.paidCents === 0) return 0;
  const refund: Refund = {
    id: refundId,
    chargeId,
    storeId: charge.storeId,
    devMode: charge.devMode,
    status: 'PENDING',
    amountCents: part.paidCents,
    takesRest: false,
    platformFeeCents: part.feeCents,
    reason: null,
    refusal: null,
    // This also holds if the store requested it and a restore lost the request: the repeated request joins this
    // row.
    initiatedBy: 'BANK',
    revivedAt: null,
    createdAt: now,
    updatedAt: now,
  };
  await em.insert(RefundEntity, refund);
  const counted = await countReversals(em, charge);
  if (part.paidCents === left.paidCents) await em.nativeUpdate(ChargeEntity, { id: chargeId }, { refundId });
  const taken = await placedPart(em, charge, { ...part, isSettled: charge.settledAt !== null });
  const amounts = refundReservedAmounts(taken);
  const movement = { kind: 'REFUND_RESERVED', subjectId: refundId } as const;
  await followReversal(em, counted, movement, now);
  await writeMovement(em, charge, { ...movement, amounts, createdAt: now });
  return part.paidCents;
}

/**
 * Whether something has reserved money of the charge and can only fail now, so that its part is free again: a refund of
 * the store, or a dispute of a PIX, of which a bank never returns more than was paid. A card's dispute may take the money
 * of a refunded payment too.
 */
async function isReserved(em: Em, { id: chargeId, method, ...charge }: Charge): Promise<boolean> {
  if (charge.reversedCents <= charge.refundedCents) return false;
  if (METHOD_TRAITS[method].contestedBy !== 'CHARGEBACK') return true;
  return (await em.count(RefundEntity, { chargeId, status: 'PENDING' })) > 0;
}
