import { createHash } from 'node:crypto';
import Router from '@koa/router';
import type { DefaultContext } from 'koa';
import type { AppDeps } from '../frame/deps.ts';
import type { ApiState } from '../frame/state.ts';
import type { Readiness } from './openapi.ts';

/** A load balancer asks every few seconds and gives up after about as many. */
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
    // Tools in a browser read it from sites of their own; it says nothing of any store.
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
 * Temporal alone being away is `degraded`: the sweeper starts the workflows of what was created meanwhile.
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

/** Whether `probe` succeeds in time. One that is late is left to end on its own. */
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
