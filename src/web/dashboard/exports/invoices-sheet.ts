import { invoiceOperations } from '../../../api/invoices/routes.ts';
import type { ShownInvoice } from '../../../api/invoices/schema.ts';
import { seesTaxIds } from '../../../domain/role.ts';
import { masked } from '../customers/masked.ts';
import { invoiceStatusName } from '../invoices/words.ts';
import { sheet } from './sheet.ts';

/** Invoices as an accountant wants them. */
export const invoicesSheet = sheet<ShownInvoice, ShownInvoice>({
  id: 'invoices',
  name: 'dashboard.invoices',
  file: 'dashboard.exports.invoices',
  operation: invoiceOperations.list,
  days: ['createdFrom', 'createdTo'],
  dated: 'dashboard.exports.issued',
  rows: async (_, items) => items,
  columns: (visit) => [
    { heading: 'dashboard.invoices.number', value: ({ number }) => number },
    { heading: 'dashboard.exports.issuedAt', value: ({ createdAt }) => ({ at: createdAt }) },
    { heading: 'dashboard.status', value: ({ status }, say) => invoiceStatusName(status, say) },
    { heading: 'dashboard.customer', value: ({ payer }) => payer?.name ?? null },
    {
      heading: 'dashboard.taxId',
      value: ({ payer }) => {
        const taxId = payer?.taxId ?? null;
        return taxId === null || seesTaxIds(visit.role) ? taxId : masked(taxId);
      },
    },
    { heading: 'dashboard.amount', value: ({ amount }) => ({ cents: amount }) },
    { heading: 'dashboard.paid2', value: ({ paidAmount }) => ({ cents: paidAmount }) },
    { heading: 'dashboard.refunded', value: ({ refundedAmount }) => ({ cents: refundedAmount }) },
    { heading: 'dashboard.exports.paidAt', value: ({ paidAt }) => ({ at: paidAt }) },
    { heading: 'dashboard.exports.invoiceId', value: ({ id }) => id },
  ],
});
