import { hash } from 'node:crypto';
import { BROWSER_KNOWN_DAYS } from '../../database/entities/payer-session.ts';
import type { PayerSignIn } from '../../database/entities/payer-sign-in.ts';
import { isEmail } from '../../domain/email.ts';
import { CODE_MINUTES, findSignIn, MOST_TRIES } from '../../portal/codes.ts';
import { knownBrowser } from '../../portal/sessions.ts';
import { beginSignIn, enterCode } from '../../portal/sign-in.ts';
import { readForm } from '../frame/form-body.ts';
import { html } from '../frame/html.ts';
import { currentLanguage, say } from '../frame/language.ts';
import { NOTICES } from '../frame/notice-page.ts';
import { NoticeError, seeOther, sendHtml } from '../frame/page-context.ts';
import { codeField, codeIn, compared, problemOfCode, sandboxMail } from './code-form.ts';
import { emailField } from './email-field.ts';
import { renderPortalLayout } from './portal-layout.ts';
import type { Arrival } from './visit.ts';

/** The page for readers who are not signed in: it asks for the address to which the code is sent. */
export function showDoor(arrival: Arrival, given: { email?: string; problem?: string } = {}): void {
  const { email = '', problem = null } = given;
  const main = html`<section class="panel portal__door">
<h1>${say('portal.door.title')}</h1>
<p>${say('portal.door.weSendACode', { store: arrival.store.name })}</p>
<form method="post" action="${arrival.path}">
${emailField(say('portal.door.email'), email, problem)}
<button class="button">${say('portal.door.sendCode')}</button>
</form>
</section>`;
  const page = renderPortalLayout(arrival, { title: say('portal.door.title'), main });
  sendHtml(arrival.ctx, problem === null ? 200 : 422, page);
}

/**
 * Sends a code to the typed address, if it is the customer's. The answer is the same for every address.
 * @throws NoticeError 429 after too many codes.
 */
export async function takeEmail(arrival: Arrival): Promise<void> {
  const { ctx, cookies, em, portal, path, now } = arrival;
  const email = ((await readForm(ctx.req)).get('email') ?? '').trim();
  if (!isEmail(email)) return showDoor(arrival, { email, problem: say('portal.door.writeAnEmail') });
  await limitCodes(arrival, email);
  const token = await beginSignIn(em, portal.customer, { email, language: currentLanguage(), now });
  cookies.beginSignIn(ctx, token, CODE_MINUTES);
  seeOther(ctx, `${path}/code`);
}

/**
 * The limits of a link hold even if a gateway limits visitors, because guesses may come from many of them. A stranger who uses them up
 * takes nothing from browsers that have proven the address before, and nothing from people who come by another link.
 */
async function limitCodes(arrival: Arrival, email: string): Promise<void> {
  if (await isKnownBrowser(arrival, email)) return;
  const { ctx, deps } = arrival;
  const { trafficLimiter } = deps;
  const ofLink = hash('sha256', `${ctx.params.id} ${email.toLowerCase()}`, 'hex');
  const seconds =
    (await trafficLimiter.count({ request: ctx.req, ofAddress: 'portalCodesOfAddress' })) ??
    (await trafficLimiter.countKnown(
      ...(['portalCodesOfVisitor', 'portalCodesOfVisitorInDay'] as const).map(
        (limit) => [limit, `${ofLink} ${trafficLimiter.addressOf(ctx.req)}`] as const,
      ),
      ['portalCodesOfLinkInDay', ofLink],
    ));
  if (seconds !== null) throw new NoticeError(429, NOTICES.tooMany, seconds);
}

/** Whether this browser has proven the address before, and has codes of its allowance left. */
async function isKnownBrowser(arrival: Arrival, email: string): Promise<boolean> {
  const { ctx, deps, cookies, em, portal, now } = arrival;
  const proven = { customerId: portal.customer.id, email, now };
  const browser = await knownBrowser(em, cookies.session(ctx), proven);
  if (browser === null) return false;
  const own = [
    ['portalCodesOfBrowser', browser],
    ['portalCodesOfBrowserInDay', browser],
  ] as const;
  return (await deps.trafficLimiter.countKnown(...own)) === null;
}

/** The page that asks for the code; back to the first one if there is none to enter. */
export async function showCodePage(arrival: Arrival): Promise<void> {
  const { ctx, cookies, em, portal, path, now } = arrival;
  const signIn = await findSignIn(em, cookies.signIn(ctx), portal.customer.id, 'SIGN_IN', now);
  if (signIn === null) return seeOther(ctx, path);
  sendHtml(ctx, 200, renderCodePage(arrival, signIn, null));
}

/**
 * A code that was requested in this browser can be entered five times whatever others at its IP address do.
 * @throws NoticeError 429 after too many codes of this IP address without a request.
 */
export async function takeCode(arrival: Arrival): Promise<void> {
  const { ctx, deps, cookies, em, portal, path, now } = arrival;
  const code = codeIn(await readForm(ctx.req));
  const tokenText = cookies.signIn(ctx);
  const asked = await findSignIn(em, tokenText, portal.customer.id, 'SIGN_IN', now);
  // A request without tries left is no reason to wait among those whose codes are compared.
  if (asked === null || asked.tries >= MOST_TRIES) {
    const seconds = await deps.trafficLimiter.count({ request: ctx.req, ofAddress: 'portalCodesOfAddress' });
    if (seconds !== null) throw new NoticeError(429, NOTICES.tooMany, seconds);
  }
  const entered = await compared(arrival, () =>
    enterCode(deps.database, portal.customer, { tokenText, code, now }),
  );
  if (entered.kind === 'SIGNED_IN') {
    cookies.beginSession(ctx, entered.tokenText, BROWSER_KNOWN_DAYS);
    return seeOther(ctx, path);
  }
  const signIn = await findSignIn(em, tokenText, portal.customer.id, 'SIGN_IN', now);
  sendHtml(ctx, 422, renderCodePage(arrival, signIn, problemOfCode(entered)));
}

function renderCodePage(arrival: Arrival, signIn: PayerSignIn | null, problem: string | null): string {
  const { path, portal } = arrival;
  const main = html`<section class="panel portal__door">
<h1>${say('portal.door.enterTheCode')}</h1>
<p>${say('portal.door.ifItIsYours', { minutes: CODE_MINUTES })}</p>
${portal.customer.devMode && signIn !== null && sandboxMail(signIn.shownCode)}
<form method="post" action="${path}/code">
${codeField(problem)}
<button class="button">${say('portal.door.enter')}</button>
</form>
<p><a href="${path}">${say('portal.door.anotherCode')}</a></p>
</section>`;
  return renderPortalLayout(arrival, { title: say('portal.door.enterTheCode'), main });
}
