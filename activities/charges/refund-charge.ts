import { LockMode } from '@mikro-orm/core';
import { ApplicationFailure } from '@temporalio/common';
import { METHODS } from '../../src/charges/methods/index.ts';
import { afterCommit } from '../../src/database/after-commit.ts';
import { unattemptedDeliveries } from '../../src/database/delivery-to-start.ts';
import { type Charge, ChargeEntity } from '../../src/database/entities/charge.ts';
import { CustomerEntity } from '../../src/database/entities/customer.ts';
import { PaymentEntity } from '../../src/database/entities/payment.ts';
import { type Refund, RefundEntity } from '../../src/database/entities/refund.ts';
import { lockBalance, writeMovement } from '../../src/database/ledger/ledger.ts';
import type { Em } from '../../src/database/orm.ts';
import type { ChargeStatus } from '../../src/domain/charge.ts';
import type { ChargeId, RefundId } from '../../src/domain/ids.ts';
import {
  netCentsOf,
  refundCompletedAmounts,
  refundFailedAmounts,
  refundReservedAmounts,
} from '../../src/domain/ledger.ts';
import { type RefundRefusal, refundRefusalOf } from '../../src/domain/reversal.ts';
import { writeEvent } from '../../src/events/record.ts';
import { failedRefundEventData } from '../../src/events/refund.ts';
import { countRefund } from '../../src/metrics/counters.ts';
import type { ActivityDeps } from '../deps.ts';
import { notYet } from '../failures.ts';
import { loadCharge, lockCharge } from './load-charge.ts';
import {
  reversalDeliveriesLeft,
  settleAfterReversal,
  settledAtAfter,
  takeBack,
  takenMoneyOf,
  writeReversalEvent,
} from './reversal.ts';

/**
 * Refunds a charge in three steps, each of which may be repeated: set the money aside, so that nothing else
 * spends it and no dispute takes it too; have the provider send the payment back, which it does once; and
 * write down that it is back.
 * @returns the charge's status afterwards. Whether the refund worked is in its row.
 */
export async function refundCharge(
  deps: ActivityDeps,
  chargeId: ChargeId,
  refundId: RefundId,
  now: Date,
): Promise<ChargeStatus> {
  const { em, charge, provider } = await loadCharge(deps, chargeId);
  const status = await em.transactional((tx) => reserve(tx, refundId, now, deps.publicUrl));
  if (status === 'PENDING') {
    const accepted = { chargeId, outcome: 'ACCEPTED' as const };
    const { providerPaymentId, amountCents } = await em.findOneOrFail(PaymentEntity, accepted);
    const answer = await provider.refund({ refundReference: refundId, providerPaymentId, amountCents });
    if (answer.outcome === 'PENDING') throw notYet('The refund is under way', answer.pollAfterMs);
    await em.transactional((tx) =>
      answer.outcome === 'RETURNED'
        ? complete(tx, refundId, now, deps.publicUrl)
        : giveUp(tx, refundId, now, deps.publicUrl),
    );
  }
  for (const delivery of [
    ...(await reversalDeliveriesLeft(em, charge, 'refunded', refundId)),
    ...(await unattemptedDeliveries(em, `refund.failed/${refundId}`)),
  ])
    await deps.startDelivery(delivery);
  return settleAfterReversal(deps, em, chargeId);
}

async function lockRefund(em: Em, id: RefundId): Promise<Refund> {
  const held = { lockMode: LockMode.PESSIMISTIC_WRITE, disableIdentityMap: true } as const;
  const refund = await em.findOne(RefundEntity, { id }, held);
  if (refund === null) throw ApplicationFailure.nonRetryable(`No refund ${id}`, 'REFUND_NOT_FOUND');
  return refund;
}

/** Sets the money aside, or finds that the refund cannot be. @returns the refund's status afterwards. */
async function reserve(em: Em, refundId: RefundId, now: Date, publicUrl: string): Promise<Refund['status']> {
  const refund = await lockRefund(em, refundId);
  if (refund.status !== 'REQUESTED') return refund.status;
  const charge = await lockCharge(em, refund.chargeId);
  const refusal = await refusalOf(em, charge);
  const status = refusal === null ? 'PENDING' : 'FAILED';
  await em.nativeUpdate(RefundEntity, { id: refundId }, { status, refusal, updatedAt: now });
  if (refusal !== null) {
    await tellFailed(em, refund, refusal, charge, now, publicUrl);
    return status;
  }
  await em.nativeUpdate(ChargeEntity, { id: charge.id }, { refundId });
  const amounts = refundReservedAmounts(takenMoneyOf(charge));
  await writeMovement(em, charge, { kind: 'REFUND_RESERVED', subjectId: refundId, amounts, createdAt: now });
  return status;
}

/** What is still pending belongs to its own payment; what has settled may have been paid out meanwhile. */
async function refusalOf(em: Em, charge: Charge): Promise<RefundRefusal | null> {
  const refusal = refundRefusalOf(charge.status, METHODS[charge.method].refundRefusal);
  if (refusal !== null) return refusal;
  const taken = takenMoneyOf(charge);
  if (!taken.isSettled) return null;
  const { availableCents } = await lockBalance(em, charge);
  return availableCents < netCentsOf(taken) ? 'INSUFFICIENT_FUNDS' : null;
}

/** The payer has the money back. */
async function complete(em: Em, refundId: RefundId, now: Date, publicUrl: string): Promise<void> {
  const refund = await lockRefund(em, refundId);
  if (refund.status !== 'PENDING') return;
  const charge = await takeBack(em, await loaded(em, refund.chargeId), now);
  await em.nativeUpdate(RefundEntity, { id: refundId }, { status: 'COMPLETED', updatedAt: now });
  const { reason } = refund;
  await writeReversalEvent(em, { happened: 'refunded', charge, subjectId: refundId, reason }, now, publicUrl);
  const amounts = refundCompletedAmounts(takenMoneyOf(charge));
  await writeMovement(em, charge, { kind: 'REFUND_COMPLETED', subjectId: refundId, amounts, createdAt: now });
  afterCommit(em, () => countRefund(charge, refund.amountCents));
}

/** The provider refused: the money is the store's again. */
async function giveUp(em: Em, refundId: RefundId, now: Date, publicUrl: string): Promise<void> {
  const refund = await lockRefund(em, refundId);
  if (refund.status !== 'PENDING') return;
  const charge = await lockCharge(em, refund.chargeId);
  const settledAt = settledAtAfter(charge, now);
  await em.nativeUpdate(ChargeEntity, { id: charge.id }, { refundId: null, settledAt });
  const refused = { status: 'FAILED', refusal: 'TRANSACTION_NOT_REFUNDABLE', updatedAt: now } as const;
  await em.nativeUpdate(RefundEntity, { id: refundId }, refused);
  await tellFailed(em, refund, refused.refusal, charge, now, publicUrl);
  const amounts = refundFailedAmounts(takenMoneyOf({ ...charge, settledAt }));
  await writeMovement(em, charge, { kind: 'REFUND_FAILED', subjectId: refundId, amounts, createdAt: now });
}

/** Writes `refund.failed`: whoever asked may not have had the answer. */
async function tellFailed(
  em: Em,
  refund: Refund,
  refusal: RefundRefusal,
  charge: Charge,
  now: Date,
  publicUrl: string,
): Promise<void> {
  const { customerId } = charge;
  const customer = customerId === null ? null : await em.findOne(CustomerEntity, { id: customerId });
  const data = failedRefundEventData(refund, refusal, charge, customer, publicUrl);
  await writeEvent(em, charge, 'refund.failed', refund.id, data, now);
}

/**
 * Without a lock: the refund that it carries keeps everybody else away from it, and its checkout comes first.
 */
function loaded(em: Em, id: ChargeId): Promise<Charge> {
  return em.findOneOrFail(ChargeEntity, { id }, { disableIdentityMap: true });
}
