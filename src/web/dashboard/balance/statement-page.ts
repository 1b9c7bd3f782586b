import { listMovements } from '../../../api/balance/routes.ts';
import { listMovementsQuery } from '../../../api/balance/schema.ts';
import { validated } from '../../../api/frame/validation.ts';
import { STATEMENT_ACCOUNTS, STATEMENT_KINDS, type StatementAccount } from '../../../domain/ledger.ts';
import { type Balance, balanceOf } from '../../../ledger/balance.ts';
import { entryTotals } from '../../../ledger/entry-totals.ts';
import { type Html, html } from '../../frame/html.ts';
import { statementSheet } from '../exports/money-sheets.ts';
import { link, time } from '../frame/components.ts';
import { type DashboardRoute, dashboardRoute } from '../frame/route.ts';
import { emptyState } from '../frame/table.ts';
import { tabs } from '../frame/tabs.ts';
import type { Visit } from '../frame/visit.ts';
import { choice, dayFields, listPage } from '../lists/list-page.ts';
import { amount, amountCell, amountHeading, numberText } from '../words.ts';
import { moneyByAccount } from './money-by-account.ts';
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
      title: say('dashboard.statement'),
      active: 'balance',
      above: html`${await accountTabs(visit, account)}${account === 'AVAILABLE' && (await moneyByAccount(visit))}`,
      operation: listMovements,
      parameters: ['kind', 'from', 'to'],
      query: { account },
      sheet: statementSheet,
      fields: html`<input type="hidden" name="account" value="${account}">${choice(visit, { name: 'kind', label: say('dashboard.movement'), options: STATEMENT_KINDS.map((kind) => [kind, say(MOVEMENTS[kind])]) })}
${dayFields(visit, 'from', 'to')}`,
      totals: (sent) => totalsText(visit, sent),
      headings: [
        say('dashboard.when'),
        say('dashboard.movement'),
        say('dashboard.who'),
        say('dashboard.what'),
        amountHeading(say('dashboard.amount')),
        amountHeading(say('dashboard.balanceAfter')),
      ],
      async rows(items) {
        const labels = await movementLabels(visit, items);
        return items.map((item, index) => {
          const { who = null, what = null, path = null } = labels[index] ?? {};
          const cells = [
            time(visit, item.createdAt),
            say(MOVEMENTS[item.kind]),
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
        title: say('dashboard.balance.noMovementsHere'),
        text: say('dashboard.balance.eachPaymentRefundDisputeAnd'),
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
  const parts = STATEMENT_ACCOUNTS.map((account) => ({
    href: visit.link('/balance', { account }),
    text: html`${say(ACCOUNTS[account])} <strong>${amount(balance[cents[account]])}</strong>`,
    isCurrent: account === chosen,
  }));
  return html`${tabs(say('dashboard.balance.partOfTheBalance'), parts)}
<p>${explained(visit, chosen)}</p>
${heldForOthers(visit, balance.subAccountsCents)}`;
}

/** Money of sub-accounts lies at the same bank, and is in no part of the balance. */
function heldForOthers(visit: Visit, cents: number): Html | null {
  const { say } = visit;
  if (cents === 0) return null;
  return html`<p>${say('dashboard.subAccounts.heldForOthers', { amount: amount(cents) })} ${link(visit, '/sub-accounts', say('dashboard.subAccounts.title'))}</p>`;
}

function explained(visit: Visit, account: StatementAccount): Html {
  const { say } = visit;
  if (account === 'PENDING')
    return html`${say('dashboard.balance.paymentsThatHaveNotSettled')} ${link(visit, '/', say('dashboard.balance.whenTheyBecomeAvailable'))}`;
  if (account === 'BLOCKED')
    return html`${say('dashboard.balance.whatIsDisputedUntilThe')} ${link(visit, '/payments?status=UNDER_DISPUTE', say('dashboard.balance.disputedPayments'))}`;
  return html`${say('dashboard.balance.whatCanBeSentNow')} ${link(visit, '/payouts', say('dashboard.payouts'))}`;
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
  const number = numberText(isCut ? count - 1 : count, locale);
  if (isCut) return html`${say('dashboard.balance.moreThanLines', { number })}`;
  return html`<strong>${number}</strong> ${say('dashboard.balance.linesIn', { count })} <strong>${amount(inCents)}</strong> · ${say('dashboard.balance.out')} <strong>${amount(-outCents)}</strong>`;
}
