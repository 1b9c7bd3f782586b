import { LockMode } from '@mikro-orm/core';
import { ApplicationFailure } from '@temporalio/common';
import { afterCommit } from '../../database/after-commit.ts';
import { resolveAttention } from '../../database/attention.ts';
import { type Charge, ChargeEntity } from '../../database/entities/charge.ts';
import { CustomerEntity } from '../../database/entities/customer.ts';
import { PaymentEntity } from '../../database/entities/payment.ts';
import { type Refund, RefundEntity } from '../../database/entities/refund.ts';
import type { Em } from '../../database/orm.ts';
import type { ChargeStatus } from '../../domain/charge.ts';
import type { ChargeId, RefundId } from '../../domain/ids.ts';
import {
  netCentsOf,
  refundCompletedAmounts,
  refundFailedAmounts,
  refundReservedAmounts,
} from '../../domain/ledger.ts';
import { type RefundRefusal, refundRefusalOf } from '../../domain/reversal.ts';
import { cycleOfCharge } from '../../events/charged-cycle.ts';
import { unattemptedDeliveries } from '../../events/delivery-to-start.ts';
import { writeEvent } from '../../events/record.ts';
import { failedRefundEventData } from '../../events/refund.ts';
import { lockBalance } from '../../ledger/balance.ts';
import { noteMoneyOrder } from '../../ledger/note-money-order.ts';
import { writeMovement } from '../../ledger/write-movement.ts';
import { countRefund } from '../../metrics/counters.ts';
import { notYet } from '../../providers/not-yet.ts';
import { centsFromSubAccounts, followReversal } from '../../sub-accounts/splits.ts';
import type { ChargeDeps } from '../effects.ts';
import { loadCharge, lockCharge, statusOf } from '../load-charge.ts';
import { METHODS } from '../methods/index.ts';
import { placedPart } from '../receivables/receivable-rows.ts';
import { orderedBeforeCents } from './ordered-before.ts';
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
} from './reversal.ts';

interface Step {
  readonly chargeId: ChargeId;
  readonly refundId: RefundId;
  readonly now: Date;
  readonly publicUrl: string;
}

/**
 * Refunds a charge, or a part of it, in three repeatable steps. First reserve the money, so that nothing else
 * spends it and no dispute takes it. Then order the refund; the provider carries it out once. Then record that the
 * payer has the money.
 * @returns the charge's status afterwards. The refund's row has its result.
 */
export async function refundCharge(
  deps: ChargeDeps,
  chargeId: ChargeId,
  refundId: RefundId,
  now: Date,
): Promise<ChargeStatus> {
  const { em, charge, provider } = await loadCharge(deps, chargeId);
  const step = { chargeId, refundId, now, publicUrl: deps.publicUrl };
  const orderedCents = await orderedBeforeCents(em, charge, refundId, provider);
  const { status, amountCents } = await em.transactional((tx) => reserve(tx, step, orderedCents));
  if (status === 'PENDING') {
    const accepted = { chargeId, outcome: 'ACCEPTED' as const };
    const { providerPaymentId } = await em.findOneOrFail(PaymentEntity, accepted);
    const mayHaveBeenOrdered = await noteMoneyOrder(em, { subjectId: refundId, now });
    const order = { refundReference: refundId, providerPaymentId, amountCents, mayHaveBeenOrdered };
    const answer = await provider.charges.refund(order);
    if (answer.outcome === 'PENDING') {
      if (deps.askAgain === undefined) throw notYet('The refund is under way', answer.pollAfterMs);
      // The auditor resumes a refund that has been pending for long.
      await em.nativeUpdate(RefundEntity, { id: refundId, status: 'PENDING' }, { updatedAt: now });
      deps.askAgain(answer.pollAfterMs);
      return statusOf(em, chargeId);
    }
    await em.transactional((tx) => (answer.outcome === 'RETURNED' ? complete(tx, step) : giveUp(tx, step)));
  }
  for (const delivery of [
    ...(await reversalDeliveriesLeft(em, charge, 'refunded', refundId)),
    ...(await unattemptedDeliveries(em, `refund.failed/${refundId}`)),
  ])
    await deps.startDelivery(delivery);
  return settleAfterReversal(deps, em, chargeId);
}

/** Locks the charge first, like every other writer: it can have several refunds. */
async function lockRefund(em: Em, id: RefundId): Promise<Refund> {
  const held = { lockMode: LockMode.PESSIMISTIC_WRITE, disableIdentityMap: true } as const;
  const refund = await em.findOne(RefundEntity, { id }, held);
  if (refund === null) throw ApplicationFailure.nonRetryable(`No refund ${id}`, 'REFUND_NOT_FOUND');
  return refund;
}

/**
 * Reserves the money, or fails the refund.
 * @param orderedCents what the provider has returned already: that money has left, even if the balance does not
 *   cover it.
 * @returns the refund afterwards.
 */
async function reserve(
  em: Em,
  { chargeId, refundId, now, publicUrl }: Step,
  orderedCents: number | null,
): Promise<Refund> {
  const charge = await lockCharge(em, chargeId);
  const refund = await lockRefund(em, refundId);
  if (refund.status !== 'REQUESTED') return refund;
  const left = leftOf(charge);
  const isOrdered = orderedCents !== null && orderedCents <= left.paidCents;
  const askedCents = refund.takesRest ? left.paidCents : refund.amountCents;
  const amountCents = isOrdered ? orderedCents : askedCents;
  const refusal = isOrdered ? null : await refusalOf(em, charge, amountCents);
  if (refusal !== null) {
    await em.nativeUpdate(RefundEntity, { id: refundId }, { status: 'FAILED', refusal, updatedAt: now });
    await notifyFailed(em, refund, refusal, charge, now, publicUrl);
    return { ...refund, status: 'FAILED', refusal };
  }
  const part = partOf(charge, amountCents);
  const setAside = {
    status: 'PENDING',
    amountCents,
    platformFeeCents: part.feeCents,
    updatedAt: now,
  } as const;
  await em.nativeUpdate(RefundEntity, { id: refundId }, setAside);
  const counted = await countReversals(em, charge);
  if (amountCents === left.paidCents) await em.nativeUpdate(ChargeEntity, { id: chargeId }, { refundId });
  const taken = await placedPart(em, charge, { ...part, isSettled: charge.settledAt !== null });
  const amounts = refundReservedAmounts(taken);
  const movement = { kind: 'REFUND_RESERVED', subjectId: refundId } as const;
  await followReversal(em, counted, movement, now);
  await writeMovement(em, charge, { ...movement, amounts, createdAt: now });
  return { ...refund, ...setAside };
}

/** Pending money belongs to its own payment. Settled money may have been paid out meanwhile. */
async function refusalOf(em: Em, charge: Charge, amountCents: number): Promise<RefundRefusal | null> {
  const { paidCents } = leftOf(charge);
  const refusal = refundRefusalOf(charge.status, METHODS[charge.method].refundRefusal);
  if (refusal !== null) return refusal;
  if (paidCents === 0) return 'TRANSACTION_NOT_REFUNDABLE';
  if (amountCents > paidCents) return 'REFUND_EXCEEDS_PAYMENT';
  const part = { ...partOf(charge, amountCents), isSettled: charge.settledAt !== null };
  const { pendingCents = part.isSettled ? 0 : netCentsOf(part) } = await placedPart(em, charge, part);
  const neededCents = netCentsOf(part) - pendingCents;
  if (!part.isSettled && neededCents === 0) return null;
  const { availableCents } = await lockBalance(em, charge);
  const fromSubAccountsCents = await centsFromSubAccounts(em, charge, amountCents);
  return availableCents + fromSubAccountsCents < neededCents ? 'INSUFFICIENT_FUNDS' : null;
}

/** Records that the payer has the money. May be called again, without effect. */
export async function complete(em: Em, { chargeId, refundId, now, publicUrl }: Step): Promise<void> {
  const held = await lockToTakeBack(em, chargeId);
  const refund = await lockRefund(em, refundId);
  if (refund.status !== 'PENDING') return;
  await em.nativeUpdate(RefundEntity, { id: refundId }, { status: 'COMPLETED', updatedAt: now });
  const charge = await takeBack(em, held, held.status, now);
  const published = {
    happened: 'refunded',
    charge,
    subjectId: refundId,
    reason: refund.reason,
    refund,
  } as const;
  await writeReversalEvent(em, { ...published, refundCents: refund.amountCents }, now, publicUrl);
  const amounts = refundCompletedAmounts(reversedBy(charge, refund));
  await writeMovement(em, charge, { kind: 'REFUND_COMPLETED', subjectId: refundId, amounts, createdAt: now });
  // The payer may have asked for it in the customer portal.
  await resolveAttention(em, { kind: 'REFUND_REQUESTED', subjectId: chargeId, now });
  afterCommit(em, () => countRefund(charge, refund.amountCents));
}

/** The provider refused: the money goes back to the store's balance, and the charge is not fully refunded. */
export async function giveUp(em: Em, { chargeId, refundId, now, publicUrl }: Step): Promise<void> {
  const charge = await lockCharge(em, chargeId);
  const refund = await lockRefund(em, refundId);
  if (refund.status !== 'PENDING') return;
  const settledAt = await settledAtAfter(em, charge, now);
  const refused = { status: 'FAILED', refusal: 'TRANSACTION_NOT_REFUNDABLE', updatedAt: now } as const;
  await em.nativeUpdate(RefundEntity, { id: refundId }, refused);
  await em.nativeUpdate(RefundEntity, { chargeId, status: { $ne: 'FAILED' } }, { takesRest: false });
  await em.nativeUpdate(ChargeEntity, { id: chargeId }, { refundId: null, settledAt });
  const counted = await countReversals(em, { ...charge, settledAt });
  await notifyFailed(em, refund, refused.refusal, charge, now, publicUrl);
  const amounts = refundFailedAmounts(await placedPart(em, counted, reversedBy(counted, refund)));
  const movement = { kind: 'REFUND_FAILED', subjectId: refundId } as const;
  await writeMovement(em, charge, { ...movement, amounts, createdAt: now });
  await followReversal(em, counted, movement, now);
}

/** Writes `refund.failed`: the caller may not have received the answer. */
async function notifyFailed(
  em: Em,
  refund: Refund,
  refusal: RefundRefusal,
  charge: Charge,
  now: Date,
  publicUrl: string,
): Promise<void> {
  const { customerId } = charge;
  const customer = customerId === null ? null : await em.findOne(CustomerEntity, { id: customerId });
  const cycle = await cycleOfCharge(em, charge);
  const data = failedRefundEventData(refund, refusal, charge, customer, publicUrl, cycle);
  await writeEvent(em, charge, 'refund.failed', refund.id, data, now);
}
