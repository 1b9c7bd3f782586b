import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** How many ports above the usual one are tried before any free one is chosen. */
const NEXT_PORTS = 20;

/**
 * Below the ports that Linux, macOS and Windows give to outgoing connections: one of those would often be taken between the look and
 * the use.
 */
const CHOSEN_FROM = [20_000, 32_000];
const MOST_TRIES = 100;

/** A free port, chosen at random. Another process may take it before it is used. */
export async function freePort() {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const port = randomInt(...CHOSEN_FROM);
    if (await isPortFree(port)) return port;
  }
  throw new Error('no TCP port could be opened');
}

/** Whether a server could listen on this port now, on loopback as well as on every interface. */
export async function isPortFree(port) {
  // Some systems let a second process listen on all interfaces while one holds loopback, so both are tried.
  for (const host of ['127.0.0.1', undefined]) {
    const server = createServer().listen(port, host);
    try {
      await once(server, 'listening');
    } catch (error) {
      // Code of a test runs in a realm of its own, so the error is recognized by its code alone.
      if (error.code === 'EADDRINUSE') return false;
      throw error;
    }
    await closed(server);
  }
  return true;
}

/** `preferred` if it is free, else the next free port, else any free port. */
export async function portNear(preferred) {
  for (let port = preferred; port <= Math.min(preferred + NEXT_PORTS, 65_535); port += 1)
    if (await isPortFree(port)) return port;
  return freePort();
}

async function closed(server) {
  const done = once(server, 'close');
  server.close();
  await done;
}
