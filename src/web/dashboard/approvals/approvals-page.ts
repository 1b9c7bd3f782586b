import { waitingPayouts } from '../../../payouts/waiting-payouts.ts';
import { html } from '../../frame/html.ts';
import { time } from '../frame/components.ts';
import { page } from '../frame/layout.ts';
import type { Reply } from '../frame/route.ts';
import { emptyState, table } from '../frame/table.ts';
import type { Visit } from '../frame/visit.ts';
import { amountCell, amountHeading } from '../words.ts';
import { dueText, payeeOf, reasonsText, SHOWN } from './waiting-payouts.ts';

/** GET `/approvals`: payouts and transfers that wait for approval, by due date. */
export async function renderApprovals(visit: Visit): Promise<Reply> {
  const { say, em, caller } = visit;
  const waiting = await waitingPayouts(em, caller, SHOWN);
  const title = say('dashboard.approvals');
  const body = html`<p>${say('dashboard.approvals.payoutsAndTransfersThatWait')}</p>
${table({
  caption: title,
  headings: [
    amountHeading(say('dashboard.amount')),
    say('dashboard.to2'),
    say('dashboard.approvals.reason'),
    say('dashboard.approvals.until'),
    say('dashboard.created'),
  ],
  rows: waiting.map((payout) => ({
    href: visit.link(`/approvals/${payout.id}`),
    cells: [
      amountCell(payout.amountCents),
      payeeOf(visit, payout),
      reasonsText(payout.approvalReasons, say),
      dueText(visit, payout),
      time(visit, payout.createdAt),
    ],
  })),
  empty: emptyState({
    icon: 'badge-check',
    title: say('dashboard.approvals.nothingIsWaitingForApproval'),
    text: say('dashboard.approvals.controlsDecideWhichPayoutsRequire'),
  }),
})}
${waiting.length === SHOWN && html`<p>${say('dashboard.approvals.theFirstAreShown', { shown: SHOWN })}</p>`}`;
  return page(visit, { title, active: 'approvals', body });
}
