import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import Router from '@koa/router';
import type { DefaultContext } from 'koa';
import type { AppDeps } from '../frame/deps.ts';
import type { ApiState } from '../frame/state.ts';
import type { Readiness } from './openapi.ts';

/** Anybody may ask, so a flood of requests shares the answer. */
const PROBED_EVERY_MS = 500;

/** Load balancers probe every few seconds, with a timeout of about the same length. */
const PROBE_TIMEOUT_MS = 2_000;

/** `/healthz`, `/readyz` and `/openapi.json`, for operators and tools: no key needed. */
export function operationRoutes(deps: AppDeps, document: () => object): Router<ApiState, DefaultContext> {
  const router = new Router<ApiState, DefaultContext>();
  const readiness = sharedFor(PROBED_EVERY_MS, () => readinessOf(deps));
  let served: ReturnType<typeof withTag> | undefined;
  router.use((ctx, next) => {
    ctx.state.route = ctx.path;
    return next();
  });
  router.get('/healthz', (ctx) => {
    ctx.body = { status: 'ok' };
  });
  router.get('/readyz', async (ctx) => {
    const ready = await readiness();
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
    ctx.vary('Accept-Encoding');
    // Otherwise a client that accepts other encodings would have the middleware compress it again.
    ctx.compress = false;
    const isCompressed = ctx.acceptsEncodings('gzip', 'identity') === 'gzip';
    if (isCompressed) ctx.set('Content-Encoding', 'gzip');
    ctx.body = isCompressed ? served.gzip : served.json;
    if (ctx.fresh) ctx.status = 304;
  });
  return router;
}

/** Gives all callers within a time the same answer. */
function sharedFor<Result>(ms: number, work: () => Promise<Result>): () => Promise<Result> {
  let answer: Promise<Result> | null = null;
  let untilMs = 0;
  return () => {
    if (answer !== null && performance.now() < untilMs) return answer;
    untilMs = performance.now() + ms;
    answer = work();
    return answer;
  };
}

function withTag(json: string) {
  // Compressed once: doing it for each request takes 13 ms of a core.
  return { json, gzip: gzipSync(json), tag: createHash('sha256').update(json).digest('base64url') };
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
