import type Router from '@koa/router';
import type { DefaultContext } from 'koa';
import { ApiError } from '../../../api/frame/errors.ts';
import { checkText } from '../../../api/frame/json-body.ts';
import { sendStream } from '../../../api/frame/send-stream.ts';
import type { ApiContext, ApiState } from '../../../api/frame/state.ts';
import { AlreadyDone } from '../../../audit-log/record-action.ts';
import { ID_PREFIX, type StoreId } from '../../../domain/ids.ts';
import { can } from '../../../domain/role.ts';
import { failureStatus } from '../../../http/failure-status.ts';
import { csrfTokenOf } from '../../../identity/csrf-token.ts';
import type { SignedIn } from '../../../identity/sessions.ts';
import { noteLanguage } from '../../../identity/users.ts';
import { MoneyWaits, NoAuthority } from '../../../payouts/money-authority.ts';
import { type Html, html } from '../../frame/html.ts';
import { NoticeError } from '../../frame/page-context.ts';
import { errorNumber, mayRetry, retryPart } from '../../frame/retry.ts';
import type { Locale, MessageKey } from '../../i18n/catalogs.ts';
import { DashboardCookies } from './cookies.ts';
import type { DashboardDeps } from './deps.ts';
import { askBeforeDownload, LinkOfOtherSite, requireOwnLink } from './download-link.ts';
import { barePage, page } from './layout.ts';
import { localeOf, sayIn } from './locale.ts';
import { waitText } from './money-wait.ts';
import { NO_FORM, ownForm } from './own-form.ts';
import { ownPath } from './own-path.ts';
import { reasonText, retryAfterOf } from './refusals.ts';
import { type DashboardRoute, nothingHere, Refusal, type Reply, refused, USED_LINK } from './route.ts';
import { SignInNeeded } from './sign-in-needed.ts';
import { deviceIn, sessionOf } from './strangers.ts';
import { Visit } from './visit.ts';

const STORE_ID = new RegExp(`^${ID_PREFIX.store}[0-9A-Z]{26}$`);

/** A request before authentication. */
export interface Arrival {
  readonly ctx: ApiContext;
  readonly deps: DashboardDeps;
  readonly cookies: DashboardCookies;
  readonly locale: Locale;
  readonly now: Date;
}

/** Serves pages that need no session. @param route the pattern, for the log: the URL may contain a token. */
export function serveAnybody(
  deps: DashboardDeps,
  route: string,
  answer: (arrival: Arrival) => Promise<Reply>,
): (ctx: ApiContext) => Promise<void> {
  const cookies = new DashboardCookies(deps.publicUrl);
  return async (ctx) => {
    ctx.state.route = route;
    const arrival = { ctx, deps, cookies, locale: localeOf(ctx), now: deps.clock() };
    send(arrival, await answer(arrival).catch((error) => failure(arrival, null, error)));
  };
}

/** Serves the pages and forms of stores. */
export function addStoreRoutes(
  router: Router<ApiState, DefaultContext>,
  deps: DashboardDeps,
  routes: readonly DashboardRoute[],
): void {
  const cookies = new DashboardCookies(deps.publicUrl);
  for (const route of routes) {
    const pattern = `/dashboard/:storeId/:environment${route.path === '/' ? '' : route.path}`;
    router.register(pattern, [route.method], async (ctx: ApiContext) => {
      ctx.state.route = pattern;
      const arrival = { ctx, deps, cookies, locale: localeOf(ctx), now: deps.clock() };
      let visit: Visit | null = null;
      try {
        const own = await visitOf(arrival, route);
        visit = own;
        deps.busy.noteRead(own.caller);
        const reply = await replyOf(deps, route, own);
        const mustRecord = route.method === 'POST' && !route.changesNothing;
        if (mustRecord && isDone(reply) && !visit.hasRecorded) visit.log.error(NO_LINE);
        send(arrival, reply);
      } catch (error) {
        send(arrival, failure(arrival, visit, error));
      }
    });
  }
}

/** The reply of a route. @throws LinkOfOtherSite if another site's link would download a file. */
async function replyOf(deps: DashboardDeps, route: DashboardRoute, visit: Visit): Promise<Reply> {
  const reply = await inTurn(deps.threadShares, route, visit);
  if (reply.kind === 'file') requireOwnLink(visit);
  return reply;
}

/** Members take turns with their pages, and sessions with their forms, so that a stolen one keeps nobody from revoking a key. */
function inTurn(shares: DashboardDeps['threadShares'], route: DashboardRoute, visit: Visit): Promise<Reply> {
  const { store, user } = visit;
  const answered = () => route.handler(visit);
  return route.method === 'GET'
    ? shares.inTurn(store.id, 'page', answered, user.id)
    : shares.inTurn(store.id, 'form', answered, user.sessionId);
}

/** A bug that tests look for: every action must be recorded in the audit log. */
const NO_LINE = 'a form of the dashboard has left no line in the audit log';

/** Whether the form succeeded. */
function isDone(reply: Reply): boolean {
  return reply.kind === 'redirect'
    ? reply.flash?.kind !== 'refused'
    : reply.kind === 'page' && reply.status < 400;
}

/** @throws SignInNeeded, and Refusal 403 or 404. */
async function visitOf(arrival: Arrival, route: DashboardRoute): Promise<Visit> {
  const { ctx, deps, cookies, locale, now } = arrival;
  const { storeId = '', environment = '', ...params } = ctx.params as Record<string, string>;
  const tokenText = cookies.sessionToken(ctx);
  const devMode = environment === 'dev';
  const place = { storeId: (STORE_ID.test(storeId) ? storeId : '') as StoreId | '', devMode };
  // Fetch Metadata (W3C) identifies requests by the page's script. They must not consume the message shown once.
  const isLookedAt = ctx.get('Sec-Fetch-Dest') !== 'empty';
  const signedIn = await sessionOf(arrival, place, isLookedAt);
  if (signedIn === null || tokenText === undefined || signedIn.awaitsCode)
    throw new SignInNeeded(route.method === 'GET' ? ctx.url : null);
  const { role, storeName, storeCity } = signedIn;
  // Who is refused anyway sends no files that are read.
  const isRead = route.method === 'POST' && role !== null && can(role, route.action);
  const { fields: form, files } = isRead ? await ownForm(arrival, tokenText, route.maxFileBytes) : NO_FORM;
  const isKnown = environment === 'dev' || (environment === 'prod' && !route.devModeOnly);
  // Checks ids and names first: invalid ones, NUL included, never reach Postgres.
  const isThere = isKnown && Object.values(params).every((param) => /^[\w.-]{1,100}$/.test(param));
  if (role === null || storeName === null || storeCity === null || !isThere) throw nothingHere();
  const member = { storeId, sessionId: signedIn.sessionId, personId: signedIn.userId };
  const seconds = deps.trafficLimiter.visits.countMember(member, now.getTime());
  if (seconds !== null) throw new Refusal(429, 'dashboard.error.tooManyRequests', {}, seconds);
  ctx.state.about = { storeId, userId: signedIn.userId };
  const query = new URLSearchParams(ctx.querystring);
  for (const [name, value] of query) checkText(value, name);
  const store = { name: storeName, city: storeCity, taxId: signedIn.storeTaxId };
  const visit = new Visit({
    deps,
    user: personOf(signedIn),
    device: deviceIn(arrival),
    role,
    action: route.action,
    requiresSecondFactor: signedIn.requiresSecondFactor,
    devMode,
    caller: {
      storeId: storeId as StoreId,
      store,
      clock: signedIn.clock,
      announcesSales: signedIn.announcesSales,
    },
    locale,
    csrfToken: csrfTokenOf(tokenText),
    params,
    query,
    form,
    files,
    flash: route.method === 'GET' && isLookedAt ? cookies.takeFlash(ctx) : null,
    address: deps.trafficLimiter.shortAddressOf(ctx.req),
    request: ctx.req,
    now,
    requestId: ctx.state.requestId,
    log: ctx.state.log,
    path: ctx.path,
  });
  // Their mails follow the language that they have chosen.
  if (ctx.query.lang === locale) await noteLanguage(visit.em, visit.user.id, locale);
  if (visit.lacksSecondFactor && !route.isOfPerson) throw new SecondFactorNeeded(visit.link('/account'));
  if (!can(role, route.action)) throw new RefusedTo(visit);
  if (route.method === 'POST' && !SUBMISSION.test(form.get('submission') ?? '')) throw unknownSubmission();
  return visit;
}

/** Every form has a submission id as long as a UUID. Without one, a form submitted twice would run twice. */
const SUBMISSION = /^[\w -]{1,64}$/;

function unknownSubmission(): Refusal {
  return new Refusal(400, 'dashboard.frame.theFormCameWithoutIts');
}

/** The store requires a second factor and the person has none. Redirects them to where they set one up. */
class SecondFactorNeeded extends Error {
  readonly to: string;

  constructor(to: string) {
    super('the store asks for a second factor');
    this.name = 'SecondFactorNeeded';
    this.to = to;
  }
}

const NOT_ALLOWED = 'dashboard.error.permissionDenied' as const;

/** Another role would be allowed to. */
class RefusedTo extends Refusal {
  readonly visit: Visit;

  constructor(visit: Visit) {
    super(403, NOT_ALLOWED);
    this.visit = visit;
  }
}

export function personOf(signedIn: SignedIn) {
  const { userId: id, email, userName: name, hasSecondFactor, hasPassword, sessionId } = signedIn;
  return { id, email, name, hasSecondFactor, hasPassword, sessionId };
}

/** The page for an error, with the menu if the reader is known. */
function failure(arrival: Arrival, visit: Visit | null, error: unknown): Reply {
  const { ctx, locale } = arrival;
  const say = sayIn(locale);
  if (error instanceof SignInNeeded) return { kind: 'redirect', to: signInPath(error.backTo), flash: null };
  if (error instanceof SecondFactorNeeded) return { kind: 'redirect', to: error.to, flash: null };
  const reader = error instanceof RefusedTo ? error.visit : visit;
  if (error instanceof LinkOfOtherSite && reader !== null) return askBeforeDownload(reader, ctx.url);
  if (error instanceof AlreadyDone) {
    const text = say('dashboard.frame.thisFormWasAlreadySubmitted');
    return refused(ownReferrer(ctx), text);
  }
  const [status, text] = textOf(error, locale);
  if (status >= 500)
    ctx.state.log[failureStatus(error) === 503 ? 'warn' : 'error']({ err: error }, 'page failed');
  const seconds = retryAfter(error, status);
  if (seconds !== null) ctx.set('Retry-After', String(seconds));
  const title = say(titleOf(error, status));
  const body: Html = html`<p>${text}</p>
${mayRetry(status) && retryPart(say, { seconds, isForm: ctx.method === 'POST' })}
${status === 500 && errorNumber(say, ctx.state.requestId)}
<p><a href="${reader?.link('/') ?? '/dashboard'}">${say('dashboard.frame.backToTheFirstPage')}</a></p>`;
  return reader === null
    ? barePage(locale, { title, body, status })
    : page(reader, { title, active: null, body, status });
}

/** Postgres is usually back within seconds. */
const POSTGRES_AWAY_SECONDS = 5;

/** Seconds until a retry may succeed; null if unknown. */
function retryAfter(error: unknown, status: number): number | null {
  if (error instanceof Refusal || error instanceof NoticeError) return error.retryAfterSeconds;
  if (error instanceof ApiError) return retryAfterOf(error);
  return status === 503 ? POSTGRES_AWAY_SECONDS : null;
}

/** Someone who opens a link a second time is at the right place, so the page does not say that there is none. */
function titleOf(error: unknown, status: number): MessageKey {
  if (error instanceof Refusal && error.text === USED_LINK) return 'dashboard.signIn.thisLinkNoLongerWorks';
  return TITLES[status] ?? 'dashboard.frame.notPossible';
}

const TITLES: Readonly<Record<number, MessageKey>> = {
  404: 'dashboard.frame.pageNotFound',
  429: 'dashboard.frame.aPauseForNow',
  500: 'dashboard.frame.thePageCouldNotBe',
  503: 'dashboard.frame.theServiceDoesNotAnswer',
};

/** The page that contained the form; the first page if the browser sends no referrer. */
function ownReferrer(ctx: ApiContext): string {
  const { pathname = null, search = '' } = URL.parse(ctx.get('Referer')) ?? {};
  return ownPath(pathname === null ? null : pathname + search);
}

function textOf(error: unknown, locale: Locale): [status: number, text: string] {
  const say = sayIn(locale);
  if (error instanceof MoneyWaits) return [403, waitText(error, locale)];
  if (error instanceof NoAuthority) return [403, say(NOT_ALLOWED)];
  if (error instanceof Refusal) return [error.status, say(error.text, error.values)];
  if (error instanceof ApiError && error.status === 404) return [404, say(nothingHere().text)];
  if (error instanceof ApiError) return [error.status, reasonText(error, say)];
  if (error instanceof NoticeError) return [error.status, say(error.notice.text)];
  return [failureStatus(error), say('dashboard.error.internalError')];
}

/** @param backTo the path to return to; null for the first page. */
export function signInPath(backTo: string | null): string {
  return `/dashboard/sign-in${backTo === null ? '' : `?${new URLSearchParams({ to: backTo })}`}`;
}

function send({ ctx, cookies }: Arrival, reply: Reply): void {
  if ('sessionToken' in reply && reply.sessionToken !== undefined)
    cookies.setSession(ctx, reply.sessionToken);
  if ('device' in reply && reply.device) cookies.setDevice(ctx, reply.device);
  switch (reply.kind) {
    case 'page':
      ctx.status = reply.status;
      ctx.type = 'text/html; charset=utf-8';
      ctx.set(reply.headers ?? {});
      ctx.body = reply.document;
      return;
    case 'redirect':
      if (reply.flash !== null) cookies.setFlash(ctx, reply.flash);
      ctx.status = 303;
      ctx.set('Location', reply.to);
      ctx.body = '';
      return;
    case 'stream':
      sendStream(ctx, reply.body);
      return;
    case 'file':
      ctx.status = 200;
      ctx.set('Content-Type', reply.contentType);
      ctx.set('Content-Disposition', `attachment; filename="${reply.name}"`);
      ctx.body = reply.body;
  }
}
