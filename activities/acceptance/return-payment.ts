import { warnOfAttention } from '../../src/database/attention.ts';
import type { Charge } from '../../src/database/entities/charge.ts';
import { PaymentEntity } from '../../src/database/entities/payment.ts';
import { insertNew } from '../../src/database/insert-new.ts';
import { holdPayment } from '../../src/database/ledger/suspense.ts';
import type { Em } from '../../src/database/orm.ts';
import type { PaymentId } from '../../src/domain/ids.ts';
import { mintId } from '../../src/ids.ts';
import type { PaymentProvider, ProviderPayment } from '../../src/providers/provider.ts';
import type { ActivityDeps } from '../deps.ts';

/**
 * Sends a payment that cannot be accepted back to its payer in full and keeps a record of it (contract
 * section 4). The provider comes first: a crash before the record repeats the return, which the provider does
 * once.
 *
 * A refusal is final: asking for ever would move no money and tell nobody. The payment is then held in
 * suspense for a person to return.
 */
export async function returnPayment(
  deps: ActivityDeps,
  em: Em,
  charge: Charge,
  provider: PaymentProvider,
  payment: ProviderPayment,
  now: Date,
): Promise<void> {
  const { providerPaymentId, amountCents } = payment;
  // Told again after it was written: a provider that takes back later what it refused once must not be asked
  // again, as a person may have returned it by hand.
  const known = { provider: provider.name, providerPaymentId };
  if ((await em.count(PaymentEntity, known)) > 0) return;

  const { outcome } = await provider.returnPayment(providerPaymentId);
  const received = {
    id: mintId<PaymentId>('payment', now),
    chargeId: charge.id,
    ...known,
    amountCents,
    paidAt: payment.paidAt,
    payerName: payment.payer.name,
    payerTaxId: payment.payer.taxId,
    endToEndIdentifier: payment.endToEndIdentifier ?? null,
    metadata: payment.metadata ?? {},
    createdAt: now,
  };
  if (outcome === 'REFUSED') {
    const noted = await holdPayment(em, charge, received);
    if (noted !== null) warnOfAttention(deps.log, noted);
    deps.markRun?.();
    return;
  }
  await insertNew(em, PaymentEntity, { ...received, outcome });
  deps.log.warn(
    { chargeId: charge.id, status: charge.status, returnedCents: amountCents },
    'a payment was returned in full',
  );
}
