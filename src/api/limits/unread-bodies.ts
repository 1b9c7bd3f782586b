import type { ServerResponse } from 'node:http';

/**
 * A smaller body costs no more than its request. Sixteen of them may wait on one connection (HTTP pipelining), so those of some 60 kB took as
 * much as large ones.
 */
const LARGE_BYTES = 4 * 1024;

interface Unread {
  readonly response: ServerResponse;
  readonly sinceMs: number;
  /** Stops watching. */
  readonly end: () => void;
}

/** What a client has not read. */
class OfClient {
  /** The oldest first. */
  readonly bodies = new Set<Unread>();
  bytes = 0;

  /** Whether its oldest body has waited for so long. */
  hasWaited(ms: number): boolean {
    for (const { sinceMs } of this.bodies) return performance.now() - sinceMs >= ms;
    return false;
  }

  cutOffOldest(): void {
    const [oldest] = this.bodies;
    if (oldest !== undefined) this.cutOff(oldest.response);
  }

  /**
   * Closes the connection of a response. One that waits for an earlier one of its connection (HTTP pipelining) has no socket of its own yet,
   * and emits nothing.
   */
  cutOff({ req: { socket } }: ServerResponse): void {
    socket.destroy();
    for (const { response, end } of this.bodies) if (response.req.socket === socket) end();
  }
}

interface Limits {
  /** The most of one client, in bytes before compression: compressed, they need more than twice as much memory. */
  readonly mostBytes: number;
  /** The most of all clients: hundreds of addresses may each stay below the limit of one. */
  readonly mostBytesOfAll: number;
  /** A response that has been read for less is not cut off. */
  readonly patienceMs: number;
  /** From the response to the last byte that its client reads. */
  readonly answerMs: number;
}

const LIMITS: Limits = {
  mostBytes: 32 * 1024 * 1024,
  mostBytesOfAll: 128 * 1024 * 1024,
  patienceMs: 1_000,
  answerMs: 60_000,
};

/**
 * Bodies stay in memory until their client has read them. Clients that read nothing, or a byte now and then, on hundreds of
 * connections must not fill the memory of a process: beyond its limit, a client's oldest response is cut off, and beyond that of all clients
 * the oldest one of the client with the most. So is one that is not read in time.
 */
export class UnreadBodies {
  readonly #limits: Limits;
  readonly #clients = new Map<string, OfClient>();
  #bytes = 0;

  constructor(limits: Partial<Limits> = {}) {
    this.#limits = { ...LIMITS, ...limits };
  }

  /** Watches a response until it has been sent. @param client a store, an address, or an IPv6 site: a site has 65,536 addresses of clients. */
  watch(client: string, response: ServerResponse, bytes: number): void {
    if (bytes < LARGE_BYTES || response.destroyed) return;
    const own = this.#clients.get(client) ?? new OfClient();
    this.#clients.set(client, own);
    const late = setTimeout(() => own.cutOff(response), this.#limits.answerMs);
    const end = () => {
      clearTimeout(late);
      if (!own.bodies.delete(unread)) return;
      this.#count(own, -bytes);
      if (own.bodies.size === 0 && this.#clients.get(client) === own) this.#clients.delete(client);
    };
    const unread: Unread = { response, sinceMs: performance.now(), end };
    own.bodies.add(unread);
    this.#count(own, bytes);
    response.once('close', end);
    this.#makeRoom(own);
  }

  #count(own: OfClient, bytes: number): void {
    own.bytes += bytes;
    this.#bytes += bytes;
  }

  #makeRoom(own: OfClient): void {
    const { mostBytes, mostBytesOfAll, patienceMs } = this.#limits;
    while (own.bytes > mostBytes && own.hasWaited(patienceMs)) own.cutOffOldest();
    while (this.#bytes > mostBytesOfAll) {
      const most = this.#withMost();
      if (most === undefined) return;
      most.cutOffOldest();
    }
  }

  /** The client with the most bytes, among those that have not read one body for some time. */
  #withMost(): OfClient | undefined {
    let most: OfClient | undefined;
    for (const client of this.#clients.values())
      if (client.bytes > (most?.bytes ?? 0) && client.hasWaited(this.#limits.patienceMs)) most = client;
    return most;
  }
}
