import { validated } from '../../../api/frame/validation.ts';
import { listPayouts } from '../../../api/payouts/routes.ts';
import { payoutFilters } from '../../../api/payouts/schema.ts';
import { payoutTotals } from '../../../api/payouts/totals.ts';
import { listTransfers } from '../../../api/pix/routes.ts';
import { PAYOUT_STATUSES, type PayoutKind } from '../../../domain/payout.ts';
import { type Html, html } from '../../frame/html.ts';
import { icon } from '../../frame/icons.ts';
import { approvalBadge } from '../approvals/waiting-payouts.ts';
import { payoutsSheet, transfersSheet } from '../exports/money-sheets.ts';
import { link, time } from '../frame/components.ts';
import { type DashboardRoute, dashboardRoute } from '../frame/route.ts';
import { emptyState } from '../frame/table.ts';
import { tabs } from '../frame/tabs.ts';
import type { Visit } from '../frame/visit.ts';
import { choice, dayFields, listPage, sortHeading } from '../lists/list-page.ts';
import { filledIn, totalsText } from '../lists/totals-text.ts';
import { amountCell, amountHeading } from '../words.ts';
import { payoutForms } from './new-payout.ts';
import { transferForms } from './new-transfer.ts';
import { payoutPage } from './payout-page.ts';
import { payoutStatusCell, payoutStatusName } from './payout-status.ts';
import { statementPage } from './statement-page.ts';

const payoutsPage = dashboardRoute({
  method: 'GET',
  path: '/payouts',
  action: 'read',
  handler(visit) {
    return visit.query.get('kind') === 'transfers' ? transfers(visit) : payouts(visit);
  },
});

function payouts(visit: Visit) {
  const { say } = visit;
  return listPage(visit, {
    ...common(visit),
    operation: listPayouts,
    totals: (sent) => totals(visit, 'PAYOUT', sent),
    headings: [...headings(visit), say('dashboard.receipt')],
    rows: (items) =>
      items.map((item) => ({
        href: visit.link(`/payouts/${item.id}`),
        cells: [...cells(visit, item), receipt(visit, item)],
      })),
    sheet: payoutsSheet,
  });
}

/** Only people who may send money see the recipients. */
function transfers(visit: Visit) {
  const { say } = visit;
  const showsKeys = visit.can('payout-targets:read');
  return listPage(visit, {
    ...common(visit),
    operation: listTransfers,
    totals: (sent) => totals(visit, 'TRANSFER', sent),
    headings: [...headings(visit), say('dashboard.pixKey'), say('dashboard.receipt')],
    rows: (items) =>
      items.map((item) => ({
        href: visit.link(`/payouts/${item.id}`),
        cells: [
          ...cells(visit, item),
          showsKeys ? item.pix.key : '•••',
          showsKeys ? receipt(visit, item) : '',
        ],
      })),
    sheet: transfersSheet,
  });
}

async function totals(
  visit: Visit,
  kind: PayoutKind,
  sent: Readonly<Record<string, string | undefined>>,
): Promise<Html> {
  const range = validated(payoutFilters, filledIn(sent));
  const found = await payoutTotals(visit.em, visit.caller, { ...range, kind });
  return totalsText(visit, found, [
    [found.sentCents, 'dashboard.balance.totals.sent'],
    [found.pendingCents, 'dashboard.balance.totals.pending'],
    [found.returnedCents, 'dashboard.balance.totals.returned'],
  ]);
}

function common(visit: Visit) {
  const { say } = visit;
  const isTransfers = visit.query.get('kind') === 'transfers';
  return {
    title: isTransfers ? say('dashboard.transfers') : say('dashboard.payouts'),
    active: 'payouts' as const,
    parameters: ['status', 'createdFrom', 'createdTo'],
    above: tabs(say('dashboard.payouts'), [
      {
        href: visit.link('/payouts'),
        text: say('dashboard.payoutsToTheStoresAccount'),
        isCurrent: !isTransfers,
      },
      {
        href: visit.link('/payouts', { kind: 'transfers' }),
        text: say('dashboard.transfersToPixKeys'),
        isCurrent: isTransfers,
      },
    ]),
    fields: html`${isTransfers && html`<input type="hidden" name="kind" value="transfers">`}${choice(visit, {
      name: 'status',
      label: say('dashboard.status'),
      options: PAYOUT_STATUSES.map((status) => [status, payoutStatusName(status, say)]),
    })}${dayFields(visit)}`,
    empty: emptyState({
      icon: 'banknote',
      title: say('dashboard.balance.nothingWasSent'),
      text: say('dashboard.balance.sendWhatIsAvailableTo'),
    }),
    ...(visit.can('payout') && {
      actions: isTransfers
        ? html`<a class="button" href="${visit.link('/new-transfer')}">${icon('plus')}${say('dashboard.balance.newTransfer')}</a>`
        : html`<a class="button" href="${visit.link('/new-payout')}">${icon('plus')}${say('dashboard.balance.newPayout')}</a>`,
    }),
  };
}

type Sent =
  | Awaited<ReturnType<typeof listPayouts.handler>>['items'][number]
  | Awaited<ReturnType<typeof listTransfers.handler>>['items'][number];

function headings(visit: Visit) {
  const { say } = visit;
  return [
    sortHeading(visit, say('dashboard.created')),
    amountHeading(say('dashboard.amount')),
    say('dashboard.status'),
    say('dashboard.yourId'),
  ];
}

function cells(visit: Visit, sent: Sent) {
  const waits = sent.approval?.status === 'WAITING' && sent.status === 'PENDING';
  return [
    time(visit, sent.createdAt),
    amountCell(sent.amount),
    waits ? waitingBadge(visit, sent.id) : payoutStatusCell(sent, visit.say),
    sent.externalId,
  ];
}

/** Links to the approval page for people who can decide. */
function waitingBadge(visit: Visit, id: string): Html {
  const shown = approvalBadge('WAITING', visit.say);
  return visit.can('payout:approve') ? link(visit, `/approvals/${id}`, shown) : shown;
}

function receipt({ say }: Visit, { receiptUrl }: Sent) {
  return html`<a href="${receiptUrl}">${say('payer.seeReceipt')}</a>`;
}

export const balancePages: readonly DashboardRoute[] = [
  statementPage,
  payoutsPage,
  payoutPage,
  ...payoutForms,
  ...transferForms,
];
