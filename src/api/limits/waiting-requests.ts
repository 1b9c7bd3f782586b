/**
 * A connection whose request waits for its turn is in use, so it is not closed for a new one. Without a limit, four IPv6 sites, ten
 * addresses or four stores could hold all connections of a process by requests that wait.
 */
const MANY_WAITING = 512;
/** What a client, such as an IPv6 site or a store, may have waiting while that many of all wait. */
const MOST_OF_ONE_AMONG_MANY = 64;

/** Counts the requests that wait for their turn. */
export class WaitingRequests {
  readonly #ofClient = new Map<string, number>();
  #ofAll = 0;

  /** @returns what to call once the request waits no longer; null if too many of this client wait already. */
  begin(client: string): (() => void) | null {
    const before = this.#ofClient.get(client) ?? 0;
    if (this.#ofAll >= MANY_WAITING && before >= MOST_OF_ONE_AMONG_MANY) return null;
    this.#count(client, 1);
    let waits = true;
    return () => {
      if (waits) this.#count(client, -1);
      waits = false;
    };
  }

  #count(client: string, change: 1 | -1): void {
    this.#ofAll += change;
    const count = (this.#ofClient.get(client) ?? 0) + change;
    if (count > 0) this.#ofClient.set(client, count);
    else this.#ofClient.delete(client);
  }
}
