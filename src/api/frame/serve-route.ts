import type { Readable } from 'node:stream';
import type { DefaultContext, Middleware } from 'koa';
import type { StoreId } from '../../domain/ids.ts';
import { storeTime } from '../../domain/store-clock.ts';
import { noteResumed } from '../../request-cost.ts';
import { noteBegunPayment } from '../../request-turn.ts';
import { idempotencyKeyOf } from '../idempotency/idempotency.ts';
import { actorOf, authenticated, type Entrance, whileUsable } from '../keys/authentication.ts';
import type { KeyCaller } from '../keys/caller.ts';
import type { KeyUse } from '../keys/key-use.ts';
import { authenticatedPublic } from '../keys/public-key.ts';
import type { DevWorkflows } from '../limits/dev-workflows.ts';
import type { FairSlots } from '../limits/fair-slots.ts';
import type { ThreadShares, TurnKind } from '../limits/thread-shares.ts';
import { idWhereTaken, inOurSpelling, parametersOf } from './client-habits.ts';
import { csvAnswer } from './csv.ts';
import { ApiError, invalid } from './errors.ts';
import { MANY_VALUES, parseBody, readBody } from './json-body.ts';
import { answerOf, hinted, refreshed } from './make-answer.ts';
import { ApiRequest } from './request.ts';
import { formOf } from './request-form.ts';
import { changesSomething, type Listening, type Route, type SentFile } from './route.ts';
import { sendAnswer, sendCsv, sendDocument } from './send-answer.ts';
import { sendStream } from './send-stream.ts';
import type { ApiContext, ApiState } from './state.ts';
import { UnitOfWork } from './unit-of-work.ts';

const NO_BODY = Buffer.alloc(0);

/** Refunds and cancellations never wait, but none is this large: to refuse thousands of wrong fields takes tens of milliseconds. */
const MOST_BYTES_OF_A_PAYMENT = 16 * 1024;

/** Limits on parallel requests by kind. */
export interface RequestSlots {
  /** The main thread, by what requests of each store take of it. */
  readonly shares: ThreadShares<StoreId>;
  /**
   * For requests with an `Idempotency-Key`. Each holds a pool connection in its transaction, and its handler
   * may need a second one. Without a limit they could hold all connections and deadlock.
   */
  readonly keyed: FairSlots<StoreId>;
  /** For CSV files, which are in memory until sent: one at a time per store. */
  readonly csv: FairSlots<StoreId>;
  /** For other files, such as PDFs, which take tens of milliseconds of a core: one at a time per store. */
  readonly files: FairSlots<StoreId>;
  /**
   * For changes with a line in the audit log. The lines of a store are a chain, so each change waits for the one before it, and
   * holds a connection meanwhile: without a limit those of one store could hold all of them.
   */
  readonly audited: FairSlots<StoreId>;
  /** For requests that wait for workflows of a dev environment. */
  readonly devWorkflows: DevWorkflows;
}

/** A request in the form of its route. */
interface Understood {
  readonly request: ApiRequest;
  readonly work: UnitOfWork;
  readonly sentBody: unknown;
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
    if (!changesSomething(route)) deps.busy.noteRead(caller);
    if (caller.isReadOnly && changesSomething(route)) throw readOnly(route);
    if (accepted !== null && !accepted.some((permission) => caller.permissions.includes(permission))) {
      throw permissionDenied(accepted);
    }
    const lacking = route.alsoNeeds?.filter((permission) => !caller.permissions.includes(permission)) ?? [];
    if (lacking.length > 0) throw permissionDenied(lacking, 'and');
    const raw = route.body === null ? NO_BODY : await bodyOf(ctx, entrance, caller);
    noteResumed();
    if (route.csv !== null) ctx.vary('Accept');
    const isCsv = route.csv !== null && ctx.accepts('application/json', 'text/csv') === 'text/csv';
    const kind = turnKindOf(route);
    const understood = () => understand(ctx, caller, raw);
    const answered = async (sent: Understood) => answer(ctx, caller, sent, { raw, isCsv });
    const { storeId, keyId } = caller;
    if (kind === null) {
      const isLarge = raw.length > MOST_BYTES_OF_A_PAYMENT && !caller.isPublic;
      return answered(
        await (isLarge ? slots.shares.beginInTurn(storeId, 'post', understood, keyId) : understood()),
      );
    }
    // Files and streams have turns of their own. To find out that a request is wrong may take as long as any other.
    if (isCsv || route.stream || route.file !== null)
      return answered(await slots.shares.beginInTurn(storeId, kind, understood, keyId));
    const whole = async () => {
      // Its client may have given up while it waited, and sent the next one.
      const isWanted = changesSomething(route) || !ctx.res.destroyed;
      if (isWanted) await answered(await understood());
    };
    await slots.shares.inTurn(storeId, kind, whole, keyId);
  };

  async function understand(ctx: ApiContext, caller: KeyCaller, raw: Buffer): Promise<Understood> {
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
    return { request, work, sentBody };
  }

  async function answer(
    ctx: ApiContext,
    caller: KeyCaller,
    { request, work, sentBody }: Understood,
    { raw, isCsv }: { readonly raw: Buffer; readonly isCsv: boolean },
  ): Promise<void> {
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
    if (route.csv !== null && isCsv) {
      const { handler, csv } = route;
      // Its client may have given up while it waited, and sent the next one.
      const made = await slots.csv.run(caller.storeId, async () =>
        ctx.res.destroyed ? null : csvAnswer(handler, csv, request),
      );
      if (made !== null) sendCsv(ctx, made, deps.publicUrl);
      return;
    }
    if (changesSomething(route)) deps.busy.note(caller);
    if (route.givesWayToPayments) await deps.paymentsUnderWay.turnOfCreate(caller);
    const answered = () => answerOf(ctx, route, request, work, { raw, sentBody }, slots.keyed);
    const given = await inTurn(route, caller, slots, answered);
    const current = await refreshed(route, request, given);
    ctx.state.about = request.about;
    if (route.publicKey) noteBegunPayment(ctx.req);
    const warning = route.warning?.(request.body) ?? null;
    if (warning !== null) ctx.set('X-Warning', warning);
    sendAnswer(ctx, current);
  }
}

/** How a request waits until its store has paid back what earlier ones took of the main thread; null if it does not. */
function turnKindOf(route: Route): TurnKind | null {
  // Everybody may know a public key: its requests neither wait for the store's server nor keep it waiting.
  if (route.publicKey) return null;
  // Payments come first.
  if (route.waitsForWorkflow) return null;
  if (route.list) return 'list';
  return route.method === 'GET' ? 'get' : 'post';
}

/** Runs a request once it is its turn, if it needs one. */
function inTurn<Result>(
  route: Route,
  caller: KeyCaller,
  slots: RequestSlots,
  run: () => Promise<Result>,
): Promise<Result> {
  // Its line is written in a short transaction of its own, at the end.
  if (route.waitsForWorkflow) return slots.devWorkflows.run(caller, run);
  return route.audited ? slots.audited.run(caller.storeId, run) : run();
}

function readOnly({ path }: Route): ApiError {
  const message = `This API key is read-only, and ${path} changes something; use a key that is not read-only`;
  return new ApiError(403, 'READ_ONLY_KEY', message);
}

function permissionDenied(wanted: readonly string[], relation: 'or' | 'and' = 'or'): ApiError {
  const message = `The API key lacks the permission ${wanted.join(` ${relation} `)}`;
  return new ApiError(403, 'PERMISSION_DENIED', message);
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
