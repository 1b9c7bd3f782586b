import type Router from '@koa/router';
import type { DefaultContext } from 'koa';
import { checkText } from '../../../api/frame/json-body.ts';
import { sendStream } from '../../../api/frame/send-stream.ts';
import type { ApiContext, ApiState } from '../../../api/frame/state.ts';
import { ID_PREFIX, type StoreId } from '../../../domain/ids.ts';
import { can } from '../../../domain/role.ts';
import { csrfTokenOf } from '../../../identity/csrf-token.ts';
import { isDeviceOf } from '../../../identity/device.ts';
import type { SignedIn } from '../../../identity/sessions.ts';
import { noteLanguage } from '../../../identity/users.ts';
import { noteTurnOfStore } from '../../../request-turn.ts';
import type { Locale } from '../../i18n/catalogs.ts';
import { DashboardCookies } from './cookies.ts';
import type { DashboardDeps } from './deps.ts';
import { requireOwnLink } from './download-link.ts';
import { failureReply, RefusedTo, SecondFactorNeeded } from './failure-reply.ts';
import { localeOf } from './locale.ts';
import { NO_FORM, ownForm } from './own-form.ts';
import { type DashboardRoute, nothingHere, Refusal, type Reply } from './route.ts';
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
    send(arrival, await answer(arrival).catch((error) => failureReply(arrival, null, error)));
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
        send(arrival, failureReply(arrival, visit, error));
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

/**
 * Members take turns with their pages, and sessions with their forms, so that a stolen one keeps nobody from revoking a key. A member's own
 * browsers take turns with the member's other sessions, so that many stolen ones do not keep the page with that form from them.
 */
function inTurn(shares: DashboardDeps['threadShares'], route: DashboardRoute, visit: Visit): Promise<Reply> {
  const { store, user, device } = visit;
  const answered = () => route.handler(visit);
  noteTurnOfStore(visit.request);
  return route.method === 'GET'
    ? shares.inTurn(store.id, 'page', answered, device === null ? user.id : `devices of ${user.id}`)
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
  const { sessionId, userId: personId } = signedIn;
  const device = ownDevice(arrival, signedIn);
  const member = { storeId, sessionId, personId, isOwnDevice: device !== null };
  const seconds = deps.trafficLimiter.visits.countMember(member, ctx.req, now.getTime());
  if (seconds !== null) throw new Refusal(429, 'dashboard.error.tooManyRequests', {}, seconds);
  ctx.state.about = { storeId, userId: signedIn.userId };
  const query = new URLSearchParams(ctx.querystring);
  for (const [name, value] of query) checkText(value, name);
  const store = { name: storeName, city: storeCity, taxId: signedIn.storeTaxId };
  const visit = new Visit({
    deps,
    user: personOf(signedIn),
    device,
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

/** The browser, if the person has given their password in it; null otherwise. */
function ownDevice(arrival: Arrival, { userId: id, passwordHash, secondFactorChangedAt }: SignedIn) {
  const device = deviceIn(arrival);
  return isDeviceOf(device, { id, passwordHash, secondFactorChangedAt }) ? device : null;
}

/** Every form has a submission id as long as a UUID. Without one, a form submitted twice would run twice. */
const SUBMISSION = /^[\w -]{1,64}$/;

function unknownSubmission(): Refusal {
  return new Refusal(400, 'dashboard.frame.theFormCameWithoutIts');
}

export function personOf(signedIn: SignedIn) {
  const { userId: id, email, userName: name, hasSecondFactor, passwordHash, sessionId } = signedIn;
  return { id, email, name, hasSecondFactor, hasPassword: passwordHash !== null, sessionId };
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
