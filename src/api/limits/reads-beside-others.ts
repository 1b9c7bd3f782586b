import { setTimeout as sleep } from 'node:timers/promises';
import type { StoreId } from '../../domain/ids.ts';
import { type BusyEnvironments, EXPECTED_MS, restMsAfter } from '../../temporal/busy-environments.ts';

/**
 * How a store's files and old events give way while other stores are busy: with a pause after each page, so that they use a fixed part
 * of the process however long a page is.
 */
export class ReadsBesideOthers {
  readonly #busy: Pick<BusyEnvironments, 'othersThan' | 'readersOtherThan'>;

  constructor(busy: Pick<BusyEnvironments, 'othersThan' | 'readersOtherThan'>) {
    this.#busy = busy;
  }

  /** The pause after a page, which takes up to a tenth of a second of the main thread, in milliseconds. */
  restMs(storeId: StoreId, tookMs: number): number {
    return this.areBeside(storeId) ? restMsAfter(tookMs) : 0;
  }

  /** Waits for the pause after a read. */
  async rest(storeId: StoreId, tookMs: number): Promise<void> {
    const ms = this.restMs(storeId, tookMs);
    if (ms > 0) await sleep(ms, undefined, { ref: false });
  }

  /** Whether another store has had work, or was read of, within the last minute. A store of which both environments are busy counts as two. */
  areBeside(storeId: StoreId): boolean {
    const environments = [true, false].map((devMode) => ({ storeId, devMode }));
    return (
      environments.every((environment) => this.#busy.othersThan(environment, EXPECTED_MS)) ||
      environments.every((environment) => this.#busy.readersOtherThan(environment, EXPECTED_MS))
    );
  }
}
