import { expect } from '@jest/globals';
import type { WorkflowHandle } from '@temporalio/client';
import { eventually } from '../waiting/eventually.ts';

/**
 * Terminates a run once nothing of it is under way. While a worker has an activity, the time-skipping server skips no time,
 * and of a run that is terminated meanwhile it never learns that this is over (temporalio/sdk-java, issue 1138): whatever
 * waits for a date in a later test of the file then waits for it in real time.
 */
export async function terminateAtRest(
  workflow: Pick<WorkflowHandle, 'describe' | 'fetchHistory' | 'terminate'>,
  reason?: string,
): Promise<void> {
  await eventually(async () => {
    expect((await workflow.describe()).raw.pendingActivities ?? []).toEqual([]);
    const events = (await workflow.fetchHistory()).events ?? [];
    const begun = events.filter((event) => event.workflowTaskScheduledEventAttributes);
    const ended = events.filter(
      (event) =>
        event.workflowTaskCompletedEventAttributes ||
        event.workflowTaskFailedEventAttributes ||
        event.workflowTaskTimedOutEventAttributes,
    );
    expect(ended).toHaveLength(begun.length);
  });
  await workflow.terminate(reason);
}
