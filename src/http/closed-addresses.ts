import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { ClientAddresses } from './client-address.ts';
import { RecentMap } from './recent-map.ts';

/** Connections of an address that may be closed within a minute. */
const MOST_CLOSED = 5;
/** The same for an IPv6 site. */
const MOST_CLOSED_OF_SITE = 50;
const WITHIN_MS = 60_000;
/** Addresses remembered in one process. */
const MOST_ADDRESSES = 10_000;

interface Client {
  readonly name: string;
  /** Connections that may be closed before it is refused. */
  readonly most: number;
}

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
      const isRefused = this.#clientsOf(socket).some(
        (client) => (this.#closedOf(client)?.count ?? 0) > client.most,
      );
      if (isRefused) socket.destroy();
    });
  }

  /** The address of a connection that counts; null for one that is not refused. */
  addressOf(socket: Socket): string | null {
    return this.#addresses?.ofConnection(socket)?.address ?? null;
  }

  close(socket: Socket): void {
    if (socket.destroyed) return;
    for (const client of this.#clientsOf(socket)) {
      const closed = this.#closedOf(client) ?? { sinceMs: performance.now(), count: 0 };
      closed.count += 1;
      this.#closed.set(client.name, closed);
    }
    socket.destroy();
  }

  /** The subscriber of an IPv6 address, and the site, which may be a mobile network with thousands of phones. */
  #clientsOf(socket: Socket): readonly Client[] {
    const { address = null, subscriber = null } = this.#addresses?.ofConnection(socket) ?? {};
    if (address === null || subscriber === null) return [];
    const site = { name: `site ${address}`, most: MOST_CLOSED_OF_SITE };
    return [{ name: subscriber, most: MOST_CLOSED }, ...(address === subscriber ? [] : [site])];
  }

  #closedOf({ name }: Client): Closed | undefined {
    const closed = this.#closed.get(name);
    return closed !== undefined && performance.now() - closed.sinceMs < WITHIN_MS ? closed : undefined;
  }
}
