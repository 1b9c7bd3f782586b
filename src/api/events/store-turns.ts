import type { StoreId } from '../../domain/ids.ts';

/** More stores than a process can have streams of, so that a store which is forgotten has waited the longest anyway. */
const REMEMBERED = 1_000;

/**
 * Whose turn it is among stores that wait. It remembers stores that no longer wait, so that a client which closes its streams and opens
 * them again does not come before others.
 */
export class StoreTurns {
  /** The store whose turn is the longest ago comes first. */
  readonly #served = new Set<StoreId>();

  /** The store among these that has waited the longest since its last turn. @returns undefined without stores. */
  take(waiting: ReadonlySet<StoreId>): StoreId | undefined {
    const unserved = [...waiting].find((storeId) => !this.#served.has(storeId));
    const next = unserved ?? [...this.#served].find((storeId) => waiting.has(storeId));
    if (next !== undefined) this.#note(next);
    return next;
  }

  #note(storeId: StoreId): void {
    this.#served.delete(storeId);
    this.#served.add(storeId);
    const [oldest] = this.#served;
    if (this.#served.size > REMEMBERED && oldest !== undefined) this.#served.delete(oldest);
  }
}
