import type { StoreId } from '../domain/ids.ts';

/** Unfinished work is awaited outside the slot after this time, so that it does not delay other clocks. */
export const LONGEST_TURN_MS = 1_000;

/** While others have work, a pause follows each slot, so that clocks use a quarter of the time. */
const REST_PART = 3;

/** How long an environment counts as busy after its last activity. */
const BUSY_MS = 5_000;

/** Clocks that one process advances at once: the last one waits for the slots of all others. */
const MOST_CLOCKS = 10;

/** A clock that was refused asks again every two seconds. One that no longer asks is at another worker. */
const WAITS_MS = 10_000;

/** The owner of work: a store's dev environment, or production as a whole. */
export type WorkOwner = StoreId | 'production';

/** A clock's use of the slot. */
export interface Turn {
  /** Whether it was ended, or has lasted for a second. */
  readonly isOver: boolean;
  end(): void;
}

/**
 * Shares a worker's time among the clocks that it advances, and limits what they take from other work. Starting due
 * work needs a slot. There is one slot, in the order of the requests, so each clock has the same share. Slots
 * follow each other directly if there is no other work; otherwise pauses separate them.
 */
export class ClockScheduler {
  readonly #clocks = new Set<StoreId>();
  /** Clocks that were refused, in the order of their first request, and when each asked last. */
  readonly #waiting = new Map<StoreId, number>();
  readonly #lastWorkMs = new Map<WorkOwner, number>();
  #previous: Promise<void> = Promise.resolve();

  /**
   * Clocks take turns: one that has just left joins after those that wait.
   * @returns false if this process already advances as many clocks as it may; otherwise `leave` must follow.
   */
  join(storeId: StoreId): boolean {
    if (this.#clocks.has(storeId)) return false;
    if (this.#waitingBefore(storeId) >= MOST_CLOCKS - this.#clocks.size) {
      this.#waiting.set(storeId, performance.now());
      return false;
    }
    this.#waiting.delete(storeId);
    this.#clocks.add(storeId);
    return true;
  }

  #waitingBefore(storeId: StoreId): number {
    let before = 0;
    for (const [other, askedAtMs] of this.#waiting) {
      if (other === storeId) break;
      if (performance.now() - askedAtMs > WAITS_MS) this.#waiting.delete(other);
      else before += 1;
    }
    return before;
  }

  leave(storeId: StoreId): void {
    this.#clocks.delete(storeId);
  }

  /** Records that a run of this owner has work here. */
  noteWork(owner: WorkOwner): void {
    // Keeps the latest owner last in the map.
    this.#lastWorkMs.delete(owner);
    this.#lastWorkMs.set(owner, performance.now());
  }

  /** Waits for the next turn, which ends by itself after a second. */
  async take(): Promise<Turn> {
    const previous = this.#previous;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#previous = promise;
    await previous;
    const beganMs = performance.now();
    let isOver = false;
    const end = () => {
      if (isOver) return;
      isOver = true;
      clearTimeout(longest);
      const restMs = this.#othersAreBusy() ? (performance.now() - beganMs) * REST_PART : 0;
      if (restMs === 0) resolve();
      else setTimeout(resolve, restMs).unref();
    };
    const longest = setTimeout(end, LONGEST_TURN_MS).unref();
    return {
      get isOver() {
        return isOver;
      },
      end,
    };
  }

  #othersAreBusy(): boolean {
    const busySinceMs = performance.now() - BUSY_MS;
    for (const [owner, lastMs] of this.#lastWorkMs) {
      if (lastMs < busySinceMs) this.#lastWorkMs.delete(owner);
      else if (owner === 'production' || !this.#clocks.has(owner)) return true;
    }
    return false;
  }
}
