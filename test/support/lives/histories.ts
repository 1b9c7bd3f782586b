import type { WorkflowHandle } from '@temporalio/client';
import type { WorkflowWorld } from './workflow-world.ts';

type HistoryEvent = NonNullable<Awaited<ReturnType<WorkflowHandle['fetchHistory']>>['events']>[number];

/** The events of every run that a workflow has continued as new through, oldest run first. */
export async function historiesOf(
  { client }: Pick<WorkflowWorld, 'client'>,
  { workflowId }: Pick<WorkflowHandle, 'workflowId'>,
): Promise<HistoryEvent[][]> {
  const histories: HistoryEvent[][] = [];
  let runId: string | undefined = (await client.workflow.getHandle(workflowId).describe()).runId;
  while (runId) {
    const { events } = await client.workflow.getHandle(workflowId, runId).fetchHistory();
    histories.unshift(events ?? []);
    runId = events?.[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId ?? undefined;
  }
  return histories;
}
