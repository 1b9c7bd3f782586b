import { z } from 'zod';
import type { Charge } from '../database/entities/charge.ts';
import type { Customer } from '../database/entities/customer.ts';
import { CHARGE_STATUSES } from '../domain/charge.ts';
import { METHOD_TRAITS } from '../domain/payment-methods.ts';
import type { ProviderPayment } from '../providers/ports/payment.ts';
import { amountCents, timestamp } from '../wire/fields.ts';
import { paidComponents, publishedComponents } from '../wire/paid-components.ts';
import { publishedSplits, split } from '../wire/splits.ts';
import { defineEvent } from './definition.ts';
import {
  eventCustomer,
  exampleCustomer,
  exampleDispute,
  examplePixPayer,
  exampleRefund,
  payerInformation,
  publishedCustomer,
  publishedDispute,
  publishedPayer,
  publishedRefund,
  reason,
} from './parties.ts';

const transparent = z
  .strictObject({
    id: z.string(),
    externalId: z.string().nullable(),
    amount: amountCents,
    paidAmount: z.int().nullable().meta({ description: 'The paid amount, including late charges.' }),
    paidComponents: paidComponents
      .nullable()
      .optional()
      .meta({
        description:
          "The parts of `paidAmount` as the payer's bank computed them; only for a PIX charge with a due date, and null while unpaid. " +
          'Our addition.',
      }),
    platformFee: z.int().meta({ description: 'Cents.' }),
    splits: z.array(split).optional().meta({ description: 'As sent; absent if the payment is not split.' }),
    status: z.enum(CHARGE_STATUSES),
    frequency: z.literal('ONE_TIME'),
    devMode: z.boolean(),
    customerId: z.string().nullable(),
    methods: z.array(z.enum(['PIX', 'BOLETO', 'CARD'])),
    receiptUrl: z.string(),
    metadata: z.record(z.string(), z.unknown()).meta({ description: 'As sent with the charge.' }),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'EventTransparent' });

const data = z.strictObject({ transparent, customer: eventCustomer, payerInformation });
const dataWithReason = data.extend({ reason });
const refundedData = dataWithReason.extend({ refund: publishedRefund });
const disputedData = dataWithReason.extend({ dispute: publishedDispute });

/** Without fields of a payment. */
const unpaidData = z.strictObject({
  transparent: z
    .strictObject({ ...transparent.shape, receiptUrl: z.null() })
    .meta({ id: 'EventUnpaidTransparent' }),
  customer: eventCustomer,
});
export type TransparentEventData = z.output<typeof data>;

/** A charge without a checkout, in events. */
export function publishedTransparent(charge: Charge, publicUrl: string): z.output<typeof transparent> {
  const { id, method } = charge;
  if (method === 'FREE') throw new Error(`${id} is paid through a checkout`);
  return {
    id,
    externalId: charge.externalId,
    amount: charge.amountCents,
    paidAmount: charge.paidAmountCents,
    ...(METHOD_TRAITS[method].lateAmountBy === 'BANK' &&
      charge.dueDate !== null && { paidComponents: publishedComponents(charge.paidComponents) }),
    platformFee: charge.platformFeeCents,
    ...publishedSplits(charge.splits),
    status: charge.status,
    frequency: 'ONE_TIME',
    devMode: charge.devMode,
    customerId: charge.customerId,
    methods: [method],
    receiptUrl: `${publicUrl}/receipt/${id}`,
    metadata: charge.metadata,
    createdAt: charge.createdAt.toISOString(),
    updatedAt: charge.updatedAt.toISOString(),
  };
}

/** The `data` of `transparent.*`; refunds and disputes add their reason. */
export function transparentEventData(
  charge: Charge,
  customer: Customer | null,
  payer: ProviderPayment['payer'],
  publicUrl: string,
): TransparentEventData {
  return {
    transparent: publishedTransparent(charge, publicUrl),
    customer: publishedCustomer(customer),
    payerInformation: publishedPayer(charge, customer, payer),
  };
}

/** The `data` of `transparent.expired` and `transparent.cancelled`. */
export function unpaidTransparentEventData(
  charge: Charge,
  customer: Customer | null,
  publicUrl: string,
): z.output<typeof unpaidData> {
  return {
    transparent: { ...publishedTransparent(charge, publicUrl), receiptUrl: null },
    customer: publishedCustomer(customer),
  };
}

const id = 'pix_char_01KAK0Y3PQ8V4T6R2W9ZB5XHMD';

const completed: TransparentEventData = {
  transparent: {
    id,
    externalId: 'order-1042',
    amount: 25_000,
    paidAmount: 25_000,
    platformFee: 80,
    status: 'PAID',
    frequency: 'ONE_TIME',
    devMode: true,
    customerId: exampleCustomer.id,
    methods: ['PIX'],
    receiptUrl: `https://pay.example.com/receipt/${id}`,
    metadata: { orderId: 'A-1042' },
    createdAt: '2026-12-04T14:22:08.120Z',
    updatedAt: '2026-12-04T14:23:41.377Z',
  },
  customer: exampleCustomer,
  payerInformation: examplePixPayer,
};

/** The example charge after a refund or dispute. */
function reversed(
  status: 'REFUNDED' | 'UNDER_DISPUTE' | 'PAID',
  why: string,
): z.output<typeof dataWithReason> {
  const updatedAt = '2026-12-07T10:05:12.904Z';
  return { ...completed, transparent: { ...completed.transparent, status, updatedAt }, reason: why };
}

/** The example charge, ended unpaid. */
function unpaid(status: 'EXPIRED' | 'CANCELLED'): z.output<typeof unpaidData> {
  const { transparent, customer } = completed;
  return { transparent: { ...transparent, paidAmount: null, status, receiptUrl: null }, customer };
}

/** PIX charges, boletos and card charges of `/transparents` (contract section 7). */
export const transparentEvents = {
  'transparent.completed': defineEvent('A PIX charge, boleto or card charge was paid', data, completed),
  'transparent.refunded': defineEvent('A PIX or card charge was refunded, fully or partially', refundedData, {
    ...reversed('REFUNDED', 'Pedido cancelado'),
    refund: exampleRefund(25_000),
  }),
  'transparent.disputed': defineEvent(
    'The payer disputes the payment of a charge; its amount is blocked',
    disputedData,
    { ...reversed('UNDER_DISPUTE', 'Não reconheço a compra'), dispute: exampleDispute(25_000) },
  ),
  'transparent.lost': defineEvent('A dispute was lost; the amount was returned to the payer', disputedData, {
    ...reversed('REFUNDED', 'Não reconheço a compra'),
    dispute: exampleDispute(25_000, 'LOST'),
  }),
  'transparent.won': defineEvent(
    'A dispute was won; the amount is available to the store again. Our addition',
    disputedData,
    {
      ...reversed('PAID', 'Não reconheço a compra'),
      dispute: exampleDispute(25_000, 'WON'),
    },
  ),
  'transparent.expired': defineEvent(
    'A PIX charge or boleto expired. If a payment made in time is reported late, the charge is still completed. Our addition',
    unpaidData,
    unpaid('EXPIRED'),
  ),
  'transparent.cancelled': defineEvent(
    'A PIX charge or boleto was cancelled. Our addition',
    unpaidData,
    unpaid('CANCELLED'),
  ),
};
