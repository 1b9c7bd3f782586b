import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import pLimit from 'p-limit';
import type { Logger } from 'pino';
import type { AuditKind, ResumeOutcome } from '../domain/audit.ts';
import { endStuckRun } from '../temporal/stuck-run.ts';
import type { TaskQueues } from '../temporal/task-queues.ts';
import { type Startable, signalOrStart, startUnlessRunning } from '../temporal/workflow-start.ts';
import { obligationOf } from './obligations.ts';
import type { OpenItem } from './page.ts';
import type { ReversalDeps } from './reversals.ts';

/** What a resume needs. */
export interface ResumeDeps extends ReversalDeps {
  readonly client: Client;
  readonly taskQueue: TaskQueues;
  readonly log: Logger;
}

export interface Resumed extends OpenItem {
  readonly outcome: ResumeOutcome;
}

/** Few at a time, so that Temporal's other work comes first: overdue work is late already. */
const AT_A_TIME = 4;

/** The time limit of one resume. If it expires, the work continues by itself or the next audit finds it. */
const TIMEOUT_MS = 10_000;

/**
 * Resumes items of one kind through their workflows, and starts a workflow that is not running. Any number of
 * processes may do so at once. A failure does not delay the other items.
 * @param now the workflows' time.
 * @param atOnce the number of concurrent resumes.
 */
export async function resume(
  deps: ResumeDeps,
  kind: AuditKind,
  items: readonly OpenItem[],
  now: Date,
  atOnce = AT_A_TIME,
): Promise<Resumed[]> {
  const startOf = await startsOf(deps, kind, items);
  return pLimit(atOnce).map(items, (item) => tryResume(deps, item, startOf.get(item.id), now));
}

/** How to start the workflows of these items, by id; no entry if something else advances an item. */
export async function startsOf(
  { database }: Pick<ResumeDeps, 'database'>,
  kind: AuditKind,
  items: readonly OpenItem[],
): Promise<ReadonlyMap<string, Startable>> {
  const { workflow } = obligationOf(kind);
  return workflow === undefined ? new Map() : workflow.startsOf(database.em.fork(), items);
}

async function tryResume(
  deps: ResumeDeps,
  item: OpenItem,
  start: Startable | undefined,
  now: Date,
): Promise<Resumed> {
  const { client, log } = deps;
  const { kind, id, dueAt } = item;
  try {
    const outcome = await client.withDeadline(Date.now() + TIMEOUT_MS, () =>
      resumeOne(deps, item, start, now),
    );
    if (outcome === 'STARTED') log.info({ kind, id, dueAt }, 'overdue workflow resumed');
    return { ...item, outcome };
  } catch (error) {
    log.warn({ kind, id, dueAt, err: error }, 'overdue workflow not resumed');
    return { ...item, outcome: 'FAILED' };
  }
}

async function resumeOne(
  deps: ResumeDeps,
  { kind, id }: OpenItem,
  start: Startable | undefined,
  now: Date,
): Promise<ResumeOutcome> {
  const resumed = obligationOf(kind).resume?.(deps, id);
  if (resumed !== undefined) return resumed;
  // Workers notify the sandbox's payments and disputes every two seconds until they are acknowledged.
  if (start === undefined) return 'RUNNING';
  const { client, taskQueue, log } = deps;
  const { workflow } = obligationOf(kind);
  const begin = () => startUnlessRunning(client, taskQueue, start, now.getTime());
  if (await begin()) return 'STARTED';
  if (!(await endStuckRun(client, start.options.workflowId))) {
    const signal = workflow?.wakeSignal;
    if (signal !== undefined) await signalOrStart(client, taskQueue, start, signal, []);
    return 'RUNNING';
  }
  log.warn({ kind, id }, 'stuck run restarted');
  return (await begin()) ? 'STARTED' : 'RUNNING';
}

/**
 * The state of an item's workflow: RUNNING, how its last run ended (TERMINATED, …), or NONE. Null if another
 * workflow advances the item. @throws if Temporal is unavailable.
 */
export async function workflowStateOf(client: Client, { kind, id }: OpenItem): Promise<string | null> {
  const workflowId = obligationOf(kind).workflow?.idOf(id);
  if (workflowId === undefined) return null;
  try {
    return (await client.workflow.getHandle(workflowId).describe()).status.name;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return 'NONE';
    throw error;
  }
}
