import { hash, randomUUID } from 'node:crypto';
import { startDeliveries } from '../../api/frame/start-deliveries.ts';
import { BROWSER_KNOWN_DAYS } from '../../database/entities/payer-session.ts';
import type { PayerSignIn } from '../../database/entities/payer-sign-in.ts';
import { isEmail, mailboxOf } from '../../domain/email.ts';
import { derivedToken } from '../../identity/token.ts';
import { beginEmailChange, type ChangedEmail, changeOwnEmail } from '../../portal/change-email.ts';
import { CODE_MINUTES, findSignIn, type ProvenCode, tryCode } from '../../portal/codes.ts';
import { AlreadySent, recordPayerAction } from '../../portal/record-payer-action.ts';
import { portalSettingsOf } from '../../stores/portal-settings.ts';
import { fact } from '../frame/facts.ts';
import { html } from '../frame/html.ts';
import { currentLanguage, say } from '../frame/language.ts';
import { NOTICES } from '../frame/notice-page.ts';
import { NoticeError, seeOther, sendHtml } from '../frame/page-context.ts';
import { codeField, codeIn, compared, sandboxMail } from './code-form.ts';
import { emailField } from './email-field.ts';
import { backLink, showNotPossible } from './not-possible.ts';
import { renderPortalLayout } from './portal-layout.ts';
import { type PayerVisit, requireSession } from './visit.ts';

/** The page that asks for the new address. */
export async function showEmailForm(visit: PayerVisit): Promise<void> {
  if (!(await isAllowed(visit))) return refuse(visit);
  renderEmailForm(visit, { email: '', problem: null });
}

/**
 * Sends a code to the present address, and one to the new one. A form that is sent twice sends them once.
 * @throws NoticeError 429 after too many codes, 400 for a form of another page.
 */
export async function takeNewEmail(visit: PayerVisit, form: URLSearchParams): Promise<void> {
  const { ctx, em, cookies, customer, path, now } = visit;
  if (!(await isAllowed(visit))) return refuse(visit);
  const [submission, session] = [form.get('submission'), cookies.session(ctx)];
  if (!submission || session === undefined) throw new NoticeError(400, NOTICES.badForm);
  const email = (form.get('email') ?? '').trim();
  if (!isEmail(email)) return renderEmailForm(visit, { email, problem: say('portal.door.writeAnEmail') });
  if (email.toLowerCase() === customer.email.toLowerCase())
    return renderEmailForm(visit, { email, problem: say('portal.email.same') });
  const tokenText = derivedToken(session, submission);
  if ((await findSignIn(em, tokenText, customer.id, 'NEW_EMAIL', now)) === null) {
    await limitCodes(visit, session, email);
    await beginEmailChange(em, customer, { newEmail: email, tokenText, language: currentLanguage(), now });
  }
  cookies.beginEmailChange(ctx, tokenText, CODE_MINUTES);
  seeOther(ctx, `${path}/details/email/code`);
}

async function limitCodes({ deps, customer }: PayerVisit, session: string, email: string): Promise<void> {
  const { id, storeId } = customer;
  const seconds = await deps.trafficLimiter.countKnown(
    ['portalEmailsOfSession', hash('sha256', session, 'hex')],
    ['portalEmailsOfCustomerInDay', id],
    ['portalEmailsToAddressInDay', hash('sha256', `${storeId} ${mailboxOf(email)}`, 'hex')],
  );
  if (seconds !== null) throw new NoticeError(429, NOTICES.tooMany, seconds);
}

/** The page that asks for the codes; back to the form if there are none to enter. */
export async function showEmailCode(visit: PayerVisit): Promise<void> {
  const request = await requestOf(visit);
  if (request === null) return seeOther(visit.ctx, `${visit.path}/details/email`);
  renderCodePage(visit, request, null);
}

/**
 * Changes the address, if both codes are right. The store's settings and the session decide now. All sessions of the old address end,
 * and the browser has one of the new address.
 */
export async function takeEmailCode(visit: PayerVisit, form: URLSearchParams): Promise<void> {
  const { ctx, deps, cookies, customer, path, now } = visit;
  if (!(await isAllowed(visit))) return refuse(visit);
  const tokenText = cookies.newEmail(ctx);
  const [code, newEmailCode] = [codeIn(form), codeIn(form, 'newEmailCode')];
  const entered = await compared(visit, () =>
    tryCode(deps.database, customer, 'NEW_EMAIL', { tokenText, code, newEmailCode, now }),
  );
  if (entered.kind !== 'RIGHT') {
    const request = await requestOf(visit);
    if (request === null || entered.kind === 'OVER')
      return renderEmailForm(visit, { email: '', problem: say('portal.door.codeIsOver') });
    return renderCodePage(visit, request, say('portal.email.codesAreWrong', { tries: entered.triesLeft }));
  }
  const changed = await changedEmail(visit, entered);
  if (changed === null)
    return showNotPossible(visit, say('portal.email.title'), say('portal.details.changedMeanwhile'));
  startDeliveries(deps, changed.deliveries);
  cookies.endEmailChange(ctx);
  cookies.beginSession(ctx, changed.tokenText, BROWSER_KNOWN_DAYS);
  seeOther(ctx, `${path}?details=email#data`);
}

/** Changes it with its audit line; null if the code was used up, or the customer was changed meanwhile. */
async function changedEmail(visit: PayerVisit, proven: ProvenCode): Promise<ChangedEmail | null> {
  const { em, customer, now, storeNow } = visit;
  const { newEmail, tokenHash } = proven;
  if (newEmail === null) return null;
  const { id: subjectId, storeId, devMode } = customer;
  const form = { storeId, devMode, subjectId, submission: tokenHash };
  try {
    return await em.fork().transactional(async (tx) => {
      await requireSession(tx, visit);
      const changed = await changeOwnEmail(tx, customer, { ...proven, newEmail }, { now, storeNow });
      if (changed === null) throw new AlreadySent();
      await recordPayerAction(tx, form, { action: 'customers/update' }, now);
      return changed;
    });
  } catch (error) {
    if (error instanceof AlreadySent) return null;
    throw error;
  }
}

async function isAllowed({ em, customer }: PayerVisit): Promise<boolean> {
  return (await portalSettingsOf(em, customer)).changesEmail;
}

function refuse(visit: PayerVisit): void {
  showNotPossible(visit, say('portal.email.title'), say('portal.action.notPossibleNow'));
}

function requestOf({ ctx, em, cookies, customer, now }: PayerVisit): Promise<PayerSignIn | null> {
  return findSignIn(em, cookies.newEmail(ctx), customer.id, 'NEW_EMAIL', now);
}

function renderEmailForm(
  visit: PayerVisit,
  { email, problem }: { readonly email: string; readonly problem: string | null },
): void {
  const { ctx, path, csrfToken, customer } = visit;
  const title = say('portal.email.title');
  const main = html`<section class="panel portal__step">
<h1>${title}</h1>
<p>${say('portal.email.means')}</p>
<dl class="facts">${fact(say('portal.email.present'), customer.email)}</dl>
<form method="post" action="${path}/details/email">
<input type="hidden" name="csrf" value="${csrfToken}">
<input type="hidden" name="submission" value="${randomUUID()}">
${emailField(say('portal.email.new'), email, problem)}
<button class="button">${say('portal.email.sendCodes')}</button>
</form>
${backLink(visit)}
</section>`;
  sendHtml(ctx, problem === null ? 200 : 422, renderPortalLayout(visit, { title, main }));
}

function renderCodePage(visit: PayerVisit, request: PayerSignIn, problem: string | null): void {
  const { ctx, path, csrfToken, customer } = visit;
  const title = say('portal.email.title');
  const newEmail = request.newEmail ?? '';
  const label = (email: string) => say('portal.email.codeOf', { email });
  const main = html`<section class="panel portal__step">
<h1>${title}</h1>
<p>${say('portal.email.enterMeans', { present: customer.email, email: newEmail, minutes: CODE_MINUTES })}</p>
<form method="post" action="${path}/details/email/code">
<input type="hidden" name="csrf" value="${csrfToken}">
${customer.devMode && sandboxMail(request.shownCode)}
${codeField(problem, { name: 'code', label: label(customer.email) })}
${customer.devMode && sandboxMail(request.shownNewEmailCode)}
${codeField(null, { name: 'newEmailCode', label: label(newEmail) })}
<button class="button">${say('portal.email.confirm')}</button>
</form>
<p><a href="${path}/details/email">${say('portal.email.otherAddress')}</a></p>
${backLink(visit)}
</section>`;
  sendHtml(ctx, problem === null ? 200 : 422, renderPortalLayout(visit, { title, main }));
}
