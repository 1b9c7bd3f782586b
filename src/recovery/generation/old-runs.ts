import type { Client, WorkflowExecutionDescription } from '@temporalio/client';
import { QUEUE_NAMES, type TaskQueues, taskQueueFor } from '../../temporal/task-queues.ts';

/** A run as Temporal lists it. */
export interface ListedRun {
  readonly workflowId: string;
  readonly runId: string;
  readonly type: string;
}

const PAGE_SIZE = 100;

/** Pages of the runs on these queues that are open and were started before an instant. */
export async function* openRunsBefore(
  client: Client,
  queues: TaskQueues,
  before: Date,
): AsyncGenerator<ListedRun[]> {
  const query =
    `ExecutionStatus = 'Running' AND StartTime < '${before.toISOString()}' ` +
    `AND TaskQueue IN (${namesOf(queues)
      .map((name) => `'${name}'`)
      .join(', ')})`;
  let page: ListedRun[] = [];
  for await (const { workflowId, runId, type } of client.workflow.list({ query, pageSize: PAGE_SIZE })) {
    page.push({ workflowId, runId, type });
    if (page.length < PAGE_SIZE) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

/**
 * Whether no workflow code has run yet: the run sleeps until its start delay ends, and has received nothing. Any
 * generation can begin it.
 */
export function hasNotBegun({ historyLength }: Pick<WorkflowExecutionDescription, 'historyLength'>): boolean {
  return historyLength === 1;
}

/** The server's number for the kind of task queue that holds workflow tasks. */
const WORKFLOW_TASKS = 1;

/** A worker polls at least once a minute. */
export const POLLED_WITHIN_MS = 70_000;

/** Whether any worker polls one of these queues, or has done so within this time. */
export async function arePolled(client: Client, queues: TaskQueues, withinMs: number): Promise<boolean> {
  const since = (Date.now() - withinMs) / 1_000;
  for (const name of namesOf(queues)) {
    const { pollers } = await client.workflowService.describeTaskQueue({
      namespace: client.options.namespace,
      taskQueue: { name },
      taskQueueType: WORKFLOW_TASKS,
    });
    if (pollers?.some(({ lastAccessTime }) => Number(lastAccessTime?.seconds ?? 0) >= since)) return true;
  }
  return false;
}

function namesOf(queues: TaskQueues): string[] {
  return [...new Set(QUEUE_NAMES.map((name) => taskQueueFor(queues, name)))];
}
