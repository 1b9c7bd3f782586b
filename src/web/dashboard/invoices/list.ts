import { validated } from '../../../api/frame/validation.ts';
import { invoiceOperations } from '../../../api/invoices/routes.ts';
import { listInvoicesQuery, type ShownInvoice } from '../../../api/invoices/schema.ts';
import { invoiceTotals } from '../../../api/invoices/totals.ts';
import { INVOICE_STATUSES } from '../../../domain/invoice.ts';
import { textField } from '../../frame/fields.ts';
import { type Html, html } from '../../frame/html.ts';
import { invoicesSheet } from '../exports/invoices-sheet.ts';
import { guideLink, time } from '../frame/components.ts';
import { dashboardRoute } from '../frame/route.ts';
import { emptyState, type LinkedRow } from '../frame/table.ts';
import type { Visit } from '../frame/visit.ts';
import { choice, dayFields, listPage, sortHeading } from '../lists/list-page.ts';
import { filledIn, totalsText } from '../lists/totals-text.ts';
import { amountCell, amountHeading } from '../words.ts';
import { invoiceBadge, invoiceStatusName } from './words.ts';

/** The invoices of the store, found by number, status and day. */
export const invoiceList = dashboardRoute({
  method: 'GET',
  path: '/invoices',
  action: 'read',
  handler(visit) {
    const { say, query } = visit;
    const statuses = INVOICE_STATUSES.map((status) => [status, invoiceStatusName(status, say)] as const);
    return listPage(visit, {
      title: say('dashboard.invoices'),
      active: 'invoices',
      operation: invoiceOperations.list,
      parameters: [
        'number',
        'status',
        'customerId',
        'subscriptionId',
        'checkoutId',
        'createdFrom',
        'createdTo',
      ],
      fields: html`${textField({ name: 'number', label: say('dashboard.invoices.number'), required: false, value: query.get('number') ?? '' })}${choice(visit, { name: 'status', label: say('dashboard.status'), options: statuses })}${dayFields(visit)}`,
      headings: [
        say('dashboard.invoices.number'),
        sortHeading(visit, say('dashboard.invoices.issued')),
        say('dashboard.customer'),
        say('dashboard.status'),
        amountHeading(say('dashboard.amount')),
      ],
      totals: (sent) => totals(visit, sent),
      rows: (items) => items.map((item) => rowOf(visit, item)),
      empty: emptyState({
        icon: 'receipt-text',
        title: query.size === 0 ? say('dashboard.invoices.noneYet') : say('dashboard.invoices.noneMatch'),
        text: say('dashboard.invoices.where'),
        action: guideLink(visit, 'invoices', say('dashboard.invoices.guide')),
      }),
      sheet: invoicesSheet,
    });
  },
});

async function totals(visit: Visit, sent: Readonly<Record<string, string | undefined>>): Promise<Html> {
  const query = validated(listInvoicesQuery, filledIn(sent));
  const found = await invoiceTotals(visit.em, visit.caller, query);
  return totalsText(visit, found, [
    [found.paidCents, 'dashboard.invoices.totals.paid'],
    [found.openCents, 'dashboard.invoices.totals.open'],
  ]);
}

function rowOf(visit: Visit, { id, number, createdAt, payer, status, amount }: ShownInvoice): LinkedRow {
  const { say } = visit;
  return {
    href: visit.link(`/invoices/${id}`),
    cells: [
      number,
      time(visit, createdAt),
      payer?.name ?? payer?.email ?? '–',
      invoiceBadge(status, say),
      amountCell(amount),
    ],
  };
}
