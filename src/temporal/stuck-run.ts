import { type Client, WorkflowNotFoundError } from '@temporalio/client';

/** The server's number for a task that failed since its history did not fit what the workflow's code did with it. */
const NON_DETERMINISTIC_ERROR = 24;

/** More than can come after a task: what was told to a run that does not listen any more. */
const LAST_EVENTS = 100;

/**
 * Ends a run that cannot go on, since every attempt at its next task fails on its own history (docs/reliability.md), so
 * that another one may be started. One whose task has timed out is left alone: it is given out again.
 * @returns whether there was one.
 * @throws where Temporal is out of reach.
 */
export async function endStuckRun(client: Client, workflowId: string): Promise<boolean> {
  const { runId, status, raw } = await client.workflow.getHandle(workflowId).describe();
  // Nearly all that are overdue and run have no task, but wait for what they have asked for.
  const isTriedAgain = status.name === 'RUNNING' && (raw.pendingWorkflowTask?.attempt ?? 0) > 1;
  if (!isTriedAgain || !(await isStuck(client, workflowId, runId))) return false;
  try {
    await client.workflow.getHandle(workflowId, runId).terminate('It could not go on, and is begun anew');
  } catch (error) {
    // Another audit was faster.
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
  return true;
}

async function isStuck(client: Client, workflowId: string, runId: string): Promise<boolean> {
  const { history } = await client.workflowService.getWorkflowExecutionHistoryReverse({
    namespace: client.options.namespace,
    execution: { workflowId, runId },
    maximumPageSize: LAST_EVENTS,
  });
  const lastTask = history?.events?.find(
    (event) => event.workflowTaskCompletedEventAttributes ?? event.workflowTaskFailedEventAttributes,
  );
  return lastTask?.workflowTaskFailedEventAttributes?.cause === NON_DETERMINISTIC_ERROR;
}
