import { nextPageLink } from './next-page-link.ts';
import { isV1Path } from './route.ts';
import type { ApiMiddleware } from './state.ts';

/** When v2 became available to everyone, and v1 with it deprecated (contract section 10). */
const DEPRECATED_AT_SECONDS = Date.UTC(2026, 3, 20) / 1_000;
/**
 * v1 works through 1 March 2028 (contract section 10), a day that ends in São Paulo three hours after it does
 * in UTC.
 */
const ENDS_AT = new Date(Date.UTC(2028, 2, 2, 3));
export const SUNSET = ENDS_AT.toUTCString();

export const GONE = 'API v1 was discontinued after 1 March 2028; use the same resources under /v2';

/**
 * What every answer under `/v1` has of its own: the envelope `{ data, error }`, the headers that tell of its
 * end, and of a list that goes on the `Link` to more (contract section 1; RFC 9745, RFC 8594, RFC 8288).
 * After that end, by the service's clock, it is 410 whatever is asked for.
 */
export function v1Envelope(clock: () => Date, publicUrl: string): ApiMiddleware {
  return async (ctx, next) => {
    if (!isV1Path(ctx.path)) return next();
    ctx.set('Deprecation', `@${DEPRECATED_AT_SECONDS}`);
    ctx.set('Sunset', SUNSET);
    if (clock() >= ENDS_AT) {
      ctx.status = 410;
      ctx.type = 'application/json';
      ctx.body = failure(GONE, 'GONE');
      return;
    }
    await next();
    if (typeof ctx.body !== 'string') return;
    const { data, error, code, pagination } = JSON.parse(ctx.body);
    if (pagination?.next) ctx.set('Link', nextPageLink(ctx, publicUrl, pagination.next));
    ctx.body = error === null ? JSON.stringify({ data, error }) : failure(error, code);
  };
}

/**
 * Published clients of v1 read `message`, or `code`, of what fails; `error` is as documented (contract
 * section 1.2).
 */
function failure(error: string, code: string): string {
  return JSON.stringify({ data: null, error, message: error, code });
}
