import { z } from 'zod';
import { CHARGE_STATUSES, PAYMENT_METHODS } from '../domain/charge.ts';
import { CHECKOUT_FREQUENCIES, CHECKOUT_STATUSES } from '../domain/checkout.ts';
import { amountCents, timestamp } from '../wire/fields.ts';
import { eventDocument } from './document.ts';
import {
  eventCustomer,
  exampleCardPayer,
  exampleCustomer,
  payerInformation,
  paymentMetadata,
  reason,
} from './parties.ts';

const checkout = z.strictObject({
  id: z.string(),
  devMode: z.boolean(),
  externalId: z.string().nullable(),
  url: z.string(),
  amount: amountCents.meta({ description: 'Cents, before the discount of a coupon.' }),
  paidAmount: z.int().nullable(),
  platformFee: z.int().meta({ description: 'Cents.' }),
  frequency: z.enum(CHECKOUT_FREQUENCIES),
  items: z.array(z.strictObject({ id: z.string(), quantity: z.int() })).meta({
    description: 'What this payment was for: of a payment link, or an upsell, the items just paid.',
  }),
  status: z.enum(CHECKOUT_STATUSES),
  methods: z.array(z.enum(PAYMENT_METHODS)),
  customerId: z.string().nullable(),
  receiptUrl: z.string(),
  installmentsCount: z.int().nullable().meta({ description: 'Null unless there is more than one.' }),
  metadata: z.record(z.string(), z.unknown()),
  createdAt: timestamp,
  updatedAt: timestamp,
});

const payment = z
  .strictObject({
    id: z.string(),
    devMode: z.boolean(),
    amount: z.int().meta({ description: 'Cents; 0 where a coupon took it all.' }),
    paidAmount: z.int().nullable(),
    platformFee: z.int(),
    status: z.enum(CHARGE_STATUSES),
    methods: z.array(z.enum(PAYMENT_METHODS)),
    upSell: z.boolean().meta({ description: 'Whether it was made after paying, on the confirmation page.' }),
    receiptUrl: z.string(),
    metadata: paymentMetadata,
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ description: 'The one payment that the event is about.' });

const data = z.strictObject({ checkout, payment, customer: eventCustomer, payerInformation });
const dataWithReason = data.extend({ reason });

const id = 'bill_01KAK0Y3PQ8V4T6R2W9ZB5XHMD';
const chargeId = 'card_01KAK0Z7Q3C5D7E9F1G3H5J7KM';
const receiptUrl = `https://pay.example.com/receipt/${chargeId}`;

const paid = {
  checkout: {
    id,
    devMode: true,
    externalId: 'order-1042',
    url: `https://pay.example.com/pay/${id}`,
    amount: 9_800,
    paidAmount: 9_800,
    platformFee: 403,
    frequency: 'ONE_TIME' as const,
    items: [{ id: 'prod_01KAK0XZ4M3N5P7Q9R1S2T4V6W', quantity: 2 }],
    status: 'PAID' as z.output<typeof checkout>['status'],
    methods: ['PIX' as const, 'CARD' as const],
    customerId: exampleCustomer.id,
    receiptUrl,
    installmentsCount: 2,
    metadata: { orderId: 'A-1042' },
    createdAt: '2026-12-04T14:22:08.120Z',
    updatedAt: '2026-12-04T14:25:31.004Z',
  },
  payment: {
    id: chargeId,
    devMode: true,
    amount: 9_800,
    paidAmount: 9_800,
    platformFee: 403,
    status: 'PAID' as z.output<typeof payment>['status'],
    methods: ['CARD' as const],
    upSell: false,
    receiptUrl,
    metadata: {},
    createdAt: '2026-12-04T14:25:29.611Z',
    updatedAt: '2026-12-04T14:25:31.004Z',
  },
  customer: exampleCustomer,
  payerInformation: exampleCardPayer,
};

/** The same payment later on. */
function reversed(checkoutStatus: 'PAID' | 'REFUNDED', status: 'REFUNDED' | 'UNDER_DISPUTE', reason: string) {
  const updatedAt = '2026-12-07T10:05:12.904Z';
  return {
    ...paid,
    checkout: { ...paid.checkout, status: checkoutStatus, updatedAt },
    payment: { ...paid.payment, status, updatedAt },
    reason,
  };
}

/** Everything that is paid through a checkout: payment links, upsells and renewals too (contract section 7). */
export const checkoutEvents = [
  eventDocument(
    'checkout.completed',
    'A checkout was paid, or one more payment was made through a payment link',
    data,
    paid,
  ),
  eventDocument(
    'checkout.refunded',
    'A payment that was made through a checkout was refunded',
    dataWithReason,
    reversed('REFUNDED', 'REFUNDED', 'Pedido cancelado'),
  ),
  eventDocument(
    'checkout.disputed',
    'The payer disputes a payment that was made through a checkout; its amount is blocked',
    dataWithReason,
    reversed('PAID', 'UNDER_DISPUTE', 'Não reconheço a compra'),
  ),
  eventDocument(
    'checkout.lost',
    'A dispute was lost; the amount has gone back to the payer',
    dataWithReason,
    reversed('REFUNDED', 'REFUNDED', 'Não reconheço a compra'),
  ),
];
