import type { Charge } from '../../database/entities/charge.ts';
import { METHOD_TRAITS } from '../../domain/payment-methods.ts';
import { type Html, html } from '../frame/html.ts';
import { say, sayDay } from '../frame/language.ts';
import { sayAmount } from '../i18n/money.ts';
import { deadlineText } from './waiting-payment.ts';

/** A payer who opens the form again, or in a second tab, gets a link to their existing code. */
export function renderOpenPayment(charge: Charge, now: Date): Html {
  const { id, checkoutId, method, amountCents, dueDate, expiresAt } = charge;
  const amount = sayAmount(amountCents);
  const text =
    METHOD_TRAITS[method].hasDueDate && dueDate !== null
      ? say('checkout.youAlreadyHaveABoleto', { amount, date: sayDay(dueDate) })
      : say('checkout.youAlreadyHaveAnOpen', {
          amount,
          time: deadlineText(expiresAt, now),
        });
  return html`<p class="open-payment" role="status">${text} <a href="/pay/${checkoutId ?? ''}/${id}">${say('checkout.continueWithThePayment')}</a></p>`;
}
