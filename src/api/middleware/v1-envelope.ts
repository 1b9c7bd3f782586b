import type { ApiMiddleware } from './state.ts';

/** When v2 became available to everyone, and v1 with it deprecated (spec, "Versioning"). */
const DEPRECATED_AT_SECONDS = Date.UTC(2026, 3, 20) / 1_000;
/** From this moment on v1 is discontinued (spec, "Versioning" 4). */
const ENDS_AT = new Date(Date.UTC(2028, 2, 1));

const GONE = 'API v1 was discontinued on 1 March 2028; use the same resources under /v2';

/**
 * What every answer under `/v1` has of its own: the envelope `{ data, error }` and the headers that tell of its end (contract
 * section 1; RFC 9745, RFC 8594). After that end, by the service's clock, it is 410 whatever is asked for.
 */
export function v1Envelope(clock: () => Date): ApiMiddleware {
  return async (ctx, next) => {
    if (!ctx.path.startsWith('/v1/')) return next();
    ctx.set('Deprecation', `@${DEPRECATED_AT_SECONDS}`);
    ctx.set('Sunset', ENDS_AT.toUTCString());
    if (clock() >= ENDS_AT) {
      ctx.status = 410;
      ctx.type = 'application/json';
      ctx.body = JSON.stringify({ data: null, error: GONE });
      return;
    }
    await next();
    if (typeof ctx.body !== 'string') return;
    const { data, error } = JSON.parse(ctx.body);
    ctx.body = JSON.stringify({ data, error });
  };
}
