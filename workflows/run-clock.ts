import { condition, setHandler, workflowInfo } from '@temporalio/workflow';
import type { StoreId } from '../src/domain/ids.ts';
import { searchAttribute } from './search-attributes.contract.ts';
import { clockMovedSignal, type Moment } from './store-clock.contract.ts';

/** What every activity is told whose work has a date. */
export function moment(): Moment {
  const { typedSearchAttributes } = workflowInfo();
  const isDev = typedSearchAttributes.get(searchAttribute.devMode) === true;
  const devStoreId = isDev ? typedSearchAttributes.get(searchAttribute.storeId) : undefined;
  return { nowMs: Date.now(), ...(devStoreId && { devStoreId: devStoreId as StoreId }) };
}

/**
 * What a run knows of its store's clock. A clock is only ever moved forward, so timers of real time end late and
 * never early: the run is told when the clock has come to what it waits for. One that is told nothing, as in
 * production, has the timers of before, and no other events.
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
   * Sleeps until an instant; not at all where it has passed.
   * @param sooner ends the sleep as soon as it holds.
   * @param summary names the timer in the UI.
   */
  async waitUntil(instantMs: number, sooner: () => boolean, summary: string): Promise<void> {
    const waitMs = instantMs - Date.now();
    const hasCome = () => this.#reachedMs >= instantMs;
    if (waitMs > 0 && !hasCome()) await condition(() => sooner() || hasCome(), waitMs, { summary });
  }

  /** Sleeps for so long in real time, or until the clock is moved: for what has to be looked at again then. */
  async pause(forMs: number, sooner: () => boolean, summary: string): Promise<void> {
    const moves = this.#moves;
    await condition(() => sooner() || this.#moves > moves, forMs, { summary });
  }
}
