import type { PlanUpdate } from '../../database/entities/plan-update.ts';
import type { Product } from '../../database/entities/product.ts';
import type { Subscription } from '../../database/entities/subscription.ts';
import { itemText, totalCentsOf } from '../../domain/checkout.ts';
import { METHOD_TRAITS } from '../../domain/payment-methods.ts';
import {
  HAS_HAPPENED,
  mayAuthorizeDebits,
  mayChangePlan,
  mayEnterCard,
  offeredActions,
  type ServedMethods,
} from '../../domain/portal-actions.ts';
import type { PortalSettings } from '../../domain/portal-settings.ts';
import { planText, type SubscribedPlan } from '../../domain/subscribed-plan.ts';
import { isKeptPastDue, type SubscriptionState, subscriptionStateOf } from '../../domain/subscription.ts';
import type { LoadedSubscription } from '../checkout/load-subscription.ts';
import { pixText, renderConsentOffer } from '../checkout/subscription-facts.ts';
import { cyclePriceText } from '../checkout/subscription-plan.ts';
import { usageApartText, usageTexts } from '../checkout/usage-texts.ts';
import { cardText } from '../frame/card-text.ts';
import { fact } from '../frame/facts.ts';
import { type Html, html } from '../frame/html.ts';
import { say, sayDay } from '../frame/language.ts';
import type { MessageKey } from '../i18n/catalogs.ts';
import { sayAmount } from '../i18n/money.ts';
import { ACTION_WORDS, type Done } from './action-words.ts';
import { hasOtherPlan } from './offered-plans.ts';
import type { PayerVisit } from './visit.ts';

const STATES: Readonly<Record<SubscriptionState, MessageKey>> = {
  TRIALING: 'portal.subscription.trialing',
  ACTIVE: 'portal.subscription.active',
  PAST_DUE: 'portal.subscription.pastDue',
  PAUSED: 'portal.subscription.paused',
  CANCELLING: 'portal.subscription.cancelling',
  CANCELLED: 'portal.subscription.cancelled',
};

/** What the page of a subscription depends on besides its row. */
export interface PanelView {
  readonly settings: PortalSettings;
  readonly served: ServedMethods;
  /** The plans that the store offers and sells. */
  readonly plansSold: readonly Product[];
  /** The action that has led here; null if none did. */
  readonly done: Done | null;
  /** The subscription whose card this payer has just replaced; null if there is none. */
  readonly changedCardOf: string | null;
  /** The change of plan that this payer has just made; null if there is none. */
  readonly changedPlan: PlanUpdate | null;
}

/** A subscription: its state in words, its price, its next charge, what pays it, the open charge, and what its payer can do. */
export function renderSubscription(visit: PayerVisit, loaded: LoadedSubscription, view: PanelView): Html {
  const { subscription, waiting, consent } = loaded;
  const { done, changedCardOf, changedPlan } = view;
  const isCardChanged = changedCardOf === subscription.id;
  const { id, plan, checkoutId, status } = subscription;
  return html`<section class="panel">
<h2 id="${id}">${itemText(plan)}</h2>
${done?.subscriptionId === id && renderDone(done, loaded)}
${isCardChanged && html`<p class="portal__done" role="status">${changedCardText(loaded)}</p>`}
${changedPlan?.subscriptionId === id && renderChangedPlan(changedPlan, subscription)}
<p class="soft">${say(STATES[subscriptionStateOf(subscription)])}</p>
<dl class="facts">
${addOnsFact(plan)}
${fact(say('checkout.price'), cyclePriceText(subscription))}
${fact(say('payer.payment'), cardText(subscription) ?? pixText(subscription))}
${nextPlanFact(loaded)}
${nextFact(loaded)}
${usageFact(loaded)}
${finalUsageFact(loaded)}
</dl>
${status === 'ACTIVE' && waiting !== null && html`<p><a class="button portal__button" href="/pay/${checkoutId}/${waiting.id}">${say('portal.subscription.payNow', { amount: sayAmount(waiting.amountCents) })}</a></p>`}
${status === 'ACTIVE' && consent !== null && renderConsentOffer(consent)}
${renderActions(visit, loaded, view)}
</section>`;
}

/** What the payer has just done, if the row agrees: somebody else may have been faster. */
function renderDone({ action }: Done, { subscription, waiting }: LoadedSubscription): Html | null {
  const { done } = ACTION_WORDS[action];
  if (action === 'pay' && subscription.failedAttempts > 0 && waiting === null)
    return html`<p class="portal__done" role="status">${say('portal.action.notPaidYet')}</p>`;
  return HAS_HAPPENED[action](subscription)
    ? html`<p class="portal__done" role="status">${say(done)}</p>`
    : null;
}

/** An open code stays payable: the card is charged only if it is not paid. */
function changedCardText({ subscription, waiting }: LoadedSubscription): string {
  if (waiting !== null) return say('portal.card.doneAfterCode', { date: sayDay(waiting.closesAt) });
  return say(subscription.attemptDueAt === null ? 'portal.card.done' : 'portal.card.doneAndCharging');
}

function renderActions(
  { path, storeNow }: PayerVisit,
  { subscription, nextPlan, consent }: LoadedSubscription,
  { settings, served, plansSold }: PanelView,
): Html | null {
  const offered = offeredActions(settings, subscription, served, storeNow);
  // With both ways to cancel, the page of the first one leads to the other.
  const shown = offered.filter((action) => action !== 'cancel-now' || !offered.includes('cancel'));
  const isCard = mayEnterCard(settings, subscription, served);
  const cardName = METHOD_TRAITS[subscription.method].keepsInstrument
    ? 'portal.card.change'
    : 'portal.card.payByCard';
  const isPlan = mayChangePlan(settings, subscription) && hasOtherPlan(plansSold, nextPlan ?? subscription);
  const isDebit = consent === null && mayAuthorizeDebits(settings, subscription, served);
  if (shown.length === 0 && !isCard && !isPlan && !isDebit) return null;
  return html`<ul class="portal__actions">${isCard && html`<li><a href="${path}/subscriptions/${subscription.id}/card">${say(cardName)}</a></li>`}${isDebit && html`<li><a href="${path}/subscriptions/${subscription.id}/authorize">${say('portal.action.authorize')}</a></li>`}${isPlan && html`<li><a href="${path}/subscriptions/${subscription.id}/plan">${say('portal.plan.change')}</a></li>`}${shown.map(
    (action) =>
      html`<li><a href="${path}/subscriptions/${subscription.id}/${action}">${say(ACTION_WORDS[action].name)}</a></li>`,
  )}</ul>`;
}

/** What the payer has just done: it has happened, or it waits for the next cycle. */
function renderChangedPlan({ status }: PlanUpdate, { cycleEndsAt }: Subscription): Html {
  const words =
    status === 'APPLIED'
      ? say('portal.plan.doneNow')
      : say('portal.plan.doneLater', { date: sayDay(cycleEndsAt) });
  return html`<p class="portal__done" role="status">${words}</p>`;
}

/** Each add-on with what it costs per cycle; null without any. */
function addOnsFact({ addOns = [] }: SubscribedPlan): Html | null {
  if (addOns.length === 0) return null;
  const lines = addOns.map(
    (addOn, index) => html`${index > 0 && html`<br>`}${itemText(addOn)}, ${sayAmount(totalCentsOf([addOn]))}`,
  );
  return fact(say('portal.subscription.addOns'), html`${lines}`);
}

/** The plan of the next cycle, if it is another one. */
function nextPlanFact({ subscription: { status, cycleEndsAt }, nextPlan }: LoadedSubscription): Html | null {
  if (nextPlan === null || status !== 'ACTIVE') return null;
  return fact(
    say('portal.plan.next'),
    say('portal.plan.nextFrom', { plan: planText(nextPlan.plan), date: sayDay(cycleEndsAt) }),
  );
}

/** When it is charged next, or when it ends; null while it is paused. */
function nextFact({ subscription, nextCharge }: LoadedSubscription): Html | null {
  const { status, cancelAt, canceledAt, cycleEndsAt, updatedAt } = subscription;
  if (status !== 'ACTIVE') return fact(say('portal.subscription.endedOn'), sayDay(canceledAt ?? updatedAt));
  if (cancelAt !== null) return fact(say('portal.subscription.endsOn'), sayDay(cancelAt));
  const { resumesAt } = subscription;
  if (subscriptionStateOf(subscription) === 'PAUSED')
    return resumesAt && fact(say('portal.subscription.resumesOn'), sayDay(resumesAt));
  if (isKeptPastDue(subscription)) return null;
  return fact(say('checkout.nextCharge'), `${sayDay(cycleEndsAt)}, ${sayAmount(nextCharge.amountCents)}`);
}

/** The usage so far, which the next charge includes unless it is charged by itself. */
function usageFact({
  subscription: { status, usageEndsAt },
  nextCharge: { used },
}: LoadedSubscription): Html | null {
  if (status !== 'ACTIVE' || used.length === 0) return null;
  const texts = usageTexts(used).map((text, index) => html`${index > 0 && html`<br>`}${text}`);
  const label = usageEndsAt === null ? say('portal.subscription.usageSoFar') : usageApartText(usageEndsAt);
  return fact(label, html`${texts}`);
}

/** The usage that its end has charged, with the page where it can be paid. */
function finalUsageFact({ subscription: { finalUsage } }: LoadedSubscription): Html | null {
  if (finalUsage === null) return null;
  const { checkoutId, amountCents } = finalUsage;
  return fact(
    say('portal.subscription.finalUsage'),
    html`<a href="/pay/${checkoutId}">${sayAmount(amountCents)}</a>`,
  );
}
