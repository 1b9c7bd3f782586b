import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { countRequest } from '../../metrics/counters.ts';
import { clientRequestIdOf } from '../frame/request-log.ts';
import { type Floods, TOO_MANY_OF_STORE } from './floods.ts';

interface Parts {
  readonly floods: Floods;
  readonly clock: () => Date;
  readonly log: Pick<Logger, 'warn'>;
}

/** The same body as every other refusal (contract section 1). */
const BODY = JSON.stringify({
  data: null,
  success: false,
  error: TOO_MANY_OF_STORE,
  code: 'TOO_MANY_REQUESTS',
});

const HEADERS = {
  'Content-Type': 'application/json; charset=utf-8',
  'Content-Length': String(Buffer.byteLength(BODY)),
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
};

/**
 * Answers requests of a store that is over its limit before any middleware runs, at a third of its cost or less. v1
 * has another envelope and few clients, so its requests take the longer way.
 * @returns whether the request was answered.
 */
export function refuseEarly(
  { floods, clock, log }: Parts,
  request: IncomingMessage,
  response: ServerResponse,
): boolean {
  const { authorization } = request.headers;
  if (authorization === undefined || request.url?.startsWith('/v2/') !== true) return false;
  const startedAt = performance.now();
  const refusal = floods.earlyRefusal(authorization, clock());
  if (refusal === null) return false;
  const { storeId, headers, alsoRefused } = refusal;
  const requestId = randomUUID();
  const clientRequestId = clientRequestIdOf(request.headers['x-request-id']);
  response
    .writeHead(429, {
      ...HEADERS,
      ...headers,
      'X-Request-Id': requestId,
      ...(clientRequestId !== null && { 'X-Client-Request-Id': clientRequestId }),
    })
    .end(BODY);
  const { method = '' } = request;
  countRequest(method, null, 429, performance.now() - startedAt);
  if (alsoRefused === null) return true;
  const ids = { requestId, ...(clientRequestId !== null && { clientRequestId }), storeId };
  log.warn({ ...ids, method, status: 429, code: 'TOO_MANY_REQUESTS', alsoRefused }, 'request');
  return true;
}
