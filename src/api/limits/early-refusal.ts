import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { StoreId } from '../../domain/ids.ts';
import type { VisitLimits } from '../../http/visits.ts';
import { countRequest } from '../../metrics/counters.ts';
import { costSoFar, type RequestCost } from '../../request-cost.ts';
import { hasBegunPayment, hasTurnOfStore, turnLeft } from '../../request-turn.ts';
import { type BusyEnvironments, EXPECTED_MS } from '../../temporal/busy-environments.ts';
import type { ApiVersion } from '../frame/api-version.ts';
import { clientRequestIdOf } from '../frame/request-log.ts';
import { FairSlots } from './fair-slots.ts';
import { type Floods, TOO_MANY_OF_STORE } from './floods.ts';
import { NotificationTurns } from './notification-turns.ts';
import type { StrangerTurns } from './stranger-turns.ts';
import { WaitingRequests } from './waiting-requests.ts';

/** What every server needs. */
interface VisitParts {
  readonly visits: VisitLimits;
  /** The page for people, in their language; null where only programs ask. */
  readonly pageOf: PageOf | null;
  readonly busy: Pick<BusyEnvironments, 'any' | 'othersThan'>;
  /** Which the servers of a process share. */
  readonly strangers: StrangerTurns;
  readonly clock: () => Date;
  /** Maximum connections of this server. */
  readonly maxConnections: number;
}

type PageOf = (request: {
  readonly headers: IncomingHttpHeaders;
  readonly isForm: boolean;
  readonly seconds: number;
}) => { readonly body: string; readonly headers: Readonly<Record<string, string>> };

/** For requests with keys. */
interface KeyParts {
  readonly floods: Floods;
  /** Whether a request is one of the API, and may carry a key. */
  readonly isKeyed: (request: IncomingMessage, now: Date) => boolean;
  /** The version of the API whose answers differ. */
  readonly otherVersion: ApiVersion;
  readonly log: Pick<Logger, 'warn'>;
}

type Parts = VisitParts & KeyParts;

/** The same body as every other refusal (contract section 1). */
const BODY = JSON.stringify({
  data: null,
  success: false,
  error: TOO_MANY_OF_STORE,
  code: 'TOO_MANY_REQUESTS',
});

const VISIT_BODY = JSON.stringify({
  data: null,
  success: false,
  error: 'Too many requests without a valid API key; see Retry-After',
  code: 'TOO_MANY_REQUESTS',
});

const HEADERS = {
  'Content-Type': 'application/json; charset=utf-8',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
};

/**
 * Answers requests over a limit before any middleware runs, at a third of its cost or less: those of a store whose keys are over its
 * limit, at every path of the API, and those without a known key from a person or an address that sends too many, or guesses keys.
 * @returns whether the request was answered.
 */
export function refuseEarly(parts: Parts, request: IncomingMessage, response: ServerResponse): boolean {
  const startedAt = performance.now();
  const now = parts.clock();
  if (!parts.isKeyed(request, now)) return refuseVisit(parts, request, response, now);
  if (refuseGuess(parts, request, response, now)) return true;
  return refuseStore(parts, request, response, now, startedAt);
}

/** The same where no request has a key. */
export function refuseVisit(
  parts: VisitParts,
  request: IncomingMessage,
  response: ServerResponse,
  now: Date,
): boolean {
  const seconds = parts.visits.count(request, now.getTime());
  if (seconds === null) return false;
  answerVisit(parts, request, response, seconds);
  return true;
}

function refuseGuess(parts: Parts, request: IncomingMessage, response: ServerResponse, now: Date): boolean {
  const refusal = parts.floods.refusedGuess(request, now);
  if (refusal === null) return false;
  answerVisit(parts, request, response, 1);
  const { alsoRefused } = refusal;
  const line = { method: request.method, status: 429, code: 'TOO_MANY_REQUESTS', alsoRefused };
  if (alsoRefused !== null) parts.log.warn(line, 'request');
  return true;
}

/** At once, from memory. @param seconds until a retry. */
function answerVisit(
  { pageOf }: Pick<VisitParts, 'pageOf'>,
  request: IncomingMessage,
  response: ServerResponse,
  seconds: number,
): void {
  const { headers } = request;
  const isForm = request.method === 'POST';
  const isRead = headers.accept?.includes('text/html') === true;
  const page = isRead && pageOf !== null ? pageOf({ headers, isForm, seconds }) : null;
  const body = page?.body ?? VISIT_BODY;
  response
    .writeHead(429, {
      ...HEADERS,
      ...(page !== null && { ...page.headers, 'Content-Type': 'text/html; charset=utf-8' }),
      'Content-Length': String(Buffer.byteLength(body)),
      'Retry-After': String(seconds),
      'X-Request-Id': randomUUID(),
    })
    .end(body);
  countRequest(request.method ?? '', null, 429, 0);
}

/** Requests of one client that are served at once while nothing else happens: a browser needs few, and the others wait for their turn. */
const AT_ONCE = 4;
/** A page that hung does not show how busy the process is. */
const LONGEST_REST_MS = 500;
const WAIT_MS = 10_000;

/**
 * Serves requests that read a page or file without a known key, a few of each client at a time: hundreds at once would delay everybody's
 * payments by their sum. While a store has had work here within a minute, it is one at a time with a pause as long as what the page took, so that a client
 * takes half of the process at most. The pause is short, because an address may be that of many people. All strangers together share the
 * process, too ({@link StrangerTurns}). Their forms take turns in a line of their own, and wait for no other one of the same client, because
 * some wait for a bank. So do requests with a key that this process has not served: anyone can make up keys.
 */
export function inTurns(
  parts: VisitParts & Partial<Pick<KeyParts, 'isKeyed' | 'floods'>>,
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const slots = new FairSlots({
    count: Number.POSITIVE_INFINITY,
    perOwner: () => (parts.busy.any(EXPECTED_MS) ? 1 : AT_ONCE),
    waitMs: WAIT_MS,
    restMs: () => (parts.busy.any(EXPECTED_MS) ? Math.min(tookMs(costSoFar()), LONGEST_REST_MS) : 0),
  });
  const { strangers } = parts;
  const notifications = new NotificationTurns(parts.busy);
  const waiting = new WaitingRequests(parts.maxConnections);
  return async (request, response) => {
    const turn = turnOf(parts, request);
    if (turn === null) return handle(request, response);
    const endWait = waiting.begin(turn.part);
    if (endWait === null)
      return answerVisit(parts, request, response.setHeader('Connection', 'close'), WAIT_MS / 1_000);
    let served: Promise<void> | null = null;
    const serve = () => {
      endWait();
      served = response.destroyed ? Promise.resolve() : handle(request, response);
      return served;
    };
    // A HEAD request does the work of a GET.
    const isPage = request.method === 'GET' || request.method === 'HEAD';
    const page = () => Promise.race([serve(), turnLeft(request)]);
    const inTurn = () => {
      const { of, id, part } = turn;
      const run = isPage ? page : serve;
      const asked = () => {
        if (of === 'lookups')
          return strangers.lookup(
            part,
            serve,
            () => parts.floods?.hasServed(request, parts.clock()) === true,
          );
        if (of === 'notifications') return notifications.run(part as StoreId, serve);
        if (of === 'people') return strangers.person(part, run);
        if (of === 'members') return run();
        return isPage ? strangers.page(part, run) : strangers.form(part, run, () => hasBegunPayment(request));
      };
      return isPage && id !== null ? slots.run(id, asked) : asked();
    };
    await inTurn().catch((error) => {
      if (served !== null) throw error;
      endWait();
      answerVisit(parts, request, response, WAIT_MS / 1_000);
    });
    await served;
    if (turn.of === 'members' && !hasTurnOfStore(request))
      parts.visits.noteStray(request, parts.clock().getTime());
  };
}

/** Whose turn a request takes. */
interface Turn {
  readonly of: 'strangers' | 'people' | 'lookups' | 'members' | 'notifications';
  /** Of whom a few pages are served at a time; null for all that are no pages of a client. */
  readonly id: string | null;
  readonly part: string;
}

/** @returns null if it is served at once. */
function turnOf(
  { isKeyed, floods, visits, clock }: Parameters<typeof inTurns>[0],
  request: IncomingMessage,
): Turn | null {
  const now = clock();
  if (isKeyed?.(request, now) === true) {
    const place = floods?.hasServed(request, now) === true ? null : visits.strangerOf(request);
    return place === null ? null : { of: 'lookups', id: null, part: place };
  }
  const storeId = visits.notifiedBy(request);
  if (storeId !== null) return { of: 'notifications', id: null, part: storeId };
  const client = visits.clientOf(request, now.getTime());
  if (client === null) return null;
  const { id, turn } = client;
  return turn === null ? { of: 'members', id, part: id } : { ...turn, id };
}

function tookMs({ mainThreadMs, postgresMs }: RequestCost): number {
  return mainThreadMs + postgresMs;
}

function refuseStore(
  { floods, otherVersion, log }: Parts,
  request: IncomingMessage,
  response: ServerResponse,
  now: Date,
  startedAt: number,
): boolean {
  const isOtherVersion = otherVersion.covers(request.url ?? '');
  const refusal = floods.earlyRefusal(request.headers.authorization ?? '', now);
  if (refusal === null) return false;
  const { storeId, headers, alsoRefused } = refusal;
  const body = isOtherVersion ? otherVersion.failure(TOO_MANY_OF_STORE, 'TOO_MANY_REQUESTS') : BODY;
  const requestId = randomUUID();
  const clientRequestId = clientRequestIdOf(request.headers['x-request-id']);
  response
    .writeHead(429, {
      ...HEADERS,
      ...(isOtherVersion && otherVersion.headers),
      'Content-Length': String(Buffer.byteLength(body)),
      ...headers,
      'X-Request-Id': requestId,
      ...(clientRequestId !== null && { 'X-Client-Request-Id': clientRequestId }),
    })
    .end(body);
  const { method = '' } = request;
  countRequest(method, null, 429, performance.now() - startedAt);
  if (alsoRefused === null) return true;
  const ids = { requestId, ...(clientRequestId !== null && { clientRequestId }), storeId };
  log.warn({ ...ids, method, status: 429, code: 'TOO_MANY_REQUESTS', alsoRefused }, 'request');
  return true;
}
