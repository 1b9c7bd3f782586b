import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { countRequest } from '../../metrics/counters.ts';
import type { ApiMiddleware } from './state.ts';

/**
 * Letters, digits and what ids of clients, proxies and tracing are put together with: fits a header, a log
 * line and a workflow's memo as it is. With a letter among it, since an id without one is rather a tax id, a
 * phone or a card.
 */
const ID = /^(?=[^A-Za-z]*[A-Za-z])[A-Za-z0-9._:/=+-]{1,128}$/;

/**
 * Gives the request an id of our own, which no client can choose, and a log that carries it. The client's id goes beside
 * it if it looks like one, so that both sides find the request by it (contract section 1.7).
 */
export function requestId(log: Logger): ApiMiddleware {
  return (ctx, next) => {
    const id = randomUUID();
    const sent = ctx.get('X-Request-Id');
    const clientRequestId = ID.test(sent) ? sent : null;
    ctx.state.requestId = id;
    ctx.state.log = log.child({ requestId: id, ...(clientRequestId !== null && { clientRequestId }) });
    ctx.set('X-Request-Id', id);
    if (clientRequestId !== null) ctx.set('X-Client-Request-Id', clientRequestId);
    return next();
  };
}

/**
 * What is answered is for its reader alone, and is what it says it is. Pages and files that are for everybody
 * say otherwise.
 */
export const answerHeaders: ApiMiddleware = (ctx, next) => {
  ctx.set('X-Content-Type-Options', 'nosniff');
  ctx.set('Cache-Control', 'no-store');
  return next();
};

/** Above this, somebody has waited. */
const SLOW_MS = 1_000;

/** Asked by machines every few seconds, or with every page. */
const ROUTINE = ['/healthz', '/readyz', '/assets/:file', '/dashboard/assets/:file', '/docs/style.css'];

/** How loud a request is told: what was refused or slow is a warning, but where there is nothing anybody may ask. */
export function requestLevel(
  route: string | undefined,
  status: number,
  durationMs: number,
): 'debug' | 'info' | 'warn' {
  if (route === undefined) return 'info';
  if (status >= 400 || durationMs > SLOW_MS) return 'warn';
  return ROUTINE.includes(route) ? 'debug' : 'info';
}

/**
 * One line per answered request; of those that were one too many, one a second for each store or address. It names the route's pattern, never the URL as sent, whose parameters may be
 * personal; and never headers or bodies, which hold keys, secrets and tax ids.
 */
export const requestLog: ApiMiddleware = async (ctx, next) => {
  const startedAt = performance.now();
  await next();
  const { log, route, caller, about, code, storeId, alsoRefused } = ctx.state;
  const durationMs = Math.round((performance.now() - startedAt) * 10) / 10;
  countRequest(ctx.method, route ?? null, ctx.status, durationMs);
  if (alsoRefused === null) return;
  log[requestLevel(route, ctx.status, durationMs)](
    {
      method: ctx.method,
      route,
      status: ctx.status,
      code,
      durationMs,
      storeId: caller?.storeId ?? storeId,
      keyId: caller?.keyId,
      alsoRefused,
      ...about,
    },
    'request',
  );
};
