import type { Charge } from '../../database/entities/charge.ts';
import type { Cycle } from '../../database/entities/cycle.ts';
import { type ChargeMethod, wasPaid } from '../../domain/charge.ts';
import { METHOD_TRAITS } from '../../domain/payment-methods.ts';
import { type Html, html } from '../frame/html.ts';
import { say, sayDay, sayDays, sayHtml } from '../frame/language.ts';
import { METHOD_SUBJECTS } from '../frame/method-words.ts';
import { sayAmount } from '../i18n/money.ts';
import { declineText } from './card-wording.ts';
import { type CheckoutState, payerStatus } from './checkout-state.ts';
import { renderPaidLinks } from './closed-page.ts';
import { closedWordingOf } from './closed-wording.ts';
import type { LoadedCheckout } from './load-checkout.ts';
import type { LoadedPayment } from './load-payment.ts';
import type { LoadedSubscription } from './load-subscription.ts';
import { storeLink } from './store-identity.ts';
import { renderLiveStatus } from './waiting-payment.ts';

/** The card's issuer has not decided yet. */
export function renderProcessing({ charge }: LoadedPayment): Html {
  return html`<section class="panel state">
<h1>${say('checkout.processingThePayment')}</h1>
${renderLiveStatus(charge, say('checkout.contactingYourCardsIssuer'))}
<p class="state__text">${say('checkout.thisUsuallyTakesAFew')}</p>
</section>`;
}

/** A code past its deadline: the bank is being asked whether it was paid in time. */
export function renderOverdue({ charge }: LoadedPayment): Html {
  return html`<section class="panel state state--over">
<h1>${overdueTitle(charge.method)}</h1>
${renderLiveStatus(charge, say('checkout.checkingWhetherThePaymentWas'))}
<p class="state__text">${say('checkout.doNotPayThisCode')}</p>
</section>`;
}

/** A failed, expired or refunded payment. @param state of its checkout, which may accept another payment. */
export function renderEnded(payment: LoadedPayment, state: CheckoutState, now: Date): Html {
  const otherwise = paidOtherwise(payment, state);
  if (otherwise !== null) return renderPaidOtherwise(payment, otherwise, now);
  const { title, text } = wordingOf(payment);
  const { charge, cycle, loaded } = payment;
  const { subscription } = loaded;
  const hadMoney = charge.status === 'REFUNDED' || charge.status === 'UNDER_DISPUTE';
  const after = cycle !== null && subscription !== null && ` ${afterFailure(cycle, subscription)}`;
  return html`<section class="panel state state--over">
<h1>${title}</h1>
<p class="state__text">${text}${!hadMoney && after}</p>
${hadMoney && html`<p class="actions"><a class="button button--quiet" href="/receipt/${charge.id}">${say('payer.seeReceipt')}</a></p>`}
${!hadMoney && subscription === null && renderNextStep(loaded, state, charge.upsellOf)}
${subscription !== null && renderSubscriptionStep(subscription)}
</section>`;
}

/**
 * The state of a checkout that another payment has paid, such as one in a second tab; null if this payment's own end is what its
 * payer has to know.
 */
export function paidOtherwise(
  { charge, loaded }: LoadedPayment,
  state: CheckoutState,
): 'PAID' | 'REFUNDED' | null {
  const { paidByChargeId } = loaded.checkout;
  const isFirst = charge.upsellOf === null && charge.cycleId === null;
  if (!isFirst || wasPaid(charge.status) || paidByChargeId === null) return null;
  return state === 'PAID' || state === 'REFUNDED' ? state : null;
}

function renderPaidOtherwise({ charge, loaded }: LoadedPayment, state: 'PAID' | 'REFUNDED', now: Date): Html {
  const { title, text } = closedWordingOf(state, loaded, now);
  const hadCode = charge.brCode !== null || charge.barCode !== null;
  const isGood = state === 'PAID' && !loaded.isDisputed;
  return html`<section class="panel state state--${isGood ? 'good' : 'over'}">
<h1>${title}</h1>
<p class="state__text">${text}</p>
${hadCode && html`<p class="state__text">${say('checkout.theCodeOnThisPage')}</p>`}
${renderPaidLinks(loaded, state === 'PAID')}
</section>`;
}

function renderNextStep(
  { checkout, store }: LoadedCheckout,
  state: CheckoutState,
  upSellOf: string | null,
): Html | null {
  const link = (path: string, text: string) =>
    html`<p class="actions"><a class="button" href="/pay/${checkout.id}${path}">${text}</a></p>`;
  if (upSellOf !== null) return link(`/${upSellOf}`, say('checkout.backToYourOrder'));
  if (state === 'OPEN') return link('', say('checkout.payAgain'));
  if (state !== 'EXPIRED') return null;
  return html`<p class="state__text">${sayHtml('checkout.toPayAskForA', { store: storeLink(store) })}</p>`;
}

/** After a failed attempt at a cycle there are further attempts, up to a limit (contract section 6). */
function afterFailure({ status }: Cycle, { subscription, waiting }: LoadedSubscription): string {
  if (status === 'PAID') return say('checkout.thisPeriodWasPaidIn');
  if (subscription.status === 'CANCELLED') return say('checkout.theSubscriptionWasCancelled');
  if (METHOD_TRAITS[subscription.method].keepsInstrument) {
    return say('checkout.theNextAttemptIsIn', { days: sayDays(subscription.retryEveryDays) });
  }
  return waiting === null ? say('checkout.aNewCodeComesWith') : say('checkout.thereIsAlreadyANew');
}

function renderSubscriptionStep({ subscription, waiting }: LoadedSubscription): Html {
  const { checkoutId, status } = subscription;
  const code = status === 'ACTIVE' ? waiting : null;
  return html`<p class="actions">${code !== null && html`<a class="button" href="/pay/${checkoutId}/${code.id}">${say('checkout.payWithTheNewCode')}</a>`}
<a class="button${code !== null && ' button--quiet'}" href="/pay/${checkoutId}">${say('checkout.seeTheSubscription')}</a></p>`;
}

function wordingOf({ charge, loaded }: LoadedPayment): { readonly title: string; readonly text: string } {
  const name = say(METHOD_SUBJECTS[charge.method]);
  switch (payerStatus(charge)) {
    case 'EXPIRED':
      return {
        title: overdueTitle(charge.method),
        text: say('checkout.wasNotPaidInTime', { name }),
      };
    case 'CANCELLED':
      return {
        title: say('checkout.thisPaymentWasCancelled'),
        text: say('checkout.isNoLongerValid', {
          name,
        }),
      };
    case 'REFUNDED':
      return {
        title: say('checkout.thePaymentWasSentBack'),
        text: refundedText(charge),
      };
    case 'UNDER_DISPUTE':
      return {
        title: say('payer.paymentUnderDispute'),
        text: say('checkout.thePaymentIsUnderReview'),
      };
    default:
      return {
        title: say('checkout.thePaymentWasNotApproved'),
        text: `${declineText(charge, loaded.checkout.maxInstallments > 1)} ${say('checkout.nothingWasCharged2')}`,
      };
  }
}

function refundedText({ paidAmountCents, amountCents, updatedAt, method }: Charge): string {
  const text = say('checkout.wasRefundedOn', {
    amount: sayAmount(paidAmountCents ?? amountCents),
    date: sayDay(updatedAt),
  });
  return METHOD_TRAITS[method].keepsInstrument ? `${text} ${say('checkout.itAppearsAsACredit')}` : text;
}

function overdueTitle(method: ChargeMethod): string {
  return say(
    METHOD_TRAITS[method].hasDueDate ? 'checkout.thisBoletoIsPastIts' : 'checkout.theTimeOfThisCode',
  );
}
