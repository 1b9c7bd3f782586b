import { confirmedPathOf } from '../../charges/confirmed-path.ts';
import type { Charge } from '../../database/entities/charge.ts';
import { deadlineText } from '../checkout/waiting-payment.ts';
import { cardStylesheet } from '../frame/assets.ts';
import { html } from '../frame/html.ts';
import { say } from '../frame/language.ts';
import { renderPayerPage } from '../frame/payer-page.ts';
import { sayAmount } from '../i18n/money.ts';

/** The page of the payer's bank, as the sandbox plays it: confirm, refuse, or leave without an answer. */
export function renderBankPage(charge: Charge, storeName: string, now: Date): string {
  const { id, amountCents, cardLastFour, closesAt } = charge;
  const action = `/sandbox-bank/${id}`;
  return renderPayerPage({
    title: say('sandboxBank.confirmYourPayment'),
    stylesheets: [cardStylesheet],
    devModeNotice: say('payer.testEnvironmentNoPaymentHere'),
    body: html`<main class="card">
<h1 class="card__title">${say('sandboxBank.confirmYourPayment')}</h1>
<p class="card__text">${say('sandboxBank.yourBankAsks', { amount: sayAmount(amountCents), store: storeName, digits: cardLastFour ?? '' })}</p>
<p class="card__text">${say('sandboxBank.until', { time: deadlineText(closesAt, now) })}</p>
<form class="card__actions" method="post" action="${action}">
<button type="submit" class="button" name="decision" value="confirm">${say('sandboxBank.confirm')}</button>
<button type="submit" class="button button--quiet" name="decision" value="refuse">${say('sandboxBank.refuse')}</button>
</form>
<p class="card__text"><a href="${confirmedPathOf(charge)}">${say('sandboxBank.leave')}</a></p>
</main>`,
  });
}
