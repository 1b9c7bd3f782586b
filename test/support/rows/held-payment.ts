import type { Em } from '../../../src/database/orm.ts';
import type { ChargeId, PaymentId, StoreId } from '../../../src/domain/ids.ts';
import { beginReturn, holdPayment } from '../../../src/ledger/suspense.ts';

interface HeldPayment {
  readonly storeId: StoreId;
  /** A charge of the store, in the sandbox. */
  readonly chargeId: ChargeId;
  readonly amountCents: number;
}

/** Inserts a payment that could not be accepted and that its provider refused to return. @returns `paym_<amountCents>`. */
export async function insertHeldPayment(em: Em, held: HeldPayment): Promise<PaymentId> {
  const { storeId, chargeId, amountCents } = held;
  const now = new Date();
  const id = `paym_${amountCents}` as PaymentId;
  const owner = { storeId, devMode: true };
  const returning = await beginReturn(em, owner, {
    ...{ id, chargeId, amountCents, provider: 'sandbox', providerPaymentId: id },
    ...{ paidAt: now, createdAt: now, metadata: {}, returnReason: null },
    ...{ endToEndIdentifier: null, payerName: null, payerTaxId: null },
  });
  if (returning !== null) await holdPayment(em, owner, returning, now);
  return id;
}
