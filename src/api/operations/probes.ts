import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { countRequest } from '../../metrics/counters.ts';
import type { AppDeps } from '../frame/deps.ts';
import { clientRequestIdOf } from '../frame/request-log.ts';
import type { Readiness } from './openapi.ts';

/** Anybody may ask, so a flood of requests shares the answer. */
const PROBED_EVERY_MS = 500;

/** Load balancers probe every few seconds, with a timeout of about the same length. */
const PROBE_TIMEOUT_MS = 2_000;

type ProbePath = '/healthz' | '/readyz';

/** The answers to `/healthz` and `/readyz`. */
export class Probes {
  readonly #readiness: () => Promise<Readiness>;

  constructor(deps: Pick<AppDeps, 'database' | 'temporal'>) {
    this.#readiness = sharedFor(PROBED_EVERY_MS, () => readinessOf(deps));
  }

  async answer(path: ProbePath): Promise<{ readonly status: number; readonly body: object }> {
    if (path === '/healthz') return { status: 200, body: { status: 'ok' } };
    const ready = await this.#readiness();
    return { status: ready.status === 'unavailable' ? 503 : 200, body: ready };
  }

  /**
   * Answers a usual probe before any middleware runs. Probes of load balancers are never refused, so a flood of them must cost as little
   * as requests that are refused. @returns whether it was one.
   */
  answerEarly({ method, url, headers }: IncomingMessage, response: ServerResponse): boolean {
    if (method !== 'GET' || (url !== '/healthz' && url !== '/readyz')) return false;
    const startedAt = performance.now();
    void this.answer(url).then(({ status, body }) => {
      const text = JSON.stringify(body);
      const sentId = clientRequestIdOf(headers['x-request-id']);
      const ids = { 'X-Request-Id': randomUUID(), ...(sentId !== null && { 'X-Client-Request-Id': sentId }) };
      response.writeHead(status, { ...HEADERS, 'Content-Length': text.length, ...ids }).end(text);
      countRequest(method, url, status, performance.now() - startedAt);
    });
    return true;
  }
}

const HEADERS = {
  'Content-Type': 'application/json; charset=utf-8',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
};

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

/**
 * If only Temporal is unreachable, the status is `degraded`: the sweeper later starts the workflows of
 * objects created meanwhile.
 */
async function readinessOf({
  database,
  temporal,
}: Pick<AppDeps, 'database' | 'temporal'>): Promise<Readiness> {
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
