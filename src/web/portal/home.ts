import { refundRequestsOf } from '../../charges/refunds/refund-requests.ts';
import { CheckoutEntity } from '../../database/entities/checkout.ts';
import { formatZipCode } from '../../domain/payer.ts';
import type { PortalSettings } from '../../domain/portal-settings.ts';
import { invoicesOfCharges } from '../../invoices/invoice-files.ts';
import { MOST_SHOWN, paymentsOf, subscriptionsOf } from '../../portal/own-rows.ts';
import { portalSettingsOf } from '../../stores/portal-settings.ts';
import { type LoadedSubscription, loadSubscription } from '../checkout/load-subscription.ts';
import { facts } from '../frame/facts.ts';
import { type Html, html } from '../frame/html.ts';
import { say } from '../frame/language.ts';
import { sendHtml } from '../frame/page-context.ts';
import { doneIn } from './action-words.ts';
import { changedCardOf } from './change-card.ts';
import { changedPlanIn } from './change-plan.ts';
import { soldPlans } from './offered-plans.ts';
import { renderPayment } from './payment-row.ts';
import { renderPortalLayout } from './portal-layout.ts';
import { renderReminderChoice } from './reminders.ts';
import { servedMethods } from './served-methods.ts';
import { renderSubscription } from './subscription-panel.ts';
import type { PayerVisit } from './visit.ts';

/** The customer's payments and subscriptions. */
export async function showHome(visit: PayerVisit): Promise<void> {
  const { ctx, em, portal, customer, path, csrfToken } = visit;
  const payments = await paymentsOf(em, customer);
  const subscriptions = await loadedSubscriptions(visit);
  const settings = await portalSettingsOf(em, customer);
  const requests = await refundRequestsOf(
    em,
    payments.map(({ id }) => id),
  );
  const invoices = await invoicesOfCharges(
    em,
    payments.map(({ id }) => id),
  );
  const view = {
    settings,
    served: await servedMethods(visit),
    plansSold: await soldPlans(em, settings, customer),
    done: doneIn(ctx.query),
    changedCardOf: await changedCardOf(visit),
    changedPlan: await changedPlanIn(visit),
  };
  const purchase = portal.checkoutId;
  const main = html`<h1>${say('portal.home.title')}</h1>
${purchase !== null && html`<p><a href="/pay/${purchase}">${say('portal.home.backToPurchase')}</a></p>`}
${subscriptions.map((loaded) => renderSubscription(visit, loaded, view))}
<section class="panel" aria-labelledby="payments">
<h2 id="payments">${say('portal.home.payments')}</h2>
${payments.length === 0 ? html`<p>${say('portal.home.noPayments')}</p>` : html`<ul class="portal__rows">${payments.map((charge) => renderPayment(visit, charge, { settings, request: requests.get(charge.id) ?? null, invoice: invoices.get(charge.id) ?? null }))}</ul>`}
${payments.length === MOST_SHOWN && html`<p>${say('portal.home.onlyTheNewest', { count: MOST_SHOWN })}</p>`}
</section>
${await renderReminderChoice(visit)}
<section class="panel" aria-labelledby="data">
<h2 id="data">${say('portal.home.yourData')}</h2>
${ctx.query.details === 'changed' && html`<p class="portal__done" role="status">${say('portal.details.done')}</p>`}
${ctx.query.details === 'email' && html`<p class="portal__done" role="status">${say('portal.email.done')}</p>`}
${renderOwnFacts(visit, settings)}
<p>${say('portal.home.downloadWhat')}</p>
<p><a href="${path}/data" download>${say('portal.home.download')}</a></p>
</section>`;
  const beside = html`<form method="post" action="${path}/leave"><input type="hidden" name="csrf" value="${csrfToken}"><button class="portal__leave">${say('portal.home.leave')}</button></form>`;
  sendHtml(ctx, 200, renderPortalLayout(visit, { title: say('portal.home.title'), main, beside }));
}

/** What customers may change themselves, with where they change it. */
function renderOwnFacts({ customer, path }: PayerVisit, settings: PortalSettings): Html | null {
  const { changesDetails, changesEmail } = settings;
  if (!changesDetails && !changesEmail) return null;
  const { name, cellphone, zipCode, email } = customer;
  const rows = [
    ...(changesDetails
      ? ([
          ['portal.details.name', name],
          ['portal.details.phone', cellphone],
          ['portal.details.cep', zipCode && formatZipCode(zipCode)],
        ] as const)
      : []),
    ...(changesEmail ? ([['portal.door.email', email]] as const) : []),
  ].flatMap(([label, value]) => (value === null ? [] : [[say(label), value] as const]));
  return html`${rows.length > 0 && facts(rows)}
<p class="portal__links">${changesDetails && html`<a href="${path}/details">${say('portal.details.title')}</a>`}
${changesEmail && html`<a href="${path}/details/email">${say('portal.email.title')}</a>`}</p>`;
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
