import type { StoreEnvironment } from '../../domain/store-environment.ts';
import { RecentMap } from '../../http/recent-map.ts';

/** How long a key's owner, or that the key is unknown, stays cached. */
const REMEMBERED_MS = 60_000;

/** How long a key that was valid is looked up without counting for its client address. */
const SERVED_MS = 24 * 3_600_000;

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
  /** Apart from the others, so that guessed keys evict none of these. */
  readonly #served = new RecentMap<string, Known>(MOST_KEYS);

  /** @returns null if no key has the hash, undefined if it must be looked up. */
  ownerOf(hash: string, now: Date): StoreEnvironment | null | undefined {
    return living(this.#known.get(hash), now)?.owner;
  }

  /**
   * The owner of a key that was valid within a day, for a lookup that follows: the key may have been revoked since. Without a
   * lookup, use {@link ownerOf}: otherwise a revoked key could use up its store's limit for a day.
   */
  servedOwnerOf(hash: string, now: Date): StoreEnvironment | undefined {
    return living(this.#served.get(hash), now)?.owner ?? undefined;
  }

  /** @param owner null if Postgres has no usable key with this hash. */
  remember(hash: string, owner: StoreEnvironment | null, now: Date): void {
    const known = owner && { storeId: owner.storeId, devMode: owner.devMode };
    this.#known.set(hash, { owner: known, untilMs: now.getTime() + REMEMBERED_MS });
    if (known === null) this.#served.delete(hash);
    else this.#served.set(hash, { owner: known, untilMs: now.getTime() + SERVED_MS });
  }

  forget(hash: string): void {
    this.#known.delete(hash);
    this.#served.delete(hash);
  }
}

function living(known: Known | undefined, now: Date): Known | undefined {
  return known !== undefined && known.untilMs > now.getTime() ? known : undefined;
}
