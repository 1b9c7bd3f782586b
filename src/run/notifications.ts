import { constants } from 'node:crypto';
import type { ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { AppDeps } from '../api/frame/deps.ts';
import { createNotificationsApp } from '../api/notifications/app.ts';
import type { Config } from '../config.ts';
import { createApiServer } from './api-server.ts';
import { close, listen } from './listening.ts';

/** Where banks tell of payments, while it runs. */
export interface RunningNotifications {
  readonly port: number;
  stop(): Promise<void>;
}

const ASKS_FOR_CERTIFICATES = {
  minVersion: 'TLSv1.2',
  requestCert: true,
  rejectUnauthorized: false,
  // Nobody is trusted before the account says whom, least of all those who vouch for web sites.
  ca: [],
  // A session that is resumed brings the certificate without those between it and its authority.
  secureOptions: constants.SSL_OP_NO_TICKET,
} as const satisfies ServerOptions;

/**
 * Serves notifications of providers over TLS on a port of their own, if there is to be one. Clients are asked for their
 * certificate, and none is turned away for it here: which authority must have signed it is said by the account that a
 * request names. That whoever shows one has its key is proven by TLS itself.
 *
 * @returns null where no port is set. @throws where it is taken.
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
