import { balanceOf } from '../../../ledger/balance.ts';
import { type AccountMoney, accountsOf, ownMoneyThere } from '../../../ledger/clearing.ts';
import { type Html, html } from '../../frame/html.ts';
import { newAccountLink } from '../accounts/new-account-link.ts';
import { section } from '../frame/components.ts';
import { table } from '../frame/table.ts';
import type { Visit } from '../frame/visit.ts';
import { amount, amountCell, amountHeading, methodName } from '../words.ts';

/** The store's available balance by the account that holds it. */
export async function moneyByAccount(visit: Visit): Promise<Html> {
  const { say, em, caller } = visit;
  const { availableCents } = await balanceOf(em, caller);
  const accounts = await accountsOf(em, caller);
  const note = say('dashboard.balance.theAmountsThatRecebeHas');
  const title = say('dashboard.balance.whereTheMoneyIs');
  const body = html`<p>${say('dashboard.balance.available', { available: amount(availableCents) })}</p>
${table({
  caption: title,
  headings: [
    say('dashboard.balance.account'),
    amountHeading(say('dashboard.balance.availableToPayOut')),
    amountHeading(say('dashboard.balance.liesThere')),
    say('dashboard.balance.usedFor'),
  ],
  rows: accounts.map((account) => [
    nameOf(account, visit),
    amountCell(account.availableCents),
    amountCell(account.heldCents),
    account.uses
      .map((use) => (use === 'PAYOUT' ? say('dashboard.payouts') : methodName(use, say)))
      .join(', ') || '–',
  ]),
  empty: html`<p class="empty">${say('dashboard.balance.theStoreHasNoAccount')} ${newAccountLink(visit)}</p>`,
})}
${!visit.caller.devMode && accounts.length > 0 && html`<p>${note}</p>`}`;
  return section(title, body);
}

function nameOf({ id, profile }: AccountMoney, { say }: Visit): string {
  if (id === 'sandbox') return say('dashboard.sandboxBank');
  return profile === null || profile === id ? id : `${profile} (${id})`;
}

/** The most that can be paid out: the part of the available balance held by the account that sends payouts. */
export async function payableCents({ em, caller }: Visit): Promise<number> {
  const { availableCents } = await balanceOf(em, caller);
  const accounts = await accountsOf(em, caller);
  const sender = accounts.find(({ uses }) => uses.includes('PAYOUT'));
  return sender === undefined ? availableCents : Math.min(availableCents, ownMoneyThere(sender));
}
