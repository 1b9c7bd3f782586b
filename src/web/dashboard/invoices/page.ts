import { requireInvoice } from '../../../api/invoices/queries.ts';
import type { Invoice } from '../../../database/entities/invoice.ts';
import { seesTaxIds } from '../../../domain/role.ts';
import { detailsOfOne } from '../../../invoices/invoice-details.ts';
import { type InvoiceDocument, invoiceDocument } from '../../../invoices/pdf/invoice-document.ts';
import { type Html, html } from '../../frame/html.ts';
import { icon } from '../../frame/icons.ts';
import { copyChip, link, section } from '../frame/components.ts';
import { detailPage, type SideCard } from '../frame/detail.ts';
import { dashboardRoute } from '../frame/route.ts';
import { table } from '../frame/table.ts';
import type { Visit } from '../frame/visit.ts';
import { amountHeading } from '../words.ts';
import { nfsePanel } from './nfse-panel.ts';
import { invoiceBadge } from './words.ts';

/** One invoice as its PDF has it, with links to what it is for. */
export const invoicePage = dashboardRoute({
  method: 'GET',
  path: '/invoices/:id',
  action: 'read',
  async handler(visit) {
    const { say, em, caller, locale, role, params } = visit;
    const invoice = await requireInvoice(em, caller, params.id ?? '');
    const details = await detailsOfOne(em, invoice);
    const document = invoiceDocument(details, { locale, showsTaxId: seesTaxIds(role) });
    const [issuer, payer] = document.parties;
    return detailPage(visit, {
      title: document.title,
      active: 'invoices',
      main: html`${section(say('dashboard.invoices.lines'), linesTable(visit, document))}
${await nfsePanel(visit, invoice)}`,
      cards: [
        {
          title: say('dashboard.details'),
          rows: [...document.facts, partyRow(issuer), partyRow(payer), ...linkRows(visit, invoice)],
        },
      ],
      state: invoiceBadge(invoice.status, say),
      actions: pdfButton(visit, invoice),
    });
  },
});

function linesTable({ say }: Visit, { heads, rows, totals }: InvoiceDocument): Html {
  const [what, ...amounts] = heads;
  return html`${table({
    caption: say('dashboard.invoices.lines'),
    headings: [what, ...amounts.map(amountHeading)],
    rows: rows.map(([text, ...values]) => [text, ...values.map(valueCell)]),
    empty: say('dashboard.invoices.noLines'),
  })}
${totals.map(([name, value]) => html`<p class="totals totals--sum">${name} <strong>${value}</strong></p>\n`)}`;
}

function valueCell(text: string): Html {
  return html`<span class="amount">${text}</span>`;
}

function partyRow(party: InvoiceDocument['parties'][number] | undefined): SideCard['rows'][number] {
  return party === undefined
    ? null
    : [party.heading, html`${party.lines.map((line) => html`<div>${line}</div>`)}`];
}

function linkRows(
  visit: Visit,
  { id, chargeId, subscriptionId, checkoutId, customerId }: Invoice,
): SideCard['rows'] {
  const { say } = visit;
  return [
    chargeId === null
      ? null
      : [say('dashboard.payment'), link(visit, `/payments/${chargeId}`, say('dashboard.home.seeThePayment'))],
    subscriptionId === null
      ? [
          say('dashboard.checkout'),
          link(visit, `/checkouts/${checkoutId}`, say('dashboard.home.seeTheCheckout')),
        ]
      : [
          say('dashboard.subscription'),
          link(visit, `/subscriptions/${subscriptionId}`, say('dashboard.home.seeTheSubscription')),
        ],
    customerId === null
      ? null
      : [
          say('dashboard.customer'),
          link(visit, `/customers/${customerId}`, say('dashboard.invoices.seeTheCustomer')),
        ],
    ['Id', copyChip(visit, id)],
  ];
}

function pdfButton(visit: Visit, { id }: Invoice): Html {
  return html`<a class="button" href="${visit.link(`/invoices/${id}/pdf`)}">${icon('download')}PDF</a>`;
}
