import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import pLimit from 'p-limit';
import type { Logger } from 'pino';
import type { Database } from '../../database/orm.ts';
import { type TaskQueues, taskQueueOf } from '../../temporal/task-queues.ts';
import { startDelayMs } from '../../temporal/workflow-start.ts';
import { OWN_WORKFLOWS } from '../obligations.ts';
import { areRunsReplaced, beginReplacement, claimReplacement, endReplacement } from './generation-row.ts';
import { arePolled, hasNotBegun, type ListedRun, openRunsBefore, POLLED_WITHIN_MS } from './old-runs.ts';
import { receivedBy } from './received.ts';

export interface ReplaceDeps {
  readonly client: Client;
  readonly taskQueue: TaskQueues;
  readonly database: Database;
  readonly log: Logger;
  /** A worker that has polled within this time may still run. */
  readonly polledWithinMs?: number;
}

/** Temporal gains nothing from more (docs/performance.md). */
const RUNS_AT_ONCE = 16;

/** A page takes seconds; the claim is renewed before each one. If it is lost too early, two processes replace runs. */
const CLAIMED_FOR_MS = 20_000;

const LOOK_AGAIN_MS = 1_000;

/** The time limit of one run. */
const TIMEOUT_MS = 20_000;

const REASON = 'It was begun by an earlier release, whose histories this one does not continue';

/**
 * Replaces all open runs of earlier generations, once per database, before this process works on any. Of several
 * processes one does it and the others wait. If it dies, another one continues: what it has replaced was started
 * after the replacement began. It waits until no worker polls any more, because one of an earlier release would take
 * the new runs. It also waits for Postgres, Temporal and the migration.
 * @param stop ends the wait. @throws if it was stopped.
 */
export async function replaceOldRuns(deps: ReplaceDeps, stop?: AbortSignal): Promise<void> {
  const by = randomUUID();
  for (let logged = ''; ; ) {
    const wait = await tryReplace(deps, by).catch((error: unknown) => ({ wait: TRYING_AGAIN, error }));
    if (wait === null) return;
    if (wait.wait !== logged) deps.log.warn({ err: wait.error }, wait.wait);
    logged = wait.wait;
    await sleep(LOOK_AGAIN_MS, undefined, { signal: stop });
  }
}

const TRYING_AGAIN = 'trying again to replace the runs of earlier releases';
const BY_ANOTHER = { wait: 'waiting for the process that replaces the runs of earlier releases' };
const STILL_POLLED = { wait: 'waiting until the workers of earlier releases have stopped' };

/** Why the replacement is not complete. */
interface Wait {
  readonly wait: string;
  readonly error?: unknown;
}

/** @returns null once all runs are replaced. @throws if Postgres or Temporal is unavailable. */
async function tryReplace(deps: ReplaceDeps, by: string): Promise<Wait | null> {
  const { client, taskQueue, database, log, polledWithinMs = POLLED_WITHIN_MS } = deps;
  if (await areRunsReplaced(database)) return null;
  const claim = () => claimReplacement(database, { by, forMs: CLAIMED_FOR_MS });
  if (!(await claim())) return BY_ANOTHER;
  if (await arePolled(client, taskQueue, polledWithinMs)) return STILL_POLLED;
  const before = await beginReplacement(database, by, new Date());
  const beganMs = performance.now();
  const count = { replaced: 0, ended: 0, kept: 0 };
  for await (const page of openRunsBefore(client, taskQueue, before)) {
    if (!(await claim())) return BY_ANOTHER;
    const outcomes = await pLimit(RUNS_AT_ONCE).map(page, (run) => replace(deps, run));
    for (const outcome of outcomes) count[outcome] += 1;
    log.info(count, 'replacing the runs of earlier releases');
  }
  await endReplacement(database, by);
  log.info(
    { ...count, durationMs: Math.round(performance.now() - beganMs) },
    'runs of earlier releases replaced',
  );
  return null;
}

type Outcome = 'replaced' | 'ended' | 'kept';

/**
 * Replaces one run with a run that continues from its rows and messages. The server ends the old and starts the new
 * one in one step.
 */
export function replace(deps: ReplaceDeps, { workflowId, runId, type }: ListedRun): Promise<Outcome> {
  const { client, taskQueue, database } = deps;
  return client.withDeadline(Date.now() + TIMEOUT_MS, async () => {
    const handle = client.workflow.getHandle(workflowId, runId);
    const run = await handle.describe();
    if (run.status.name !== 'RUNNING') return 'ended';
    if (hasNotBegun(run)) return 'kept';
    const received = await receivedBy(client, workflowId, runId);
    // Schedules start their own runs, and the sweeper those of moved clocks.
    const workflow = OWN_WORKFLOWS.get(type);
    const successor = (await workflow?.successor(database.em.fork(), workflowId, received)) ?? null;
    if (successor === null) {
      await handle.terminate(REASON).catch(unlessGone);
      return 'ended';
    }
    const startDelay = startDelayMs(successor, Date.now());
    await client.workflow.start(successor.workflowType, {
      ...successor.options,
      ...(run.memo && { memo: run.memo }),
      taskQueue: taskQueueOf(taskQueue, successor),
      workflowIdConflictPolicy: 'TERMINATE_EXISTING',
      ...(startDelay > 0 && { startDelay }),
    });
    return 'replaced';
  });
}

function unlessGone(error: unknown): void {
  if (!(error instanceof WorkflowNotFoundError)) throw error;
}
