import type { Mandate } from '../../database/entities/mandate.ts';
import type { Store } from '../../database/entities/store.ts';
import { saoPauloDateOf } from '../../domain/civil-date.ts';
import { type UsageOfProduct, usedCents } from '../../domain/cycle-usage.ts';
import { RETRIES_EXCEEDED } from '../../domain/dunning-policy.ts';
import { METHOD_TRAITS } from '../../domain/payment-methods.ts';
import { planText } from '../../domain/subscribed-plan.ts';
import { isKeptPastDue, isPaused } from '../../domain/subscription.ts';
import { consentPath } from '../../mandates/consent/consent-path.ts';
import { cardText } from '../frame/card-text.ts';
import { fact } from '../frame/facts.ts';
import { type Html, html } from '../frame/html.ts';
import { say, sayDay, sayDays, sayHtml } from '../frame/language.ts';
import { sayAmount } from '../i18n/money.ts';
import type { LoadedSubscription } from './load-subscription.ts';
import { storeContact } from './store-identity.ts';
import { cyclePriceText, everyCycle } from './subscription-plan.ts';
import { usageApartText, usageTexts } from './usage-texts.ts';

/** The state of a subscription: its plan, its next charge, and how to cancel it, or that it was cancelled. */
export function renderSubscriptionFacts(loaded: LoadedSubscription, store: Store): Html {
  const contact = storeContact(store);
  const { subscription, waiting, consent } = loaded;
  const { plan, checkoutId, status } = subscription;
  const isActive = status === 'ACTIVE';
  const name = planText(plan);
  return html`<section class="panel subscription" aria-labelledby="subscription-heading">
<h2 id="subscription-heading">${say('checkout.yourSubscription')}</h2>
${
  isActive &&
  waiting !== null &&
  html`<div class="subscription__open"><p>${sayHtml('checkout.aPixCodeForIs', { amount: html`<strong>${sayAmount(waiting.amountCents)}</strong>` })}</p>
<p class="actions"><a class="button" href="/pay/${checkoutId}/${waiting.id}">${say('payer.payWithPix')}</a></p></div>`
}
${isActive && consent !== null && html`<div class="subscription__open">${renderConsentOffer(consent)}</div>`}
<dl class="facts">
${fact(say('checkout.plan'), name)}
${fact(say('checkout.price'), cyclePriceText(subscription))}
${fact(say('payer.payment'), cardText(subscription) ?? pixText(subscription))}
${isActive ? nextChargeFact(loaded) : endFact(loaded)}
${isActive && subscription.cancelAt !== null && endingFact(subscription.cancelAt, subscription.plan.usageCycle !== undefined)}
</dl>
${isActive && html`<p class="part__hint">${addressHint(subscription)} ${contact !== null && sayHtml('checkout.toCancelOrChangePlans', { store: contact })}</p>`}
</section>`;
}

/** The way to the page on which the payer authorizes the debits of later charges. */
export function renderConsentOffer(consent: Mandate): Html {
  return html`<p>${say('authorize.offer')}</p>
<p class="actions"><a class="button" href="${consentPath(consent)}">${say('authorize.open')}</a></p>`;
}

/** How a subscription by PIX is paid. */
export function pixText({ mandateId, cycle }: LoadedSubscription['subscription']): string {
  const phrase = mandateId === null ? 'checkout.pixANewCode' : 'checkout.pixAutomatic.payment';
  return say(phrase, { cycle: everyCycle(cycle) });
}

function addressHint({ method, mandateId }: LoadedSubscription['subscription']): string {
  return METHOD_TRAITS[method].hasCode && mandateId === null
    ? say('checkout.saveTheAddressOfThisPage')
    : say('checkout.saveTheAddressOfThisPageTo');
}

/** After a failed charge, the next one is another attempt at the same cycle. */
function nextChargeFact({ subscription, nextCharge, waiting }: LoadedSubscription): Html {
  const { failedAttempts, retryEveryDays, cycleEndsAt, usageEndsAt, method, cancelAt, resumesAt } =
    subscription;
  if (isPaused(subscription)) return pausedFact(resumesAt);
  if (isKeptPastDue(subscription))
    return fact(say('checkout.openCharge'), say('checkout.theLastOneWasNotPaidIn'));
  if (failedAttempts > 0) {
    const again = METHOD_TRAITS[method].keepsInstrument
      ? say('checkout.theLastOneWasNot', { days: sayDays(retryEveryDays) })
      : say('checkout.theLastOneWasNotPaid');
    return fact(
      say('checkout.openCharge'),
      waiting === null ? again : say('checkout.theLastOneWasNotPaidIn'),
    );
  }
  const { amountCents, used } = nextCharge;
  const apart = usageEndsAt === null ? null : usageFact(usageEndsAt, used);
  if (cancelAt !== null) return apart ?? html``;
  const date = saoPauloDateOf(cycleEndsAt);
  const usageCents = usedCents(used);
  const usage =
    used.length > 0 &&
    apart === null &&
    html`<br><span class="facts__more">${say('checkout.withOfUsageSoFar', { amount: sayAmount(usageCents) })}</span>${usageTexts(used).map((text) => html`<br><span class="facts__more">${text}</span>`)}`;
  const next = fact(
    say('checkout.nextCharge'),
    html`<time datetime="${date}">${sayDay(date)}</time>, ${sayAmount(amountCents)}${usage}`,
  );
  return html`${apart}${next}`;
}

/** The usage so far, if it is charged before the plan. */
function usageFact(usageEndsAt: Date, used: readonly UsageOfProduct[]): Html | null {
  if (used.length === 0) return null;
  const lines = usageTexts(used).map((text, index) => html`${index > 0 && html`<br>`}${text}`);
  return fact(usageApartText(usageEndsAt), html`${lines}`);
}

/** Nothing is charged until the store, or the date, ends the pause. */
function pausedFact(resumesAt: Date | null): Html {
  if (resumesAt === null) return fact(say('checkout.paused'), say('checkout.nothingIsCharged'));
  const date = saoPauloDateOf(resumesAt);
  const shown = html`<time datetime="${date}">${sayDay(date)}</time>`;
  return fact(say('checkout.paused'), sayHtml('checkout.nothingIsChargedUntil', { date: shown }));
}

/** The end that a scheduled cancellation has set. Usage until then may still be charged. */
function endingFact(cancelAt: Date, chargesUsage: boolean): Html {
  const date = saoPauloDateOf(cancelAt);
  const shown = html`<time datetime="${date}">${sayDay(date)}</time>`;
  return fact(
    say('checkout.endsOn'),
    chargesUsage ? shown : sayHtml('checkout.withoutFurtherCharges', { date: shown }),
  );
}

function endFact({ subscription: { canceledAt, cancelledDueTo, updatedAt } }: LoadedSubscription): Html {
  const date = saoPauloDateOf(canceledAt ?? updatedAt);
  const phrase =
    cancelledDueTo === RETRIES_EXCEEDED ? 'checkout.onBecauseItWasNot' : 'checkout.onThereAreNoMoreCharges';
  return fact(
    say('checkout.cancelled'),
    sayHtml(phrase, { date: html`<time datetime="${date}">${sayDay(date)}</time>` }),
  );
}
