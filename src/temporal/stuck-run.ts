import { type Client, type WorkflowExecutionDescription, WorkflowNotFoundError } from '@temporalio/client';

/** The server's code of a failed task whose history did not match the workflow's code. */
const NON_DETERMINISTIC_ERROR = 24;

/**
 * From the second attempt on, a worker does not report a failed task and lets it time out. This many timeouts in a
 * row are not caused by a killed or slow worker.
 */
const TIMED_OUT_ATTEMPTS = 5;

/** The reason of the termination in the Temporal UI. */
export const STUCK_RUN_RESTARTED = 'The run was stuck and is restarted';

/** More than can follow a task: messages to a run that no longer handles any. */
const LAST_EVENTS = 100;

/** The time limit of a check, in addition to the call that timed out. */
const LOOK_TIMEOUT_MS = 2_000;

/** If a server answers nobody, not every run is checked at once. */
const LOOKS_AT_ONCE = 4;

let looks = 0;

/**
 * Ends a stuck run, whose every task fails on its own history (docs/reliability.md), so that another one may start.
 * A run whose task has timed out only a few times is left alone: the task is retried.
 * @returns whether the run was stuck.
 * @throws if Temporal is unavailable.
 */
export async function endStuckRun(client: Client, workflowId: string): Promise<boolean> {
  return endIfStuck(client, await client.workflow.getHandle(workflowId).describe());
}

/**
 * Like {@link endStuckRun}, for a run that has already been described. A healthy run costs no further call.
 * @throws if Temporal is unavailable.
 */
export async function endIfStuck(
  client: Client,
  { workflowId, runId, status, raw }: WorkflowExecutionDescription,
): Promise<boolean> {
  // Most open runs have no pending task: they wait for their activities and timers.
  const attempt = raw.pendingWorkflowTask?.attempt ?? 0;
  if (status.name !== 'RUNNING' || attempt < 2) return false;
  if (!(await isStuck(client, { workflowId, runId, attempt }))) return false;
  try {
    await client.workflow.getHandle(workflowId, runId).terminate(STUCK_RUN_RESTARTED);
  } catch (error) {
    // Another audit was faster.
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
  return true;
}

/**
 * Like {@link endStuckRun}, after an update timed out: the next update then opens another run. Does nothing if
 * Temporal is unavailable, or this process already checks enough runs. Never throws.
 */
export async function endRunIfStuck(client: Client, workflowId: string): Promise<void> {
  if (looks >= LOOKS_AT_ONCE) return;
  looks += 1;
  try {
    await client.withDeadline(Date.now() + LOOK_TIMEOUT_MS, () => endStuckRun(client, workflowId));
  } catch {
    // The caller gets its own error, and retries.
  } finally {
    looks -= 1;
  }
}

async function isStuck(
  client: Client,
  { workflowId, runId, attempt }: { workflowId: string; runId: string; attempt: number },
): Promise<boolean> {
  const { history } = await client.workflowService.getWorkflowExecutionHistoryReverse({
    namespace: client.options.namespace,
    execution: { workflowId, runId },
    maximumPageSize: LAST_EVENTS,
  });
  const lastEnd = history?.events?.find(
    (event) =>
      event.workflowTaskCompletedEventAttributes ??
      event.workflowTaskFailedEventAttributes ??
      event.workflowTaskTimedOutEventAttributes,
  );
  if (lastEnd?.workflowTaskTimedOutEventAttributes != null) return attempt >= TIMED_OUT_ATTEMPTS;
  return lastEnd?.workflowTaskFailedEventAttributes?.cause === NON_DETERMINISTIC_ERROR;
}
