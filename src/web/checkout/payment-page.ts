import type { Charge } from '../../database/entities/charge.ts';
import { isDebit } from '../../domain/charge.ts';
import { payableUntil } from '../../domain/last-day-to-pay.ts';
import { METHOD_TRAITS } from '../../domain/payment-methods.ts';
import { paymentStylesheet } from '../frame/assets.ts';
import { cardText } from '../frame/card-text.ts';
import { type Html, html } from '../frame/html.ts';
import { say } from '../frame/language.ts';
import { sayAmount } from '../i18n/money.ts';
import { declineText } from './card-wording.ts';
import { renderCheckoutLayout } from './checkout-layout.ts';
import { type CheckoutState, checkoutStateOf, payerStatus } from './checkout-state.ts';
import { closedWordingOf } from './closed-wording.ts';
import { confirmationTitle, renderConfirmation } from './confirmation.ts';
import { paidOtherwise, renderEnded, renderOverdue, renderProcessing } from './ended-payment.ts';
import type { LoadedPayment } from './load-payment.ts';
import { renderOrderSummary } from './order-summary.ts';
import { EMPTY_FORM, type TypedForm } from './pay-form-data.ts';
import { renderPayPage } from './pay-page.ts';
import { confirmationUrlOf, renderConfirming, waitingTitleOf } from './payer-confirmation.ts';
import { renderBoletoPayment, renderDebit, renderPixPayment } from './waiting-payment.ts';

/** The page of one payment (`/pay/<id>/<charge>`) in any state. @param typed the payer's input, for a retry; null if unknown. */
export function renderPaymentPage(payment: LoadedPayment, typed: TypedForm | null, now: Date): string {
  const { charge, loaded, couponCode } = payment;
  const { checkout } = loaded;
  const state = checkoutStateOf(checkout, now);
  const isFirstPayment = isFirst(charge);
  if (charge.status === 'FAILED' && state === 'OPEN' && isFirstPayment)
    return renderDeclined(payment, typed ?? EMPTY_FORM, now);
  const isPending = charge.status === 'PENDING';
  const canSimulate =
    isPending && charge.closesAt > now && (charge.brCode !== null || charge.barCode !== null);
  const order = {
    items: charge.items ?? checkout.items,
    discountCents: charge.discountCents,
    couponCode,
    cardFeeCents: charge.customerFeeCents,
    totalCents: charge.amountCents,
    usageCents: payment.cycle?.usageCents ?? 0,
    totalLabel: totalLabelOf(payment),
  };
  return renderCheckoutLayout({
    title: titleOf(payment, state, now),
    loaded,
    stylesheet: paymentStylesheet,
    simulatePath: canSimulate ? `/pay/${checkout.id}/${charge.id}/simulate` : null,
    refreshes: isPending,
    main: html`<div class="pay__main">
${renderState(payment, now, isFirstPayment && state === 'OPEN' ? otherWay(checkout.id) : null)}
</div>
${renderOrderSummary(order)}`,
  });
}

/** Neither a later cycle of a subscription nor an upsell. */
function isFirst({ upsellOf, cycleId }: Charge): boolean {
  return upsellOf === null && cycleId === null;
}

function renderState(payment: LoadedPayment, now: Date, otherWayLink: Html | null): Html {
  const { charge, loaded } = payment;
  if (charge.status === 'PAID') return renderConfirmation(payment, now);
  if (charge.status !== 'PENDING') return renderEnded(payment, checkoutStateOf(loaded.checkout, now), now);
  if (isDebit(charge)) return renderDebit(payment);
  const hasCode = charge.barCode !== null || charge.brCode !== null;
  if (hasCode && payableUntil(charge) <= now) return renderOverdue(payment);
  if (charge.barCode !== null) return renderBoletoPayment(payment, charge.barCode, now, otherWayLink);
  if (charge.brCode !== null) return renderPixPayment(payment, charge.brCode, now, otherWayLink);
  const url = confirmationUrlOf(charge);
  return url === null ? renderProcessing(payment) : renderConfirming(payment, url, now, otherWayLink);
}

function otherWay(checkoutId: string): Html {
  return html`<p class="wait__other"><a href="/pay/${checkoutId}">${say('checkout.payInAnotherWay')}</a></p>`;
}

function totalLabelOf({ charge, loaded }: LoadedPayment): string {
  const { frequency, trialDays } = loaded.checkout;
  if (frequency !== 'SUBSCRIPTION' || !isFirst(charge)) return say('checkout.total');
  return say(trialDays === null ? 'checkout.1stPayment' : 'payer.freeTrial');
}

/** After a decline the form gets a new key, so submitting it again is a new payment. */
function renderDeclined(
  { charge, loaded, coupon, couponCode }: LoadedPayment,
  typed: TypedForm,
  now: Date,
): string {
  const { amountCents, customerFeeCents, discountCents, installmentsCount } = charge;
  const totalCents = amountCents - customerFeeCents;
  const card = cardText(charge);
  return renderPayPage({
    loaded,
    price: { totalCents, discountCents, coupon },
    couponCode,
    typed: { ...typed, method: 'CARD', installmentsCount: installmentsCount ?? 1 },
    problems: [],
    now,
    notice: html`<div class="alert" role="alert">
<h2 class="alert__title">${say('checkout.paymentNotApproved')}</h2>
<p>${declineText(charge, loaded.checkout.maxInstallments > 1)}</p>
<p>${card === null ? say('checkout.nothingWasCharged2') : say('checkout.nothingWasChargedTo', { card })} ${say('checkout.forYourSecurityEnterThe')}</p>
</div>`,
  });
}

function titleOf(payment: LoadedPayment, state: CheckoutState, now: Date): string {
  const otherwise = paidOtherwise(payment, state);
  if (otherwise !== null) return closedWordingOf(otherwise, payment.loaded, now).title;
  const { charge } = payment;
  const amount = sayAmount(charge.amountCents);
  switch (payerStatus(charge)) {
    case 'PAID':
      return METHOD_TRAITS[charge.method].decidedBy === 'NOBODY'
        ? confirmationTitle(payment)
        : say('checkout.paymentOfConfirmed', { amount });
    case 'PENDING':
      if (confirmationUrlOf(charge) !== null) return waitingTitleOf(charge);
      if (isDebit(charge)) return say('checkout.pixAutomatic.title');
      return charge.brCode === null && charge.barCode === null
        ? say('checkout.processingThePayment')
        : say('checkout.pay', { amount });
    case 'EXPIRED':
      return say('checkout.theTimeToPayIsOver');
    case 'CANCELLED':
      return say('checkout.paymentCancelled');
    case 'REFUNDED':
      return say('payer.paymentSentBack');
    case 'UNDER_DISPUTE':
      return say('payer.paymentUnderDispute');
    case 'FAILED':
      return say('checkout.paymentNotApproved');
  }
}
