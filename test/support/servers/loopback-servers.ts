import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';

/** The authority that signed the loopback servers' certificate; see `tls/README.md`. */
export const TEST_CA = readTlsFile('test-only-ca.pem');

const TLS = { key: readTlsFile('test-only-server-key.pem'), cert: readTlsFile('test-only-server.pem') };

/**
 * A server on a free port of 127.0.0.1, which counts its connections and ends them when it is disposed of.
 */
export interface LoopbackServer extends AsyncDisposable {
  readonly port: number;
  readonly connectionCount: number;
  /** Resolves once every connection made so far is closed. */
  allClosed(): Promise<void>;
}

export function httpServer(listener: RequestListener): Promise<LoopbackServer> {
  return listen(createHttpServer(listener));
}

export function httpsServer(listener: RequestListener): Promise<LoopbackServer> {
  return listen(createHttpsServer(TLS, listener));
}

/** Sends what `onConnection` writes, for answers that no HTTP library would send. */
export function tcpServer(onConnection: (socket: Socket) => void): Promise<LoopbackServer> {
  return listen(createTcpServer(onConnection));
}

async function listen(server: Server): Promise<LoopbackServer> {
  const sockets = new Set<Socket>();
  let connectionCount = 0;
  server.on('connection', (socket: Socket) => {
    connectionCount += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    get connectionCount() {
      return connectionCount;
    },
    allClosed: async () => {
      await Promise.all(
        [...sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve))),
      );
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function readTlsFile(name: string): string {
  return readFileSync(new URL(`tls/${name}`, import.meta.url), 'utf8');
}
