import { z } from 'zod';
import type { Charge } from '../database/entities/charge.ts';
import type { Customer } from '../database/entities/customer.ts';
import type { Payment } from '../database/entities/payment.ts';
import type { SubscriptionId } from '../domain/ids.ts';
import { RETURN_REASONS } from '../domain/return-reason.ts';
import { amountCents, timestamp } from '../wire/fields.ts';
import { type ChargedCycle, chargedCycle, publishedCycle } from './charged-cycle.ts';
import { defineEvent } from './definition.ts';
import {
  eventCustomer,
  exampleCustomer,
  examplePixPayer,
  payerInformation,
  publishedCustomer,
  publishedPayer,
} from './parties.ts';
import { payment as paymentOfCharge, publishedPaymentOf } from './subscription/objects.ts';

const returnedPayment = z
  .strictObject({
    id: z.string(),
    devMode: z.boolean(),
    amount: amountCents.meta({ description: 'Cents that the payer sent; all of them were returned.' }),
    reason: z.enum(RETURN_REASONS).nullable().meta({
      description: 'Why it was not accepted; null for a payment that an older release started to return.',
    }),
    endToEndIdentifier: z.string().nullable().meta({ description: 'For a PIX, if the bank reported it.' }),
    checkoutId: z
      .string()
      .nullable()
      .meta({ description: 'The checkout for which it was sent; otherwise null.' }),
    subscriptionId: z
      .string()
      .nullable()
      .meta({ description: 'The subscription for which it was sent; otherwise null.' }),
    ...chargedCycle,
    paidAt: timestamp.meta({ description: 'When the payer paid.' }),
    returnedAt: timestamp,
  })
  .meta({ id: 'EventReturnedPayment' });

/** Without a receipt, because this payment did not pay the charge. */
const payment = paymentOfCharge.omit({ receiptUrl: true }).meta({ id: 'EventChargeOfReturnedPayment' });

const data = z.strictObject({ returnedPayment, payment, customer: eventCustomer, payerInformation });

interface Returned {
  readonly payment: Payment;
  /** The charge for which the payment was sent. */
  readonly charge: Charge;
  readonly subscriptionId: SubscriptionId | null;
  readonly cycle: ChargedCycle | null;
  readonly customer: Customer | null;
}

/** The `data` of `payment.returned`. */
export function returnedPaymentEventData(
  { payment: paid, charge, subscriptionId, cycle, customer }: Returned,
  now: Date,
): z.output<typeof data> {
  const { receiptUrl: _, ...published } = publishedPaymentOf(charge, paid.metadata, '');
  return {
    returnedPayment: {
      id: paid.id,
      devMode: charge.devMode,
      amount: paid.amountCents,
      reason: paid.returnReason,
      endToEndIdentifier: paid.endToEndIdentifier,
      checkoutId: charge.checkoutId,
      subscriptionId,
      ...publishedCycle(cycle),
      paidAt: paid.paidAt.toISOString(),
      returnedAt: now.toISOString(),
    },
    payment: published,
    customer: publishedCustomer(customer),
    payerInformation: publishedPayer(charge, customer, { name: paid.payerName, taxId: paid.payerTaxId }),
  };
}

/** Events of payments that were not accepted: our addition. */
export const returnedPaymentEvents = {
  'payment.returned': defineEvent(
    'A payment that could not be accepted was returned to its payer: a second, a late or an insufficient one. Our addition',
    data,
    {
      returnedPayment: {
        id: 'paym_01KAK5C3D4E5F6G7H8J9K0M1N2',
        devMode: true,
        amount: 24_000,
        reason: 'AMOUNT_TOO_LOW',
        endToEndIdentifier: 'E99999999202612041423V4T6R2W9ZB5',
        checkoutId: null,
        subscriptionId: null,
        installmentId: null,
        installmentNumber: null,
        paidAt: '2026-12-04T14:23:41.377Z',
        returnedAt: '2026-12-04T14:23:42.904Z',
      },
      payment: {
        id: 'pix_char_01KAK0Y3PQ8V4T6R2W9ZB5XHMD',
        devMode: true,
        externalId: 'order-1042',
        amount: 25_000,
        paidAmount: null,
        platformFee: 80,
        status: 'PENDING',
        methods: ['PIX'],
        metadata: {},
        createdAt: '2026-12-04T14:22:08.120Z',
        updatedAt: '2026-12-04T14:22:08.120Z',
      },
      customer: exampleCustomer,
      payerInformation: examplePixPayer,
    },
  ),
};
