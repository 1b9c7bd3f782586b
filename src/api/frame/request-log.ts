import type { ApiMiddleware } from './state.ts';

/**
 * One line per answered request. It names the route's pattern, never the URL as sent, whose parameters may be personal;
 * and never headers or bodies, which hold keys, secrets and tax ids.
 */
export const requestLog: ApiMiddleware = async (ctx, next) => {
  const startedAt = performance.now();
  await next();
  const { log, route, caller, about } = ctx.state;
  const durationMs = Math.round((performance.now() - startedAt) * 10) / 10;
  log.info(
    {
      method: ctx.method,
      route,
      status: ctx.status,
      durationMs,
      storeId: caller?.storeId,
      keyId: caller?.keyId,
      ...about,
    },
    'request',
  );
};
