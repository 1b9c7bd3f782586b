import { randomUUID } from 'node:crypto';
import { consentDeps } from '../../api/mandates/request-mandate.ts';
import type { Subscription } from '../../database/entities/subscription.ts';
import { mayAuthorizeDebits } from '../../domain/portal-actions.ts';
import { planText } from '../../domain/subscribed-plan.ts';
import { consentPath } from '../../mandates/consent/consent-path.ts';
import { requestConsent } from '../../mandates/consent/request-consent.ts';
import { findWaitingConsent } from '../../mandates/consent/waiting-consent.ts';
import {
  AlreadySent,
  expectPayerRequest,
  type PayerForm,
  type PayerRequest,
  wasSent,
} from '../../portal/record-payer-action.ts';
import { portalSettingsOf } from '../../stores/portal-settings.ts';
import { html } from '../frame/html.ts';
import { say } from '../frame/language.ts';
import { NOTICES } from '../frame/notice-page.ts';
import { NoticeError, seeOther, sendHtml } from '../frame/page-context.ts';
import { backLink, showNotPossible } from './not-possible.ts';
import { renderPortalLayout } from './portal-layout.ts';
import { servedMethods } from './served-methods.ts';
import { formOf, subscriptionIn } from './subscription-forms.ts';
import { type PayerVisit, requireSession } from './visit.ts';

/** The page that asks whether the payer wants debits instead of codes, or of the card. */
export async function showAuthorize(visit: PayerVisit): Promise<void> {
  const subscription = await subscriptionIn(visit);
  if (!(await isOffered(visit, subscription))) return notOffered(visit);
  const { csrfToken, path } = visit;
  const title = say('portal.action.authorize');
  const main = html`<section class="panel portal__step">
<h1>${title}</h1>
<p><strong>${planText(subscription.plan)}</strong></p>
<p>${say('portal.action.authorizeMeans')}</p>
<form method="post" action="${path}/subscriptions/${subscription.id}/authorize">
<input type="hidden" name="csrf" value="${csrfToken}">
<input type="hidden" name="submission" value="${randomUUID()}">
<button class="button">${say('portal.action.authorizeConfirm')}</button>
</form>
${backLink(visit)}
</section>`;
  sendHtml(visit.ctx, 200, renderPortalLayout(visit, { title, main }));
}

/**
 * Asks the store's bank for the authorization, as `mandates/create` does, and leads to its page. A form that is sent twice asks once.
 * @throws NoticeError 503 if the bank does not answer.
 */
export async function takeAuthorize(visit: PayerVisit, form: URLSearchParams): Promise<void> {
  const { ctx, em, deps, customer, storeNow, path } = visit;
  const subscription = await subscriptionIn(visit);
  const sent = formOf(visit, subscription, form);
  const isSent = await wasSent(em, sent);
  // The store may have withdrawn it since, or the payer has authorized it.
  if (!(await isOffered(visit, subscription))) return isSent ? seeOther(ctx, path) : notOffered(visit);
  const provider = (await deps.providers.providersOf(customer)).get('PIX');
  if (provider === undefined) return notOffered(visit);
  const line = isSent ? null : await expectedLine(visit, sent);
  const asked = { kind: null, now: storeNow, isMailed: false };
  const answer = await requestConsent(consentDeps(deps), provider, subscription, asked).catch(
    async (error: unknown) => {
      await line?.recordUnknown();
      throw error;
    },
  );
  await line?.[SETTLED_BY[answer.outcome]]();
  if (answer.outcome === 'PENDING') throw new NoticeError(503, NOTICES.away, 5);
  if (answer.outcome === 'REFUSED') return notOffered(visit);
  const waiting = await findWaitingConsent(em.fork(), subscription.checkoutId);
  seeOther(ctx, waiting === null ? path : consentPath(waiting));
}

const SETTLED_BY = {
  ASKED: 'record',
  COVERED: 'record',
  PENDING: 'recordUnknown',
  REFUSED: 'withdraw',
} as const;

/** @returns null if the same request has been made: it is repeated, and changes nothing twice. */
async function expectedLine(visit: PayerVisit, sent: PayerForm): Promise<PayerRequest | null> {
  const { em, deps, now } = visit;
  try {
    return await em.fork().transactional(async (tx) => {
      await requireSession(tx, visit);
      return expectPayerRequest(tx, deps.database, sent, { action: 'mandates/create' }, now);
    });
  } catch (error) {
    if (error instanceof AlreadySent) return null;
    throw error;
  }
}

async function isOffered(visit: PayerVisit, subscription: Subscription): Promise<boolean> {
  const settings = await portalSettingsOf(visit.em, visit.customer);
  return mayAuthorizeDebits(settings, subscription, await servedMethods(visit));
}

/** The store has withdrawn it, or the subscription is not what it was when the page was shown. */
function notOffered(visit: PayerVisit): void {
  showNotPossible(visit, say('portal.action.authorize'), say('portal.action.notPossibleNow'));
}
