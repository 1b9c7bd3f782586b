import { newDevice } from '../../../identity/device.ts';
import { takeCode } from '../../../identity/second-factor.ts';
import { endAwaiting, type SignedIn } from '../../../identity/sessions.ts';
import { lockUser, requireUser, userBy } from '../../../identity/users.ts';
import { textField } from '../../frame/fields.ts';
import { html } from '../../frame/html.ts';
import { whyAndWhen } from '../../i18n/wait-text.ts';
import type { Flash } from '../frame/cookies.ts';
import { limitCodes, limitGuesses } from '../frame/count-guesses.ts';
import { barePage } from '../frame/layout.ts';
import { sayIn } from '../frame/locale.ts';
import { sameSiteForm } from '../frame/own-form.ts';
import { ownPath } from '../frame/own-path.ts';
import { Refusal, type Reply, seeOther } from '../frame/route.ts';
import type { Arrival } from '../frame/serve.ts';
import { SignInNeeded } from '../frame/sign-in-needed.ts';
import { deviceIn, sessionOf } from '../frame/strangers.ts';
import { anonymousForm } from './anonymous-form.ts';
import { afterPassword, holdCompared, signIn } from './enter-session.ts';
import { tryKnownDevice } from './known-device.ts';
import { noted, noteRefused, notingRefusals } from './note-refused.ts';

interface Typed {
  readonly to: string;
  readonly email?: string;
  readonly problem?: string;
  readonly status?: number;
}

/** GET `/dashboard/sign-in`. */
export async function signInPage(arrival: Arrival): Promise<Reply> {
  const { ctx, cookies } = arrival;
  const to = ownPath(new URLSearchParams(ctx.querystring).get('to'));
  return renderSignIn(arrival, { to }, cookies.takeFlash(ctx));
}

function renderSignIn(arrival: Arrival, typed: Typed, flash: Flash | null = null): Reply {
  const { locale } = arrival;
  const say = sayIn(locale);
  const { to, email = '', problem = null, status = 200 } = typed;
  const fields = html`<input type="hidden" name="to" value="${to}">
${textField({ name: 'email', label: say('dashboard.eMail'), type: 'email', value: email, autocomplete: 'username', maxLength: 254 })}
${textField({ name: 'password', label: say('dashboard.password'), type: 'password', autocomplete: 'current-password', maxLength: 256 })}`;
  const body = anonymousForm({
    action: '/dashboard/sign-in',
    fields,
    submit: say('dashboard.signIn.signIn'),
    problem,
  });
  return barePage(locale, {
    title: say('dashboard.signIn.titles.signIn'),
    body,
    flash,
    status,
  });
}

/** POST `/dashboard/sign-in`: an unknown address and a wrong password get the same response after the same time. */
export async function takeSignIn(arrival: Arrival): Promise<Reply> {
  const form = await sameSiteForm(arrival);
  const say = sayIn(arrival.locale);
  const [email, password, to] = [
    form.get('email') ?? '',
    form.get('password') ?? '',
    ownPath(form.get('to')),
  ];
  const storeId = storeIn(to);
  const em = arrival.deps.database.em.fork();
  const known = await tryKnownDevice(arrival, password, { email, storeId });
  try {
    const user =
      known.user ??
      (await notingRefusals(arrival, { email, factor: 'password', storeId }, () =>
        limitGuesses(guessAt(arrival, email), () => userBy(em, email, password, storeId)),
      ));
    if (user === null) {
      const problem = say('dashboard.signIn.theEMailAddressOr');
      return renderSignIn(arrival, { to, email, problem, status: 422 });
    }
    const [present, tokenText] = await em.transactional(async (tx) => {
      const held = await holdCompared(tx, user);
      return [held, await signIn(tx, arrival, held, held.totpConfirmedAt !== null)] as const;
    });
    return afterPassword(arrival, tokenText, { user: present, isProven: true }, to);
  } catch (error) {
    if (!(error instanceof Refusal && error.status === 429)) throw error;
    if (known.refusedId === null)
      return renderSignIn(arrival, { to, email, problem: waitProblem(arrival, error), status: 429 });
    // Strangers have used up the attempts of the account, but not those of this device.
    noteRefused(arrival, { email, factor: 'password', userId: known.refusedId, storeId });
    return renderSignIn(arrival, {
      to,
      email,
      problem: say('dashboard.signIn.theEMailAddressOr'),
      status: 422,
    });
  }
}

/** Why no password is compared now, and when to try again. */
function waitProblem({ locale }: Arrival, { text, values, retryAfterSeconds }: Refusal): string {
  const say = sayIn(locale);
  return whyAndWhen(say, say(text, values), retryAfterSeconds);
}

/** The store of the page to continue to. */
function storeIn(path: string): string | null {
  return /^\/dashboard\/(store_\w+)/.exec(path)?.[1] ?? null;
}

/** The limit of somebody's password. Anyone who knows the address can use it up. */
function guessAt({ ctx, deps }: Arrival, account: string) {
  return { trafficLimiter: deps.trafficLimiter, request: ctx.req, account };
}

/** GET `/dashboard/sign-in/code`: the second factor. */
export async function codePage(arrival: Arrival): Promise<Reply> {
  await requireAwaiting(arrival);
  return renderCode(arrival, ownPath(new URLSearchParams(arrival.ctx.querystring).get('to')), null, 200);
}

function renderCode({ locale }: Arrival, to: string, problem: string | null, status: number): Reply {
  const say = sayIn(locale);
  const fields = html`<input type="hidden" name="to" value="${to}">
${textField({
  name: 'code',
  label: say('dashboard.codeOfYourApp'),
  hint: say('dashboard.signIn.withoutYourPhoneUseOne'),
  autocomplete: 'one-time-code',
  maxLength: 20,
})}`;
  const body = anonymousForm({
    action: '/dashboard/sign-in/code',
    fields,
    submit: say('dashboard.signIn.signIn'),
    problem,
  });
  return barePage(locale, { title: say('dashboard.signIn.oneMoreStep'), body, status });
}

/** POST `/dashboard/sign-in/code`. The session that waited for the code is replaced by a new one. */
export async function takeSignInCode(arrival: Arrival): Promise<Reply> {
  const { ctx, deps, cookies, now } = arrival;
  const form = await sameSiteForm(arrival);
  const awaiting = await requireAwaiting(arrival);
  const to = ownPath(form.get('to'));
  const code = form.get('code') ?? '';
  const em = deps.database.em.fork();
  const user = await requireUser(em, awaiting.userId);
  const isRight = () => takeCode(em, user, code, deps.secretsKeys, now).then((taken) => taken || null);
  const attempt = { email: user.email, factor: 'code', userId: user.id, storeId: storeIn(to) } as const;
  const known = await noted(arrival, attempt, () =>
    limitCodes({ trafficLimiter: deps.trafficLimiter, device: deviceIn(arrival), owner: user }, isRight),
  );
  if (known === null) {
    const problem = sayIn(arrival.locale)('dashboard.theCodeIsWrongOr');
    return renderCode(arrival, to, problem, 422);
  }
  const tokenText = await em.transactional(async (tx) => {
    await lockUser(tx, user.id);
    // A new password ends the session, even while the code is being checked.
    if (!(await endAwaiting(tx, awaiting.sessionId))) throw new SignInNeeded(null);
    return signIn(tx, arrival, user, false);
  });
  cookies.setSession(ctx, tokenText);
  return { ...seeOther(to), device: newDevice(deps.secretsKeys, user, now) };
}

/** @throws SignInNeeded if no password was given recently. */
async function requireAwaiting(arrival: Arrival): Promise<SignedIn> {
  const found = await sessionOf(arrival);
  if (found === null || !found.awaitsCode) throw new SignInNeeded(null);
  return found;
}
