import type { Charge } from '../../database/entities/charge.ts';
import { CheckoutEntity } from '../../database/entities/checkout.ts';
import { portalSettingsOf } from '../../database/portal-settings.ts';
import type { ChargeStatus } from '../../domain/charge.ts';
import { saoPauloDateOf } from '../../domain/civil-date.ts';
import { formatBrl } from '../../domain/money.ts';
import { MOST_SHOWN, paymentsOf, subscriptionsOf } from '../../portal/own-rows.ts';
import { formatDate } from '../boleto/boleto-wording.ts';
import { cardText } from '../checkout/card-wording.ts';
import { type LoadedSubscription, loadSubscription } from '../checkout/load-subscription.ts';
import { type Html, html } from '../frame/html.ts';
import { say } from '../frame/language.ts';
import { METHOD_NAMES } from '../frame/method-words.ts';
import { sendHtml } from '../frame/page-context.ts';
import type { MessageKey } from '../i18n/catalogs.ts';
import { doneIn } from './action-words.ts';
import { changedCardOf } from './change-card.ts';
import { renderPortalLayout } from './portal-layout.ts';
import { renderSubscription } from './subscription-panel.ts';
import type { PayerVisit } from './visit.ts';

/** The customer's payments and subscriptions. */
export async function showHome(visit: PayerVisit): Promise<void> {
  const { ctx, em, portal, customer, path, csrfToken } = visit;
  const payments = await paymentsOf(em, customer);
  const subscriptions = await loadedSubscriptions(visit);
  const view = {
    settings: await portalSettingsOf(em, customer),
    done: doneIn(ctx.query),
    changedCardOf: await changedCardOf(visit),
  };
  const purchase = portal.checkoutId;
  const main = html`<h1>${say('portal.home.title')}</h1>
${purchase !== null && html`<p><a href="/pay/${purchase}">${say('portal.home.backToPurchase')}</a></p>`}
${subscriptions.map((loaded) => renderSubscription(visit, loaded, view))}
<section class="panel" aria-labelledby="payments">
<h2 id="payments">${say('portal.home.payments')}</h2>
${payments.length === 0 ? html`<p>${say('portal.home.noPayments')}</p>` : html`<ul class="portal__rows">${payments.map((charge) => renderPayment(visit, charge))}</ul>`}
${payments.length === MOST_SHOWN && html`<p>${say('portal.home.onlyTheNewest', { count: MOST_SHOWN })}</p>`}
</section>
<section class="panel" aria-labelledby="data">
<h2 id="data">${say('portal.home.yourData')}</h2>
<p>${say('portal.home.downloadWhat')}</p>
<p><a href="${path}/data" download>${say('portal.home.download')}</a></p>
</section>`;
  const beside = html`<form method="post" action="${path}/leave"><input type="hidden" name="csrf" value="${csrfToken}"><button class="portal__leave">${say('portal.home.leave')}</button></form>`;
  sendHtml(ctx, 200, renderPortalLayout(visit, { title: say('portal.home.title'), main, beside }));
}

async function loadedSubscriptions({ em, customer }: PayerVisit): Promise<LoadedSubscription[]> {
  const loaded: LoadedSubscription[] = [];
  for (const { checkoutId } of await subscriptionsOf(em, customer)) {
    const checkout = await em.findOneOrFail(CheckoutEntity, { id: checkoutId });
    const one = await loadSubscription(em, checkout);
    if (one !== null) loaded.push(one);
  }
  return loaded;
}

const STATUSES: Readonly<Record<ChargeStatus, MessageKey>> = {
  PENDING: 'portal.home.pending',
  PAID: 'portal.home.paid',
  EXPIRED: 'portal.home.expired',
  CANCELLED: 'portal.home.cancelled',
  REFUNDED: 'portal.home.refunded',
  UNDER_DISPUTE: 'portal.home.underDispute',
  FAILED: 'portal.home.failed',
};

function renderPayment(visit: PayerVisit, charge: Charge): Html {
  const { status, createdAt, paidAt, amountCents, paidAmountCents, method } = charge;
  const date = saoPauloDateOf(paidAt ?? createdAt);
  const isOpen = status === 'PENDING' && charge.closesAt > visit.storeNow;
  return html`<li class="portal__row">
<p class="portal__what"><strong>${whatOf(charge)}</strong><span><time datetime="${date}">${formatDate(date)}</time> · ${cardText(charge) ?? say(METHOD_NAMES[method])}</span></p>
<p class="portal__amount"><strong>${formatBrl(paidAmountCents ?? amountCents)}</strong><span>${say(status === 'PENDING' && !isOpen ? STATUSES.EXPIRED : STATUSES[status])}</span></p>
${linkOf(charge, isOpen)}
</li>`;
}

function whatOf({ items, description, method }: Charge): string {
  const names = (items ?? []).map(({ name, quantity }) => (quantity === 1 ? name : `${quantity} × ${name}`));
  return names.join(', ') || description || say(METHOD_NAMES[method]);
}

/** The receipt of a paid payment, or the page on which an open one is paid. */
function linkOf({ id, paidAt, method, checkoutId }: Charge, isOpen: boolean): Html | null {
  if (paidAt !== null)
    return html`<p class="portal__link"><a href="/receipt/${id}">${say('payer.seeReceipt')}</a></p>`;
  if (!isOpen || (checkoutId === null && method !== 'BOLETO')) return null;
  const href = checkoutId === null ? `/boleto/${id}` : `/pay/${checkoutId}/${id}`;
  return html`<p class="portal__link"><a href="${href}">${say('portal.home.pay')}</a></p>`;
}
