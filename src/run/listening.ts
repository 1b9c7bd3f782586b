import type { Server } from 'node:http';

/** How often a stopping server closes idle connections. */
const CLOSE_IDLE_MS = 50;

/** @throws if the address is taken, with the code EADDRINUSE. */
export function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** Refuses new connections, and resolves once running requests have ended. */
export async function close(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve, reject) => {
    server.close((error) => (error ? reject(error) : resolve()));
  });
  // Connections become idle as their requests end, and would otherwise stay open.
  const closing = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_MS);
  await closed.finally(() => clearInterval(closing));
}
