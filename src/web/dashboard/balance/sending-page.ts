import { balanceOf } from '../../../ledger/balance.ts';
import { type Problems, textField } from '../../frame/fields.ts';
import { type Html, html } from '../../frame/html.ts';
import { page } from '../frame/layout.ts';
import { waitNote } from '../frame/money-wait.ts';
import type { Reply } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';
import { amount } from '../words.ts';
import { payableCents } from './money-by-account.ts';
import { noPasswordNote } from './no-password.ts';

/** The page of a form that sends money, or what its reader has to wait for or do before they can send any. */
export async function sendingPage(
  visit: Visit,
  title: string,
  status: number,
  content: () => Promise<Html>,
): Promise<Reply> {
  const wait = await waitNote(visit, 'payout');
  const hindrance = wait === null ? await noPasswordNote(visit) : html`<p>${wait}</p>`;
  return page(visit, { title, active: 'payouts', body: hindrance ?? (await content()), status });
}

/** The amount field, with the available balance. */
export async function amountField(visit: Visit, problems: Problems): Promise<Html> {
  const { say, em, caller } = visit;
  const { availableCents } = await balanceOf(em, caller);
  const payable = await payableCents(visit);
  const limit =
    payable < availableCents
      ? say('dashboard.balance.inTheAccountThatSends', { payable: amount(payable) })
      : '';
  return textField({
    name: 'amount',
    label: say('dashboard.balance.amountSuchAs25000'),
    value: visit.field('amount'),
    hint: say('dashboard.balance.available2', { available: amount(availableCents), limit }),
    problems,
  });
}
