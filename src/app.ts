import type { IncomingMessage, RequestListener } from 'node:http';
import Router from '@koa/router';
import Koa, { type DefaultContext } from 'koa';
import { balanceRoutes } from './api/balance/routes.ts';
import { bankStatementRoutes } from './api/bank-statement/routes.ts';
import { cardTokenRoutes } from './api/card-tokens/routes.ts';
import { checkoutRoutes } from './api/checkouts/routes.ts';
import { clockRoutes } from './api/clock/routes.ts';
import { couponRoutes } from './api/coupons/routes.ts';
import { customerPortalRoutes } from './api/customer-portal/routes.ts';
import { customerRoutes } from './api/customers/routes.ts';
import { deliveryRoutes } from './api/deliveries/routes.ts';
import { devCardRoutes } from './api/dev-cards/routes.ts';
import { devRefundRoutes } from './api/dev-refunds/routes.ts';
import { devReminderRoutes } from './api/dev-reminders/routes.ts';
import { disputeRoutes } from './api/disputes/routes.ts';
import { eventRoutes } from './api/events/routes.ts';
import { parametersOf } from './api/frame/client-habits.ts';
import { compression } from './api/frame/compression.ts';
import { crossOrigin } from './api/frame/cross-origin.ts';
import type { AppDeps } from './api/frame/deps.ts';
import { errorEnvelope } from './api/frame/error-envelope.ts';
import { publishedErrors } from './api/frame/published-errors.ts';
import { answerHeaders, requestId, requestLog } from './api/frame/request-log.ts';
import { requestTrace } from './api/frame/request-trace.ts';
import type { Route } from './api/frame/route.ts';
import { servedPaths } from './api/frame/route-paths.ts';
import { type RequestSlots, serveRoute } from './api/frame/serve-route.ts';
import type { ApiMiddleware, ApiState } from './api/frame/state.ts';
import { unknownRoute } from './api/frame/unknown-route.ts';
import { nfseRoutes } from './api/invoices/nfse/routes.ts';
import { invoiceRoutes } from './api/invoices/routes.ts';
import type { Entrance } from './api/keys/authentication.ts';
import { keyUseRecorder } from './api/keys/key-use.ts';
import { DevWorkflows } from './api/limits/dev-workflows.ts';
import { inTurns, refuseEarly } from './api/limits/early-refusal.ts';
import { FairSlots, tooManyReads } from './api/limits/fair-slots.ts';
import { Floods } from './api/limits/floods.ts';
import { ReadsBesideOthers } from './api/limits/reads-beside-others.ts';
import { type StrangerTurns, strangerTurns } from './api/limits/stranger-turns.ts';
import { ThreadShares } from './api/limits/thread-shares.ts';
import { TransactionSlots } from './api/limits/transaction-slots.ts';
import { UnreadBodies } from './api/limits/unread-bodies.ts';
import { mandateRoutes } from './api/mandates/routes.ts';
import { notificationRoutes } from './api/notifications/routes.ts';
import { openApiDocument } from './api/openapi/openapi.ts';
import { Probes } from './api/operations/probes.ts';
import { operationRoutes } from './api/operations/routes.ts';
import { paymentLinkRoutes } from './api/payment-links/routes.ts';
import { paymentRoutes } from './api/payments/routes.ts';
import { payoutRoutes } from './api/payouts/routes.ts';
import { pixRoutes } from './api/pix/routes.ts';
import { productRoutes } from './api/products/routes.ts';
import { publicMrrRoutes } from './api/public-mrr/routes.ts';
import { reminderRoutes } from './api/reminders/routes.ts';
import { savedCardRoutes } from './api/saved-cards/routes.ts';
import { storeRoutes } from './api/store/routes.ts';
import { subAccountRoutes } from './api/sub-accounts/routes.ts';
import { subscriptionCheckoutRoutes } from './api/subscriptions/checkout-routes.ts';
import { subscriptionRoutes } from './api/subscriptions/routes.ts';
import { transparentRoutes } from './api/transparents/routes.ts';
import { V1, v1Envelope } from './api/v1/envelope.ts';
import { v1Routes } from './api/v1/routes.ts';
import { webhookRoutes } from './api/webhooks/routes.ts';
import { whileOpen } from './http/pipelined-requests.ts';
import { TrafficLimiter } from './http/traffic-limiter.ts';
import { withCostCounted } from './request-cost.ts';
import { renderSampleBoletoPage, renderSamplePayPage } from './web/checkout/sample-pages.ts';
import { deviceOfCookie } from './web/dashboard/frame/device-of-cookie.ts';
import { MemberQueue } from './web/dashboard/frame/member-queue.ts';
import { dashboardRouter } from './web/dashboard/routes.ts';
import { referenceRoutes } from './web/docs/routes.ts';
import { portalRouter } from './web/portal/routes.ts';
import { pageRouter } from './web/routes.ts';
import { tooManyPages } from './web/too-many-pages.ts';
import { unknownPage } from './web/unknown-page.ts';

/** Every resource of the API, one per line. */
export const API_ROUTES: readonly Route[] = [
  ...transparentRoutes,
  ...cardTokenRoutes,
  ...checkoutRoutes,
  ...paymentLinkRoutes,
  ...paymentRoutes,
  ...customerRoutes,
  ...customerPortalRoutes,
  ...savedCardRoutes,
  ...productRoutes,
  ...couponRoutes,
  ...webhookRoutes,
  ...deliveryRoutes,
  ...eventRoutes,
  ...subscriptionRoutes,
  ...subscriptionCheckoutRoutes,
  ...mandateRoutes,
  ...invoiceRoutes,
  ...nfseRoutes,
  ...reminderRoutes,
  ...publicMrrRoutes,
  ...storeRoutes,
  ...balanceRoutes,
  ...bankStatementRoutes,
  ...disputeRoutes,
  ...devCardRoutes,
  ...devReminderRoutes,
  ...devRefundRoutes,
  ...clockRoutes,
  ...payoutRoutes,
  ...pixRoutes,
  ...subAccountRoutes,
  ...v1Routes,
];

/** A file of ten thousand rows uses a few megabytes until it is sent, and a second of one core. */
const CSV_AT_ONCE = 4;

/**
 * These slots are held for milliseconds. A request that waits longer is refused, and the client may retry.
 */
const KEYED_WAIT_MS = 5_000;

/** How paths of the API begin, in lower case: paths are case-insensitive. A key at any other path, such as a page, changes nothing: it is not read there. */
const API_STARTS = new Set(['v1', 'v2', ...API_ROUTES.flatMap(servedPaths).map(firstPart)]);

const FOR_PUBLIC_KEYS = new Set(
  API_ROUTES.filter(({ publicKey }) => publicKey === true)
    .flatMap(servedPaths)
    .map((path) => path.toLowerCase()),
);

function isForPublicKeys(url: string): boolean {
  const [path = ''] = url.split('?', 1);
  return FOR_PUBLIC_KEYS.has(path.toLowerCase().replace(/\/$/, ''));
}

function firstPart(path: string): string {
  return /^\/([^/?]*)/.exec(path)?.[1]?.toLowerCase() ?? '';
}

/** The handler of the HTTP server's requests. */
export function requestListener(
  deps: AppDeps,
  strangers: StrangerTurns = strangerTurns(deps),
): RequestListener {
  const trafficLimiter = new TrafficLimiter(deps.database, deps.config, deps.log, deviceOfCookie(deps));
  const floods = new Floods(deps, trafficLimiter);
  const probes = new Probes(deps);
  const handle = createApp({ deps, trafficLimiter, floods }, probes).callback();
  const { visits } = trafficLimiter;
  // Neither preflight requests nor those with a public key are counted by an API key, nor those of a version that looks at no key any more.
  const isKeyed = ({ method, url = '', headers }: IncomingMessage, now: Date) =>
    API_STARTS.has(firstPart(url)) &&
    method !== 'OPTIONS' &&
    !isForPublicKeys(url) &&
    !(V1.covers(url) && V1.hasEnded(now)) &&
    floods.mayBeKeyed(headers.authorization ?? '', now);
  const refusing = {
    floods,
    visits,
    isKeyed,
    pageOf: tooManyPages(deps),
    otherVersion: V1,
    busy: deps.busy,
    strangers,
    clock: deps.clock,
    maxConnections: deps.config.maxConnections,
    log: deps.log,
  };
  const serve = inTurns(refusing, handle);
  return whileOpen((request, response) => {
    if (probes.answerEarly(request, response) || refuseEarly(refusing, request, response)) return;
    void withCostCounted(() => serve(request, response));
  });
}

/** The HTTP application: its middleware in order. */
function createApp(given: Entrance, probes: Probes): Koa<ApiState> {
  const devWorkflows = new DevWorkflows(given.deps.busy);
  const entrance = { ...given, deps: devWorkflows.within(given.deps) };
  const { deps, trafficLimiter, floods } = entrance;
  const app = new Koa<ApiState>({ proxy: false });
  Object.defineProperty(app.request, 'query', { get: ownQuery });
  app.on('error', (error: unknown) => deps.log.warn({ err: error }, 'connection failed'));
  app.use(compression);
  app.use(watchBodies(trafficLimiter));
  app.use(requestId(deps.log));
  if (deps.config.tracing !== null) app.use(requestTrace);
  app.use(requestLog);
  app.use(answerHeaders);
  app.use(crossOrigin(API_ROUTES));
  app.use(v1Envelope(deps.clock, deps.publicUrl));
  if (deps.config.errorCompatibility) app.use(publishedErrors);
  app.use(errorEnvelope);
  const slots = requestSlots(deps, devWorkflows);
  app.use(apiRouter(entrance, slots).routes());
  let made: object | undefined;
  // Built on the first request, because it takes a third of a second, which would delay the start.
  const document = () => (made ??= openApiDocument(API_ROUTES, deps.publicUrl));
  // Only if notifications have no port of their own.
  if (deps.config.notifications === null) app.use(notificationRoutes(deps, trafficLimiter).routes());
  app.use(operationRoutes(probes, document).routes());
  app.use(referenceRoutes(document, deps.publicUrl).routes());
  app.use(pageRouter({ ...deps, trafficLimiter }).routes());
  app.use(portalRouter({ ...deps, trafficLimiter }).routes());
  const members = {
    memberQueue: new MemberQueue(),
    transactionSlots: new TransactionSlots(slots),
    threadShares: slots.shares,
    samplePages: SAMPLE_PAGES,
  };
  app.use(dashboardRouter({ ...deps, trafficLimiter, ...members }).routes());
  app.use(unknownPage(deps));
  app.use(unknownRoute(API_ROUTES, (ctx) => floods.countLost(ctx, deps.clock())));
  return app;
}

/** Koa's own parser would stop all requests for seconds, for one that repeats a parameter as often as a URL allows. */
function ownQuery(this: Koa.Request) {
  return parametersOf(this.querystring);
}

/** Sees bodies before they are compressed. Streams are not in memory. */
function watchBodies(trafficLimiter: TrafficLimiter): ApiMiddleware {
  const unread = new UnreadBodies();
  return async (ctx, next) => {
    await next();
    const { body, state } = ctx;
    if (typeof body !== 'string' && !Buffer.isBuffer(body)) return;
    const client =
      state.caller?.storeId ?? trafficLimiter.siteOf(ctx.req) ?? trafficLimiter.addressOf(ctx.req);
    unread.watch(client, ctx.res, Buffer.byteLength(body));
  };
}

const SAMPLE_PAGES = { checkout: renderSamplePayPage, boleto: renderSampleBoletoPage };

/** Changes of a store that wait for the line of the one before: more at once would not be faster. */
const AUDITED_AT_ONCE = 4;

/** Always leaves one slot for other stores, if there is more than one slot. */
function keyedSlots(count: number): RequestSlots['keyed'] {
  return new FairSlots({ count, perOwner: () => Math.max(1, count - 1), waitMs: KEYED_WAIT_MS });
}

function requestSlots({ database, busy, config }: AppDeps, devWorkflows: DevWorkflows): RequestSlots {
  const beside = new ReadsBesideOthers(busy);
  const connections = database.config.get('pool').max ?? 1;
  return {
    shares: new ThreadShares((storeId) => beside.areBeside(storeId), config.maxConnections),
    // Half of the connections stay free for the handlers of these requests, and for all other work.
    keyed: keyedSlots(Math.max(1, Math.floor(connections / 2))),
    csv: new FairSlots({ count: CSV_AT_ONCE, perOwner: () => 1, waitMs: null }),
    files: new FairSlots({
      count: Number.POSITIVE_INFINITY,
      perOwner: () => 1,
      waitMs: KEYED_WAIT_MS,
      restMs: (storeId, tookMs) => beside.restMs(storeId, tookMs),
      refusal: tooManyReads,
    }),
    audited: new FairSlots({
      count: Number.POSITIVE_INFINITY,
      perOwner: () => AUDITED_AT_ONCE,
      waitMs: KEYED_WAIT_MS,
    }),
    devWorkflows,
  };
}

function apiRouter(entrance: Entrance, slots: RequestSlots): Router<ApiState, DefaultContext> {
  const { deps } = entrance;
  const router = new Router<ApiState, DefaultContext>();
  const keyUse = keyUseRecorder(deps.database, deps.clock, deps.log);
  for (const route of API_ROUTES) {
    router.register(
      servedPaths(route),
      [route.method, ...(route.alias === undefined ? [] : [route.alias])],
      serveRoute(route, entrance, keyUse, slots),
    );
  }
  return router;
}
