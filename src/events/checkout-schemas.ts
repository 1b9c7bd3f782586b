import { z } from 'zod';
import { CHARGE_STATUSES, CHECKOUT_METHODS, PAYMENT_METHODS } from '../domain/charge.ts';
import { CHECKOUT_FREQUENCIES, CHECKOUT_STATUSES } from '../domain/checkout.ts';
import { checkoutShape } from '../wire/checkout.ts';
import { amountCents, customerNamedBy, timestamp } from '../wire/fields.ts';
import { chargedCycle } from './charged-cycle.ts';
import {
  eventCustomer,
  payerInformation,
  paymentMetadata,
  publishedDispute,
  publishedRefund,
  reason,
} from './parties.ts';

const checkout = z
  .strictObject({
    id: z.string(),
    devMode: z.boolean(),
    externalId: z.string().nullable(),
    url: z.string(),
    amount: amountCents.meta({ description: "Cents, before a coupon's discount, with the `customerFee`." }),
    paidAmount: z.int().nullable(),
    customerFee: z.int().nullable().meta({
      description: 'Card fees in cents that the payer pays on top of the price; null if none.',
    }),
    platformFee: z.int().meta({ description: 'Cents.' }),
    frequency: z.enum(CHECKOUT_FREQUENCIES),
    items: z.array(z.strictObject({ id: z.string(), quantity: z.int() })).meta({
      description: 'The items of this payment. For a payment link or upsell, only the items just paid.',
    }),
    status: z.enum(CHECKOUT_STATUSES),
    methods: z.array(z.enum(CHECKOUT_METHODS)),
    customerId: z.string().nullable(),
    customerNamedBy,
    receiptUrl: z.string(),
    installmentsCount: z.int().nullable().meta({ description: 'Null unless there is more than one.' }),
    isUpSell: z.boolean().meta({
      description:
        'Whether this payment is for the upsell; the purchase before has an event with the same `id`.',
    }),
    metadata: z.record(z.string(), z.unknown()),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'EventCheckout' });

const payment = z
  .strictObject({
    id: z.string(),
    devMode: z.boolean(),
    amount: z.int().meta({ description: 'Cents, with the `customerFee`; 0 if a coupon covered everything.' }),
    paidAmount: z.int().nullable(),
    platformFee: z.int(),
    status: z.enum(CHARGE_STATUSES),
    methods: z.array(z.enum(PAYMENT_METHODS)),
    upSell: z
      .boolean()
      .meta({ description: 'Whether it was bought on the confirmation page, after paying.' }),
    ...chargedCycle,
    receiptUrl: z.string(),
    metadata: paymentMetadata,
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'EventCheckoutPayment', description: 'The payment of this event.' });

export const data = z.strictObject({ checkout, payment, customer: eventCustomer, payerInformation });
export const dataWithReason = data.extend({ reason });
export const refundedData = dataWithReason.extend({ refund: publishedRefund });
export const disputedData = dataWithReason.extend({ dispute: publishedDispute });

export const failedData = z.strictObject({
  checkout: z.strictObject({ ...checkout.shape, receiptUrl: z.null() }).meta({ id: 'EventUnpaidCheckout' }),
  payment: z.strictObject({ ...payment.shape, receiptUrl: z.null() }).meta({ id: 'EventFailedPayment' }),
  customer: eventCustomer,
  payerInformation,
  reason: z.string().nullable().meta({ description: 'The reason: a decline code such as `card_declined`.' }),
});

export const expiredData = z.strictObject({
  checkout: z
    .strictObject({
      ...checkoutShape,
      frequency: z.enum(CHECKOUT_FREQUENCIES),
      subscriptionId: z.string().nullable().optional().meta({ description: 'Only for a subscription.' }),
    })
    .meta({ id: 'EventExpiredCheckout' }),
  customer: eventCustomer,
});
export type CheckoutEventData = z.output<typeof data>;
