import type { Charge } from '../../database/entities/charge.ts';
import { canBePaid } from '../../domain/charge.ts';
import type { ProviderPayment } from '../../providers/ports/payment.ts';
import type { PaymentProvider } from '../../providers/provider.ts';
import { ProviderError } from '../../providers/provider-error.ts';
import { isRefundedByStore } from './left-at-provider.ts';

/** A payment is notified within seconds. Payments that a restore lost are found later than that. */
const NOTIFIED_WITHIN_MS = 30_000;

/**
 * Whether another payment of an unpaid charge was the accepted one: its store has refunded it, and a restore lost
 * both the refund and the acceptance. Accepting this payment would leave a refunded order paid. A payment that is
 * notified in time needs no check: no restore is that fast. If the provider cannot list the charge's payments, the
 * answer is no.
 */
export async function isAnotherRefunded(
  charge: Pick<Charge, 'status' | 'failureReason' | 'provider' | 'providerReference' | 'devMode'>,
  provider: Pick<PaymentProvider, 'charges'>,
  payment: ProviderPayment,
  now: Date,
): Promise<boolean> {
  if (charge.devMode || !canBePaid(charge) || payment.refunds === undefined) return false;
  if (now.getTime() - payment.paidAt.getTime() < NOTIFIED_WITHIN_MS || isRefundedByStore(payment))
    return false;
  const known = await provider.charges
    .findByReference(charge.providerReference)
    .catch(nothingIfItIsTheProvider);
  const others = (known?.payments ?? []).filter(
    (other) => other.providerPaymentId !== payment.providerPaymentId,
  );
  return others.some(isRefundedByStore);
}

function nothingIfItIsTheProvider(error: unknown): null {
  if (error instanceof ProviderError) return null;
  throw error;
}
