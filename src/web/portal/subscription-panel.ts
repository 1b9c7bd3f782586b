import { saoPauloDateOf } from '../../domain/civil-date.ts';
import { formatBrl } from '../../domain/money.ts';
import { type SubscriptionState, subscriptionStateOf } from '../../domain/subscription.ts';
import { formatDate } from '../boleto/boleto-wording.ts';
import { cardText } from '../checkout/card-wording.ts';
import type { LoadedSubscription } from '../checkout/load-subscription.ts';
import { cyclePriceText, everyCycle } from '../checkout/subscription-plan.ts';
import { type Html, html } from '../frame/html.ts';
import { say } from '../frame/language.ts';
import type { MessageKey } from '../i18n/catalogs.ts';
import type { PayerVisit } from './visit.ts';

const STATES: Readonly<Record<SubscriptionState, MessageKey>> = {
  TRIALING: 'portal.subscription.trialing',
  ACTIVE: 'portal.subscription.active',
  PAST_DUE: 'portal.subscription.pastDue',
  PAUSED: 'portal.subscription.paused',
  CANCELLING: 'portal.subscription.cancelling',
  CANCELLED: 'portal.subscription.cancelled',
};

/** A subscription: its state in words, its price, its next charge, what pays it, and the open charge. */
export function renderSubscription(_visit: PayerVisit, loaded: LoadedSubscription): Html {
  const { subscription, waiting } = loaded;
  const { id, plan, checkoutId, cycle, status } = subscription;
  const name = plan.quantity === 1 ? plan.name : `${plan.quantity} × ${plan.name}`;
  return html`<section class="panel">
<h2 id="${id}">${name}</h2>
<p class="portal__state">${say(STATES[subscriptionStateOf(subscription)])}</p>
<dl class="portal__facts">
${fact(say('checkout.price'), cyclePriceText(subscription))}
${fact(say('payer.payment'), cardText(subscription) ?? say('checkout.pixANewCode', { cycle: everyCycle(cycle) }))}
${nextFact(loaded)}
</dl>
${status === 'ACTIVE' && waiting !== null && html`<p><a class="button portal__button" href="/pay/${checkoutId}/${waiting.id}">${say('portal.subscription.payNow', { amount: formatBrl(waiting.amountCents) })}</a></p>`}
</section>`;
}

/** When it is charged next, or when it ends; null while it is paused. */
function nextFact({ subscription, nextCharge }: LoadedSubscription): Html | null {
  const { status, cancelAt, canceledAt, cycleEndsAt, updatedAt } = subscription;
  if (status !== 'ACTIVE') return fact(say('portal.subscription.endedOn'), dayOf(canceledAt ?? updatedAt));
  if (cancelAt !== null) return fact(say('portal.subscription.endsOn'), dayOf(cancelAt));
  if (subscriptionStateOf(subscription) === 'PAUSED') return null;
  return fact(say('checkout.nextCharge'), `${dayOf(cycleEndsAt)}, ${formatBrl(nextCharge.amountCents)}`);
}

function dayOf(at: Date): string {
  return formatDate(saoPauloDateOf(at));
}

function fact(label: string, value: string): Html {
  return html`<div><dt>${label}</dt><dd>${value}</dd></div>`;
}
