import { constants } from 'node:crypto';
import type { ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { AppDeps } from '../api/frame/deps.ts';
import type { StrangerTurns } from '../api/limits/stranger-turns.ts';
import { notificationListener } from '../api/notifications/app.ts';
import type { Config } from '../config.ts';
import { ClientAddresses } from '../http/client-address.ts';
import { HandshakeLimit, type HandshakeRates } from '../http/handshake-limit.ts';
import { createApiServer } from './api-server.ts';
import { close, listen } from './listening.ts';

/**
 * TLS ends here, so no proxy in front can add `X-Forwarded-For`: a client itself has sent it. If a load balancer puts its own address in
 * place of its clients', they share the limits of one address.
 */
const NO_PROXIES: string[] = [];

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
  // A resumed session has the client's certificate without its intermediates. Each renegotiation verifies another chain.
  secureOptions: constants.SSL_OP_NO_TICKET | constants.SSL_OP_NO_RENEGOTIATION,
} as const satisfies ServerOptions;

/**
 * Serves provider notifications over TLS on a separate port, if configured. Clients are asked for a
 * certificate but never refused here, because the account named by a request decides which authority must
 * have signed it. TLS itself proves that the client holds the certificate's key.
 *
 * @param strangers how they share the process, with those at the port of the API.
 * @param handshakes of one address whose connections bring no notification. @returns null if no port is set. @throws if the port is taken.
 */
export async function runNotifications(
  deps: AppDeps,
  config: Pick<Config, 'notifications' | 'host' | 'maxConnections' | 'maxConnectionsPerAddress'>,
  strangers: StrangerTurns,
  handshakes?: HandshakeRates,
): Promise<RunningNotifications | null> {
  const { notifications, host, maxConnections, maxConnectionsPerAddress } = config;
  if (notifications === null) return null;
  const { port, certificate: cert, key } = notifications;
  const { log } = deps;
  const tls = { ...ASKS_FOR_CERTIFICATES, cert, key };
  const limit = new HandshakeLimit(new ClientAddresses(NO_PROXIES), handshakes);
  const parts = { tls, log, handshakes: limit };
  const server = createApiServer({ maxConnections, maxConnectionsPerAddress }, parts);
  const own = { ...deps, config: { ...deps.config, trustedProxies: NO_PROXIES } };
  server.on(
    'request',
    notificationListener(own, strangers, (request) => limit.proven(request.socket)),
  );
  await listen(server, port, host);
  return { port: (server.address() as AddressInfo).port, stop: () => close(server) };
}
