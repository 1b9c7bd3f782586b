import { setTimeout as sleep } from 'node:timers/promises';
import type { StoreId } from '../../domain/ids.ts';
import { restMsAfter } from '../../temporal/busy-environments.ts';
import type { AppDeps } from '../frame/deps.ts';

/** Lists of a store that are read at once while nobody else is busy. The others wait for milliseconds. */
const ALONE_AT_ONCE = 4;

/**
 * How a store's lists and files give way while other stores are busy: one page at a time with a pause after each, so that they use a
 * fixed part of the process however long a page is. Without it one store would take the whole process with requests that its limit allows.
 */
export class ReadsBesideOthers {
  readonly #busy: AppDeps['busy'];

  constructor(busy: AppDeps['busy']) {
    this.#busy = busy;
  }

  /** Lists of this store that may be read at once. */
  atOnce(storeId: StoreId): number {
    return this.#areBeside(storeId) ? 1 : ALONE_AT_ONCE;
  }

  /** The pause after a page of a list or file, which takes up to a tenth of a second of the main thread, in milliseconds. */
  restMs(storeId: StoreId, tookMs: number): number {
    return this.#areBeside(storeId) ? restMsAfter(tookMs) : 0;
  }

  /** Waits for the pause after a read. */
  async rest(storeId: StoreId, tookMs: number): Promise<void> {
    const ms = this.restMs(storeId, tookMs);
    if (ms > 0) await sleep(ms, undefined, { ref: false });
  }

  /** Whether another store has had work lately. A store of which both environments are busy counts as two. */
  #areBeside(storeId: StoreId): boolean {
    return [true, false].every((devMode) => this.#busy.othersThan({ storeId, devMode }));
  }
}
