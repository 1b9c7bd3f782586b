import { ApiError } from '../../../api/frame/errors.ts';
import { getPayout } from '../../../api/payouts/routes.ts';
import { getTransfer } from '../../../api/pix/routes.ts';
import { getSubAccount } from '../../../api/sub-accounts/routes.ts';
import { saoPauloDateOf } from '../../../domain/civil-date.ts';
import { payoutMovements } from '../../../ledger/payout-movements.ts';
import { type Html, html } from '../../frame/html.ts';
import { approvalBadge } from '../approvals/waiting-payouts.ts';
import { copyChip, link, linkButton, section, time } from '../frame/components.ts';
import { detailPage, type SideCard } from '../frame/detail.ts';
import { read } from '../frame/operation.ts';
import { type DashboardRoute, dashboardRoute } from '../frame/route.ts';
import { type Shown, table } from '../frame/table.ts';
import type { Visit } from '../frame/visit.ts';
import { amountCell, amountHeading, amount as amountText } from '../words.ts';
import { MOVEMENTS } from './movement-words.ts';
import { payoutStatusCell } from './payout-status.ts';

/** A payout or transfer with its lines in the statement. */
export const payoutPage: DashboardRoute = dashboardRoute({
  method: 'GET',
  path: '/payouts/:id',
  action: 'read',
  async handler(visit) {
    const { say, params } = visit;
    const sent = await sentMoney(visit, params.id ?? '');
    const isTransfer = 'pix' in sent;
    const title = isTransfer
      ? say('dashboard.balance.transferOf', { amountText: amountText(sent.amount) })
      : say('dashboard.balance.payoutOf', { amountText: amountText(sent.amount) });
    const waits = sent.approval?.status === 'WAITING' && sent.status === 'PENDING';
    return detailPage(visit, {
      title,
      active: 'payouts',
      state: waits ? approvalBadge('WAITING', say) : payoutStatusCell(sent, say),
      ...(waits && visit.can('payout:approve') && { actions: decisionLink(visit, sent) }),
      main: section(say('dashboard.balance.inTheStatement'), await lines(visit, sent.id)),
      cards: [
        { title: say('dashboard.details'), rows: await factsOf(visit, sent) },
        {
          title: say('dashboard.forDevelopers'),
          rows: [
            ['Id', copyChip(visit, sent.id)],
            [say('dashboard.yourId'), sent.externalId],
          ],
        },
      ],
    });
  },
});

type Sent = Awaited<ReturnType<typeof sentMoney>>;

/** @throws ApiError 404 if the store has no payout and no transfer of this id. */
async function sentMoney(visit: Visit, id: string) {
  try {
    return await read(visit, getPayout, { query: { id } });
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
    return read(visit, getTransfer, { query: { id } });
  }
}

/** For people who may decide on it. */
function decisionLink(visit: Visit, { id }: Sent): Html {
  return linkButton(visit, `/approvals/${id}`, visit.say('dashboard.decide'));
}

async function factsOf(visit: Visit, sent: Sent): Promise<SideCard['rows']> {
  const { say } = visit;
  const seesTarget = visit.can('payout-targets:read');
  const target =
    'pix' in sent ? (seesTarget ? sent.pix.key : '•••') : say('dashboard.balance.theStoresAccount');
  const hasReceipt = !('pix' in sent) || seesTarget;
  return [
    [say('dashboard.amount'), amountText(sent.amount)],
    [say('dashboard.payments.fee'), amountText(sent.platformFee)],
    [say('dashboard.to2'), target],
    sent.description === null ? null : [say('dashboard.description'), sent.description],
    ...(await subAccountRow(visit, sent)),
    [say('dashboard.created'), time(visit, sent.createdAt)],
    hasReceipt
      ? [say('dashboard.receipt'), html`<a href="${sent.receiptUrl}">${say('payer.seeReceipt')}</a>`]
      : null,
  ];
}

/** Whose money a withdrawal sent. */
async function subAccountRow(visit: Visit, sent: Sent): Promise<(readonly [string, Shown])[]> {
  const subAccountId = 'pix' in sent ? sent.subAccountId : undefined;
  if (subAccountId === undefined) return [];
  const { name } = await read(visit, getSubAccount, { query: { id: subAccountId } });
  return [[visit.say('dashboard.subAccounts.one'), link(visit, `/sub-accounts/${subAccountId}`, name)]];
}

/** Each line links to the day of the statement on which it is. */
async function lines(visit: Visit, id: string): Promise<Html> {
  const { say, em, caller } = visit;
  const movements = await payoutMovements(em, caller, id);
  return table({
    caption: say('dashboard.balance.inTheStatement'),
    headings: [say('dashboard.when'), say('dashboard.movement'), amountHeading(say('dashboard.amount'))],
    rows: movements.map(({ kind, bookedAt, amountCents }) => {
      const day = saoPauloDateOf(bookedAt);
      return {
        href: visit.link('/balance', { account: 'AVAILABLE', kind, from: day, to: day }),
        cells: [time(visit, bookedAt), say(MOVEMENTS[kind]), amountCell(amountCents)],
      };
    }),
    empty: say('dashboard.balance.theBalanceHasNotChanged'),
  });
}
