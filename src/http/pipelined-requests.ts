import type { RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { ClosedAddresses } from './closed-addresses.ts';

/**
 * Requests of a connection whose answers have not been sent yet. Hardly any client sends a request before the answer to the previous one
 * (HTTP pipelining), and HTTP lets a server close such a connection.
 */
const MOST = 16;

/**
 * Closes connections that send ever more requests without waiting for the answers. Node.js reads all that has arrived, some 2,000 requests
 * at once, so that four connections of a stranger would keep the process busy and fill its memory.
 */
export class PipelinedRequests {
  readonly #addresses: Pick<ClosedAddresses, 'close'>;
  readonly #unanswered = new WeakMap<Socket, number>();

  constructor(addresses: Pick<ClosedAddresses, 'close'>) {
    this.#addresses = addresses;
  }

  /** Watches the server's connections. To be called before others that watch them. */
  watch(server: Server): void {
    const countOne = whileOpen(({ socket }, response) => {
      const count = (this.#unanswered.get(socket) ?? 0) + 1;
      this.#unanswered.set(socket, count);
      response.once('close', () => this.#unanswered.set(socket, (this.#unanswered.get(socket) ?? 1) - 1));
      if (count > MOST) this.#addresses.close(socket);
    });
    server.on('request', countOne);
  }
}

/** Leaves out requests that were answered, and those that Node.js has read together with the one for which their connection was closed. */
export function whileOpen(listener: RequestListener): RequestListener {
  return (request, response) => {
    if (!request.socket.destroyed && !response.writableEnded) listener(request, response);
  };
}
