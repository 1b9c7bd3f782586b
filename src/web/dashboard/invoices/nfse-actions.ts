import { notFound } from '../../../api/frame/errors.ts';
import { nfseOperations } from '../../../api/invoices/nfse/routes.ts';
import { requireInvoice } from '../../../api/invoices/queries.ts';
import { seesTaxIds } from '../../../domain/role.ts';
import { carryOut, read } from '../frame/operation.ts';
import { type DashboardRoute, dashboardRoute, seeOther } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';
import { formAction } from '../lists/form-action.ts';
import { CANCEL_NFSE, ISSUE_NFSE } from './nfse-panel.ts';

const pathOf = ({ params }: Visit) => `/invoices/${params.id ?? ''}` as const;

/** The forms of the NFS-e of an invoice. @param page of the invoice, on which a refused form is shown again. */
export function nfseForms(page: DashboardRoute['handler']): readonly DashboardRoute[] {
  const issue = formAction({
    path: '/invoices/:id/nfse',
    action: 'settings',
    back: pathOf,
    form: { name: ISSUE_NFSE, page },
    async work(visit) {
      const body = { invoiceId: visit.params.id ?? '', omitPayer: visit.field('omitPayer') === 'yes' };
      await carryOut(visit, nfseOperations.issue, { body });
      return seeOther(visit.link(pathOf(visit)), visit.say('dashboard.nfse.issued'));
    },
  });
  const cancel = formAction({
    path: '/invoices/:id/nfse/:nfseId/cancel',
    action: 'settings',
    back: pathOf,
    form: { name: CANCEL_NFSE, page },
    async work(visit) {
      await carryOut(visit, nfseOperations.cancel, { body: { id: visit.params.nfseId ?? '' } });
      return seeOther(visit.link(pathOf(visit)), visit.say('dashboard.nfse.cancellationRequested'));
    },
  });
  return [issue, cancel, dps];
}

/** A DPS as XML, for members who see tax ids: a document without the payer's would be another one. */
const dps = dashboardRoute({
  method: 'GET',
  path: '/invoices/:id/dps/:nfseId',
  action: 'read',
  async handler(visit) {
    if (!seesTaxIds(visit.role)) throw notFound('NFS-e');
    await requireInvoice(visit.em, visit.caller, visit.params.id ?? '');
    const { name, type, body } = await read(visit, nfseOperations.dps, {
      query: { id: visit.params.nfseId ?? '' },
    });
    return { kind: 'file', name, contentType: type, body };
  },
});
