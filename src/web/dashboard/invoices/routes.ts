import { requireInvoice } from '../../../api/invoices/queries.ts';
import { seesTaxIds } from '../../../domain/role.ts';
import { invoiceFile } from '../../../invoices/invoice-files.ts';
import { type DashboardRoute, dashboardRoute } from '../frame/route.ts';
import { invoiceList } from './list.ts';
import { nfseForms } from './nfse-actions.ts';
import { invoicePage } from './page.ts';

/** An invoice as PDF, with the whole tax id only for members who see those of customers. */
const pdf = dashboardRoute({
  method: 'GET',
  path: '/invoices/:id/pdf',
  action: 'read',
  async handler({ em, caller, locale, role, params }) {
    const invoice = await requireInvoice(em, caller, params.id ?? '');
    const { name, body } = await invoiceFile(em, invoice, { locale, showsTaxId: seesTaxIds(role) });
    return { kind: 'file', name, contentType: 'application/pdf', body };
  },
});

export const invoicePages: readonly DashboardRoute[] = [
  invoiceList,
  invoicePage,
  pdf,
  ...nfseForms(invoicePage.handler),
];
