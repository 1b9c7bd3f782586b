import { personalNumbersOf } from '../../database/encryption/sealed-text.ts';
import type { StoreId } from '../../domain/ids.ts';
import { answerClaimed } from '../idempotency/claim.ts';
import { type Answer, answerOnce, earlierAnswer, requestHashes } from '../idempotency/idempotency.ts';
import type { FairSlots } from '../limits/fair-slots.ts';
import { withIdHint } from './id-hints.ts';
import { type ListBody, listBody } from './list-body.ts';
import type { Page } from './pagination.ts';
import type { ApiRequest } from './request.ts';
import type { Made, Route } from './route.ts';
import { settlingAuditLine } from './settle-audit-line.ts';
import type { ApiContext } from './state.ts';
import type { UnitOfWork } from './unit-of-work.ts';

/** An answer, and its parts if it is a list. */
export interface MadeAnswer extends Answer {
  readonly list?: Omit<ListBody, 'body'>;
}

/**
 * Carries out a request, once for each `Idempotency-Key`.
 * @param keyedSlots where requests with a key wait for their transaction.
 * @throws ApiError if the handler refuses the request, or the key belongs to another one.
 */
export async function answerOf(
  ctx: ApiContext,
  route: Route,
  request: ApiRequest,
  work: UnitOfWork,
  { raw, sentBody }: { readonly raw: Buffer; readonly sentBody: unknown },
  keyedSlots: FairSlots<StoreId>,
): Promise<MadeAnswer> {
  const key = request.idempotencyKey;
  if (key === null) {
    const answer = await handled(route, request, await route.prepare?.(request));
    work.runHooks();
    return answer;
  }
  const hashes = requestHashes(
    `${route.method}\n${route.path}\n${ctx.querystring}`,
    sentBody,
    raw,
    personalNumbersOf(request.deps.database),
  );
  const idempotent = { caller: request.key, key, hashes, now: request.realNow };
  if (route.prepare !== null) {
    const earlier = await earlierAnswer(work.em, idempotent);
    if (earlier !== null) return earlier;
  }
  const prepared = await route.prepare?.(request);
  if (route.waitsForWorkflow) {
    const answer = await answerClaimed(request.deps.database, idempotent, () =>
      handled(route, request, prepared),
    );
    work.runHooks();
    return answer;
  }
  return keyedSlots.run(request.key.storeId, () =>
    work.transaction((em) => answerOnce(em, idempotent, () => handled(route, request, prepared))),
  );
}

/** The response, or the route's refreshed one if it may be outdated. */
export async function refreshed(route: Route, request: ApiRequest, answer: MadeAnswer): Promise<MadeAnswer> {
  if (route.refresh === null || !(answer.replayed || request.refreshesAnswer)) return answer;
  const { data } = JSON.parse(answer.body) as { readonly data: Made };
  const result = await route.refresh(request, data);
  return result === null ? answer : { ...answer, body: successBody(result) };
}

function successBody(result: unknown): string {
  return JSON.stringify({ data: result, success: true, error: null });
}

/**
 * The success envelope (contract section 1), serialized once, so that the stored idempotency record equals
 * the sent body.
 */
async function handled(route: Route, request: ApiRequest, prepared: unknown): Promise<MadeAnswer> {
  const carriedOut = settlingAuditLine(request, () => route.handler(request, prepared));
  const result = await carriedOut.catch(hinted(route, request));
  if (!route.list) return { status: 200, body: successBody(result), replayed: false };
  const { body, ...list } = await listBody(result as Page<unknown>);
  return { status: 200, body, replayed: false, list };
}

/** Adds to a missing object's error what kind of id was sent instead. For `catch`. */
export function hinted(route: Route, request: ApiRequest) {
  return (error: unknown): never => {
    throw route.method === 'GET' ? withIdHint(error, route, request) : error;
  };
}
