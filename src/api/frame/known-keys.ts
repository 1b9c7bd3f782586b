import type { StoreEnvironment } from '../../domain/store-environment.ts';

/** How long it is remembered whose a key is, or that it is nobody's. */
const REMEMBERED_MS = 60_000;

/** Keys remembered in one process, some megabytes. The longest unseen is forgotten first. */
const MOST_KEYS = 20_000;

interface Known {
  /** Null: no key has this hash. Keys are random, so none ever will. */
  readonly owner: StoreEnvironment | null;
  readonly untilMs: number;
}

/**
 * Whose keys are that were used a moment ago, by their hashes: enough to refuse a request, never to let one through. What
 * is let through is looked up in Postgres each time, so a key that was revoked is refused at once.
 */
export class KnownKeys {
  readonly #known = new Map<string, Known>();

  /** @returns null for a hash that is no key's, undefined for one that must be looked up. */
  ownerOf(hash: string, now: Date): StoreEnvironment | null | undefined {
    const known = this.#known.get(hash);
    if (known === undefined || known.untilMs <= now.getTime()) return undefined;
    return known.owner;
  }

  /** @param owner null if Postgres has no key with this hash that serves. */
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
