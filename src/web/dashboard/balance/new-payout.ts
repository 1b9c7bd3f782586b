import { createPayoutRoute } from '../../../api/payouts/routes.ts';
import { saoPauloDateOf } from '../../../domain/civil-date.ts';
import { MIN_PAYOUT_CENTS } from '../../../domain/payout.ts';
import { balanceOf } from '../../../ledger/balance.ts';
import { type Problems, textField } from '../../frame/fields.ts';
import { type Html, html } from '../../frame/html.ts';
import { payoutStepUp } from '../approvals/payout-step-up.ts';
import { form } from '../frame/form.ts';
import { page } from '../frame/layout.ts';
import { waitNote } from '../frame/money-wait.ts';
import { carryOut } from '../frame/operation.ts';
import { problemsOf } from '../frame/refusals.ts';
import { type DashboardRoute, dashboardRoute, type Reply } from '../frame/route.ts';
import { stepUpFields, stepUpProblem } from '../frame/step-up.ts';
import type { Visit } from '../frame/visit.ts';
import { formAction } from '../lists/form-action.ts';
import { amount, amountProblem, centsIn } from '../words.ts';
import { afterSending, suggestedId } from './after-sending.ts';
import { limitsNote } from './limits-note.ts';
import { payableCents } from './money-by-account.ts';
import { noPasswordNote } from './no-password.ts';

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

const newPayout = dashboardRoute({
  method: 'GET',
  path: '/new-payout',
  action: 'payout',
  handler: (visit) => payoutForm(visit),
});

async function payoutForm(visit: Visit, problems: Problems = {}, status = 200): Promise<Reply> {
  const { say } = visit;
  const title = say('dashboard.balance.newPayoutToTheStores');
  const wait = await waitNote(visit, 'payout');
  if (wait !== null) return page(visit, { title, active: 'payouts', body: html`<p>${wait}</p>`, status });
  const fields = html`${await amountField(visit, problems)}
${textField({ name: 'externalId', label: say('dashboard.yourId'), value: suggestedId(visit, `repasse-${saoPauloDateOf(visit.storeNow)}`), problems })}
${stepUpFields(visit, await payoutStepUp(visit), problems)}`;
  const body = html`${await noPasswordNote(visit)}${await limitsNote(visit, false)}
${form(visit, { action: '/payouts', fields, submit: say('dashboard.balance.sendTheMoney') })}`;
  return page(visit, { title, active: 'payouts', body, status });
}

const sendPayout = formAction({
  path: '/payouts',
  action: 'payout',
  back: () => '/new-payout',
  async work(visit) {
    const { say } = visit;
    const cents = centsIn(visit.field('amount'));
    if (cents === null || cents < MIN_PAYOUT_CENTS) {
      const least = amount(MIN_PAYOUT_CENTS);
      const right =
        amountProblem(visit.field('amount'), say) ?? say('dashboard.balance.theAmountMustBeAt', { least });
      return payoutForm(visit, { amount: right }, 422);
    }
    const wrong = await stepUpProblem(visit, await payoutStepUp(visit));
    if (wrong !== null) return payoutForm(visit, wrong, 422);
    try {
      const body = { amount: cents, externalId: visit.field('externalId') };
      return afterSending(visit, visit.link('/payouts'), await carryOut(visit, createPayoutRoute, { body }));
    } catch (error) {
      // Keeps what the user typed, except the password.
      return payoutForm(visit, problemsOf(error, say), 422);
    }
  },
});

/** Payouts to the store's own account. */
export const payoutForms: readonly DashboardRoute[] = [newPayout, sendPayout];
