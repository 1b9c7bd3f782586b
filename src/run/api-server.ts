import { createServer, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type ServerOptions as TlsOptions } from 'node:https';

/** What a client may take of the process, in time and in number. */
export interface ConnectionLimits {
  /** Connections at a time; a further one is closed as it comes. Each takes some 100 kB at the most. */
  readonly maxConnections: number;
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
  headersMs: 20_000,
  requestMs: 60_000,
  answerMs: 60_000,
  silenceMs: 120_000,
  checkMs: 5_000,
};

/** The HTTP server of the API; it answers nothing yet. @param tls where it speaks TLS itself. */
export function createApiServer(
  given: Partial<ConnectionLimits> = {},
  tls: TlsOptions | null = null,
): Server {
  const { maxConnections, headersMs, requestMs, answerMs, silenceMs, checkMs } = { ...LIMITS, ...given };
  const options = {
    keepAliveTimeout: IDLE_CONNECTION_MS,
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: checkMs,
  };
  const server = tls === null ? createServer(options) : createTlsServer({ ...options, ...tls });
  server.maxConnections = maxConnections;
  server.setTimeout(silenceMs);
  server.on('request', (_, response) => limitAnswer(response, answerMs));
  return server;
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
