import type { Charge } from '../../database/entities/charge.ts';
import type { ChargeMethod } from '../../domain/charge.ts';
import { installmentAmountsCents, linkableUrl } from '../../domain/checkout.ts';
import { METHOD_TRAITS } from '../../domain/payment-methods.ts';
import { cardText } from '../frame/card-text.ts';
import { type Html, html } from '../frame/html.ts';
import { say, sayDay, sayHtml, sayTime } from '../frame/language.ts';
import type { MessageKey } from '../i18n/catalogs.ts';
import { sayAmount } from '../i18n/money.ts';
import type { LoadedPayment } from './load-payment.ts';
import { renderSubscriptionFacts } from './subscription-facts.ts';
import { renderUpSell } from './up-sell-offer.ts';

/** The page after a payment: confirmation, purchased items, and where to continue. */
export function renderConfirmation(payment: LoadedPayment, now: Date): Html {
  const { charge, loaded, cycle } = payment;
  const { checkout, merchantName, subscription } = loaded;
  const completionUrl = linkableUrl(checkout.completionUrl);
  const hasMore =
    payment.filesOf.size > 0 ||
    payment.offer !== null ||
    payment.upSell?.status === 'PENDING' ||
    (subscription !== null && subscription.consent !== null);
  const onward = completionUrl === null ? null : renderOnward(payment, completionUrl, hasMore, now);
  return html`<section class="panel state state--good">
<svg class="state__check" viewBox="0 0 20 20" aria-hidden="true"><circle cx="10" cy="10" r="10"/><path d="m5.5 10.5 3 3 6-6.5"/></svg>
<h1>${confirmationTitle(payment)}</h1>
<p class="state__amount">${sayAmount(charge.paidAmountCents ?? charge.amountCents)}</p>
<p class="state__text">${HOW[payment.charge.method](payment)}${charge.paidAt !== null && html`<br>${sayHtml('checkout.on', { time: html`<time datetime="${charge.paidAt.toISOString()}">${sayTime(charge.paidAt)}</time>` })}`}<br>${say('checkout.to', { store: merchantName })}${charge.refundedCents > 0 && html`<br>${say('checkout.amountRefunded', { amount: sayAmount(charge.refundedCents) })}`}${cycle !== null && html`<br>${say('checkout.forTheTimeFromTo', { from: sayDay(cycle.startsAt), until: sayDay(cycle.endsAt) })}`}</p>
<div class="actions">${!hasMore && onward}
<a class="button${!hasMore && completionUrl !== null && ' button--quiet'}" href="/receipt/${charge.id}">${say('payer.seeReceipt')}</a></div>
${charge.upsellOf !== null && html`<p class="state__text"><a href="/pay/${checkout.id}/${charge.upsellOf}">${say('checkout.seeYourOrder')}</a></p>`}
</section>
${renderFiles(payment)}
${renderUpSell(payment)}
${subscription !== null && renderSubscriptionFacts(subscription, loaded.store)}
${checkout.frequency === 'MULTIPLE_PAYMENTS' && renderPaidItems(charge)}
${hasMore && onward !== null && html`<div class="actions">${onward}</div>`}`;
}

/** How long the confirmation stays before it redirects. */
const CONTINUE_SECONDS = 10;
/** Payers who return later want to see this page, so it does not redirect. */
const JUST_PAID_MS = 5 * 60_000;

/** The link onward. It redirects automatically only for someone who has just paid and has nothing else to do here. */
function renderOnward({ charge }: LoadedPayment, url: string, hasMore: boolean, now: Date): Html {
  const isJustPaid = charge.paidAt !== null && now.getTime() - charge.paidAt.getTime() < JUST_PAID_MS;
  const link = html`<a class="button" href="${url}" rel="noopener noreferrer">${say('checkout.continue')}</a>`;
  if (hasMore || !isJustPaid) return link;
  return html`<div data-continue-seconds="${CONTINUE_SECONDS}">${link}
<p class="state__text keeps-place" hidden>${sayHtml('checkout.backToTheStoreIn', { seconds: html`<span data-continue-left>${CONTINUE_SECONDS}</span>` })} <button type="button" class="link-button">${say('checkout.stayOnThisPage')}</button></p></div>`;
}

/** The result, also the title of a page on which nothing was paid. */
export function confirmationTitle(payment: LoadedPayment): string {
  return say(confirmationPhrase(payment));
}

function confirmationPhrase({ charge, loaded }: LoadedPayment): MessageKey {
  const { checkout, subscription } = loaded;
  if (subscription === null)
    return METHOD_TRAITS[charge.method].decidedBy === 'NOBODY'
      ? 'checkout.orderCompleted'
      : 'payer.paymentConfirmed';
  if (charge.cycleId !== null) return 'payer.paymentConfirmed';
  if (subscription.subscription.status === 'CANCELLED') return 'checkout.subscriptionCancelled';
  return checkout.trialDays === null ? 'checkout.subscriptionActive' : 'checkout.freeTrialStarted';
}

const HOW: Readonly<Record<ChargeMethod, (payment: LoadedPayment) => string | Html>> = {
  FREE: ({ loaded }) =>
    loaded.checkout.trialDays === null
      ? say('checkout.noPayment')
      : say('checkout.nothingIsChargedDuringThe'),
  PIX: () => say('checkout.paidWithPix'),
  BOLETO: () => say('checkout.paidByBoleto'),
  CARD: ({ charge, loaded }) => {
    const count = charge.installmentsCount ?? 1;
    const card = say('checkout.paidWith', { card: cardText(charge) ?? say('checkout.card') });
    if (loaded.subscription !== null) return card;
    const [, each] = installmentAmountsCents(charge.amountCents, count);
    return each === undefined
      ? `${card}, ${say('checkout.inOnePayment')}`
      : html`${card}, <span class="nowrap">${say('checkout.inInstallmentsOf', { count, amount: sayAmount(each) })}</span>`;
  },
};

function renderFiles({ charge, filesOf }: LoadedPayment): Html | null {
  const items = (charge.items ?? []).filter(({ productId }) => filesOf.has(productId));
  if (items.length === 0) return null;
  return html`<section class="panel" aria-labelledby="files-heading">
<h2 id="files-heading">${say('checkout.yourFiles')}</h2>
<ul class="files">
${items.map(({ productId, name }) => html`<li><a class="file" href="/pay/${charge.checkoutId ?? ''}/${charge.id}/files/${productId}" download><svg class="file__icon" viewBox="0 0 24 24" aria-hidden="true"><path d="M12 4v11m0 0-4.5-4.5M12 15l4.5-4.5M5 20h14"/></svg><span>${say('checkout.download', { file: name })}</span></a></li>\n`)}
</ul>
<p class="part__hint">${say('checkout.saveTheAddressOfThis')}</p>
</section>`;
}

/** Many people pay through one link, so the page says which payment is the reader's. */
function renderPaidItems({ id, items }: Charge): Html {
  return html`<section class="panel" aria-labelledby="paid-heading">
<h2 id="paid-heading">${say('checkout.whatThisPaymentIsFor')}</h2>
<ul class="paid">
${(items ?? []).map(({ name, quantity }) => html`<li>${quantity} × ${name}</li>\n`)}
</ul>
<p class="part__hint">${say('checkout.paymentId')} <span class="paid__id id">${id}</span></p>
</section>`;
}
