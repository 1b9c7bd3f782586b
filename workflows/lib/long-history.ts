import { workflowInfo } from '@temporalio/workflow';

/** Whether a run should continue as new: the server suggests it, or the history has more events than this. */
export function isHistoryLong(maxEvents: number): boolean {
  const { continueAsNewSuggested, historyLength } = workflowInfo();
  return continueAsNewSuggested || historyLength > maxEvents;
}
