import { type AccountMoney, accountsOf } from '../../../ledger/clearing.ts';
import { balanceOf } from '../../../ledger/ledger.ts';
import { type Html, html } from '../../frame/html.ts';
import { section } from '../frame/components.ts';
import { table } from '../frame/table.ts';
import type { Visit } from '../frame/visit.ts';
import { amount, amountCell, amountHeading, methodName } from '../words.ts';

/** The store's available balance by the account that holds it. */
export async function moneyByAccount(visit: Visit): Promise<Html> {
  const { say, em, caller } = visit;
  const { availableCents } = await balanceOf(em, caller);
  const accounts = await accountsOf(em, caller);
  const note = say(
    'É o que o Recebe registrou em cada conta. O que já havia no banco, ou foi movimentado direto no banco, não está aqui.',
    'The amounts that Recebe has recorded for each account. Money that was at the bank before, or was moved directly at the bank, is not included.',
  );
  const title = say('Onde está o dinheiro', 'Where the money is');
  const body = html`<p>${say(`Disponível: ${amount(availableCents)}`, `Available: ${amount(availableCents)}`)}</p>
${table({
  caption: title,
  headings: [
    say('Conta', 'Account'),
    amountHeading(say('Disponível para repasse', 'Available to pay out')),
    amountHeading(say('Está na conta', 'Lies there')),
    say('Usada para', 'Used for'),
  ],
  rows: accounts.map((account) => [
    nameOf(account),
    amountCell(account.availableCents),
    amountCell(account.heldCents),
    account.uses
      .map((use) => (use === 'PAYOUT' ? say('Repasses', 'Payouts') : methodName(use, say)))
      .join(', ') || '–',
  ]),
  empty: say('A loja ainda não tem conta em produção.', 'The store has no account in production yet.'),
})}
${!visit.caller.devMode && html`<p>${note}</p>`}`;
  return section(title, body);
}

function nameOf({ id, profile }: AccountMoney): string {
  return profile === null || profile === id ? id : `${profile} (${id})`;
}

/** The most that can be paid out: the part of the available balance held by the account that sends payouts. */
export async function payableCents({ em, caller }: Visit): Promise<number> {
  const { availableCents } = await balanceOf(em, caller);
  const accounts = await accountsOf(em, caller);
  const sender = accounts.find(({ uses }) => uses.includes('PAYOUT'));
  return sender === undefined ? availableCents : Math.min(availableCents, sender.availableCents);
}
