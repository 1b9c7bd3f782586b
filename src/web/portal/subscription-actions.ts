import { randomUUID } from 'node:crypto';
import { ApiError } from '../../api/frame/errors.ts';
import { withinTime } from '../../api/frame/reach-temporal.ts';
import { consentDeps } from '../../api/mandates/request-mandate.ts';
import { applyChangeToPix } from '../../api/subscriptions/pay-by-pix.ts';
import { attemptResult } from '../../api/subscriptions/pay-cycle.ts';
import { isNotActive } from '../../api/subscriptions/reach-subscription.ts';
import type { Subscription } from '../../database/entities/subscription.ts';
import { totalCentsOf } from '../../domain/checkout.ts';
import { offeredActions, PORTAL_ACTIONS, type PortalAction } from '../../domain/portal-actions.ts';
import type { PortalSettings } from '../../domain/portal-settings.ts';
import { planText } from '../../domain/subscribed-plan.ts';
import type { SubscriptionStatus } from '../../domain/subscription.ts';
import { endAuthorization } from '../../mandates/consent/end-authorization.ts';
import { ownSubscription } from '../../portal/own-rows.ts';
import { AlreadySent, expectPayerRequest, wasSent } from '../../portal/record-payer-action.ts';
import { portalSettingsOf } from '../../stores/portal-settings.ts';
import { finalUsageOf } from '../../subscriptions/final-usage.ts';
import { selectField } from '../frame/fields.ts';
import { type Html, html } from '../frame/html.ts';
import { say, sayDay } from '../frame/language.ts';
import { NOTICES } from '../frame/notice-page.ts';
import { NoticeError, seeOther, sendHtml } from '../frame/page-context.ts';
import { sayAmount } from '../i18n/money.ts';
import { ACTION_WORDS, doneQuery } from './action-words.ts';
import { backLink, showNotPossible } from './not-possible.ts';
import { renderPortalLayout } from './portal-layout.ts';
import { servedMethods } from './served-methods.ts';
import { DONE_WITHIN_MS, formOf } from './subscription-forms.ts';
import { type PayerVisit, requireSession } from './visit.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

/** The lengths of pauses that are offered, as far as the store allows them. */
const PAUSE_DAYS = [7, 14, 30, 60, 90, 180];

/** An action on a subscription of this visit's customer. */
interface Wanted {
  readonly action: PortalAction;
  readonly subscription: Subscription;
  readonly settings: PortalSettings;
  readonly isOffered: boolean;
}

/** The page that asks the payer to confirm an action. */
export async function showAction(visit: PayerVisit): Promise<void> {
  const wanted = await wantedOf(visit);
  if (!wanted.isOffered) return showNotOffered(visit, wanted);
  const { action, subscription, settings } = wanted;
  const words = ACTION_WORDS[action];
  const { csrfToken, path, storeNow } = visit;
  const isLateToo =
    action === 'cancel' &&
    offeredActions(settings, subscription, await servedMethods(visit), storeNow).includes('cancel-now');
  const end = subscription.cycleEndsAt > storeNow ? subscription.cycleEndsAt : storeNow;
  const main = html`<section class="panel portal__step">
<h1>${say(words.name)}</h1>
<p><strong>${planText(subscription.plan)}</strong></p>
<p>${say(words.means, { date: sayDay(end) })}</p>
${await usageNote(visit, wanted)}
<form method="post" action="${path}/subscriptions/${subscription.id}/${action}">
<input type="hidden" name="csrf" value="${csrfToken}">
<input type="hidden" name="submission" value="${randomUUID()}">
${action === 'pause' && pauseField(settings)}
<button class="button">${say(words.confirm)}</button>
</form>
${isLateToo && html`<p class="portal__back"><a href="${path}/subscriptions/${subscription.id}/cancel-now">${say('portal.action.cancelNow')}</a></p>`}
${backLink(visit)}
</section>`;
  sendHtml(visit.ctx, 200, renderPortalLayout(visit, { title: say(words.name), main }));
}

/**
 * Does an action, as the API's operation does it. The store's settings and the subscription's row decide now, and not when
 * the page was shown. A form that is sent twice acts once, and so
 * do the forms of two pages that are sent together.
 * @throws NoticeError 404 for the subscription of somebody else, 503 if the workflow does not answer in time.
 */
export async function takeAction(visit: PayerVisit, form: URLSearchParams): Promise<void> {
  const { ctx, em, path, deps, now } = visit;
  const wanted = await wantedOf(visit);
  const { action, subscription } = wanted;
  const back = `${path}?${doneQuery({ action, subscriptionId: subscription.id })}`;
  const untilMs = pauseEnd(visit, wanted, form);
  const sent = formOf(visit, subscription, form);
  if (await wasSent(em, sent)) return seeOther(ctx, back);
  if (!wanted.isOffered || untilMs === undefined) return showNotOffered(visit, wanted);
  try {
    const line = await em.fork().transactional(async (tx) => {
      await requireSession(tx, visit);
      return expectPayerRequest(tx, deps.database, sent, AUDITED[action], now);
    });
    await line.around(
      () => withinTime(deps.temporal, DONE_WITHIN_MS, () => perform(visit, wanted, untilMs)),
      isNotActive,
    );
    if (action === 'pay') await attemptResult(deps.database, subscription, visit.storeNow);
  } catch (error) {
    if (error instanceof ApiError) throw new NoticeError(503, NOTICES.away, 5);
    // The other form of a double click has acted, or the subscription has ended meanwhile: the page shows where it is.
    if (!(error instanceof AlreadySent) && !isNotActive(error)) throw error;
  }
  seeOther(ctx, back);
}

/** @throws NoticeError the same 404 for an unknown action, an unknown subscription and one of somebody else. */
async function wantedOf(visit: PayerVisit): Promise<Wanted> {
  const { ctx, em, customer, storeNow } = visit;
  const { subscriptionId = '', action: named } = ctx.params;
  const action = PORTAL_ACTIONS.find((each) => each === named);
  const subscription = action && (await ownSubscription(em, customer, subscriptionId));
  if (!action || !subscription) throw new NoticeError(404, NOTICES.noSubscription);
  const settings = await portalSettingsOf(em, customer);
  const served = await servedMethods(visit);
  const isOffered = offeredActions(settings, subscription, served, storeNow).includes(action);
  return { action, subscription, settings, isOffered };
}

/** The store has withdrawn it, or the subscription is not what it was when the page was shown. */
function showNotOffered(visit: PayerVisit, { action }: Wanted): void {
  showNotPossible(visit, say(ACTION_WORDS[action].name), say('portal.action.notPossibleNow'));
}

/** A payer who cancels knows before what is still charged. */
async function usageNote({ em }: PayerVisit, { action, subscription }: Wanted): Promise<Html | null> {
  if (action !== 'cancel' && action !== 'cancel-now') return null;
  const owed = await finalUsageOf(em, subscription);
  if (owed === null) return null;
  const amount = sayAmount(totalCentsOf(owed.items));
  return html`<p>${say('portal.action.cancelChargesUsage', { amount })}</p>`;
}

function pauseField({ longestPauseDays }: PortalSettings): Html {
  const most = longestPauseDays ?? 0;
  const days = [...new Set([...PAUSE_DAYS.filter((each) => each < most), most])];
  const options = days.map((each) => [String(each), say('portal.action.days', { days: each })] as const);
  return selectField({ name: 'days', label: say('portal.action.pauseFor'), options });
}

/** When the pause ends, in milliseconds since 1970; null for other actions, undefined if the store does not allow it. */
function pauseEnd(
  { storeNow }: PayerVisit,
  { action, settings }: Wanted,
  form: URLSearchParams,
): number | null | undefined {
  if (action !== 'pause') return null;
  const days = Number(form.get('days'));
  const isAllowed = Number.isInteger(days) && days >= 1 && days <= (settings.longestPauseDays ?? 0);
  return isAllowed ? storeNow.getTime() + days * DAY_MS : undefined;
}

const AUDITED = {
  cancel: { action: 'subscriptions/cancel', details: { atPeriodEnd: true } },
  'cancel-now': { action: 'subscriptions/cancel', details: { atPeriodEnd: false } },
  undo: { action: 'subscriptions/resume' },
  pay: { action: 'subscriptions/pay' },
  'pay-by-pix': { action: 'subscriptions/update', details: { method: 'PIX' } },
  'pay-by-code': { action: 'mandates/cancel' },
  pause: { action: 'subscriptions/pause' },
  resume: { action: 'subscriptions/resume' },
} as const;

function perform(
  visit: PayerVisit,
  { action, subscription }: Wanted,
  untilMs: number | null,
): Promise<SubscriptionStatus> {
  const { deps, ctx } = visit;
  const { subscriptionUpdates } = deps;
  const { requestId } = ctx.state;
  switch (action) {
    case 'pay-by-pix':
      return applyChangeToPix(deps, subscription, {
        realNow: visit.now,
        storeNow: visit.storeNow,
        requestId,
      }).then(({ status }) => status);
    case 'pay-by-code':
      return endByPayer(visit, subscription);
    case 'cancel':
      return subscriptionUpdates.scheduleCancellation(subscription, requestId);
    case 'cancel-now':
      return subscriptionUpdates.cancel(subscription, requestId);
    case 'pay':
      return subscriptionUpdates.pay(subscription, requestId);
    case 'pause':
      // The rest of the paid period follows the pause.
      return subscriptionUpdates.pause(subscription, { untilMs, keepsAnchor: false }, requestId);
    default:
      return subscriptionUpdates.resume(subscription, requestId);
  }
}

async function endByPayer(
  { deps, storeNow }: PayerVisit,
  { id, mandateId, status }: Subscription,
): Promise<SubscriptionStatus> {
  if (mandateId !== null) await endAuthorization(consentDeps(deps), id, { id: mandateId }, 'PAYER', storeNow);
  return status;
}
