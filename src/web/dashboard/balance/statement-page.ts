import { listMovements } from '../../../api/balance/routes.ts';
import { listMovementsQuery } from '../../../api/balance/schema.ts';
import { validated } from '../../../api/frame/validation.ts';
import { STATEMENT_ACCOUNTS, STATEMENT_KINDS, type StatementAccount } from '../../../domain/ledger.ts';
import { entryTotals } from '../../../ledger/entry-totals.ts';
import { type Balance, balanceOf } from '../../../ledger/ledger.ts';
import { type Html, html } from '../../frame/html.ts';
import { statementSheet } from '../exports/money-sheets.ts';
import { link, time } from '../frame/components.ts';
import { type DashboardRoute, dashboardRoute } from '../frame/route.ts';
import { emptyState } from '../frame/table.ts';
import type { Visit } from '../frame/visit.ts';
import { choice, dayFields, listPage } from '../lists/list-page.ts';
import { amount, amountCell, amountHeading } from '../words.ts';
import { moneyByAccount } from './accounts.ts';
import { movementLabels } from './movement-labels.ts';
import { ACCOUNTS, MOVEMENTS } from './movement-words.ts';

/** One part of the balance at a time, with who and what each line is about. */
export const statementPage: DashboardRoute = dashboardRoute({
  method: 'GET',
  path: '/balance',
  action: 'read',
  async handler(visit) {
    const { say, query } = visit;
    const account = STATEMENT_ACCOUNTS.find((each) => each === query.get('account')) ?? 'AVAILABLE';
    return listPage(visit, {
      title: say('Extrato', 'Statement'),
      active: 'balance',
      above: html`${await accountTabs(visit, account)}${account === 'AVAILABLE' && (await moneyByAccount(visit))}`,
      operation: listMovements,
      parameters: ['kind', 'from', 'to'],
      query: { account },
      sheet: statementSheet,
      fields: html`<input type="hidden" name="account" value="${account}">${choice(visit, { name: 'kind', label: say('Movimento', 'Movement'), options: STATEMENT_KINDS.map((kind) => [kind, say(...MOVEMENTS[kind])]) })}
${dayFields(visit, 'from', 'to')}`,
      totals: (sent) => totalsText(visit, sent),
      headings: [
        say('Quando', 'When'),
        say('Movimento', 'Movement'),
        say('Quem', 'Who'),
        say('O quê', 'What'),
        amountHeading(say('Valor', 'Amount')),
        amountHeading(say('Saldo depois', 'Balance after')),
      ],
      async rows(items) {
        const labels = await movementLabels(visit, items);
        return items.map((item, index) => {
          const { who = null, what = null, path = null } = labels[index] ?? {};
          const cells = [
            time(visit, item.createdAt),
            say(...MOVEMENTS[item.kind]),
            who ?? '–',
            what ?? '–',
            amountCell(item.amount),
            amountCell(item.balanceAfter),
          ];
          return path === null ? cells : { href: visit.link(path), cells };
        });
      },
      empty: emptyState({
        icon: 'scroll-text',
        title: say('Nenhum movimento aqui', 'No movements here'),
        text: say(
          'Cada pagamento, reembolso, disputa e repasse deixa uma linha no extrato.',
          'Each payment, refund, dispute and payout leaves a line in the statement.',
        ),
      }),
    });
  },
});

/** Links to each part of the balance, with what is in it. */
async function accountTabs(visit: Visit, chosen: StatementAccount): Promise<Html> {
  const { say, em, caller } = visit;
  const balance = await balanceOf(em, caller);
  const cents: Readonly<Record<StatementAccount, keyof Balance>> = {
    AVAILABLE: 'availableCents',
    PENDING: 'pendingCents',
    BLOCKED: 'blockedCents',
  };
  const tabs = STATEMENT_ACCOUNTS.map(
    (account) =>
      html`<a href="${visit.link('/balance', { account })}"${account === chosen && html` aria-current="page"`}>${say(...ACCOUNTS[account])} <strong>${amount(balance[cents[account]])}</strong></a>`,
  );
  return html`<nav class="tabs" aria-label="${say('Parte do saldo', 'Part of the balance')}">${tabs}</nav>
<p>${explained(visit, chosen)}</p>`;
}

function explained(visit: Visit, account: StatementAccount): Html {
  const { say } = visit;
  if (account === 'PENDING')
    return html`${say('Pagamentos que ainda não liquidaram, já sem as taxas.', 'Payments that have not settled yet, after fees.')} ${link(visit, '/', say('Quando ficam disponíveis', 'When they become available'))}`;
  if (account === 'BLOCKED')
    return html`${say('O que está em disputa, até a decisão do banco.', 'What is disputed, until the bank decides.')} ${link(visit, '/payments?status=UNDER_DISPUTE', say('Pagamentos em disputa', 'Disputed payments'))}`;
  return html`${say('O que pode ser enviado agora.', 'What can be sent now.')} ${link(visit, '/payouts', say('Repasses', 'Payouts'))}`;
}

/** `31 linhas · entraram R$ 1.280,00 · saíram R$ 10,00`. */
async function totalsText(
  { em, caller, say, locale }: Visit,
  sent: Readonly<Record<string, string | undefined>>,
): Promise<Html> {
  const asked = Object.fromEntries(Object.entries(sent).filter(([, value]) => value));
  const { account, kind, from = null, to = null } = validated(listMovementsQuery, asked);
  const { count, inCents, outCents, isCut } = await entryTotals(em, caller, {
    accounts: account === undefined ? STATEMENT_ACCOUNTS : [account],
    kinds: kind === undefined ? STATEMENT_KINDS : [kind],
    from,
    to,
  });
  const number = new Intl.NumberFormat(locale).format(isCut ? count - 1 : count);
  if (isCut)
    return html`${say(
      `Mais de ${number} linhas. Escolha um período menor para ver as somas.`,
      `More than ${number} lines. Choose a shorter period to see the sums.`,
    )}`;
  return html`<strong>${number}</strong> ${say('linhas · entraram', 'lines · in')} <strong>${amount(inCents)}</strong> · ${say('saíram', 'out')} <strong>${amount(-outCents)}</strong>`;
}
