import type { Webhook } from '../../../src/database/entities/webhook.ts';
import { type Endpoint, startWebhookSink, type WebhookSink } from '../outside/webhook-sink.ts';
import { insertWebhook } from '../rows/build.ts';
import { createWorkflowWorld, type WorkflowWorld, type WorldOptions } from './workflow-world.ts';

/** A world and an integrator's server that its webhooks reach; they end together. */
export interface ListeningWorld extends WorkflowWorld {
  readonly sink: WebhookSink;
  /** A new endpoint of the store, which takes everything. */
  listen(webhook?: Partial<Webhook>): Promise<Endpoint>;
  /** Nothing is sent any more to the endpoints that there are. */
  stopListening(): Promise<void>;
}

/** Makes a world with an integrator's server, of which no endpoint listens yet. */
export async function createListeningWorld(options: WorldOptions = {}): Promise<ListeningWorld> {
  const [world, sink] = await Promise.all([createWorkflowWorld(options), startWebhookSink()]);
  const { database, storeId } = world;
  return {
    ...world,
    sink,
    async listen(webhook = {}) {
      const endpoint = sink.endpoint();
      await insertWebhook(database, { storeId, endpoint: endpoint.url, ...webhook });
      return endpoint;
    },
    async stopListening() {
      await database.em.fork().execute('update webhooks set deleted_at = now()');
    },
    async close() {
      await world.close();
      await sink[Symbol.asyncDispose]();
    },
  };
}
