import { condition, setHandler, workflowInfo } from '@temporalio/workflow';
import type { StoreId } from '../../src/domain/ids.ts';
import { searchAttribute } from '../search-attributes.contract.ts';
import { clockMovedSignal, type Moment } from '../store-clock.contract.ts';

/** The input of every activity whose work has a date. */
export function moment(): Moment {
  const { typedSearchAttributes } = workflowInfo();
  const isDev = typedSearchAttributes.get(searchAttribute.devMode) === true;
  const devStoreId = isDev ? typedSearchAttributes.get(searchAttribute.storeId) : undefined;
  return { nowMs: Date.now(), ...(devStoreId && { devStoreId: devStoreId as StoreId }) };
}

/**
 * What a run knows of its store's clock. A clock only moves forward, so a timer in real time ends late, never
 * early. The run receives a signal when the clock reaches the instant it waits for. A run without signals, as in
 * production, has the same timers and events as before clocks existed.
 */
export class RunClock {
  #reachedMs = 0;
  #moves = 0;

  constructor() {
    setHandler(clockMovedSignal, ({ nowMs }) => {
      this.#reachedMs = Math.max(this.#reachedMs, nowMs);
      this.#moves += 1;
    });
  }

  /**
   * Sleeps until an instant, or returns at once if it has passed.
   * @param sooner ends the sleep as soon as it holds.
   * @param summary names the timer in the UI.
   */
  async waitUntil(instantMs: number, sooner: () => boolean, summary: string): Promise<void> {
    const waitMs = instantMs - Date.now();
    const hasCome = () => this.#reachedMs >= instantMs;
    if (waitMs > 0 && !hasCome()) await condition(() => sooner() || hasCome(), waitMs, { summary });
  }

  /** How often the clock has moved. */
  get moves(): number {
    return this.#moves;
  }

  /** Sleeps for a real duration, or until the clock moves: work that polls must poll again then. */
  async pause(forMs: number, sooner: () => boolean, summary: string): Promise<void> {
    const moves = this.#moves;
    await condition(() => sooner() || this.#moves > moves, forMs, { summary });
  }
}
