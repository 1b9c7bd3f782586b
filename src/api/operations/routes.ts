import { createHash } from 'node:crypto';
import Router from '@koa/router';
import type { DefaultContext } from 'koa';
import type { AppDeps } from '../frame/deps.ts';
import type { ApiState } from '../frame/state.ts';
import type { Readiness } from './openapi.ts';

/** Load balancers probe every few seconds, with a timeout of about the same length. */
const PROBE_TIMEOUT_MS = 2_000;

/** `/healthz`, `/readyz` and `/openapi.json`, for operators and tools: no key needed. */
export function operationRoutes(deps: AppDeps, document: () => object): Router<ApiState, DefaultContext> {
  const router = new Router<ApiState, DefaultContext>();
  let served: { readonly json: string; readonly tag: string } | undefined;
  router.use((ctx, next) => {
    ctx.state.route = ctx.path;
    return next();
  });
  router.get('/healthz', (ctx) => {
    ctx.body = { status: 'ok' };
  });
  router.get('/readyz', async (ctx) => {
    const ready = await readinessOf(deps);
    ctx.status = ready.status === 'unavailable' ? 503 : 200;
    ctx.body = ready;
  });
  router.get('/openapi.json', (ctx) => {
    ctx.type = 'application/json';
    ctx.set('Cache-Control', 'public, max-age=300');
    // Allows browser tools on other sites to read it; it contains no store data.
    ctx.set('Access-Control-Allow-Origin', '*');
    served ??= withTag(JSON.stringify(document()));
    ctx.etag = served.tag;
    ctx.body = served.json;
    if (ctx.fresh) ctx.status = 304;
  });
  return router;
}

function withTag(json: string) {
  return { json, tag: createHash('sha256').update(json).digest('base64url') };
}

/**
 * If only Temporal is unreachable, the status is `degraded`: the sweeper later starts the workflows of
 * objects created meanwhile.
 */
async function readinessOf({ database, temporal }: AppDeps): Promise<Readiness> {
  const [postgres, workflows] = await Promise.all([
    reachable(database.em.fork().execute('select 1')),
    reachable(
      temporal.withDeadline(Date.now() + PROBE_TIMEOUT_MS, () => temporal.workflowService.getSystemInfo({})),
    ),
  ]);
  if (!postgres)
    return { status: 'unavailable', postgres: 'unreachable', temporal: workflows ? 'ok' : 'unreachable' };
  return workflows
    ? { status: 'ok', postgres: 'ok', temporal: 'ok' }
    : { status: 'degraded', postgres: 'ok', temporal: 'unreachable' };
}

/** Whether `probe` succeeds in time. A late probe is not cancelled. */
async function reachable(probe: Promise<unknown>): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(resolve, PROBE_TIMEOUT_MS, false);
  const answered = probe.then(
    () => true,
    () => false,
  );
  try {
    return await Promise.race([answered, late]);
  } finally {
    clearTimeout(timer);
  }
}
