import type { Route } from './route.ts';
import { servedPaths } from './route-paths.ts';
import type { ApiMiddleware } from './state.ts';

/** A browser asks again after a day; several ask sooner. */
const PREFLIGHT_SECONDS = '86400';

/**
 * Lets pages of any origin call the operations that take a public key, and no others. No cookie is involved, so that a
 * page can do no more than its key.
 */
export function crossOrigin(routes: readonly Route[]): ApiMiddleware {
  const open = new Set(routes.filter(({ publicKey }) => publicKey === true).flatMap(servedPaths));
  return async (ctx, next) => {
    if (!open.has(ctx.path)) return next();
    ctx.set('Access-Control-Allow-Origin', '*');
    ctx.set('Access-Control-Expose-Headers', 'Retry-After, X-Request-Id');
    if (ctx.method !== 'OPTIONS') return next();
    ctx.set('Access-Control-Allow-Methods', 'POST');
    ctx.set('Access-Control-Allow-Headers', 'Authorization, Content-Type');
    ctx.set('Access-Control-Max-Age', PREFLIGHT_SECONDS);
    ctx.status = 204;
  };
}
