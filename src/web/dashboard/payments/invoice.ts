import { notFound } from '../../../api/frame/errors.ts';
import { getPayment } from '../../../api/payments/routes.ts';
import type { ChargeId } from '../../../domain/ids.ts';
import { seesTaxIds } from '../../../domain/role.ts';
import { invoiceFile, invoicesOfCharges } from '../../../invoices/invoice-files.ts';
import { read } from '../frame/operation.ts';
import { dashboardRoute } from '../frame/route.ts';

/** The invoice of a payment as PDF, with the whole tax id only for members who see those of customers. */
export const paymentInvoice = dashboardRoute({
  method: 'GET',
  path: '/payments/:id/invoice',
  action: 'read',
  async handler(visit) {
    const { em, locale, params } = visit;
    // A payment of another store is not found.
    const { id } = await read(visit, getPayment, { query: { id: params.id ?? '' } });
    const invoice = (await invoicesOfCharges(em, [id as ChargeId])).get(id as ChargeId);
    if (invoice === undefined) throw notFound('Invoice');
    const { name, body } = await invoiceFile(em, invoice, { locale, showsTaxId: seesTaxIds(visit.role) });
    return { kind: 'file', name, contentType: 'application/pdf', body };
  },
});
