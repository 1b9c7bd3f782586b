import type { ApiVersion } from '../frame/api-version.ts';
import { nextPageLink } from '../frame/next-page-link.ts';
import type { ApiMiddleware } from '../frame/state.ts';

/** When v2 became generally available and v1 was deprecated (contract section 10). */
const DEPRECATED_AT_SECONDS = Date.UTC(2026, 3, 20) / 1_000;
/**
 * v1 works through 1 March 2028 in São Paulo (contract section 10), which ends three hours later than in UTC.
 */
const ENDS_AT = new Date(Date.UTC(2028, 2, 2, 3));
export const SUNSET = ENDS_AT.toUTCString();

/** Whether the response at `path` uses the v1 envelope. Paths are case-insensitive. */
export function isV1Path(path: string): boolean {
  return path.toLowerCase().startsWith('/v1/');
}

/** How v1 answers. It ends by the service's clock. */
export const V1: ApiVersion = {
  covers: isV1Path,
  hasEnded: (now) => now >= ENDS_AT,
  headers: { Deprecation: `@${DEPRECATED_AT_SECONDS}`, Sunset: SUNSET },
  failure: v1Failure,
};

export const GONE = 'API v1 was discontinued after 1 March 2028; use the same resources under /v2';

/**
 * Applies the v1 envelope `{ data, error }`, its deprecation headers and the `Link` to the next page
 * (contract section 1; RFC 9745, RFC 8594, RFC 8288). After v1's end, by the service's clock, every request
 * gets a 410.
 */
export function v1Envelope(clock: () => Date, publicUrl: string): ApiMiddleware {
  return async (ctx, next) => {
    if (!isV1Path(ctx.path)) return next();
    ctx.set(V1.headers);
    if (V1.hasEnded(clock())) {
      ctx.status = 410;
      ctx.type = 'application/json';
      ctx.body = v1Failure(GONE, 'GONE');
      return;
    }
    await next();
    if (typeof ctx.body !== 'string') return;
    const { list } = ctx.state;
    if (list !== undefined) {
      if (list.pagination.next !== null) ctx.set('Link', nextPageLink(ctx, publicUrl, list.pagination.next));
      ctx.body = `{"data":${list.data},"error":null}`;
      return;
    }
    const { data, error, code } = JSON.parse(ctx.body);
    ctx.body = error === null ? JSON.stringify({ data, error }) : v1Failure(error, code);
  };
}

/** Published v1 clients read `message` or `code`; the documentation names `error` (contract section 1.2). */
function v1Failure(error: string, code: string): string {
  return JSON.stringify({ data: null, error, message: error, code });
}
