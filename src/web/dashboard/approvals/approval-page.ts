import { personBehind } from '../../../api/payouts/approver.ts';
import type { Payout } from '../../../database/entities/payout.ts';
import { type Html, html } from '../../frame/html.ts';
import { facts, link, section, time } from '../frame/components.ts';
import { form, type Problems, selectField } from '../frame/form.ts';
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
  const body = html`${section(say('O envio', 'Details'), facts(await factsOf(visit, payout)))}
${payout.approval === 'WAITING' && (await decisionPanel(visit, payout, problems))}
<p>${link(visit, '/approvals', say('Todas as aprovações', 'All approvals'))}</p>`;
  const title =
    payout.kind === 'PAYOUT'
      ? say('Aprovação de repasse', 'Approval of a payout')
      : say('Aprovação de transferência', 'Approval of a transfer');
  return page(visit, { title, active: 'approvals', body, status });
}

type Fact = readonly [name: string, value: string | Html];

async function factsOf(visit: Visit, payout: Payout): Promise<Fact[]> {
  const { say } = visit;
  const { approval, failureReason, approvalDecidedAt } = payout;
  const rows: (Fact | false)[] = [
    [say('Valor', 'Amount'), amount(payout.amountCents)],
    [say('Para', 'To'), payeeOf(visit, payout)],
    [say('Descrição', 'Description'), payout.description ?? '–'],
    [say('Seu id', 'Your id'), payout.externalId],
    [say('Criado', 'Created'), time(visit, payout.createdAt)],
    [say('Criado por', 'Created by'), await actorName(visit, payout.creatorId)],
    [say('Situação', 'Status'), statusBadge(payout.status, say)],
    approval !== null && [say('Aprovação', 'Approval'), approvalBadge(approval, say)],
    [say('Motivo', 'Reason'), reasonsText(payout.approvalReasons, say)],
    approval === 'WAITING' && [say('Prazo', 'Until'), dueText(visit, payout)],
    approvalDecidedAt !== null && [say('Decidido', 'Decided'), time(visit, approvalDecidedAt)],
    payout.approvalDeciderId !== null && [
      say('Decidido por', 'Decided by'),
      await actorName(visit, payout.approvalDeciderId),
    ],
    failureReason !== null && [say('Falhou por', 'Failed with'), failureReason],
  ];
  return rows.filter((row) => row !== false);
}

/** No option is preselected, because an approval cannot be revoked. */
async function decisionPanel(visit: Visit, payout: Payout, problems: Problems): Promise<Html> {
  const { say, em, user } = visit;
  const isOwn = payout.creatorId !== null && (await personBehind(em, payout.creatorId)) === user.id;
  const note = isOwn
    ? say(
        'Você, ou uma chave de API sua, criou este envio: outra pessoa precisa aprová-lo. Você pode rejeitá-lo.',
        'You, or one of your API keys, created this payout: someone else must approve it. You can reject it.',
      )
    : say(
        'Confira para quem vai, e por quê. Dinheiro enviado não volta. O de um envio rejeitado volta ao saldo.',
        'Check the recipient and the reason. Sent money cannot be recalled. If you reject it, the amount returns to the balance.',
      );
  const approve = ['approve', say('Aprovar e enviar', 'Approve and send')] as const;
  const reject = ['reject', say('Rejeitar', 'Reject')] as const;
  const decision = selectField({
    name: 'decision',
    label: say('Decisão', 'Decision'),
    value: visit.field('decision'),
    options: [['', say('Escolha…', 'Choose…')], ...(isOwn ? [] : [approve]), reject],
    problems,
  });
  return section(
    say('Decidir', 'Decide'),
    html`<p>${note}</p>
${form(visit, {
  action: `/approvals/${payout.id}`,
  fields: html`${decision}${stepUpFields(visit, await payoutStepUp(visit), problems)}`,
  submit: say('Confirmar', 'Confirm'),
})}`,
  );
}
