import { type Client, isGrpcServiceError, ServiceError } from '@temporalio/client';
import type { Database } from '../database/orm.ts';
import { QUEUE_NAMES, type TaskQueues, taskQueueFor } from '../temporal/task-queues.ts';
import { OWN_WORKFLOWS } from './obligations.ts';
import { type OpenItem, PAGE_SIZE } from './page.ts';

/** gRPC's code for a call that the server does not implement. */
const UNIMPLEMENTED = 12;

/** A run that ended other than by its own code. */
export interface ClosedRun {
  readonly workflowId: string;
  readonly type: string;
}

/** Runs that were terminated or failed since an instant, as Temporal lists them. */
export function closedRuns(client: Client, queues: TaskQueues, since: Date): AsyncIterable<ClosedRun> {
  const types = [...OWN_WORKFLOWS.keys()].map((type) => `'${type}'`).join(', ');
  const names = new Set(QUEUE_NAMES.map((name) => `'${taskQueueFor(queues, name)}'`));
  const query =
    `ExecutionStatus IN ('Terminated', 'Canceled', 'Failed', 'TimedOut') AND WorkflowType IN (${types}) ` +
    `AND TaskQueue IN (${[...names].join(', ')}) AND CloseTime > '${since.toISOString()}'`;
  return unlessUnlistable(client.workflow.list({ query, pageSize: PAGE_SIZE }));
}

/** A server without a list of runs, like the test server, has none to check. */
async function* unlessUnlistable<Run>(runs: AsyncIterable<Run>): AsyncGenerator<Run> {
  try {
    yield* runs;
  } catch (error) {
    const cause = error instanceof ServiceError ? error.cause : error;
    if (!isGrpcServiceError(cause) || cause.code !== UNIMPLEMENTED) throw error;
  }
}

/** The rows of these runs that are still open and therefore need a run. */
export async function* openAfterRuns(
  database: Database,
  runs: AsyncIterable<ClosedRun>,
): AsyncGenerator<OpenItem[]> {
  let page: ClosedRun[] = [];
  for await (const run of runs) {
    page.push(run);
    if (page.length < PAGE_SIZE) continue;
    yield await openAmongRuns(database, page);
    page = [];
  }
  if (page.length > 0) yield await openAmongRuns(database, page);
}

async function openAmongRuns(database: Database, runs: readonly ClosedRun[]): Promise<OpenItem[]> {
  const em = database.em.fork();
  const items: OpenItem[] = [];
  for (const [type, { openOf }] of OWN_WORKFLOWS) {
    const ids = runs.filter((run) => run.type === type).map(({ workflowId }) => workflowId);
    if (ids.length > 0) items.push(...(await openOf(em, ids)));
  }
  return items;
}
