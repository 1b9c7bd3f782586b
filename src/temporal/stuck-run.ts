import { type Client, type WorkflowExecutionDescription, WorkflowNotFoundError } from '@temporalio/client';

/** The server's number for a task that failed since its history did not fit what the workflow's code did with it. */
const NON_DETERMINISTIC_ERROR = 24;

/**
 * From the second attempt on a worker does not report that a task fails, and lets it time out. So many that time out one
 * after the other are no worker that was killed, nor one that is slow.
 */
const TIMED_OUT_ATTEMPTS = 5;

/** Why such a run is Terminated, as the Temporal UI shows it. */
export const STUCK_RUN_RESTARTED = 'The run was stuck and is restarted';

/** More than can come after a task: what was told to a run that does not listen any more. */
const LAST_EVENTS = 100;

/** What a look may take, beside the time of the call that was not answered. */
const LOOK_TIMEOUT_MS = 2_000;

/** A server that answers nobody is not asked about every run at once. */
const LOOKS_AT_ONCE = 4;

let looks = 0;

/**
 * Ends a run that cannot go on, since every attempt at its next task fails on its own history (docs/reliability.md), so
 * that another one may be started. One whose task has timed out a few times is left alone: it is given out again.
 * @returns whether there was one.
 * @throws where Temporal is out of reach.
 */
export async function endStuckRun(client: Client, workflowId: string): Promise<boolean> {
  return endIfStuck(client, await client.workflow.getHandle(workflowId).describe());
}

/**
 * As {@link endStuckRun}, of a run that has been described already, which is all that it costs for a run that goes on.
 * @throws where Temporal is out of reach.
 */
export async function endIfStuck(
  client: Client,
  { workflowId, runId, status, raw }: WorkflowExecutionDescription,
): Promise<boolean> {
  // Nearly all that run have no task, but wait for what they have asked for.
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
 * As {@link endStuckRun}, after an update was not answered in time: whoever asks next then meets another run. Changes
 * nothing where Temporal is out of reach, or this process looks at enough runs already. Never throws.
 */
export async function endRunIfStuck(client: Client, workflowId: string): Promise<void> {
  if (looks >= LOOKS_AT_ONCE) return;
  looks += 1;
  try {
    await client.withDeadline(Date.now() + LOOK_TIMEOUT_MS, () => endStuckRun(client, workflowId));
  } catch {
    // Whoever asked is told of its own error, and asks again.
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
