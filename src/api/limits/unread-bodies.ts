import type { ServerResponse } from 'node:http';

/** A smaller body costs no more than its connection. */
const LARGE_BYTES = 64 * 1024;

interface Unread {
  readonly response: ServerResponse;
  readonly bytes: number;
  readonly sinceMs: number;
  /** Stops watching. */
  readonly end: () => void;
}

interface Limits {
  /** The most of one client, in bytes before compression: compressed, they need more than twice as much memory. */
  readonly mostBytes: number;
  /** A response that has been read for less is not cut off. */
  readonly patienceMs: number;
  /** From the response to the last byte that its client reads. */
  readonly answerMs: number;
}

const LIMITS: Limits = { mostBytes: 32 * 1024 * 1024, patienceMs: 1_000, answerMs: 60_000 };

/**
 * Large bodies stay in memory until their client has read them. A client that reads nothing, or a byte now and then, on hundreds of
 * connections must not fill the memory of a process: beyond its limit, its oldest response is cut off. So is one that is not read in time.
 */
export class UnreadBodies {
  readonly #limits: Limits;
  /** By client, the oldest first. */
  readonly #clients = new Map<string, Set<Unread>>();

  constructor(limits: Limits = LIMITS) {
    this.#limits = limits;
  }

  /** Watches a response until it has been sent. @param client a store, an address, or an IPv6 site: a site has 65,536 addresses of clients. */
  watch(client: string, response: ServerResponse, bytes: number): void {
    if (bytes < LARGE_BYTES || response.destroyed) return;
    const own = this.#clients.get(client) ?? new Set();
    const unread: Unread = { response, bytes, sinceMs: performance.now(), end: () => end() };
    const late = setTimeout(() => cutOff(unread), this.#limits.answerMs);
    const end = () => {
      clearTimeout(late);
      own.delete(unread);
      if (own.size === 0 && this.#clients.get(client) === own) this.#clients.delete(client);
    };
    this.#clients.set(client, own.add(unread));
    response.once('close', end);
    this.#makeRoom(own);
  }

  #makeRoom(own: ReadonlySet<Unread>): void {
    const { mostBytes, patienceMs } = this.#limits;
    let allBytes = 0;
    for (const { bytes } of own) allBytes += bytes;
    for (const unread of own) {
      if (allBytes <= mostBytes || performance.now() - unread.sinceMs < patienceMs) return;
      allBytes -= unread.bytes;
      cutOff(unread);
    }
  }
}

/** A response that waits for an earlier one of its connection (HTTP pipelining) has no socket of its own yet, and would not close. */
function cutOff({ response, end }: Unread): void {
  response.req.socket.destroy();
  end();
}
