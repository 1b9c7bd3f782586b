import type { AddressInfo } from 'node:net';
import { EventStreams } from '../api/events/event-streams.ts';
import type { AppDeps } from '../api/frame/deps.ts';
import { ReadsBesideOthers } from '../api/limits/reads-beside-others.ts';
import { strangerTurns } from '../api/limits/stranger-turns.ts';
import { requestListener } from '../app.ts';
import type { Config } from '../config.ts';
import { deliveryToStart } from '../events/delivery-to-start.ts';
import { followMandate } from '../mandates/follow-mandate.ts';
import { createDispatcher } from '../outbound/guarded-dispatcher.ts';
import { resendDelivery } from '../temporal/delivery.ts';
import { taskQueuesOf } from '../temporal/task-queues.ts';
import { createApiServer } from './api-server.ts';
import { close, listen } from './listening.ts';
import { mandateEffects } from './mandate-effects.ts';
import { runNotifications } from './notifications.ts';
import type { Parts } from './parts.ts';

export interface RunningApi {
  /**
   * The API's address for payers and integrators: the configured public one, otherwise the one it listens on.
   */
  readonly apiUrl: string;
  /** Refuses new connections, finishes running requests, then stops. */
  stop(): Promise<void>;
}

/**
 * Serves the API on the configured address.
 * @throws if the address is taken, with the code EADDRINUSE.
 */
export async function runApi(parts: Parts, config: Config): Promise<RunningApi> {
  const { maxConnections, maxConnectionsPerAddress, trustedProxies } = config;
  const server = createApiServer(
    { maxConnections, maxConnectionsPerAddress },
    { trustedProxies, log: parts.log },
  );
  await listen(server, config.port, config.host);
  const { port } = server.address() as AddressInfo;
  const apiUrl = config.publicUrl ?? `http://localhost:${port}`;
  const { deliveries: deliveriesQueue } = taskQueuesOf(config.temporal.taskQueue);
  const files = createDispatcher({ allowPrivateEndpoints: config.allowPrivateEndpoints });
  const eventStreams = new EventStreams(parts.database, parts.log, new ReadsBesideOthers(parts.busy));
  const deps: AppDeps = {
    ...parts,
    eventStreams,
    config,
    temporal: parts.client,
    clock: () => new Date(),
    publicUrl: apiUrl,
    notificationsUrl: config.notificationsUrl ?? apiUrl,
    dispatcher: files.dispatcher,
    wakeDebit: mandateEffects(parts).wakeDebit,
    followMandate: (id, now) =>
      followMandate(
        { ...parts, ...mandateEffects(parts), publicUrl: apiUrl, platformFee: config.platformFee },
        id,
        now,
      ),
    resendDelivery: async (deliveryId) => {
      const delivery = await deliveryToStart(parts.database, deliveryId);
      await resendDelivery(parts.client, deliveriesQueue, delivery);
    },
  };
  const strangers = strangerTurns(deps);
  server.on('request', requestListener(deps, strangers));
  const notifications = await runNotifications(deps, config, strangers);
  return {
    apiUrl,
    stop: async () => {
      const closed = close(server);
      // Event streams never end by themselves and would block the shutdown.
      await eventStreams.close();
      await Promise.all([closed, notifications?.stop()]);
      await files.close();
    },
  };
}
