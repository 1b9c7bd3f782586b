import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type ServerOptions as TlsOptions } from 'node:https';
import type { Logger } from 'pino';
import { ClientAddresses } from '../http/client-address.ts';
import { ClosedAddresses } from '../http/closed-addresses.ts';
import { CONNECTION_LIMITS, type ConnectionLimits, IDLE_CONNECTION_MS } from '../http/connection-limits.ts';
import { Connections } from '../http/connections.ts';
import type { HandshakeLimit } from '../http/handshake-limit.ts';
import { PipelinedRequests, whileOpen } from '../http/pipelined-requests.ts';
import { shortenIpAddress } from '../http/shorten-ip-address.ts';
import { SmallChunks } from '../http/small-chunks.ts';
import { UnfinishedBodies } from '../http/unfinished-bodies.ts';

/** Options of a server apart from its limits. */
interface ServerParts {
  /** If the server speaks TLS itself. */
  readonly tls?: TlsOptions;
  /** Addresses and networks of the proxies in front, each of which serves many clients. */
  readonly trustedProxies?: readonly string[];
  readonly log?: Logger;
  readonly handshakes?: HandshakeLimit;
}

/** The HTTP server of the API, without a request handler yet. */
export function createApiServer(
  given: Partial<ConnectionLimits> = {},
  { tls, trustedProxies = [], log, handshakes }: ServerParts = {},
): Server {
  const limits = { ...CONNECTION_LIMITS, ...given };
  const { headersMs, requestMs, answerMs, silenceMs, checkMs } = limits;
  const options = {
    keepAliveTimeout: IDLE_CONNECTION_MS,
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: checkMs,
    // Node.js would answer such a request itself: then no limit would see it.
    requireHostHeader: false,
  };
  const server =
    tls === undefined
      ? createServer(options)
      : createTlsServer({ ...options, ...tls, handshakeTimeout: headersMs });
  const { maxConnections: most, maxConnectionsPerAddress: mostOfAddress, patienceMs } = limits;
  const addresses = new ClientAddresses(trustedProxies);
  // Before the others, so that no connection is closed to make room for one that is refused.
  // Where this server ends TLS, a balancer in front of it passes connections on, and all clients may have its address.
  const closed = new ClosedAddresses(tls === undefined ? addresses : null);
  closed.watch(server);
  new PipelinedRequests(closed).watch(server);
  handshakes?.watch(server);
  const warn = (address: string) => log?.warn({ address: shortenIpAddress(address) }, LIMITED);
  new Connections({ most, mostOfAddress, patienceMs }, addresses, atMostOncePerMinute(warn)).watch(server);
  const bodies = new UnfinishedBodies(addresses);
  const chunks = new SmallChunks(closed);
  server.setTimeout(silenceMs);
  const watch = whileOpen((request, response) => {
    bodies.watch(request);
    chunks.watch(request);
    limitAnswer(response, answerMs);
    if (lacksHost(request)) response.writeHead(400, { Connection: 'close' }).end();
  });
  server.on('request', watch);
  // Without a listener Node.js answers 417, as often as it is asked, and no limit sees the requests. HTTP lets a server ignore what it
  // is expected to do (RFC 9110, section 10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  return server;
}

/** HTTP 1.1 requires the header, and a 400 without it (RFC 9112, section 3.2). */
function lacksHost({ httpVersion, headers }: IncomingMessage): boolean {
  return httpVersion === '1.1' && headers.host === undefined;
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
