import { html } from '../../frame/html.ts';
import { time } from '../frame/components.ts';
import { page } from '../frame/layout.ts';
import type { Reply } from '../frame/route.ts';
import { emptyState, table } from '../frame/table.ts';
import type { Visit } from '../frame/visit.ts';
import { amountCell, amountHeading } from '../words.ts';
import { dueText, payeeOf, reasonsText, SHOWN, waitingPayouts } from './waiting-payouts.ts';

/** GET `/approvals`: payouts and transfers that wait for approval, by due date. */
export async function renderApprovals(visit: Visit): Promise<Reply> {
  const { say, em, caller } = visit;
  const waiting = await waitingPayouts(em, caller);
  const title = say('Aprovações', 'Approvals');
  const body = html`<p>${say(
    'Repasses e transferências que aguardam outra pessoa. O dinheiro deles está reservado.',
    'Payouts and transfers that wait for a second person. Their money is reserved.',
  )}</p>
${table({
  caption: title,
  headings: [
    amountHeading(say('Valor', 'Amount')),
    say('Para', 'To'),
    say('Motivo', 'Reason'),
    say('Prazo', 'Until'),
    say('Criado', 'Created'),
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
    title: say('Nada aguarda aprovação', 'Nothing is waiting for approval'),
    text: say(
      'Em Controles se escolhe quais repasses pedem outra pessoa.',
      'Controls decide which payouts require a second person.',
    ),
  }),
})}
${
  waiting.length === SHOWN &&
  html`<p>${say(`São mostrados os ${SHOWN} primeiros.`, `The first ${SHOWN} are shown.`)}</p>`
}`;
  return page(visit, { title, active: 'approvals', body });
}
