import type { IncomingMessage } from 'node:http';
import Koa from 'koa';
import { TrafficLimiter } from '../../http/traffic-limiter.ts';
import type { AppDeps } from '../frame/deps.ts';
import { errorEnvelope } from '../frame/error-envelope.ts';
import { answerHeaders, requestId, requestLog } from '../frame/request-log.ts';
import type { ApiState } from '../frame/state.ts';
import { unknownRoute } from '../frame/unknown-route.ts';
import { notificationRoutes } from './routes.ts';

/**
 * Serves provider notifications, and nothing else, on a port of its own if one is configured.
 * @param proven called with each request of which an account's provider is proven.
 */
export function createNotificationsApp(
  deps: AppDeps,
  proven: (request: IncomingMessage) => void,
): Koa<ApiState> {
  const app = new Koa<ApiState>({ proxy: false });
  app.on('error', (error: unknown) => deps.log.warn({ err: error }, 'connection failed'));
  app.use(requestId(deps.log));
  app.use(requestLog);
  app.use(answerHeaders);
  app.use(errorEnvelope);
  const trafficLimiter = new TrafficLimiter(deps.database, deps.config, deps.log);
  app.use(notificationRoutes(deps, trafficLimiter, proven).routes());
  app.use(unknownRoute([]));
  return app;
}
