import { isSameActor } from '../../../api/payouts/approver.ts';
import type { Payout } from '../../../database/entities/payout.ts';
import { facts } from '../../frame/facts.ts';
import { type Problems, selectField } from '../../frame/fields.ts';
import { type Html, html } from '../../frame/html.ts';
import { link, section, time } from '../frame/components.ts';
import { form } from '../frame/form.ts';
import { page } from '../frame/layout.ts';
import type { Reply } from '../frame/route.ts';
import { stepUpFields } from '../frame/step-up.ts';
import type { Visit } from '../frame/visit.ts';
import { amount, statusBadge } from '../words.ts';
import { payoutStepUp } from './payout-step-up.ts';
import { actorName, approvalBadge, dueText, payeeOf, reasonsText } from './waiting-payouts.ts';

/** GET `/approvals/:id`: one payout or transfer and the decision about it. */
export async function renderApproval(
  visit: Visit,
  payout: Payout,
  problems: Problems = {},
  status = 200,
): Promise<Reply> {
  const { say } = visit;
  const body = html`${section(say('dashboard.approvals.details'), facts(await factsOf(visit, payout)))}
${payout.approval === 'WAITING' && (await decisionPanel(visit, payout, problems))}
<p>${link(visit, '/approvals', say('dashboard.approvals.allApprovals'))}</p>`;
  const title =
    payout.kind === 'PAYOUT'
      ? say('dashboard.approvals.approvalOfAPayout')
      : say('dashboard.approvals.approvalOfATransfer');
  return page(visit, { title, active: 'approvals', body, status });
}

type Fact = readonly [name: string, value: string | Html];

async function factsOf(visit: Visit, payout: Payout): Promise<Fact[]> {
  const { say } = visit;
  const { approval, failureReason, approvalDecidedAt } = payout;
  const rows: (Fact | false)[] = [
    [say('dashboard.amount'), amount(payout.amountCents)],
    [say('dashboard.to2'), payeeOf(visit, payout)],
    [say('dashboard.description'), payout.description ?? '–'],
    [say('dashboard.yourId'), payout.externalId],
    [say('dashboard.created'), time(visit, payout.createdAt)],
    [say('dashboard.approvals.createdBy'), await actorName(visit, payout.creatorId)],
    [say('dashboard.status'), statusBadge(payout.status, say)],
    approval !== null && [say('dashboard.approval'), approvalBadge(approval, say)],
    [say('dashboard.approvals.reason'), reasonsText(payout.approvalReasons, say)],
    approval === 'WAITING' && [say('dashboard.approvals.until'), dueText(visit, payout)],
    approvalDecidedAt !== null && [say('dashboard.approvals.decided'), time(visit, approvalDecidedAt)],
    payout.approvalDeciderId !== null && [
      say('dashboard.approvals.decidedBy'),
      await actorName(visit, payout.approvalDeciderId),
    ],
    failureReason !== null && [say('dashboard.approvals.failedWith'), failureReason],
  ];
  return rows.filter((row) => row !== false);
}

/** No option is preselected, because an approval cannot be revoked. */
async function decisionPanel(visit: Visit, payout: Payout, problems: Problems): Promise<Html> {
  const { say, em, user } = visit;
  const isOwn = payout.creatorId !== null && (await isSameActor(em, payout.creatorId, user.id));
  const note = isOwn
    ? say('dashboard.approvals.youOrOneOfYour')
    : say('dashboard.approvals.checkTheRecipientAndThe');
  const approve = ['approve', say('dashboard.approvals.approveAndSend')] as const;
  const reject = ['reject', say('dashboard.approvals.reject')] as const;
  const decision = selectField({
    name: 'decision',
    label: say('dashboard.approvals.decision'),
    value: visit.field('decision'),
    options: [['', say('dashboard.approvals.choose')], ...(isOwn ? [] : [approve]), reject],
    problems,
  });
  return section(
    say('dashboard.decide'),
    html`<p>${note}</p>
${form(visit, {
  action: `/approvals/${payout.id}`,
  fields: html`${decision}${stepUpFields(visit, await payoutStepUp(visit), problems)}`,
  submit: say('dashboard.confirm'),
})}`,
  );
}
