import { createServer, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type ServerOptions as TlsOptions } from 'node:https';
import type { Logger } from 'pino';
import { ClientAddresses } from '../http/client-address.ts';
import { Connections } from '../http/connections.ts';
import { shortenAddress } from '../http/shorten-address.ts';

/** Limits of clients on connections and time. */
export interface ConnectionLimits {
  /**
   * Maximum open connections. For another one, an unused connection is closed, or the new one is refused.
   * Each uses at most about 100 kB.
   */
  readonly maxConnections: number;
  /** Maximum connections of one address that is not a trusted proxy; null for no limit per address. */
  readonly maxConnectionsPerAddress: number | null;
  /** A connection that has waited for its client this long may be closed to free a slot. */
  readonly patienceMs: number;
  /** From the connection, or the first byte of a further request, to the end of the headers. */
  readonly headersMs: number;
  /** From the same start to the end of the body. */
  readonly requestMs: number;
  /** From the end of a response until the client has received all of it. */
  readonly answerMs: number;
  /** Without a byte in either direction while a response is in progress. */
  readonly silenceMs: number;
  /** How often slow requests are checked. */
  readonly checkMs: number;
}

/**
 * How long an idle connection stays open. Load balancers (60 s) and HTTP client pools use shorter times, so
 * that they close connections first. With Node's 5 s, a client sometimes sends a payment into a closing
 * connection, and cannot know whether it arrived.
 */
const IDLE_CONNECTION_MS = 75_000;

/** A phone with a bad connection stays within all of them; a client that holds connections open does not. */
const LIMITS: ConnectionLimits = {
  maxConnections: 2_000,
  maxConnectionsPerAddress: 500,
  patienceMs: 1_000,
  headersMs: 10_000,
  requestMs: 60_000,
  answerMs: 60_000,
  silenceMs: 120_000,
  checkMs: 5_000,
};

/** Options of a server apart from its limits. */
interface ServerParts {
  /** If the server speaks TLS itself. */
  readonly tls?: TlsOptions;
  /** Addresses and networks of the proxies in front, each of which serves many clients. */
  readonly trustedProxies?: readonly string[];
  readonly log?: Logger;
}

/** The HTTP server of the API, without a request handler yet. */
export function createApiServer(
  given: Partial<ConnectionLimits> = {},
  { tls, trustedProxies = [], log }: ServerParts = {},
): Server {
  const limits = { ...LIMITS, ...given };
  const { headersMs, requestMs, answerMs, silenceMs, checkMs } = limits;
  const options = {
    keepAliveTimeout: IDLE_CONNECTION_MS,
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: checkMs,
  };
  const server = tls === undefined ? createServer(options) : createTlsServer({ ...options, ...tls });
  const { maxConnections: most, maxConnectionsPerAddress: mostOfAddress, patienceMs } = limits;
  const addresses = new ClientAddresses(trustedProxies);
  const warn = (address: string) => log?.warn({ address: shortenAddress(address) }, LIMITED);
  new Connections({ most, mostOfAddress, patienceMs }, addresses, atMostOncePerMinute(warn)).watch(server);
  server.setTimeout(silenceMs);
  server.on('request', (_, response) => limitAnswer(response, answerMs));
  return server;
}

const LIMITED = 'connections of an address limited';
const LOG_EVERY_MS = 60_000;

/** Calls the function at most once a minute, so that a persistent address does not fill the log. */
function atMostOncePerMinute(call: (address: string) => void): (address: string) => void {
  let lastMs = Number.NEGATIVE_INFINITY;
  return (address) => {
    if (performance.now() - lastMs < LOG_EVERY_MS) return;
    lastMs = performance.now();
    call(address);
  };
}

/**
 * Closes the connection of a client that does not receive its response, which would otherwise stay in memory.
 * A timeout for silence is not enough, because a client may receive a byte now and then. Most responses fit
 * into the system's buffers and need no timer. Files are sent as they are read, so this waits only for the
 * last piece.
 */
function limitAnswer(response: ServerResponse, answerMs: number): void {
  response.once('prefinish', () => {
    const { socket } = response;
    if (socket === null || socket.writableLength === 0) return;
    const late = setTimeout(() => socket.destroy(), answerMs);
    response.once('close', () => clearTimeout(late));
  });
}
