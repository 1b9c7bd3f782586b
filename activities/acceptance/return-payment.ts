import { ApplicationFailure } from '@temporalio/common';
import type { Charge } from '../../src/database/entities/charge.ts';
import { PaymentEntity } from '../../src/database/entities/payment.ts';
import type { Em } from '../../src/database/orm.ts';
import { mintId } from '../../src/ids.ts';
import type { PaymentProvider, ProviderPayment } from '../../src/providers/provider.ts';
import type { ActivityDeps } from '../deps.ts';

/**
 * Sends a payment that cannot be accepted back to its payer in full and keeps a record of it (contract
 * section 4). The provider comes first: a crash before the record repeats the return, which the provider does
 * once.
 */
export async function returnPayment(
  deps: ActivityDeps,
  em: Em,
  charge: Charge,
  provider: PaymentProvider,
  payment: ProviderPayment,
  now: Date,
): Promise<void> {
  const answer = await provider.returnPayment(payment.providerPaymentId);
  // Nothing may be kept that was not accepted: an operator sees the activity fail until the provider takes it
  // back.
  if (answer.outcome === 'REFUSED')
    throw ApplicationFailure.retryable('The provider refused a return', 'RETURN_REFUSED');
  const returned = em.qb(PaymentEntity).insert({
    id: mintId('payment', now),
    chargeId: charge.id,
    provider: provider.name,
    providerPaymentId: payment.providerPaymentId,
    outcome: 'RETURNED',
    amountCents: payment.amountCents,
    paidAt: payment.paidAt,
    payerName: payment.payer.name,
    payerTaxId: payment.payer.taxId,
    metadata: payment.metadata ?? {},
    createdAt: now,
  });
  await returned.onConflict(['provider', 'providerPaymentId']).ignore().execute('run');
  const returnedCents = payment.amountCents;
  deps.log.warn(
    { chargeId: charge.id, status: charge.status, returnedCents },
    'a payment was returned in full',
  );
}
