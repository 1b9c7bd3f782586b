import type { Charge } from '../../database/entities/charge.ts';
import { paymentStylesheet } from '../frame/assets.ts';
import { type Html, html } from '../frame/html.ts';
import { say } from '../frame/language.ts';
import type { MessageKey } from '../i18n/catalogs.ts';
import { sayAmount } from '../i18n/money.ts';
import { renderCheckoutLayout } from './checkout-layout.ts';
import type { LoadedPayment } from './load-payment.ts';
import { deadlineText, renderLiveStatus } from './waiting-payment.ts';

/** The page at the payer's bank or at the provider that a PENDING card payment waits for; null if it waits for none. */
export function confirmationUrlOf({ status, actionUrl }: Charge): string | null {
  return status === 'PENDING' ? actionUrl : null;
}

/** The words of a page outside, to which a card payment sends its payer. */
interface Outside {
  readonly title: MessageKey;
  readonly leaving: MessageKey;
  readonly thenBack: MessageKey;
  readonly proceed: MessageKey;
  readonly waits: MessageKey;
  readonly status: MessageKey;
  readonly nothingYet: MessageKey;
}

/** The payer's bank asks for a confirmation (3-D Secure). */
const BANK: Outside = {
  title: 'checkout.confirmThePaymentAtYourBank',
  leaving: 'checkout.takingYouToYourBank',
  thenBack: 'checkout.yourBankThenSendsYou',
  proceed: 'checkout.continueToYourBank',
  waits: 'checkout.yourBankAsksYouToConfirm',
  status: 'checkout.waitingForYourConfirmation',
  nothingYet: 'checkout.nothingIsChargedUntilYou',
};

/** The provider asks for the card on its own page, so the charge has none. */
const PROVIDER: Outside = {
  title: 'checkout.payOnTheSecurePage',
  leaving: 'checkout.takingYouToTheSecurePage',
  thenBack: 'checkout.theSecurePageThenSendsYou',
  proceed: 'checkout.continueToTheSecurePage',
  waits: 'checkout.theSecurePageWaits',
  status: 'checkout.waitingForYourCardPayment',
  nothingYet: 'checkout.nothingIsChargedUntilYouPayThere',
};

function outsideOf({ cardToken }: Charge): Outside {
  return cardToken === null ? PROVIDER : BANK;
}

/** The title of a payment that waits for its payer outside. */
export function waitingTitleOf(charge: Charge): string {
  return say(outsideOf(charge).title);
}

/** A card payment whose payer still has to act at their bank or at the provider. @param otherWay the link to other methods. */
export function renderConfirming(
  { charge }: LoadedPayment,
  url: string,
  now: Date,
  otherWay: Html | null,
): Html {
  const words = outsideOf(charge);
  const amount = sayAmount(charge.amountCents);
  return html`<section class="panel state">
<h1>${say(words.title)}</h1>
<p class="state__text">${say(words.waits, { amount, site: siteOf(url), time: deadlineText(charge.closesAt, now) })}</p>
${renderLiveStatus(charge, say(words.status))}
<p class="actions"><a class="button" href="${url}" rel="noreferrer">${say(words.proceed)}</a></p>
<p class="state__text">${say(words.nothingYet)}</p>
${otherWay}
</section>`;
}

/**
 * Sends the browser to the payer's bank, or to the provider. A form may only lead to this site (`form-action`), so this page
 * stands between the form and the other site.
 */
export function renderLeaving({ charge, loaded }: LoadedPayment, url: string): string {
  const words = outsideOf(charge);
  const amount = sayAmount(charge.amountCents);
  return renderCheckoutLayout({
    title: say(words.title),
    loaded,
    stylesheet: paymentStylesheet,
    leavesTo: url,
    main: html`<div class="pay__main"><section class="panel state">
<h1>${say(words.leaving)}</h1>
<p class="state__text">${say(words.thenBack, { amount, site: siteOf(url) })}</p>
<p class="actions"><a class="button" href="${url}" rel="noreferrer">${say(words.proceed)}</a></p>
</section></div>`,
  });
}

/** The payer recognizes the site by its name. */
function siteOf(url: string): string {
  return new URL(url).hostname;
}
