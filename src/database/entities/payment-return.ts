import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { PaymentId, PaymentReturnId } from '../../domain/ids.ts';

/**
 * A part of a HELD payment that has left its provider: the payer's bank took it (MED), or a person returned it at the
 * bank. It is out of suspense, and the rest of the payment is not. It is never changed.
 */
export const PaymentReturnEntity = defineEntity({
  name: 'PaymentReturn',
  tableName: 'payment_returns',
  properties: {
    /** Derived from the payment and {@link returnedCents}, so that a part is booked once. */
    id: p.text().$type<PaymentReturnId>().primary(),
    paymentId: p.text().$type<PaymentId>(),
    amountCents: p.bigint('number'),
    /** The total returned of the payment, including this part. */
    returnedCents: p.bigint('number'),
    createdAt: p.datetime(),
  },
});
export type PaymentReturn = InferEntity<typeof PaymentReturnEntity>;
