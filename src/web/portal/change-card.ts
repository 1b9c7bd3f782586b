import { hash } from 'node:crypto';
import { beginCardChange, continueCardChange } from '../../api/subscriptions/change-card.ts';
import { cardRefusalsOf } from '../../checkouts/card-refusals.ts';
import { PaymentRefusal } from '../../checkouts/payment-refusal.ts';
import { providerOrRefusal } from '../../checkouts/provider-or-refusal.ts';
import { type CardChange, CardChangeEntity } from '../../database/entities/card-change.ts';
import type { Subscription } from '../../database/entities/subscription.ts';
import type { CardChangeId } from '../../domain/ids.ts';
import { METHOD_TRAITS } from '../../domain/payment-methods.ts';
import { mayEnterCard } from '../../domain/portal-actions.ts';
import { planText } from '../../domain/subscribed-plan.ts';
import { isKeptPastDue } from '../../domain/subscription.ts';
import { AlreadySent, recordPayerAction } from '../../portal/record-payer-action.ts';
import type { CardFields } from '../../providers/ports/cards.ts';
import { portalSettingsOf } from '../../stores/portal-settings.ts';
import { cardFieldScripts } from '../checkout/card-fields.ts';
import { renderCardForm } from '../checkout/card-form.ts';
import { renderProblemSummary } from '../checkout/field-problems.ts';
import { openCodeOf } from '../checkout/load-subscription.ts';
import {
  EMPTY_FORM,
  mintSubmissionKey,
  readCard,
  readSubmissionKey,
  readTyped,
  type TypedForm,
} from '../checkout/pay-form-data.ts';
import { limitCharges } from '../checkout/payer-limits.ts';
import { type FormProblem, REFUSAL_WORDING } from '../checkout/refusal-wording.ts';
import { payFormScript, payFormStylesheet } from '../frame/assets.ts';
import { cardText } from '../frame/card-text.ts';
import { html } from '../frame/html.ts';
import { say, sayDay } from '../frame/language.ts';
import { NOTICES } from '../frame/notice-page.ts';
import { NoticeError, seeOther, sendHtml } from '../frame/page-context.ts';
import { policyWithCardFields } from '../frame/security-headers.ts';
import type { MessageKey } from '../i18n/catalogs.ts';
import { renderPortalLayout } from './portal-layout.ts';
import { servedMethods } from './served-methods.ts';
import { subscriptionIn } from './subscription-forms.ts';
import { type PayerVisit, requireSession } from './visit.ts';

/** A refused form: what was typed, without the card's number and code, and what is wrong. */
interface Refused {
  readonly typed: TypedForm;
  readonly problems: readonly FormProblem[];
}

/** The page that asks for another card. */
export async function showCardForm(visit: PayerVisit): Promise<void> {
  const subscription = await subscriptionIn(visit);
  return (await isAllowed(visit, subscription))
    ? renderForm(visit, subscription, null)
    : showMessage(visit, 409, 'portal.action.notPossibleNow');
}

/**
 * Replaces the card, or sends the payer to their bank first. The store's settings count now. A form that is sent twice is one
 * change.
 * @throws NoticeError 404 for the subscription of somebody else, 429 after too many cards.
 */
export async function takeCard(visit: PayerVisit, form: URLSearchParams): Promise<void> {
  const { ctx, deps, em, customer, now } = visit;
  const subscription = await subscriptionIn(visit);
  if (!(await isAllowed(visit, subscription))) return showMessage(visit, 409, 'portal.action.notPossibleNow');
  await limitCharges(ctx, deps, 'chargesOfCheckout', subscription.checkoutId);
  const typed = readTyped(form);
  const entered = readCard(form, typed);
  const fields = await cardFieldsOf(visit, subscription);
  const problems = problemsOf(entered, fields, visit.storeNow);
  if (problems.length > 0) return renderForm(visit, subscription, { typed, problems });
  const submission = hash('sha256', `${subscription.id} ${readSubmissionKey(form)}`, 'hex');
  const { storeId, devMode } = customer;
  const about = { storeId, devMode, subjectId: subscription.id, submission };
  const begin = () =>
    beginCardChange(
      deps,
      em,
      subscription,
      {
        card: entered,
        submission,
        alsoIn: async (tx) => {
          await requireSession(tx, visit);
          await recordPayerAction(tx, about, { action: 'subscriptions/update' }, now);
        },
      },
      momentOf(visit),
    );
  try {
    const change = await begin().catch((error: unknown) => {
      // The other form of a double click was faster: its change is found now.
      if (error instanceof AlreadySent || isTaken(error)) return begin();
      throw error;
    });
    return await follow(visit, subscription, change);
  } catch (error) {
    if (!(error instanceof PaymentRefusal)) throw error;
    return renderForm(visit, subscription, { typed, problems: [error.reason] });
  }
}

function isTaken(error: unknown): boolean {
  return (error as { readonly code?: unknown } | null)?.code === '23505';
}

/** The page of a change that has begun, to which the payer's bank sends them back. What the address says is no proof. */
export async function showChange(visit: PayerVisit): Promise<void> {
  const subscription = await subscriptionIn(visit);
  const id = (visit.ctx.params.changeId ?? '') as CardChangeId;
  const own = { id, subscriptionId: subscription.id };
  const change = await visit.em.findOne(CardChangeEntity, own, { disableIdentityMap: true });
  if (change === null) throw new NoticeError(404, NOTICES.noSubscription);
  const seconds = await visit.deps.trafficLimiter.countKnown(['bankReturnsOfPayment', change.id]);
  if (seconds !== null) throw new NoticeError(429, NOTICES.tooMany, seconds);
  return follow(visit, subscription, change);
}

/** Asks the provider, and leads the payer to where their change is. */
async function follow(visit: PayerVisit, subscription: Subscription, begun: CardChange): Promise<void> {
  const { ctx, deps, path } = visit;
  const own = `${path}/subscriptions/${subscription.id}/card/${begun.id}`;
  const at = { returnUrl: `${deps.publicUrl}${own}`, requestId: ctx.state.requestId };
  const change = await continueCardChange(deps, begun, at, momentOf(visit));
  if (change.status === 'DONE') return seeOther(ctx, `${path}?card=${change.id}`);
  // A form may only lead to this site, so the way to the bank is a page of its own.
  if (change.status === 'PENDING' && ctx.method === 'POST') return seeOther(ctx, own);
  if (change.status === 'DECLINED') return showMessage(visit, 200, 'portal.card.declined', subscription);
  if (change.status === 'ABANDONED') return showMessage(visit, 200, 'portal.card.abandoned', subscription);
  if (change.actionUrl === null) return showMessage(visit, 200, 'portal.card.waiting', null, own);
  return showWayToBank(visit, change.actionUrl);
}

/** The subscription whose card a change of this customer has replaced, if the page's address names one. */
export async function changedCardOf({ ctx, em, customer }: PayerVisit): Promise<string | null> {
  const { card } = ctx.query;
  if (typeof card !== 'string') return null;
  const { storeId, devMode } = customer;
  const done = { id: card as CardChangeId, storeId, devMode, status: 'DONE' as const };
  const change = await em.findOne(CardChangeEntity, done, { disableIdentityMap: true });
  return change?.subscriptionId ?? null;
}

async function isAllowed(visit: PayerVisit, subscription: Subscription): Promise<boolean> {
  const settings = await portalSettingsOf(visit.em, visit.customer);
  return mayEnterCard(settings, subscription, await servedMethods(visit));
}

function momentOf({ now: realNow, storeNow }: PayerVisit) {
  return { realNow, storeNow };
}

/** The provider's own fields; null for the sandbox's. @throws PaymentRefusal if the store takes no cards any more. */
async function cardFieldsOf({ deps }: PayerVisit, subscription: Subscription): Promise<CardFields | null> {
  const { cards } = await providerOrRefusal(deps, subscription, 'CARD');
  return cards.entry.kind === 'PROVIDER_FIELDS' ? cards.entry.fields : null;
}

function problemsOf(
  entered: ReturnType<typeof readCard>,
  fields: CardFields | null,
  now: Date,
): readonly FormProblem[] {
  if ('token' in entered) return [];
  if (fields !== null) return ['CARD_FIELDS_EMPTY'];
  return cardRefusalsOf(entered.typed, now).map((refusal) =>
    refusal === 'CARD_NUMBER_INVALID' && entered.typed.number === '' ? 'CARD_REQUIRED' : refusal,
  );
}

async function renderForm(
  visit: PayerVisit,
  subscription: Subscription,
  refused: Refused | null,
): Promise<void> {
  const { ctx, path, csrfToken, customer } = visit;
  const fields = await cardFieldsOf(visit, subscription);
  const { typed, problems: wrong } = refused ?? { typed: EMPTY_FORM, problems: [] };
  const problems = wrong.map((each) => REFUSAL_WORDING[each]);
  const title = say(
    METHOD_TRAITS[subscription.method].keepsInstrument ? 'portal.card.change' : 'portal.card.payByCard',
  );
  const main = html`<section class="panel portal__step">
<h1>${title}</h1>
<p><strong>${planText(subscription.plan)}</strong> · ${cardText(subscription) ?? 'Pix'}</p>
<p>${await meaningOf(visit, subscription)}</p>
${renderProblemSummary(problems, problems.length === 0 ? null : say('checkout.forYourSecurityEnterThe'))}
<form class="pay-form" method="post" action="${path}/subscriptions/${subscription.id}/card" data-pay-form>
<p class="alert" role="alert" data-offline hidden>${say('checkout.noInternetConnection')}</p>
<input type="hidden" name="csrf" value="${csrfToken}">
<input type="hidden" name="attempt" value="${mintSubmissionKey()}">
<input type="hidden" name="method" value="CARD">
${renderCardForm({ fields, isOnPage: false, keepsCard: true, totalCents: 0, typed, problems, devMode: customer.devMode })}
<button type="submit" class="button" data-busy="${say('checkout.processing')}">${say('portal.card.save')}</button>
</form>
<p class="portal__back"><a href="${path}">${say('portal.action.back')}</a></p>
</section>`;
  if (fields !== null) ctx.set(policyWithCardFields(fields));
  const scripts = [...(fields === null ? [] : cardFieldScripts(fields)), payFormScript];
  const page = renderPortalLayout(visit, { title, main, scripts, stylesheets: [payFormStylesheet] });
  sendHtml(ctx, refused === null ? 200 : 422, page);
}

/** What follows for the payments that are open and the later ones. */
async function meaningOf({ em }: PayerVisit, subscription: Subscription): Promise<string> {
  const code = await openCodeOf(em, subscription.checkoutId);
  if (code !== null) return say('portal.card.meansAfterCode', { date: sayDay(code.closesAt) });
  const isUnpaid = subscription.attemptDueAt !== null || isKeptPastDue(subscription);
  return say(isUnpaid ? 'portal.card.meansAndCharges' : 'portal.card.means');
}

/** @param again the subscription for which another card can be tried. @param reload the page that knows more soon. */
function showMessage(
  visit: PayerVisit,
  status: number,
  message: MessageKey,
  again: Subscription | null = null,
  reload: string | null = null,
): void {
  const { path } = visit;
  const title = say('portal.card.change');
  const main = html`<section class="panel portal__step">
<h1>${title}</h1>
<p role="alert">${say(message)}</p>
${again !== null && html`<p><a class="button portal__button" href="${path}/subscriptions/${again.id}/card">${say('portal.card.tryAnother')}</a></p>`}
${reload !== null && html`<p><a class="button portal__button" href="${reload}">${say('portal.card.lookAgain')}</a></p>`}
<p class="portal__back"><a href="${path}">${say('portal.action.back')}</a></p>
</section>`;
  sendHtml(visit.ctx, status, renderPortalLayout(visit, { title, main }));
}

/** The payer may also leave: the old card stays, and nothing waits. */
function showWayToBank(visit: PayerVisit, url: string): void {
  const title = say('portal.card.confirmAtYourBank');
  const main = html`<section class="panel portal__step">
<h1>${title}</h1>
<p>${say('portal.card.yourBankAsks')}</p>
<p><a class="button portal__button" href="${url}" rel="noreferrer">${say('checkout.continueToYourBank')}</a></p>
<p class="portal__back"><a href="${visit.path}">${say('portal.card.keepTheOldCard')}</a></p>
</section>`;
  sendHtml(visit.ctx, 200, renderPortalLayout(visit, { title, main }));
}
