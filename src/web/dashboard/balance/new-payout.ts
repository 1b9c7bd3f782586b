import { createPayoutRoute } from '../../../api/payouts/routes.ts';
import { saoPauloDateOf } from '../../../domain/civil-date.ts';
import { MIN_PAYOUT_CENTS } from '../../../domain/payout.ts';
import { type Problems, textField } from '../../frame/fields.ts';
import { html } from '../../frame/html.ts';
import { payoutStepUp } from '../approvals/payout-step-up.ts';
import { form } from '../frame/form.ts';
import { carryOut } from '../frame/operation.ts';
import { problemsOf } from '../frame/refusals.ts';
import { type DashboardRoute, dashboardRoute, type Reply } from '../frame/route.ts';
import { stepUpFields, stepUpProblem } from '../frame/step-up.ts';
import type { Visit } from '../frame/visit.ts';
import { formAction } from '../lists/form-action.ts';
import { amount, amountProblem, centsIn } from '../words.ts';
import { afterSending, suggestedId } from './after-sending.ts';
import { limitsNote } from './limits-note.ts';
import { amountField, sendingPage } from './sending-page.ts';

const newPayout = dashboardRoute({
  method: 'GET',
  path: '/new-payout',
  action: 'payout',
  handler: (visit) => payoutForm(visit),
});

async function payoutForm(visit: Visit, problems: Problems = {}, status = 200): Promise<Reply> {
  const { say } = visit;
  const title = say('dashboard.balance.newPayoutToTheStores');
  return sendingPage(visit, title, status, async () => {
    const fields = html`${await amountField(visit, problems)}
${textField({ name: 'externalId', label: say('dashboard.yourId'), value: suggestedId(visit, `repasse-${saoPauloDateOf(visit.storeNow)}`), problems })}
${stepUpFields(visit, await payoutStepUp(visit), problems)}`;
    return html`${await limitsNote(visit, false)}
${form(visit, { action: '/payouts', fields, submit: say('dashboard.balance.sendTheMoney') })}`;
  });
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
