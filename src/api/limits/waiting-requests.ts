/**
 * Of the connections of a process. From the first part on, clients share what the second one allows. From the third on, only those wait who
 * have no request waiting yet, and from the fourth on nobody.
 */
const PARTS = { many: 1 / 8, shared: 3 / 16, full: 1 / 4, most: 5 / 16 } as const;

/**
 * Counts the requests that wait for their turn. The connection of such a request is in use, so it is not closed for a new one. Without a
 * limit, some twenty addresses, IPv6 sites or stores could hold all connections of a process by requests that wait.
 */
export class WaitingRequests {
  readonly #ofClient = new Map<string, number>();
  readonly #connections: number;
  #ofAll = 0;

  /** @param connections the most that the process has. */
  constructor(connections: number) {
    this.#connections = connections;
  }

  /** @returns what to call once the request waits no longer; null if too many of this client, or of all, wait already. */
  begin(client: string): (() => void) | null {
    const before = this.#ofClient.get(client) ?? 0;
    if (before >= this.#mostOfOne()) return null;
    this.#count(client, 1);
    let waits = true;
    return () => {
      if (waits) this.#count(client, -1);
      waits = false;
    };
  }

  /** The more clients wait, the fewer requests each of them may have. */
  #mostOfOne(): number {
    const part = this.#ofAll / this.#connections;
    if (part >= PARTS.most) return 0;
    if (part >= PARTS.full) return 1;
    if (part < PARTS.many) return Number.POSITIVE_INFINITY;
    return Math.max(1, Math.floor((this.#connections * PARTS.shared) / this.#ofClient.size));
  }

  #count(client: string, change: 1 | -1): void {
    this.#ofAll += change;
    const count = (this.#ofClient.get(client) ?? 0) + change;
    if (count > 0) this.#ofClient.set(client, count);
    else this.#ofClient.delete(client);
  }
}
