import { type CsvColumns, csvOf, pagesOf } from '../../../api/frame/csv.ts';
import { ApiError } from '../../../api/frame/errors.ts';
import { checkText } from '../../../api/frame/json-body.ts';
import type { Page } from '../../../api/frame/pagination.ts';
import { ApiRequest } from '../../../api/frame/request.ts';
import type { Operation } from '../../../api/frame/route.ts';
import { UnitOfWork } from '../../../api/frame/unit-of-work.ts';
import { validated } from '../../../api/frame/validation.ts';
import type { Em } from '../../../database/orm.ts';
import type { Visit } from './visit.ts';

/** The input of an operation. Query values are text, as in a URL; body values are JSON. */
export interface Sent {
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
  /** Of a list; the newest first if it is left out. The API has no parameter for it. */
  readonly order?: 'newest' | 'oldest';
}

/** Calls a read operation of the API, such as `webhooks/list`. @throws ApiError as the API does. */
export async function read<Answer>(
  visit: Visit,
  operation: Operation<Answer>,
  sent: Sent = {},
): Promise<Answer> {
  const work = new UnitOfWork(visit.deps.database, visit.log);
  return operation.handler(requestOf(visit, operation, sent, work), undefined);
}

/** Checks the parameters of a read operation without reading. @throws ApiError 400 as the API does. */
export function checkQuery(visit: Visit, operation: Operation<unknown>, query: Sent['query'] = {}): void {
  requestOf(visit, operation, { query }, new UnitOfWork(visit.deps.database, visit.log));
}

/** What a person sends to an operation, and what the audit line is about. */
export interface Order extends Sent {
  /** What the audit line is about, if that is not the `id` of the response. */
  readonly subjectId?: string;
  /** Reads the subject by `id`. An operation that waits for a workflow needs it: an id that is not theirs leaves no line. */
  readonly readBy?: Operation<unknown>;
}

/**
 * Calls an operation of the API for a person and records it in the audit log, in one transaction. An operation that waits for a
 * workflow has no transaction around it: its line is expected first, and written when the outcome is known. A refused operation,
 * and a repeated one that changes nothing, leave no line.
 * @throws ApiError as the API does; AlreadyDone if the same form was submitted before.
 */
export async function carryOut<Answer>(
  visit: Visit,
  operation: Operation<Answer>,
  sent: Order,
): Promise<Answer> {
  const work = new UnitOfWork(visit.deps.database, visit.log);
  const request = requestOf(visit, operation, sent, work);
  const prepared = await operation.prepare?.(request);
  const action = operation.path.slice(1);
  if (operation.waitsForWorkflow) {
    const answer = await expected(visit, operation, sent, request, () =>
      operation.handler(request, prepared),
    );
    work.runHooks();
    return answer;
  }
  const carriedOut = async (em: Em) => {
    await visit.requireSession(em);
    const answer = await operation.handler(request, prepared);
    const { recorded } = request;
    // An operation that was already carried out, such as a transfer with the same id of the store.
    if (operation.audited && recorded === null) visit.noteUnchanged();
    else {
      const subjectId = sent.subjectId ?? (answer as { readonly id?: string }).id ?? null;
      await visit.record(em, action, subjectId, visit.devMode, recorded?.details);
    }
    return answer;
  };
  return visit.inSlot(() => work.transaction(carriedOut));
}

/** Carries out an operation that waits for a workflow, with its audit line around it. */
async function expected<Answer>(
  visit: Visit,
  operation: Operation<Answer>,
  { subjectId, readBy }: Order,
  request: ApiRequest,
  carriedOut: () => Promise<Answer>,
): Promise<Answer> {
  const action = operation.path.slice(1);
  if (subjectId === undefined || readBy === undefined)
    throw new Error(`${action}: its subject has to be read before it is recorded`);
  await read(visit, readBy, { query: { id: subjectId } });
  const line = await visit.transaction((em) => visit.expectLine(em, action, subjectId));
  const answer = await carriedOut().catch(async (error) => {
    if (error instanceof ApiError && error.status < 500) await line.withdraw();
    else await line.recordUnknown(request.recorded?.details);
    throw error;
  });
  if (operation.audited && request.recorded === null) await line.withdraw();
  else await line.record(request.recorded?.details);
  return answer;
}

/** Reads a list of the API page by page, with no limit. @throws ApiError as the API does, when the first page is asked for. */
export function readPages<Item>(
  visit: Visit,
  operation: Operation<Page<Item>>,
  sent: Sent,
): AsyncGenerator<Page<Item>> {
  const work = new UnitOfWork(visit.deps.database, visit.log);
  return pagesOf<Item>(operation.handler, requestOf(visit, operation, sent, work));
}

/** A list as CSV like that of the API, in parts. */
export async function* csvParts<Item>(
  visit: Visit,
  operation: Operation<Page<Item>>,
  sent: Sent,
  columns: CsvColumns<Item>,
): AsyncGenerator<string> {
  let isFirst = true;
  for await (const { items } of readPages(visit, operation, sent)) {
    const part = csvOf(columns, items);
    yield isFirst ? part : part.slice(part.indexOf('\r\n') + 2);
    isFirst = false;
  }
}

function requestOf<Answer>(
  visit: Visit,
  operation: Operation<Answer>,
  sent: Sent,
  work: UnitOfWork,
): ApiRequest {
  // Browsers send empty filter fields; the API would reject them.
  const asked = Object.entries(sent.query ?? {}).filter(([, value]) => value);
  for (const [name, value = ''] of asked) checkText(value, name);
  const query = Object.fromEntries(asked);
  return new ApiRequest({
    deps: visit.deps,
    key: visit.caller,
    path: operation.path,
    query: { ...validated(operation.query, query), ...(sent.order === 'oldest' && { order: sent.order }) },
    body: operation.body === null ? undefined : validated(operation.body, sent.body ?? {}),
    now: visit.storeNow,
    realNow: visit.now,
    requestId: visit.requestId,
    actor: null,
    idempotencyKey: null,
    log: visit.log,
    work,
  });
}
