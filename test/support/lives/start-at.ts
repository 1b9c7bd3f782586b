import { startDelayMs, type WorkflowStart } from '../../../src/temporal/workflow-start.ts';
import type { WorkflowWorld } from './workflow-world.ts';

/**
 * WorkflowStarter would take this machine's time for the delay, which a time-skipping server has left behind.
 */
export async function startAt(world: WorkflowWorld, start: WorkflowStart): Promise<void> {
  await world.client.workflow.start(start.workflowType, {
    ...start.options,
    taskQueue: world.taskQueue,
    startDelay: startDelayMs(start, (await world.now()).getTime()),
  });
}
