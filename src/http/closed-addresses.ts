import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { ClientAddresses } from './client-address.ts';
import { RecentMap } from './recent-map.ts';

/** Connections of an address that may be closed within a minute. */
const MOST_CLOSED = 5;
const WITHIN_MS = 60_000;
/** Addresses remembered in one process. */
const MOST_ADDRESSES = 10_000;

interface Closed {
  readonly sinceMs: number;
  count: number;
}

/**
 * Closes connections that no usual client makes, and that cost more than they may. Who connects again each time is refused for the rest of a
 * minute, but not the address of a trusted proxy.
 */
export class ClosedAddresses {
  readonly #addresses: Pick<ClientAddresses, 'ofConnection'> | null;
  readonly #closed = new RecentMap<string, Closed>(MOST_ADDRESSES);

  /** @param addresses null if no address is refused, because it may be that of a balancer in front of many clients. */
  constructor(addresses: Pick<ClientAddresses, 'ofConnection'> | null) {
    this.#addresses = addresses;
  }

  /** Refuses connections. To be called before others watch them. */
  watch(server: Server): void {
    server.on('connection', (socket: Socket) => {
      if ((this.#closedOf(socket)?.count ?? 0) > MOST_CLOSED) socket.destroy();
    });
  }

  close(socket: Socket): void {
    if (socket.destroyed) return;
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
