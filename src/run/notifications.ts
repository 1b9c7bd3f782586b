import { constants } from 'node:crypto';
import type { ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { AppDeps } from '../api/frame/deps.ts';
import { createNotificationsApp } from '../api/notifications/app.ts';
import type { Config } from '../config.ts';
import { createApiServer } from './api-server.ts';
import { close, listen } from './listening.ts';

/** The running server for provider notifications. */
export interface RunningNotifications {
  readonly port: number;
  stop(): Promise<void>;
}

const ASKS_FOR_CERTIFICATES = {
  minVersion: 'TLSv1.2',
  requestCert: true,
  rejectUnauthorized: false,
  // Trust no authority here: each account names its own. Public web authorities must not count.
  ca: [],
  // A resumed session has the client's certificate without its intermediates.
  secureOptions: constants.SSL_OP_NO_TICKET,
} as const satisfies ServerOptions;

/**
 * Serves provider notifications over TLS on a separate port, if configured. Clients are asked for a
 * certificate but never refused here, because the account named by a request decides which authority must
 * have signed it. TLS itself proves that the client holds the certificate's key.
 *
 * @returns null if no port is set. @throws if the port is taken.
 */
export async function runNotifications(
  deps: AppDeps,
  config: Pick<Config, 'notifications' | 'host' | 'maxConnections' | 'maxConnectionsPerAddress'>,
): Promise<RunningNotifications | null> {
  const { notifications, host, maxConnections, maxConnectionsPerAddress } = config;
  if (notifications === null) return null;
  const { port, certificate: cert, key } = notifications;
  const { log } = deps;
  const { trustedProxies } = deps.config;
  const tls = { ...ASKS_FOR_CERTIFICATES, cert, key };
  const server = createApiServer({ maxConnections, maxConnectionsPerAddress }, { tls, trustedProxies, log });
  server.on('request', createNotificationsApp(deps).callback());
  await listen(server, port, host);
  return { port: (server.address() as AddressInfo).port, stop: () => close(server) };
}
