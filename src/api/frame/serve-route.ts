import type { Readable } from 'node:stream';
import type { DefaultContext, Middleware } from 'koa';
import { personalNumbersOf } from '../../database/encryption/sealed-text.ts';
import type { StoreId } from '../../domain/ids.ts';
import { storeTime } from '../../domain/store-clock.ts';
import { answerClaimed } from '../idempotency/claim.ts';
import {
  type Answer,
  answerOnce,
  earlierAnswer,
  idempotencyKeyOf,
  requestHashes,
} from '../idempotency/idempotency.ts';
import { actorOf, authenticated, type Entrance, whileUsable } from '../keys/authentication.ts';
import type { KeyCaller } from '../keys/caller.ts';
import type { KeyUse } from '../keys/key-use.ts';
import { authenticatedPublic } from '../keys/public-key.ts';
import type { FairSlots } from '../limits/fair-slots.ts';
import {
  IGNORED_PARAMETERS,
  idWhereTaken,
  inOurSpelling,
  type Parameters,
  parametersOf,
  withBrackets,
} from './client-habits.ts';
import { type CsvAnswer, csvAnswer } from './csv.ts';
import { type RuleContext, withBrokenRules } from './draft.ts';
import { ApiError, type Issue, invalid, malformed } from './errors.ts';
import { withIdHint } from './id-hints.ts';
import { checkText, MANY_VALUES, parseBody, readBody } from './json-body.ts';
import { inOurNames, wrongListParameters } from './list-habits.ts';
import { nextPageLink } from './next-page-link.ts';
import type { Page } from './pagination.ts';
import { ApiRequest } from './request.ts';
import { changesSomething, type Listening, type Made, type Route, type SentFile } from './route.ts';
import { sendStream } from './send-stream.ts';
import { settlingAuditLine } from './settle-audit-line.ts';
import { shortened } from './shortened.ts';
import type { ApiContext, ApiState } from './state.ts';
import { UnitOfWork } from './unit-of-work.ts';
import { validated } from './validation.ts';

const NO_BODY = Buffer.alloc(0);

/** Limits on parallel requests by kind. */
export interface RequestSlots {
  /**
   * For requests with an `Idempotency-Key`. Each holds a pool connection in its transaction, and its handler
   * may need a second one. Without a limit they could hold all connections and deadlock.
   */
  readonly keyed: FairSlots<StoreId>;
  /** For CSV files, which are in memory until sent: one at a time per store. */
  readonly csv: FairSlots<StoreId>;
  /** For other files, such as PDFs, which take tens of milliseconds of a core: one at a time per store. */
  readonly files: FairSlots<StoreId>;
  /** For lists, which may have a megabyte: hundreds at once would delay everybody's payments by their sum. */
  readonly lists: FairSlots<StoreId>;
  /**
   * For requests that wait for workflows of a dev environment. While other stores wait, a store gets few
   * slots, so that its simulated payments do not delay theirs.
   */
  readonly workflows: FairSlots<StoreId>;
}

/** Serves one route: authenticates, authorizes and validates, then calls the handler. */
export function serveRoute(
  route: Route,
  entrance: Entrance,
  keyUse: KeyUse,
  slots: RequestSlots,
): Middleware<ApiState, DefaultContext> {
  const { deps, trafficLimiter } = entrance;
  const accepted = route.permission === null ? null : [route.permission].flat();
  return async (ctx) => {
    ctx.state.route = route.path;
    const caller = await (route.publicKey ? authenticatedPublic : authenticated)(ctx, entrance);
    keyUse.record(caller.keyId);
    if (caller.isReadOnly && changesSomething(route)) throw readOnly(route);
    if (accepted !== null && !accepted.some((permission) => caller.permissions.includes(permission))) {
      throw permissionDenied(accepted);
    }
    const lacking = route.alsoNeeds?.filter((permission) => !caller.permissions.includes(permission)) ?? [];
    if (lacking.length > 0) throw permissionDenied(lacking, 'and');
    const raw = route.body === null ? NO_BODY : await bodyOf(ctx, entrance, caller);
    const sentBody = route.body === null ? undefined : parsedBody(ctx, entrance, caller, raw);
    const sent = idWhereTaken(route, {
      query: parametersOf(ctx.querystring),
      body: inOurSpelling(route.spellings, sentBody),
    });
    const realNow = deps.clock();
    const now = storeTime(caller.clock, realNow);
    const work = new UnitOfWork(deps.database, ctx.state.log);
    const { query, body } = await formOf(route, sent, { em: work.em, key: caller, now });
    const request = new ApiRequest({
      deps,
      key: caller,
      path: route.path,
      query,
      body,
      now,
      realNow,
      requestId: ctx.state.requestId,
      actor: route.audited ? actorOf(caller, trafficLimiter.shortAddressOf(ctx.req)) : null,
      // A stranger with the public key could otherwise claim the keys of the store's server.
      idempotencyKey:
        route.method === 'POST' && !route.publicKey
          ? idempotencyKeyOf(ctx.req.headers['idempotency-key'] as string)
          : null,
      log: ctx.state.log,
      work,
    });
    if (route.stream) {
      const listening: Listening = { caller, lastEventId: ctx.get('Last-Event-ID') || null };
      return sendStream(ctx, (await route.handler(request, listening)) as Readable);
    }
    if (route.file !== null) {
      const made = await slots.files.run(caller.storeId, async () =>
        ctx.res.destroyed ? null : route.handler(request, undefined).catch(hinted(route, request)),
      );
      if (made !== null) sendDocument(ctx, made as SentFile);
      return;
    }
    if (route.csv !== null) ctx.vary('Accept');
    if (route.csv !== null && ctx.accepts('application/json', 'text/csv') === 'text/csv') {
      const { handler, csv } = route;
      // Its client may have given up while it waited, and sent the next one.
      const made = await slots.csv.run(caller.storeId, async () =>
        ctx.res.destroyed ? null : csvAnswer(handler, csv, request),
      );
      if (made !== null) sendFile(ctx, made, deps.publicUrl);
      return;
    }
    if (changesSomething(route)) deps.busy.note(caller);
    if (route.givesWayToPayments) await deps.paymentsUnderWay.turnOfCreate(caller);
    const answered = () => answerOf(ctx, route, request, work, { raw, sentBody }, slots.keyed);
    const turns = turnsOf(route, caller, slots);
    const given = turns === null ? await answered() : await turns.run(caller.storeId, answered);
    const answer = await refreshed(route, request, given);
    ctx.state.about = request.about;
    const warning = route.warning?.(body) ?? null;
    if (warning !== null) ctx.set('X-Warning', warning);
    send(ctx, answer);
  };
}

/** In which a request waits for its turn; null if it need not. */
function turnsOf(route: Route, { devMode }: KeyCaller, slots: RequestSlots): FairSlots<StoreId> | null {
  if (route.list) return slots.lists;
  return route.waitsForWorkflow && devMode ? slots.workflows : null;
}

function readOnly({ path }: Route): ApiError {
  const message = `This API key is read-only, and ${path} changes something; use a key that is not read-only`;
  return new ApiError(403, 'READ_ONLY_KEY', message);
}

function permissionDenied(wanted: readonly string[], relation: 'or' | 'and' = 'or'): ApiError {
  const message = `The API key lacks the permission ${wanted.join(` ${relation} `)}`;
  return new ApiError(403, 'PERMISSION_DENIED', message);
}

/**
 * The query and body in the route's form.
 * @throws ApiError VALIDATION_ERROR with every wrong field, and with the business rules that other fields break.
 */
async function formOf(
  route: Route,
  sent: { readonly query: Parameters; readonly body: unknown },
  context: RuleContext,
): Promise<{ query: unknown; body: unknown }> {
  try {
    return allRight({
      query: () => queryOf(sent.query, route),
      body: () => (route.body === null ? undefined : validated(route.body, sent.body)),
    });
  } catch (error) {
    if (!(error instanceof ApiError) || route.draftRules === null) throw error;
    throw malformed(withBrokenRules(error.allIssues ?? [], await route.draftRules(sent.body, context)));
  }
}

/**
 * Validates all parts of a request.
 * @throws ApiError VALIDATION_ERROR with the problems of all parts.
 */
function allRight<Parts extends Readonly<Record<string, () => unknown>>>(
  parts: Parts,
): { [Part in keyof Parts]: ReturnType<Parts[Part]> } {
  const issues: Issue[] = [];
  const read = Object.entries(parts).map(([name, part]) => {
    try {
      return [name, part()];
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'VALIDATION_ERROR') throw error;
      for (const issue of error.allIssues ?? []) issues.push(issue);
      return [name, undefined];
    }
  });
  if (issues.length > 0) throw malformed(issues);
  return Object.fromEntries(read);
}

function queryOf(parameters: Parameters, route: Route): unknown {
  const sent = withBrackets(route, inOurNames(route, parameters));
  const names = Object.keys(route.query.shape);
  for (const name of names) {
    const value = sent[name];
    // A repeated parameter is refused, because the intended value is unknown.
    if (typeof value === 'string') checkText(value, name);
  }
  for (const [name, value] of Object.entries((sent.metadata as object | undefined) ?? {}))
    if (typeof value === 'string') checkText(`${name}${value}`, 'metadata');
  const { query } = allRight({
    published: () => refuse(wrongListParameters(route, parameters)),
    unknown: () => refuseUnknown(Object.keys(sent), names),
    query: () => validated(route.query, sent),
  });
  return query;
}

/** @throws ApiError VALIDATION_ERROR, because a misspelled filter would return unfiltered results. */
function refuseUnknown(sent: readonly string[], known: readonly string[]): void {
  const unknown = sent.filter((name) => !known.includes(name) && !IGNORED_PARAMETERS.includes(name));
  const right = known.length === 0 ? 'there are none here' : `known are ${known.join(', ')}`;
  const message = `is not a known query parameter; ${right}`;
  refuse(unknown.map((name) => ({ path: shortened(name), message, rule: 'UNKNOWN_FIELD' })));
}

/** @throws ApiError VALIDATION_ERROR if there are any issues. */
function refuse(issues: readonly Issue[]): void {
  if (issues.length > 0) throw malformed([...issues]);
}

async function answerOf(
  ctx: ApiContext,
  route: Route,
  request: ApiRequest,
  work: UnitOfWork,
  { raw, sentBody }: { readonly raw: Buffer; readonly sentBody: unknown },
  keyedSlots: FairSlots<StoreId>,
) {
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

/** The body. Everybody may know a public key, so its bodies do not count towards the limit of the store's server. */
function bodyOf(ctx: ApiContext, entrance: Entrance, caller: KeyCaller): Promise<Buffer> {
  const { floods, deps } = entrance;
  const countLarge = (bytes: number) => {
    if (!caller.isPublic) floods.countBody(ctx, caller, bytes, deps.clock());
  };
  return whileUsable(ctx, entrance, caller, () => readBody(ctx.req, countLarge));
}

/** The body's value. With a public key it may have few values, because it has no limit in which more could count. */
function parsedBody(ctx: ApiContext, { floods, deps }: Entrance, caller: KeyCaller, raw: Buffer): unknown {
  return parseBody(ctx.req, raw, (values) => {
    if (caller.isPublic)
      throw invalid('body', `has ${values} values; with a public key it may have ${MANY_VALUES}`);
    floods.countValues(ctx, caller, values, deps.clock());
  });
}

/** The response, or the route's refreshed one if it may be outdated. */
async function refreshed(route: Route, request: ApiRequest, answer: Answer): Promise<Answer> {
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
async function handled(route: Route, request: ApiRequest, prepared: unknown): Promise<Answer> {
  const carriedOut = settlingAuditLine(request, () => route.handler(request, prepared));
  const result = await carriedOut.catch(hinted(route, request));
  const body = route.list ? JSON.stringify(listEnvelope(result as Page<unknown>)) : successBody(result);
  return { status: 200, body, replayed: false };
}

function hinted(route: Route, request: ApiRequest) {
  return (error: unknown): never => {
    throw route.method === 'GET' ? withIdHint(error, route, request) : error;
  };
}

function sendDocument(ctx: ApiContext, { name, type, body }: SentFile): void {
  ctx.status = 200;
  ctx.type = type;
  ctx.set('Content-Disposition', `inline; filename="${name}"`);
  ctx.body = body;
}

function listEnvelope({ items, pagination, ...fields }: Page<unknown>) {
  return { data: items, success: true, error: null, pagination, ...fields };
}

function send(ctx: ApiContext, answer: Answer): void {
  if (answer.replayed) ctx.set('Idempotent-Replayed', 'true');
  ctx.status = answer.status;
  ctx.type = 'application/json';
  ctx.body = answer.body;
}

/**
 * Sends a file named after the list. If the list continues, `Link` points to the next rows (RFC 8288).
 */
function sendFile(ctx: ApiContext, { body, next }: CsvAnswer, publicUrl: string): void {
  const [name = 'list'] = ctx.path.split('/').slice(-2);
  ctx.status = 200;
  ctx.set('Content-Type', 'text/csv; charset=utf-8; header=present');
  ctx.set('Content-Disposition', `attachment; filename="${name}.csv"`);
  if (next !== null) ctx.set('Link', nextPageLink(ctx, publicUrl, next));
  ctx.body = body;
}
