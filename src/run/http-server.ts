import { createServer, type Server } from 'node:http';

/**
 * How long an idle connection is kept: longer than load balancers (60 s) and the pools of HTTP clients keep theirs, so that it is
 * they who close it. With Node's 5 s a client now and then sends a payment into a connection that is just being closed, and
 * cannot know whether it has arrived.
 */
const IDLE_CONNECTION_MS = 75_000;

/** The HTTP server of the API; it answers nothing yet. */
export function createApiServer(): Server {
  return createServer({ keepAliveTimeout: IDLE_CONNECTION_MS });
}
