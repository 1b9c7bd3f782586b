import { randomUUID } from 'node:crypto';
import { ApiError } from '../../api/frame/errors.ts';
import { withinTime } from '../../api/frame/reach-temporal.ts';
import { findUpdate } from '../../api/subscriptions/cancel-or-change-plan.ts';
import { isNotActive } from '../../api/subscriptions/reach-subscription.ts';
import { type PlanUpdate, PlanUpdateEntity } from '../../database/entities/plan-update.ts';
import type { Subscription } from '../../database/entities/subscription.ts';
import { planText } from '../../domain/subscribed-plan.ts';
import { ownSubscription } from '../../portal/own-rows.ts';
import { planUpdateIdOf } from '../../portal/plan-update-id.ts';
import { AlreadySent, expectPayerRequest, wasSent } from '../../portal/record-payer-action.ts';
import { portalSettingsOf } from '../../stores/portal-settings.ts';
import { type PreviewedCharge, previewCharges } from '../../subscriptions/preview-charges.ts';
import { cyclePriceText, everyCycle } from '../checkout/subscription-plan.ts';
import { cardText } from '../frame/card-text.ts';
import { fact } from '../frame/facts.ts';
import { html } from '../frame/html.ts';
import { say, sayDay } from '../frame/language.ts';
import { NOTICES } from '../frame/notice-page.ts';
import { NoticeError, seeOther, sendHtml } from '../frame/page-context.ts';
import { sayAmount } from '../i18n/money.ts';
import { backLink, showNotPossible } from './not-possible.ts';
import { type OfferedChange, offeredChanges } from './offered-plans.ts';
import { renderPortalLayout } from './portal-layout.ts';
import { DONE_WITHIN_MS, formOf, subscriptionIn } from './subscription-forms.ts';
import { type PayerVisit, requireSession } from './visit.ts';

/** The page after a change says so for a while; its address can be kept. */
const SAID_FOR_MS = 10 * 60_000;

/** A change of plan with what it costs. */
interface Priced {
  readonly change: OfferedChange;
  /** Charged at once; null if nothing is. */
  readonly today: PreviewedCharge | null;
  readonly next: PreviewedCharge | null;
}

/** The plans to choose from or, with `to` in the address, the page that asks the payer to confirm one. */
export async function showPlans(visit: PayerVisit): Promise<void> {
  const { ctx } = visit;
  const subscription = await subscriptionIn(visit);
  const offered = await offeredTo(visit, subscription);
  if (offered.length === 0) return showNotOffered(visit);
  if (typeof ctx.query.to !== 'string') return showChoice(visit, subscription, offered);
  const change = offered.find(({ plan }) => plan.plan.productId === ctx.query.to);
  if (change === undefined) return showNotOffered(visit);
  return showConfirmation(visit, subscription, await pricedOf(visit, subscription, change), 200);
}

/**
 * Changes the plan, as the API's operation does it. The store's settings, the product and the row decide now; if it would cost more
 * than the page has said, the page is shown again. A form that is sent twice is one change.
 * @throws NoticeError 404 for the subscription of somebody else, 503 if the workflow does not answer in time.
 */
export async function takePlan(visit: PayerVisit, form: URLSearchParams): Promise<void> {
  const { ctx, em, path, deps, now } = visit;
  const subscription = await subscriptionIn(visit);
  const sent = formOf(visit, subscription, form);
  const planUpdateId = planUpdateIdOf(subscription, sent.submission);
  const back = `${path}?plan=${subscription.id}`;
  if (await wasSent(em, sent)) return seeOther(ctx, back);
  const change = (await offeredTo(visit, subscription)).find(
    ({ plan }) => plan.plan.productId === form.get('to'),
  );
  if (change === undefined) return showNotOffered(visit);
  const priced = await pricedOf(visit, subscription, change);
  if (costsMore(priced, form)) return showConfirmation(visit, subscription, priced, 409);
  const { productId, quantity } = change.plan.plan;
  const wanted = {
    planUpdateId,
    productId,
    quantity,
    ...(change.proration && { proration: change.proration }),
  };
  const details = { productId, startsNow: change.proration !== null };
  try {
    const line = await em.fork().transactional(async (tx) => {
      await requireSession(tx, visit);
      const action = { action: 'subscriptions/change-plan', details };
      return expectPayerRequest(tx, deps.database, sent, action, now);
    });
    await line.around(
      async () => {
        await withinTime(deps.temporal, DONE_WITHIN_MS, () =>
          deps.subscriptionUpdates.changePlan(subscription, wanted, ctx.state.requestId),
        );
        if ((await findUpdate(em.fork(), planUpdateId)) === null) throw new PlanKept();
      },
      (error) => error instanceof PlanKept || isNotActive(error),
    );
  } catch (error) {
    if (error instanceof ApiError) throw new NoticeError(503, NOTICES.away, 5);
    if (error instanceof PlanKept) return showNotOffered(visit);
    // The other form of a double click has acted, or the subscription has ended meanwhile: the page shows where it is.
    if (!(error instanceof AlreadySent) && !isNotActive(error)) throw error;
  }
  seeOther(ctx, back);
}

/** A charge that failed in this moment keeps the plan as it is. */
class PlanKept extends Error {
  constructor() {
    super('the plan was not changed');
    this.name = 'PlanKept';
  }
}

/** The change of plan that has just been made, if the page's address names its subscription and the rows agree; null otherwise. */
export async function changedPlanIn({ ctx, em, customer, storeNow }: PayerVisit): Promise<PlanUpdate | null> {
  const { plan: id } = ctx.query;
  const subscription = typeof id === 'string' ? await ownSubscription(em, customer, id) : null;
  if (subscription === null) return null;
  const update = await em.findOne(
    PlanUpdateEntity,
    { subscriptionId: subscription.id, status: { $in: ['PENDING', 'APPLIED'] } },
    { orderBy: { requestedAt: 'desc' }, disableIdentityMap: true },
  );
  const isNew = update !== null && storeNow.getTime() - update.requestedAt.getTime() <= SAID_FOR_MS;
  return isNew ? update : null;
}

async function offeredTo({ em, customer, storeNow }: PayerVisit, subscription: Subscription) {
  return offeredChanges(em, await portalSettingsOf(em, customer), subscription, storeNow);
}

async function pricedOf(
  { em, storeNow }: PayerVisit,
  subscription: Subscription,
  change: OfferedChange,
): Promise<Priced> {
  const { charges } = await previewCharges(em, subscription, change, storeNow);
  const next = charges.at(-1) ?? null;
  const first = charges[0];
  const isToday = change.proration !== null && charges.length > 1 && first !== undefined;
  return { change, today: isToday ? first : null, next };
}

/** Whether the payer has confirmed less than this. The difference shrinks by the second, so it is never more only by waiting. */
function costsMore({ change, today }: Priced, form: URLSearchParams): boolean {
  const startsNow = change.proration !== null;
  return (
    String(startsNow) !== form.get('startsNow') ||
    (today?.cycle.amountCents ?? 0) > centsIn(form, 'todayCents') ||
    change.plan.amountCents > centsIn(form, 'planCents')
  );
}

/** What the page has shown; 0 for anything but an amount. */
function centsIn(form: URLSearchParams, name: 'todayCents' | 'planCents'): number {
  const text = form.get(name) ?? '';
  return /^\d{1,12}$/.test(text) ? Number(text) : 0;
}

/** The store has withdrawn it, or the subscription is not what it was when the page was shown. */
function showNotOffered(visit: PayerVisit): void {
  showNotPossible(visit, say('portal.plan.change'), say('portal.action.notPossibleNow'));
}

function showChoice(visit: PayerVisit, subscription: Subscription, offered: readonly OfferedChange[]): void {
  const { plan } = subscription;
  const to = `${visit.path}/subscriptions/${subscription.id}/plan?to=`;
  const main = html`<section class="panel portal__step">
<h1>${say('portal.plan.change')}</h1>
<p>${say('portal.plan.youHave')} <strong>${planText(plan)}</strong>, ${cyclePriceText(subscription)}</p>
<ul class="portal__rows">${offered.map(
    (change) => html`<li class="portal__row"><div><strong>${planText(change.plan.plan)}</strong><br>
<span class="portal__when">${cyclePriceText(change.plan)}</span></div>
<a href="${to}${change.plan.plan.productId}">${say('portal.plan.choose')}</a></li>`,
  )}</ul>
${backLink(visit)}
</section>`;
  sendHtml(visit.ctx, 200, renderPortalLayout(visit, { title: say('portal.plan.change'), main }));
}

function showConfirmation(
  visit: PayerVisit,
  subscription: Subscription,
  { change, today, next }: Priced,
  status: 200 | 409,
): void {
  const { path, csrfToken } = visit;
  const { plan } = change;
  const todayCents = today?.cycle.amountCents ?? 0;
  const by = cardText(subscription) ?? say('checkout.pixANewCode', { cycle: everyCycle(plan.cycle) });
  const main = html`<section class="panel portal__step">
<h1>${say('portal.plan.change')}</h1>
${status === 409 && html`<p role="alert">${say('portal.plan.priceChanged')}</p>`}
<p>${startText(change, todayCents, sayDay(subscription.cycleEndsAt))}</p>
<dl class="facts">
${fact(say('portal.plan.current'), `${planText(subscription.plan)}, ${cyclePriceText(subscription)}`)}
${fact(say('portal.plan.new'), `${planText(plan.plan)}, ${cyclePriceText(plan)}`)}
${change.proration !== null && fact(say('portal.plan.today'), sayAmount(todayCents))}
${next !== null && fact(say('checkout.nextCharge'), `${sayDay(next.at)}, ${sayAmount(next.cycle.amountCents)}`)}
${fact(say('payer.payment'), by)}
</dl>
<form method="post" action="${path}/subscriptions/${subscription.id}/plan">
<input type="hidden" name="csrf" value="${csrfToken}">
<input type="hidden" name="submission" value="${randomUUID()}">
<input type="hidden" name="to" value="${plan.plan.productId}">
<input type="hidden" name="startsNow" value="${String(change.proration !== null)}">
<input type="hidden" name="todayCents" value="${todayCents}">
<input type="hidden" name="planCents" value="${plan.amountCents}">
<button class="button">${say('portal.plan.confirm')}</button>
</form>
<p class="portal__back"><a href="${path}/subscriptions/${subscription.id}/plan">${say('portal.plan.otherPlans')}</a></p>
${backLink(visit)}
</section>`;
  sendHtml(visit.ctx, status, renderPortalLayout(visit, { title: say('portal.plan.change'), main }));
}

function startText({ proration }: OfferedChange, todayCents: number, date: string): string {
  if (proration === null) return say('portal.plan.startsOn', { date });
  return todayCents > 0 ? say('portal.plan.startsNow', { date }) : say('portal.plan.startsNowFree');
}
