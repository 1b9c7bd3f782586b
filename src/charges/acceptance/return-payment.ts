import { warnOfAttention } from '../../database/attention.ts';
import type { Charge } from '../../database/entities/charge.ts';
import type { Em } from '../../database/orm.ts';
import { writeReturned } from '../../events/write-returned.ts';
import { returnedPaymentIdOf } from '../../ids.ts';
import { beginReturn, holdPayment } from '../../ledger/suspense.ts';
import { notYet } from '../../providers/not-yet.ts';
import type { ProviderPayment } from '../../providers/ports/payment.ts';
import type { PaymentProvider } from '../../providers/provider.ts';
import type { ChargeDeps } from '../effects.ts';
import { bookTakenFromSuspense } from '../refunds/taken-from-suspense.ts';
import { orderReturn } from './order-return.ts';
import { returnReasonOf } from './return-reason.ts';

/**
 * Returns a payment in full that cannot be accepted (contract section 4). The payment is first recorded in
 * suspense: after a crash the return is ordered again, and the provider carries it out once. Parts that others have
 * taken meanwhile are not ordered ({@link orderReturn}).
 *
 * A refusal is final: endless retries would move no money and notify nobody. The payment then stays in suspense
 * until a person returns it.
 */
export async function returnPayment(
  deps: ChargeDeps,
  em: Em,
  charge: Charge,
  provider: PaymentProvider,
  payment: ProviderPayment,
  now: Date,
): Promise<void> {
  const { providerPaymentId, amountCents } = payment;
  // A return that has ended is left alone even if it is notified again. The provider must not be asked again after
  // a refusal, since a person may have returned the payment by hand.
  const returning = await beginReturn(em, charge, {
    id: returnedPaymentIdOf(provider.name, payment),
    chargeId: charge.id,
    provider: provider.name,
    providerPaymentId,
    amountCents,
    paidAt: payment.paidAt,
    payerName: payment.payer.name,
    payerTaxId: payment.payer.taxId,
    endToEndIdentifier: payment.endToEndIdentifier ?? null,
    metadata: payment.metadata ?? {},
    createdAt: now,
    returnReason: await returnReasonOf(em, charge.id, payment),
  });
  if (returning === null) {
    await bookTakenFromSuspense(deps, em, charge, payment, now);
    return;
  }
  const answer = await orderReturn(em, provider, payment, returning, now);
  if (answer.outcome === 'PENDING') {
    if (deps.askAgain === undefined) throw notYet('The payment is on its way back', answer.pollAfterMs);
    return deps.askAgain(answer.pollAfterMs);
  }
  if (answer.outcome === 'REFUSED') {
    const noted = await holdPayment(em, charge, returning, now);
    if (noted !== null) warnOfAttention(deps.log, noted);
    await bookTakenFromSuspense(deps, em, charge, payment, now);
    deps.markRun?.();
    return;
  }
  const deliveries = await em.transactional((tx) => writeReturned(tx, returning.id, 'RETURNING', now));
  for (const delivery of deliveries) await deps.startDelivery(delivery);
  deps.log.warn(
    { chargeId: charge.id, status: charge.status, returnedCents: amountCents },
    'payment returned in full',
  );
}
