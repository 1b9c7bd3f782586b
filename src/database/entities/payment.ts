import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { ChargeId, PaymentId } from '../../domain/ids.ts';

/**
 * Money that reached the provider for a charge. At most one payment of a charge is ACCEPTED (a unique index);
 * any other (a boleto paid twice, a payment after expiry) is RETURNED in full.
 */
export const PaymentEntity = defineEntity({
  name: 'Payment',
  tableName: 'payments',
  properties: {
    id: p.string().$type<PaymentId>().primary(),
    chargeId: p.string().$type<ChargeId>(),
    provider: p.string(),
    providerPaymentId: p.string(),
    outcome: p.string().$type<'ACCEPTED' | 'RETURNED'>(),
    amountCents: p.bigint('number'),
    paidAt: p.datetime(),
    payerName: p.string().strictNullable(),
    payerTaxId: p.string().strictNullable(),
    /** What the payment was told with: of `simulate-payment`, what its caller sent. */
    metadata: p.json().columnType('json').$type<Record<string, unknown>>(),
    createdAt: p.datetime(),
  },
});
export type Payment = InferEntity<typeof PaymentEntity>;
