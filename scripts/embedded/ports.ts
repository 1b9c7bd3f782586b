import { once } from 'node:events';
import { createServer } from 'node:net';
import { errorCode } from './errors.ts';

/**
 * A free port of the loopback interface, chosen by the system. Another process may take it before it is used.
 */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  await closed(server);
  if (address === null || typeof address === 'string') throw new Error('no TCP port could be opened');
  return address.port;
}

/** Whether a server could listen on this port now, on loopback as well as on every interface. */
export async function isPortFree(port: number): Promise<boolean> {
  // Some systems let a second process listen on all interfaces while one holds loopback, so both are tried.
  for (const host of ['127.0.0.1', undefined]) {
    const server = createServer().listen(port, host);
    try {
      await once(server, 'listening');
    } catch (error) {
      if (errorCode(error) === 'EADDRINUSE') return false;
      throw error;
    }
    await closed(server);
  }
  return true;
}

/** `preferred` if it is free, else a free port. */
export async function portNear(preferred: number): Promise<number> {
  return (await isPortFree(preferred)) ? preferred : freePort();
}

async function closed(server: ReturnType<typeof createServer>): Promise<void> {
  const done = once(server, 'close');
  server.close();
  await done;
}
