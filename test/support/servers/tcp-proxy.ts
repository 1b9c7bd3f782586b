import { createServer, type Server, Socket } from 'node:net';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * A loopback proxy from one process to one server, which faults can slow down, cut or block. While it blocks,
 * it keeps data and ends of connections back, as the system's buffers would.
 */
export class TcpProxy implements AsyncDisposable {
  readonly port: number;
  readonly #listener: Server;
  readonly #targetPort: number;
  readonly #sockets = new Set<Socket>();
  #latencyMs = 0;
  #hole: PromiseWithResolvers<void> | null = null;

  private constructor(listener: Server, port: number, targetPort: number) {
    this.#listener = listener;
    this.port = port;
    this.#targetPort = targetPort;
    listener.on('connection', (client) => this.#connect(client));
  }

  /** Listens on a port that the system chooses. */
  static async start(targetPort: number): Promise<TcpProxy> {
    const listener = createServer({ allowHalfOpen: true, noDelay: true });
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    const address = listener.address();
    if (address === null || typeof address === 'string') throw new Error('a proxy listens on a TCP port');
    return new TcpProxy(listener, address.port, targetPort);
  }

  /** Holds every piece of data up by this long; 0 for not at all. */
  delay(latencyMs: number): void {
    this.#latencyMs = latencyMs;
  }

  /** From now on nothing is answered, by connections that are open or opened. */
  swallow(): void {
    this.#hole ??= Promise.withResolvers<void>();
  }

  /** What was swallowed arrives, as after a network's short failure. */
  flow(): void {
    this.#hole?.resolve();
    this.#hole = null;
  }

  /** Breaks every connection, for both of its ends. */
  reset(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.flow();
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#listener.close(resolve));
  }

  #connect(client: Socket): void {
    const server = new Socket({ allowHalfOpen: true });
    for (const socket of [client, server]) {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
      // The pipelines below report errors.
      socket.on('error', () => undefined);
    }
    server.setNoDelay(true).connect(this.#targetPort, '127.0.0.1');
    const ways = [pipeline(client, this.#gate(), server), pipeline(server, this.#gate(), client)];
    // Once one end is gone, or both have said all, neither is left open.
    Promise.all(ways)
      .catch(() => client.resetAndDestroy())
      .finally(() => {
        client.destroy();
        server.destroy();
      });
  }

  #gate(): Transform {
    const passing = async () => {
      if (this.#latencyMs > 0) await sleep(this.#latencyMs);
      while (this.#hole !== null) await this.#hole.promise;
    };
    return new Transform({
      transform: (chunk, _encoding, done) => void passing().then(() => done(null, chunk)),
      flush: (done) => void passing().then(() => done()),
    });
  }
}
