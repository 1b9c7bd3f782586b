import { startWebhookSink } from '../outside/webhook-sink.ts';
import { insertWebhook } from '../rows/build.ts';
import { createWorkflowWorld, type WorkflowWorld } from './workflow-world.ts';

/** A world whose store has an endpoint that takes every webhook, so that each event has its delivery. */
export async function createListeningWorld(): Promise<WorkflowWorld> {
  const [world, sink] = await Promise.all([createWorkflowWorld(), startWebhookSink()]);
  await insertWebhook(world.database, { storeId: world.storeId, endpoint: sink.endpoint().url });
  return {
    ...world,
    async close() {
      await world.close();
      await sink[Symbol.asyncDispose]();
    },
  };
}
