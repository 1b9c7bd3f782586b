import { createServer, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type ServerOptions as TlsOptions } from 'node:https';
import type { Logger } from 'pino';
import { ClientAddresses, shortened } from '../traffic/client-address.ts';
import { Connections } from '../traffic/connections.ts';

/** What a client may take of the process, in time and in number. */
export interface ConnectionLimits {
  /** Connections at a time; for a further one another one makes room, or it is closed. Each takes some 100 kB at the most. */
  readonly maxConnections: number;
  /** Of them, those of one address that is none of our proxies; null for no limit of its own. */
  readonly maxConnectionsPerAddress: number | null;
  /** How long a connection must have waited for its client before it makes room for another one. */
  readonly patienceMs: number;
  /** From the connection, or the first byte of a further request, to the end of its headers. */
  readonly headersMs: number;
  /** The same to the end of its body. */
  readonly requestMs: number;
  /** From the end of an answer until the client has taken all of it. */
  readonly answerMs: number;
  /** Without a byte in either direction, while a request is being answered. */
  readonly silenceMs: number;
  /** How often requests are looked at that take too long to come. */
  readonly checkMs: number;
}

/**
 * How long an idle connection is kept: longer than load balancers (60 s) and the pools of HTTP clients keep
 * theirs, so that it is they who close it. With Node's 5 s a client now and then sends a payment into a
 * connection that is just being closed, and cannot know whether it has arrived.
 */
const IDLE_CONNECTION_MS = 75_000;

/** A phone with a bad line keeps them all; who means to hold connections open does not. */
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

/** What a server may be told besides its limits. */
interface ServerParts {
  /** Where it speaks TLS itself. */
  readonly tls?: TlsOptions;
  /** Addresses and networks of the proxies in front, each of which stands for many clients. */
  readonly trustedProxies?: readonly string[];
  readonly log?: Logger;
}

/** The HTTP server of the API; it answers nothing yet. */
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
  const tell = (address: string) => log?.warn({ address: shortened(address) }, LIMITED);
  new Connections({ most, mostOfAddress, patienceMs }, addresses, nowAndThen(tell)).watch(server);
  server.setTimeout(silenceMs);
  server.on('request', (_, response) => limitAnswer(response, answerMs));
  return server;
}

const LIMITED = 'connections of an address limited';
const LOG_EVERY_MS = 60_000;

/** Calls it at most once a minute: an address that goes on trying fills no log. */
function nowAndThen(tell: (address: string) => void): (address: string) => void {
  let lastMs = Number.NEGATIVE_INFINITY;
  return (address) => {
    if (performance.now() - lastMs < LOG_EVERY_MS) return;
    lastMs = performance.now();
    tell(address);
  };
}

/**
 * Ends the connection of a client that does not take its answer, which else stays in memory. Silence alone
 * would not do: who takes a byte now and then is not silent. Most answers fit into the system's buffers and
 * need no timer. A file is sent as it is read, so only its last piece is waited for here.
 */
function limitAnswer(response: ServerResponse, answerMs: number): void {
  response.once('prefinish', () => {
    const { socket } = response;
    if (socket === null || socket.writableLength === 0) return;
    const late = setTimeout(() => socket.destroy(), answerMs);
    response.once('close', () => clearTimeout(late));
  });
}
