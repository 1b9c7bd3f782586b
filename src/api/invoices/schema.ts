import { z } from 'zod';
import { INVOICE_STATUSES } from '../../domain/invoice.ts';
import { formatTaxId } from '../../domain/tax-id.ts';
import type { InvoiceDetails } from '../../invoices/invoice-details.ts';
import { idText } from '../../wire/fields.ts';
import { exampleInvoice, presentInvoice, publishedInvoice } from '../../wire/invoice.ts';
import { createdRange } from '../frame/time-range.ts';

const id = idText(exampleInvoice.id);

export const invoiceView = z
  .object({
    ...publishedInvoice.shape,
    payer: z
      .object({ name: z.string().nullable(), taxId: z.string().nullable(), email: z.string().nullable() })
      .nullable()
      .meta({
        description:
          'Who is billed, with the whole tax id. Null for keys without `CUSTOMER:READ`, if nobody is known, and after the customer was deleted.',
      }),
    paidAmount: z.int().nullable().meta({
      description: 'Cents that were paid: more than `amount` if the payer paid too much. Null until then.',
    }),
    refundedAmount: z.int().meta({ description: 'Cents that were refunded. A refund changes no line.' }),
  })
  .meta({ id: 'Invoice' });
export type ShownInvoice = z.output<typeof invoiceView>;

export const invoiceQuery = z.object({ id });

export const invoicePdfQuery = z.object({
  id,
  language: z.enum(['pt', 'en', 'es']).optional().meta({ description: 'By default Portuguese.' }),
});

export const listInvoicesQuery = z.object({
  number: z.string().max(20).optional().meta({ example: exampleInvoice.number }),
  status: z.enum(INVOICE_STATUSES).optional(),
  customerId: idText('cust_01KAK0Y3PN5C7D9E1F2G3H4J5K').optional(),
  subscriptionId: idText('subs_01KAK12F6T8V0X2Z4B6D8G0J2M').optional(),
  checkoutId: idText('bill_01KAK0Y3PQ8V4T6R2W9ZB5XHMD').optional(),
  paymentId: idText('card_01KAK0Z7Q3C5D7E9F1G3H5J7KM')
    .optional()
    .meta({ description: 'The charge that paid it.' }),
  ...createdRange,
});
export type ListInvoicesQuery = z.output<typeof listInvoicesQuery>;

/** An invoice as the API returns it. @param showsPayer whether the caller may see the payer. */
export function presentInvoiceDetails(details: InvoiceDetails, showsPayer: boolean): ShownInvoice {
  const { invoice, paidCents, refundedCents } = details;
  return {
    ...presentInvoice(invoice),
    payer: showsPayer ? payerOf(details) : null,
    paidAmount: paidCents,
    refundedAmount: refundedCents,
  };
}

function payerOf({ payer: { name, taxId, email } }: InvoiceDetails): ShownInvoice['payer'] {
  if (name === null && taxId === null && email === null) return null;
  return { name, taxId: taxId && formatTaxId(taxId), email };
}

export const exampleShownInvoice: ShownInvoice = {
  ...exampleInvoice,
  payer: { name: 'Ana Souza', taxId: '529.982.247-25', email: null },
  paidAmount: 4_900,
  refundedAmount: 0,
};
