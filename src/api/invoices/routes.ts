import { InvoiceEntity } from '../../database/entities/invoice.ts';
import { detailsOf, detailsOfOne } from '../../invoices/invoice-details.ts';
import { invoiceFile } from '../../invoices/invoice-files.ts';
import { paginate } from '../frame/pagination.ts';
import { fileRoute, listRoute, type Route, route } from '../frame/route.ts';
import type { KeyCaller } from '../keys/caller.ts';
import { invoiceFilter, requireInvoice } from './queries.ts';
import {
  exampleShownInvoice,
  invoicePdfQuery,
  invoiceQuery,
  invoiceView,
  listInvoicesQuery,
  presentInvoiceDetails,
} from './schema.ts';

const PAYER = 'The payer is shown only to keys with `CUSTOMER:READ`.';

function showsPayer({ permissions }: Pick<KeyCaller, 'permissions'>): boolean {
  return permissions.includes('CUSTOMER:READ');
}

const list = listRoute({
  path: '/invoices/list',
  summary: 'List invoices, newest first',
  description: `Lists the invoices of subscription cycles and of payments through checkouts and payment links, from the release that introduced invoices. ${PAYER}`,
  permission: ['INVOICE:READ', 'CHECKOUT:READ'],
  query: listInvoicesQuery,
  response: invoiceView,
  errors: [],
  example: { response: exampleShownInvoice },
  async handler(request) {
    const { em, key, query } = request;
    const page = await paginate(request, InvoiceEntity, await invoiceFilter(em, key, query));
    const details = await detailsOf(em, page.items);
    return { ...page, items: details.map((each) => presentInvoiceDetails(each, showsPayer(key))) };
  },
});

const get = route({
  method: 'GET',
  path: '/invoices/get',
  summary: 'Get an invoice',
  description: PAYER,
  permission: ['INVOICE:READ', 'CHECKOUT:READ'],
  query: invoiceQuery,
  response: invoiceView,
  errors: ['NOT_FOUND'],
  example: { response: exampleShownInvoice },
  async handler({ em, key, query }) {
    const details = await detailsOfOne(em, await requireInvoice(em, key, query.id));
    return presentInvoiceDetails(details, showsPayer(key));
  },
});

const pdf = fileRoute({
  path: '/invoices/pdf',
  summary: 'Get an invoice as PDF',
  description:
    'A tagged PDF of less than 100 KB, as it is now. It names the payer, so the key also needs `CUSTOMER:READ`.',
  permission: ['INVOICE:READ', 'CHECKOUT:READ'],
  alsoNeeds: ['CUSTOMER:READ'],
  query: invoicePdfQuery,
  errors: ['NOT_FOUND'],
  async handler({ em, key, query: { id, language = 'pt' } }) {
    const locale = language === 'pt' ? 'pt-BR' : language;
    const file = await invoiceFile(em, await requireInvoice(em, key, id), { locale, showsTaxId: true });
    return { ...file, type: 'application/pdf' };
  },
});

/** Operations that the dashboard also uses. */
export const invoiceOperations = { list, get, pdf };

/** Invoices (our addition). */
export const invoiceRoutes: readonly Route[] = Object.values(invoiceOperations);
