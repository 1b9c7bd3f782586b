import { workflowInfo } from '@temporalio/workflow';

/** Whether a run should leave for a new one: the server says so, or its history has more events than this. */
export function isHistoryLong(maxEvents: number): boolean {
  const { continueAsNewSuggested, historyLength } = workflowInfo();
  return continueAsNewSuggested || historyLength > maxEvents;
}
