import { PaymentEntity } from '../../../src/database/entities/payment.ts';
import { insertNew } from '../../../src/database/insert-new.ts';
import type { Database } from '../../../src/database/orm.ts';
import type { ChargeId, PaymentId } from '../../../src/domain/ids.ts';
import { mintId } from '../../../src/ids.ts';

/** A payment's row, once, as the run of its charge writes it. */
export async function recordPayment(
  database: Database,
  chargeId: string,
  provider: string,
  providerPaymentId: string,
): Promise<void> {
  const now = new Date();
  await insertNew(database, PaymentEntity, {
    id: mintId<PaymentId>('payment', now),
    chargeId: chargeId as ChargeId,
    provider,
    providerPaymentId,
    endToEndIdentifier: providerPaymentId,
    outcome: 'RETURNED',
    amountCents: 2_500,
    paidAt: now,
    payerName: null,
    payerTaxId: null,
    metadata: {},
    createdAt: now,
    returnReason: 'PAID_LATE',
  });
}
