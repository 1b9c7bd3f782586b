import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EventStreams } from '../api/events/event-streams.ts';
import { createApp } from '../app.ts';
import type { Config } from '../config.ts';
import { deliveryToStart } from '../database/delivery-to-start.ts';
import { createDispatcher } from '../outbound/guarded-dispatcher.ts';
import { resendDelivery } from '../temporal/delivery.ts';
import { taskQueuesOf } from '../temporal/task-queues.ts';
import { createApiServer } from './api-server.ts';
import type { Parts } from './parts.ts';

export interface RunningApi {
  /**
   * Where payers and integrators reach the API: the configured public address, else the one it listens on.
   */
  readonly apiUrl: string;
  /** Refuses new connections, finishes running requests, and stops. */
  stop(): Promise<void>;
}

/** How often a server that ends looks for connections that have fallen idle. */
const CLOSE_IDLE_MS = 50;

/**
 * Serves the API on the configured address.
 * @throws where the address is taken, with the code EADDRINUSE.
 */
export async function runApi(parts: Parts, config: Config): Promise<RunningApi> {
  const server = createApiServer({ maxConnections: config.maxConnections });
  await listen(server, config.port, config.host);
  const { port } = server.address() as AddressInfo;
  const apiUrl = config.publicUrl ?? `http://localhost:${port}`;
  const { deliveries: deliveriesQueue } = taskQueuesOf(config.temporal.taskQueue);
  const files = createDispatcher({ allowPrivateEndpoints: config.allowPrivateEndpoints });
  const eventStreams = new EventStreams(parts.database, parts.log);
  const app = createApp({
    ...parts,
    eventStreams,
    config,
    temporal: parts.client,
    clock: () => new Date(),
    publicUrl: apiUrl,
    dispatcher: files.dispatcher,
    resendDelivery: async (deliveryId) => {
      const delivery = await deliveryToStart(parts.database, deliveryId);
      await resendDelivery(parts.client, deliveriesQueue, delivery);
    },
  });
  server.on('request', app.callback());
  return {
    apiUrl,
    stop: async () => {
      const closed = close(server);
      // They have no end of their own, and would be waited for.
      await eventStreams.close();
      await closed;
      await files.close();
    },
  };
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

async function close(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve, reject) => {
    server.close((error) => (error ? reject(error) : resolve()));
  });
  // A connection whose request is answered from now on falls idle, and would else be kept for its client.
  const closing = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_MS);
  await closed.finally(() => clearInterval(closing));
}
