import type { RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { ClientAddresses } from './client-address.ts';
import { RecentMap } from './recent-map.ts';

/**
 * Requests of a connection whose answers have not been sent yet. Hardly any client sends a request before the answer to the previous one
 * (HTTP pipelining), and HTTP lets a server close such a connection.
 */
const MOST = 16;

/** Connections of an address that may be closed for it within a minute. */
const MOST_CLOSED = 5;
const WITHIN_MS = 60_000;
/** Addresses remembered in one process. */
const MOST_ADDRESSES = 10_000;

interface Closed {
  readonly sinceMs: number;
  count: number;
}

/**
 * Closes connections that send ever more requests without waiting for the answers. Node.js reads all that has arrived, some 2,000 requests
 * at once, so that four connections of a stranger would keep the process busy and fill its memory. Who connects again each time is
 * refused for the rest of a minute, but not the address of a trusted proxy.
 */
export class PipelinedRequests {
  readonly #addresses: Pick<ClientAddresses, 'ofConnection'> | null;
  readonly #closed = new RecentMap<string, Closed>(MOST_ADDRESSES);
  readonly #unanswered = new WeakMap<Socket, number>();

  /** @param addresses null if no address is refused, because it may be that of a balancer in front of many clients. */
  constructor(addresses: Pick<ClientAddresses, 'ofConnection'> | null) {
    this.#addresses = addresses;
  }

  /** Watches the server's connections. To be called before others that watch them. */
  watch(server: Server): void {
    server.on('connection', (socket: Socket) => {
      if ((this.#closedOf(socket)?.count ?? 0) > MOST_CLOSED) socket.destroy();
    });
    const countOne = whileOpen(({ socket }, response) => {
      const count = (this.#unanswered.get(socket) ?? 0) + 1;
      this.#unanswered.set(socket, count);
      response.once('close', () => this.#unanswered.set(socket, (this.#unanswered.get(socket) ?? 1) - 1));
      if (count > MOST) this.#close(socket);
    });
    server.on('request', countOne);
  }

  #close(socket: Socket): void {
    const address = this.#addresses?.ofConnection(socket)?.address ?? null;
    if (address !== null) {
      const closed = this.#closedOf(socket) ?? { sinceMs: performance.now(), count: 0 };
      closed.count += 1;
      this.#closed.set(address, closed);
    }
    socket.destroy();
  }

  #closedOf(socket: Socket): Closed | undefined {
    const address = this.#addresses?.ofConnection(socket)?.address ?? null;
    const closed = address === null ? undefined : this.#closed.get(address);
    return closed !== undefined && performance.now() - closed.sinceMs < WITHIN_MS ? closed : undefined;
  }
}

/** Leaves out requests that were answered, and those that Node.js has read together with the one for which their connection was closed. */
export function whileOpen(listener: RequestListener): RequestListener {
  return (request, response) => {
    if (!request.socket.destroyed && !response.writableEnded) listener(request, response);
  };
}
