import type { StoreEnvironment } from '../../domain/store-environment.ts';
import { RecentMap } from '../../http/recent-map.ts';

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
  readonly #known = new RecentMap<string, Known>(MOST_KEYS);

  /** @returns null if no key has the hash, undefined if it must be looked up. */
  ownerOf(hash: string, now: Date): StoreEnvironment | null | undefined {
    const known = this.#known.get(hash);
    if (known === undefined || known.untilMs <= now.getTime()) return undefined;
    return known.owner;
  }

  /** @param owner null if Postgres has no usable key with this hash. */
  remember(hash: string, owner: StoreEnvironment | null, now: Date): void {
    this.#known.set(hash, {
      owner: owner && { storeId: owner.storeId, devMode: owner.devMode },
      untilMs: now.getTime() + REMEMBERED_MS,
    });
  }

  forget(hash: string): void {
    this.#known.delete(hash);
  }
}
