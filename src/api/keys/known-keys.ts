import type { StoreEnvironment } from '../../domain/store-environment.ts';

/** How long a key's owner, or that the key is unknown, stays cached. */
const REMEMBERED_MS = 60_000;

/** Keys cached in one process, a few megabytes. The least recently used key is evicted first. */
const MOST_KEYS = 20_000;

interface Known {
  /** Null: no key has this hash. Keys are random, so no later key will have it either. */
  readonly owner: StoreEnvironment | null;
  readonly untilMs: number;
}

/**
 * Caches owners of recently used keys by hash. The cache can only refuse requests. Accepted requests always
 * read the key from Postgres, so a revoked key is refused at once.
 */
export class KnownKeys {
  readonly #known = new Map<string, Known>();

  /** @returns null if no key has the hash, undefined if it must be looked up. */
  ownerOf(hash: string, now: Date): StoreEnvironment | null | undefined {
    const known = this.#known.get(hash);
    if (known === undefined || known.untilMs <= now.getTime()) return undefined;
    return known.owner;
  }

  /** @param owner null if Postgres has no usable key with this hash. */
  remember(hash: string, owner: StoreEnvironment | null, now: Date): void {
    this.#known.delete(hash);
    this.#known.set(hash, {
      owner: owner && { storeId: owner.storeId, devMode: owner.devMode },
      untilMs: now.getTime() + REMEMBERED_MS,
    });
    if (this.#known.size <= MOST_KEYS) return;
    const [oldest] = this.#known.keys();
    if (oldest !== undefined) this.#known.delete(oldest);
  }

  forget(hash: string): void {
    this.#known.delete(hash);
  }
}
