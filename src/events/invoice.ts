import { z } from 'zod';
import type { Customer } from '../database/entities/customer.ts';
import type { Invoice } from '../database/entities/invoice.ts';
import { exampleInvoice, presentInvoice, publishedInvoice } from '../wire/invoice.ts';
import { defineEvent } from './definition.ts';
import { eventCustomer, exampleCustomer, publishedCustomer } from './parties.ts';

const data = z.strictObject({ invoice: publishedInvoice, customer: eventCustomer });

/** The `data` of an event about a numbered invoice. */
export function invoiceEventData(invoice: Invoice, customer: Customer | null): z.output<typeof data> {
  return { invoice: presentInvoice(invoice), customer: publishedCustomer(customer) };
}

const example = { invoice: exampleInvoice, customer: exampleCustomer };
const renewal = { ...exampleInvoice.period, installmentNumber: 2 } as typeof exampleInvoice.period;
const voided = {
  ...exampleInvoice,
  ...{ status: 'VOID' as const, period: renewal, paymentId: null, paidAt: null },
  voidedAt: exampleInvoice.updatedAt,
};

/** Events of invoices: our addition. */
export const invoiceEvents = {
  'invoice.created': defineEvent(
    'An invoice was numbered: of a cycle that is asked for, or of a payment of a checkout. Our addition',
    data,
    example,
  ),
  'invoice.paid': defineEvent('An invoice was paid, or had nothing to pay. Our addition', data, example),
  'invoice.void': defineEvent(
    'The cycle of an invoice was given up unpaid: its subscription has ended or was paused. Our addition',
    data,
    { ...example, invoice: voided },
  ),
};
