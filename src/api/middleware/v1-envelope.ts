import { isV1Path } from '../route.ts';
import type { ApiContext, ApiMiddleware } from './state.ts';

/** When v2 became available to everyone, and v1 with it deprecated (spec, "Versioning"). */
const DEPRECATED_AT_SECONDS = Date.UTC(2026, 3, 20) / 1_000;
/** From this moment on v1 is discontinued (spec, "Versioning" 4). */
const ENDS_AT = new Date(Date.UTC(2028, 2, 1));
export const SUNSET = ENDS_AT.toUTCString();

export const GONE = 'API v1 was discontinued on 1 March 2028; use the same resources under /v2';

/**
 * What every answer under `/v1` has of its own: the envelope `{ data, error }`, the headers that tell of its end, and of a list
 * that goes on the `Link` to more (contract section 1; RFC 9745, RFC 8594, RFC 8288). After that end, by the service's clock, it is 410 whatever is asked for.
 */
export function v1Envelope(clock: () => Date, publicUrl: string): ApiMiddleware {
  return async (ctx, next) => {
    if (!isV1Path(ctx.path)) return next();
    ctx.set('Deprecation', `@${DEPRECATED_AT_SECONDS}`);
    ctx.set('Sunset', SUNSET);
    if (clock() >= ENDS_AT) {
      ctx.status = 410;
      ctx.type = 'application/json';
      ctx.body = JSON.stringify({ data: null, error: GONE });
      return;
    }
    await next();
    if (typeof ctx.body !== 'string') return;
    const { data, error, pagination } = JSON.parse(ctx.body);
    if (pagination?.next) ctx.set('Link', `<${nextPage(ctx, publicUrl, pagination.next)}>; rel="next"`);
    ctx.body = JSON.stringify({ data, error });
  };
}

/** The same list from where this answer ends. */
function nextPage({ path, querystring }: ApiContext, publicUrl: string, cursor: string): string {
  const query = new URLSearchParams(querystring);
  query.set('after', cursor);
  return `${publicUrl}${path}?${query}`;
}
