import type { Server } from 'node:http';

/** How often a server that ends looks for connections that have fallen idle. */
const CLOSE_IDLE_MS = 50;

/** @throws where the address is taken, with the code EADDRINUSE. */
export function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** Refuses new connections, and resolves once running requests are answered. */
export async function close(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve, reject) => {
    server.close((error) => (error ? reject(error) : resolve()));
  });
  // A connection whose request is answered from now on falls idle, and would else be kept for its client.
  const closing = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_MS);
  await closed.finally(() => clearInterval(closing));
}
