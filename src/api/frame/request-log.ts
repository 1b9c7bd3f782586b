import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { countRequest } from '../../metrics/counters.ts';
import { costSoFar } from '../../request-cost.ts';
import type { ApiMiddleware } from './state.ts';

/**
 * Letters, digits and separators of common ids: safe in a header, a log line and a workflow's memo. A letter
 * is required, because digits alone may be a tax id, a phone or a card number.
 */
const ID = /^(?=[^A-Za-z]*[A-Za-z])[A-Za-z0-9._:/=+-]{1,128}$/;

/** The client's own id of a request, if it is well-formed and cannot be personal; otherwise null. */
export function clientRequestIdOf(sent: unknown): string | null {
  return typeof sent === 'string' && ID.test(sent) ? sent : null;
}

/**
 * Assigns a request id that no client can choose, and a logger with it. A well-formed id of the client is
 * kept next to it, so that both sides can find the request (contract section 1.7).
 */
export function requestId(log: Logger): ApiMiddleware {
  return (ctx, next) => {
    const id = randomUUID();
    const clientRequestId = clientRequestIdOf(ctx.get('X-Request-Id'));
    ctx.state.requestId = id;
    ctx.state.log = log.child({ requestId: id, ...(clientRequestId !== null && { clientRequestId }) });
    ctx.set('X-Request-Id', id);
    if (clientRequestId !== null) ctx.set('X-Client-Request-Id', clientRequestId);
    return next();
  };
}

/**
 * Defaults for responses: private, and not to be interpreted as another content type. Public pages and files
 * override them.
 */
export const answerHeaders: ApiMiddleware = (ctx, next) => {
  ctx.set('X-Content-Type-Options', 'nosniff');
  ctx.set('Cache-Control', 'no-store');
  return next();
};

/** A person notices a wait longer than this. */
const SLOW_MS = 1_000;

/** Requested by machines every few seconds, or with every page. */
const ROUTINE = ['/healthz', '/readyz', '/assets/:file'];

/**
 * The log level of a request. Refused and slow requests are warnings, except on unknown paths, which anyone
 * can request.
 */
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
 * Writes one line per request; for requests over a rate limit, one line a second per store or address. Logs
 * the route's pattern, never the URL, whose parameters may be personal. Never logs headers or bodies, which
 * hold keys, secrets and tax ids.
 */
export const requestLog: ApiMiddleware = async (ctx, next) => {
  const startedAt = performance.now();
  await next();
  const { log, route, caller, about, code, storeId, alsoRefused } = ctx.state;
  const durationMs = tenths(performance.now() - startedAt);
  const { mainThreadMs, postgresMs } = costSoFar();
  countRequest(ctx.method, route ?? null, ctx.status, durationMs);
  if (alsoRefused === null) return;
  log[requestLevel(route, ctx.status, durationMs)](
    {
      method: ctx.method,
      route,
      status: ctx.status,
      code,
      durationMs,
      mainThreadMs: tenths(mainThreadMs),
      postgresMs: tenths(postgresMs),
      storeId: caller?.storeId ?? storeId,
      keyId: caller?.keyId,
      alsoRefused,
      ...about,
    },
    'request',
  );
};

function tenths(ms: number): number {
  return Math.round(ms * 10) / 10;
}
