import { csvAnswer } from '../../api/frame/csv.ts';
import { checkText } from '../../api/frame/json-body.ts';
import { ApiRequest } from '../../api/frame/request.ts';
import type { Operation } from '../../api/frame/route.ts';
import { UnitOfWork } from '../../api/frame/unit-of-work.ts';
import { validated } from '../../api/frame/validation.ts';
import type { Visit } from './visit.ts';

/** What an operation is sent. Values of a query are text, as in an address; those of a body are as in JSON. */
export interface Sent {
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
}

/** Reads through an operation of the API, such as `webhooks/list`. @throws ApiError as the API does. */
export async function read<Answer>(
  visit: Visit,
  operation: Operation<Answer>,
  sent: Sent = {},
): Promise<Answer> {
  const work = new UnitOfWork(visit.deps.database, visit.log);
  return operation.handler(requestOf(visit, operation, sent, work), undefined);
}

/**
 * Has an operation of the API carried out for a person, with its line in the audit log, in one transaction. Where it
 * waits for a workflow there is no transaction around it: then the line is written first, and says that it was asked
 * for.
 * @param subjectId what the line is about, where that is not the `id` of the answer.
 * @throws ApiError as the API does; AlreadyDone where the same form was sent before.
 */
export async function carryOut<Answer>(
  visit: Visit,
  operation: Operation<Answer>,
  sent: Sent & { readonly subjectId?: string },
): Promise<Answer> {
  const work = new UnitOfWork(visit.deps.database, visit.log);
  const request = requestOf(visit, operation, sent, work);
  const prepared = await operation.prepare?.(request);
  const action = operation.path.slice(1);
  if (operation.waitsForWorkflow) {
    await visit.deps.database.em
      .fork()
      .transactional((em) => visit.record(em, action, sent.subjectId ?? null));
    const answer = await operation.handler(request, prepared);
    work.runHooks();
    return answer;
  }
  return work.transaction(async (em) => {
    const answer = await operation.handler(request, prepared);
    await visit.record(em, action, sent.subjectId ?? (answer as { readonly id?: string }).id ?? null);
    return answer;
  });
}

/**
 * A list as a file of rows, with every filter that it was sent.
 * @throws ApiError as the API does.
 */
export async function readCsv(
  visit: Visit,
  operation: Operation<unknown>,
  sent: Sent,
): Promise<string | null> {
  if (operation.csv === null) return null;
  const work = new UnitOfWork(visit.deps.database, visit.log);
  return (await csvAnswer(operation.handler, operation.csv, requestOf(visit, operation, sent, work))).body;
}

function requestOf<Answer>(
  visit: Visit,
  operation: Operation<Answer>,
  sent: Sent,
  work: UnitOfWork,
): ApiRequest {
  // What a field of a filter leaves empty is not asked for.
  const asked = Object.entries(sent.query ?? {}).filter(([, value]) => value);
  for (const [name, value = ''] of asked) checkText(value, name);
  const query = Object.fromEntries(asked);
  return new ApiRequest({
    deps: visit.deps,
    key: visit.caller,
    path: operation.path,
    query: validated(operation.query, query),
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
