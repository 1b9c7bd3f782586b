import type { StoreId } from '../../domain/ids.ts';

/** What has not happened by then is waited for without the turn, so that it holds up no other clock. */
const LONGEST_TURN_MS = 1_000;

/** While runs of others have work, a rest follows each turn, so that clocks have a quarter of the time. */
const REST_PART = 3;

/** For so long after its last activity an environment counts as busy. */
const BUSY_MS = 5_000;

/** Clocks that one process advances at once: the last of them waits for the turns of all others. */
const MOST_CLOCKS = 10;

/** Whose work it is: a store's dev environment, or production as a whole. */
export type WorkOwner = StoreId | 'production';

/**
 * Shares the time of one worker among the clocks that it advances, and bounds what all of them take from others.
 * Having something happen takes a turn. There is one at a time, in the order in which they were asked for, so each clock
 * has the same share. Without other work turns follow each other; beside it they rest.
 */
export class ClockScheduler {
  readonly #clocks = new Set<StoreId>();
  readonly #lastWorkMs = new Map<WorkOwner, number>();
  #previous: Promise<void> = Promise.resolve();

  /** @returns false where this process advances as many as it may; else `leave` must follow. */
  join(storeId: StoreId): boolean {
    if (this.#clocks.size >= MOST_CLOCKS || this.#clocks.has(storeId)) return false;
    this.#clocks.add(storeId);
    return true;
  }

  leave(storeId: StoreId): void {
    this.#clocks.delete(storeId);
  }

  /** Notes that a run of this owner has work here. */
  noteWork(owner: WorkOwner): void {
    // The last one to work is the last one in the map.
    this.#lastWorkMs.delete(owner);
    this.#lastWorkMs.set(owner, performance.now());
  }

  /** Waits for the next turn. @returns what ends it; it ends by itself after a second. */
  async take(): Promise<() => void> {
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
    return end;
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
