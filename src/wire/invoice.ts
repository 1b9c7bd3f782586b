import { z } from 'zod';
import type { Invoice } from '../database/entities/invoice.ts';
import { INVOICE_LINE_TYPES, INVOICE_STATUSES, invoiceNumber } from '../domain/invoice.ts';
import { exampleCheckoutId, exampleProductId } from './checkout.ts';
import { timestamp } from './fields.ts';
import { exampleSubscriptionId } from './subscription/example.ts';

const line = z
  .strictObject({
    type: z.enum(INVOICE_LINE_TYPES).meta({
      description:
        '`credit` is what a subscription’s credit pays, or positive for what it keeps. `adjustment` is only used for charges of early releases.',
    }),
    description: z.string().nullable().meta({ description: "The product's name, or the coupon's code." }),
    productId: z.string().nullable(),
    quantity: z.int().nullable(),
    unitPrice: z.int().nullable().meta({
      description: 'Cents. Null if the amount is not a price times a quantity.',
    }),
    amount: z.int().meta({ description: 'Cents; negative for what is taken off.' }),
  })
  .meta({ id: 'InvoiceLine' });

const nullableId = (description: string) => z.string().nullable().meta({ description });

/** The fields of an invoice in responses and events, without the payer. */
export const publishedInvoice = z
  .strictObject({
    id: z.string(),
    number: z.string().meta({
      description: 'Counts within the store, environment and year, without gaps.',
      example: '2026-000123',
    }),
    devMode: z.boolean(),
    status: z.enum(INVOICE_STATUSES).meta({
      description: '`OPEN`: a cycle that is asked for. `VOID`: a cycle that was given up unpaid.',
    }),
    amount: z.int().meta({ description: 'Cents: the sum of the lines.' }),
    currency: z.literal('BRL'),
    lines: z.array(line),
    issuer: z
      .strictObject({ name: z.string(), taxId: z.string().nullable() })
      .meta({ id: 'InvoiceIssuer', description: 'The store as it was when the invoice was numbered.' }),
    checkoutId: nullableId("The checkout that was paid, or the subscription's checkout."),
    subscriptionId: nullableId('The subscription of its cycle; otherwise null.'),
    installmentId: nullableId('The cycle that it is for; otherwise null.'),
    period: z
      .strictObject({ installmentNumber: z.int(), startsAt: timestamp, endsAt: timestamp })
      .nullable()
      .meta({ id: 'InvoicePeriod', description: 'The cycle that it is for; otherwise null.' }),
    paymentId: nullableId('The charge that paid it; null until then.'),
    customerId: z.string().nullable(),
    createdAt: timestamp,
    paidAt: timestamp.nullable(),
    voidedAt: timestamp.nullable(),
    updatedAt: timestamp,
  })
  .meta({ id: 'EventInvoice' });
export type PublishedInvoice = z.output<typeof publishedInvoice>;

/** A numbered invoice. */
export function presentInvoice(invoice: Invoice): PublishedInvoice {
  const { numberYear, numberInYear, period } = invoice;
  if (numberYear === null || numberInYear === null) throw new Error(`${invoice.id} has no number yet`);
  return {
    id: invoice.id,
    number: invoiceNumber(numberYear, numberInYear),
    devMode: invoice.devMode,
    status: invoice.status,
    amount: invoice.amountCents,
    currency: 'BRL',
    lines: invoice.lines.map(({ unitPriceCents: unitPrice, amountCents: amount, ...each }) => ({
      ...each,
      unitPrice,
      amount,
    })),
    issuer: { name: invoice.sellerName ?? '', taxId: invoice.sellerTaxId },
    checkoutId: invoice.checkoutId,
    subscriptionId: invoice.subscriptionId,
    installmentId: invoice.cycleId,
    period: period && {
      installmentNumber: period.number,
      startsAt: period.startsAt,
      endsAt: period.endsAt,
    },
    paymentId: invoice.chargeId,
    customerId: invoice.customerId,
    createdAt: invoice.createdAt.toISOString(),
    paidAt: invoice.paidAt?.toISOString() ?? null,
    voidedAt: invoice.voidedAt?.toISOString() ?? null,
    updatedAt: invoice.updatedAt.toISOString(),
  };
}

export const exampleInvoice: PublishedInvoice = {
  id: 'invc_01KAP4Q1S3V5X7Z9B1D3F5H7JK',
  number: '2026-000123',
  devMode: true,
  status: 'PAID',
  amount: 4_900,
  currency: 'BRL',
  lines: [
    {
      type: 'plan',
      description: 'Camiseta',
      productId: exampleProductId,
      quantity: 1,
      unitPrice: 4_900,
      amount: 4_900,
    },
  ],
  issuer: { name: 'Loja Azul', taxId: '11222333000181' },
  checkoutId: exampleCheckoutId,
  subscriptionId: exampleSubscriptionId,
  installmentId: 'intl_01KAP4Q1R2T4V6X8Z0B2D4F6H8',
  period: {
    installmentNumber: 1,
    startsAt: '2026-12-04T14:25:31.004Z',
    endsAt: '2027-01-04T14:25:31.004Z',
  },
  paymentId: 'card_01KAK0Z7Q3C5D7E9F1G3H5J7KM',
  customerId: 'cust_01KAK0Y3PN5C7D9E1F2G3H4J5K',
  createdAt: '2026-12-04T14:25:31.004Z',
  paidAt: '2026-12-04T14:25:31.004Z',
  voidedAt: null,
  updatedAt: '2026-12-04T14:25:31.004Z',
};
