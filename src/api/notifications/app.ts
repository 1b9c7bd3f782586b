import type { IncomingMessage, RequestListener } from 'node:http';
import Koa from 'koa';
import { whileOpen } from '../../http/pipelined-requests.ts';
import { TrafficLimiter } from '../../http/traffic-limiter.ts';
import { withCostCounted } from '../../request-cost.ts';
import type { AppDeps } from '../frame/deps.ts';
import { errorEnvelope } from '../frame/error-envelope.ts';
import { answerHeaders, requestId, requestLog } from '../frame/request-log.ts';
import type { ApiState } from '../frame/state.ts';
import { unknownRoute } from '../frame/unknown-route.ts';
import { inTurns, refuseVisit } from '../limits/early-refusal.ts';
import type { StrangerTurns } from '../limits/stranger-turns.ts';
import { notificationRoutes } from './routes.ts';

/**
 * The handler of requests on a port for provider notifications, and nothing else. Everything else there, and guessed addresses, counts and
 * takes turns like other requests of strangers.
 * @param proven called with each request of which an account's provider is proven.
 */
export function notificationListener(
  deps: AppDeps,
  strangers: StrangerTurns,
  proven: (request: IncomingMessage) => void,
): RequestListener {
  const { busy, clock, config } = deps;
  const trafficLimiter = new TrafficLimiter(deps.database, config, deps.log);
  const { visits } = trafficLimiter;
  const parts = { visits, busy, strangers, clock, maxConnections: config.maxConnections, pageOf: null };
  const serve = inTurns(parts, createApp(deps, trafficLimiter, proven).callback());
  return whileOpen((request, response) => {
    if (refuseVisit(parts, request, response, clock())) return;
    void withCostCounted(() => serve(request, response));
  });
}

function createApp(
  deps: AppDeps,
  trafficLimiter: TrafficLimiter,
  proven: (request: IncomingMessage) => void,
): Koa<ApiState> {
  const app = new Koa<ApiState>({ proxy: false });
  app.on('error', (error: unknown) => deps.log.warn({ err: error }, 'connection failed'));
  app.use(requestId(deps.log));
  app.use(requestLog);
  app.use(answerHeaders);
  app.use(errorEnvelope);
  app.use(notificationRoutes(deps, trafficLimiter, proven).routes());
  app.use(unknownRoute([]));
  return app;
}
