import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { ChargeId, PaymentId } from '../../domain/ids.ts';
import type { ReturnReason } from '../../domain/return-reason.ts';
import { SealedText } from '../encryption/sealed-text.ts';

/**
 * Money that a provider received for a charge. At most one payment of a charge is ACCEPTED (a unique index). Any
 * other (a boleto paid twice, a payment after expiry) is RETURNING, in the ledger's suspense account, until the
 * provider has returned it: then it is RETURNED in full. If the provider refuses the return, the payment is HELD in
 * suspense until it is known to have been returned by hand.
 */
export const PaymentEntity = defineEntity({
  name: 'Payment',
  tableName: 'payments',
  properties: {
    id: p.text().$type<PaymentId>().primary(),
    chargeId: p.text().$type<ChargeId>(),
    provider: p.text(),
    providerPaymentId: p.text(),
    /** The end-to-end id of a PIX; null for other payments, and if the provider does not report it. */
    endToEndIdentifier: p.text().strictNullable(),
    outcome: p.text().$type<'ACCEPTED' | 'RETURNING' | 'RETURNED' | 'HELD'>(),
    amountCents: p.bigint('number'),
    paidAt: p.datetime(),
    payerName: p.text().strictNullable(),
    payerTaxId: p.type(new SealedText('payments.payer_tax_id')).strictNullable(),
    /** The metadata given to `simulate-payment`. */
    metadata: p.json().columnType('json').$type<Record<string, unknown>>().defaultRaw(`'{}'`),
    createdAt: p.datetime(),
    /** Why it was not accepted; null if it was, or if an older release began to return it. */
    returnReason: p.text().$type<ReturnReason>().strictNullable(),
  },
});
export type Payment = InferEntity<typeof PaymentEntity>;
