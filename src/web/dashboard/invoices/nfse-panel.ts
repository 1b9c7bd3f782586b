import { nfseOperations } from '../../../api/invoices/nfse/routes.ts';
import type { InvoiceStatus } from '../../../domain/invoice.ts';
import type { NfseStatus } from '../../../domain/nfse/nfse.ts';
import { seesTaxIds } from '../../../domain/role.ts';
import type { PublishedNfse } from '../../../wire/nfse.ts';
import { facts } from '../../frame/facts.ts';
import { type Html, html } from '../../frame/html.ts';
import { icon } from '../../frame/icons.ts';
import type { MessageKey } from '../../i18n/catalogs.ts';
import { badge, copyChip, section, time } from '../frame/components.ts';
import { formDialog } from '../frame/dialog.ts';
import { fieldsOf } from '../frame/fields.ts';
import { read } from '../frame/operation.ts';
import type { Visit } from '../frame/visit.ts';

export const ISSUE_NFSE = 'issue-nfse';
export const CANCEL_NFSE = 'cancel-nfse';

const STATUSES: Readonly<Record<NfseStatus, readonly ['waiting' | 'good' | 'bad' | 'plain', MessageKey]>> = {
  PENDING: ['waiting', 'dashboard.nfse.pending'],
  AUTHORIZED: ['good', 'dashboard.nfse.authorized'],
  REJECTED: ['bad', 'dashboard.nfse.rejected'],
  CANCELLED: ['plain', 'dashboard.nfse.cancelled'],
};

/** The NFS-e of an invoice, the newest first, and what can be done. Nothing for a store that has none and issues none. */
export async function nfsePanel(
  visit: Visit,
  invoice: { readonly id: string; readonly status: InvoiceStatus },
): Promise<Html | null> {
  const { say } = visit;
  const { items } = await read(visit, nfseOperations.list, { query: { invoiceId: invoice.id } });
  const { cnpj } = await read(visit, nfseOperations.settings);
  if (items.length === 0 && cnpj === null) return null;
  const isLive = items.some(({ status }) => status === 'PENDING' || status === 'AUTHORIZED');
  const canIssue = !isLive && cnpj !== null && invoice.status !== 'VOID' && visit.can('settings');
  return section(
    say('dashboard.nfse'),
    html`${items.length === 0 && html`<p>${say('dashboard.nfse.none')}</p>`}
${items.map((nfse) => nfseFacts(visit, nfse))}
${canIssue && issueButton(visit, invoice.id, items.length > 0)}`,
  );
}

function nfseFacts(visit: Visit, nfse: PublishedNfse): Html {
  const { say, role } = visit;
  const [kind, name] = STATUSES[nfse.status];
  const { errors, cancellation } = nfse;
  const isCancellable = nfse.status === 'AUTHORIZED' && visit.can('settings');
  const isOpen = cancellation === null || cancellation.errors.length > 0;
  return html`${facts([
    [say('dashboard.status'), badge(kind, say(name))],
    ['DPS', say('dashboard.nfse.dps', { number: String(nfse.dpsNumber), series: String(nfse.series) })],
    [say('dashboard.nfse.issuedAt'), time(visit, nfse.issuedAt)],
    ...(nfse.nfseNumber === null ? [] : [[say('dashboard.nfse.number'), String(nfse.nfseNumber)] as const]),
    ...(nfse.accessKey === null
      ? []
      : [[say('dashboard.nfse.accessKey'), copyChip(visit, nfse.accessKey)] as const]),
    ...(nfse.verificationUrl === null
      ? []
      : [[say('dashboard.nfse.verify'), verifyLink(visit, nfse.verificationUrl)] as const]),
    ...(errors.length === 0 ? [] : [[say('dashboard.nfse.errors'), errorsText(errors)] as const]),
    ...(cancellation === null
      ? []
      : [[say('dashboard.nfse.cancellation'), time(visit, cancellation.requestedAt)] as const]),
    ...(cancellation === null || cancellation.errors.length === 0
      ? []
      : [[say('dashboard.nfse.notCancelled'), errorsText(cancellation.errors)] as const]),
  ])}
<div class="buttons">${seesTaxIds(role) && html`<a class="button button--quiet" href="${visit.link(`/invoices/${nfse.invoiceId}/dps/${nfse.id}`)}">${icon('download')}XML</a>`}${isCancellable && isOpen && cancelButton(visit, nfse)}</div>`;
}

function verifyLink({ say }: Visit, url: string): Html {
  return html`<a href="${url}" rel="noreferrer">${say('dashboard.open2')}</a>`;
}

function errorsText(errors: PublishedNfse['errors']): string {
  return errors.map(({ code, message }) => (code === null ? message : `${code}: ${message}`)).join('; ');
}

function issueButton(visit: Visit, invoiceId: string, isAgain: boolean): Html {
  const { say } = visit;
  const name = say(isAgain ? 'dashboard.nfse.issueAgain' : 'dashboard.nfse.issue');
  const fields = fieldsOf(visit, ISSUE_NFSE).select({
    name: 'omitPayer',
    label: say('dashboard.nfse.payer'),
    options: [
      ['no', say('dashboard.nfse.withPayer')],
      ['yes', say('dashboard.nfse.withoutPayer')],
    ],
  });
  return formDialog(visit, {
    name: ISSUE_NFSE,
    button: name,
    title: name,
    text: say('dashboard.nfse.issueMeans'),
    action: `/invoices/${invoiceId}/nfse`,
    fields,
  });
}

function cancelButton(visit: Visit, { id, invoiceId }: PublishedNfse): Html {
  const { say } = visit;
  return formDialog(visit, {
    name: CANCEL_NFSE,
    button: say('dashboard.nfse.cancel'),
    title: say('dashboard.nfse.cancelQuestion'),
    text: say('dashboard.nfse.cancelMeans'),
    action: `/invoices/${invoiceId}/nfse/${id}/cancel`,
    isDangerous: true,
  });
}
