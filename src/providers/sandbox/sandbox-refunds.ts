import { LockMode } from '@mikro-orm/core';
import { SandboxChargeEntity } from '../../database/entities/sandbox-charge.ts';
import { SandboxRefundEntity } from '../../database/entities/sandbox-refund.ts';
import type { Database } from '../../database/orm.ts';
import type { Refund, RefundAnswer } from '../ports/charges.ts';

const RETURNED: RefundAnswer = { outcome: 'RETURNED' };

/** Refunds a part of a payment, once per reference. The payment's row limits the total of concurrent refunds. */
export function refundSandboxPayment(
  database: Database,
  { refundReference: reference, providerPaymentId: paymentId, amountCents }: Refund,
): Promise<RefundAnswer> {
  return database.em.fork().transactional(async (em) => {
    const held = { lockMode: LockMode.PESSIMISTIC_WRITE, disableIdentityMap: true } as const;
    const payment = await em.findOne(SandboxChargeEntity, { paymentId }, held);
    const earlier = await em.find(SandboxRefundEntity, { paymentId }, { disableIdentityMap: true });
    if (earlier.some((refund) => refund.reference === reference)) return RETURNED;
    // Demo payments have no row, and full refunds of earlier releases have no refund.
    if (payment === null || (payment.status === 'RETURNED' && earlier.length === 0)) return RETURNED;
    const refundedCents = earlier.reduce((sum, refund) => sum + refund.amountCents, 0);
    const leftCents = (payment.amountCents ?? 0) - refundedCents;
    if (amountCents > leftCents) return { outcome: 'REFUSED', reason: 'amount_exceeds_payment' };
    await em.insert(SandboxRefundEntity, { reference, paymentId, amountCents, refundedAt: new Date() });
    if (amountCents === leftCents)
      await em.nativeUpdate(SandboxChargeEntity, { reference: payment.reference }, { status: 'RETURNED' });
    return RETURNED;
  });
}
