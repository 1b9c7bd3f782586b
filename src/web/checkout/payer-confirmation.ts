import type { Charge } from '../../database/entities/charge.ts';
import { formatBrl } from '../../domain/money.ts';
import { paymentStylesheet } from '../frame/assets.ts';
import { type Html, html } from '../frame/html.ts';
import { say } from '../frame/language.ts';
import { renderCheckoutLayout } from './checkout-layout.ts';
import type { LoadedPayment } from './load-payment.ts';
import { deadlineText, renderLiveStatus } from './waiting-payment.ts';

/** The page at the payer's bank that a PENDING card payment waits for; null if it waits for none. */
export function confirmationUrlOf({ status, actionUrl }: Charge): string | null {
  return status === 'PENDING' ? actionUrl : null;
}

/** A card payment that its payer still has to confirm at their bank. @param otherWay the link to other methods. */
export function renderConfirming(
  { charge }: LoadedPayment,
  url: string,
  now: Date,
  otherWay: Html | null,
): Html {
  return html`<section class="panel state">
<h1>${say('checkout.confirmThePaymentAtYourBank')}</h1>
<p class="state__text">${say('checkout.yourBankAsksYouToConfirm', { amount: formatBrl(charge.amountCents), time: deadlineText(charge.closesAt, now) })}</p>
${renderLiveStatus(charge, say('checkout.waitingForYourConfirmation'))}
<p class="actions"><a class="button" href="${url}" rel="noreferrer">${say('checkout.continueToYourBank')}</a></p>
<p class="state__text">${say('checkout.nothingIsChargedUntilYou')}</p>
${otherWay}
</section>`;
}

/**
 * Sends the browser to the payer's bank. A form may only lead to this site (`form-action`), so this page stands between the
 * form and the bank.
 */
export function renderLeaving({ charge, loaded }: LoadedPayment, url: string): string {
  return renderCheckoutLayout({
    title: say('checkout.confirmThePaymentAtYourBank'),
    loaded,
    stylesheet: paymentStylesheet,
    leavesTo: url,
    main: html`<div class="pay__main"><section class="panel state">
<h1>${say('checkout.takingYouToYourBank')}</h1>
<p class="state__text">${say('checkout.yourBankThenSendsYou', { amount: formatBrl(charge.amountCents) })}</p>
<p class="actions"><a class="button" href="${url}" rel="noreferrer">${say('checkout.continueToYourBank')}</a></p>
</section></div>`,
  });
}
