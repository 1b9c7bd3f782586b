import { clocksAfter, type MovedClock } from '../database/store-clock.ts';
import type { StoreId } from '../domain/ids.ts';
import { storeTime } from '../domain/store-clock.ts';
import { type DueItem, firstDue } from './due-rows.ts';
import type { ClockRuns } from './start-clock-run.ts';
import { type WakeDeps, wake } from './wake.ts';

/** Clocks checked in one sweep; the next sweep continues after them. */
const CLOCKS = 100;
/** Items of one store woken at once. */
const MOST = 50;
/** Younger items under way are still with their own run. */
const PATIENCE_MS = 5_000;

/**
 * Maintains moved clocks. It wakes due work of stores whose clock runs ahead, as timers do not know of that, and
 * starts missing runs of clocks. Any number of workers may do so at once.
 */
export class ClockKeeper {
  readonly #deps: WakeDeps;
  readonly #clockRuns: ClockRuns;
  #after = '';

  constructor(deps: WakeDeps, clockRuns: ClockRuns) {
    this.#deps = deps;
    this.#clockRuns = clockRuns;
  }

  /** A failure of one clock does not delay others. @param now real time. */
  async keep(now: Date): Promise<void> {
    const clocks = await clocksAfter(this.#deps.database, { after: this.#after, limit: CLOCKS });
    this.#after = clocks.length < CLOCKS ? '' : (clocks.at(-1)?.storeId ?? '');
    for (const clock of clocks) {
      try {
        await this.#keepOne(clock, now);
      } catch (error) {
        this.#deps.log.warn({ storeId: clock.storeId, err: error }, 'store clock not advanced');
      }
    }
  }

  async #keepOne(clock: MovedClock & { readonly storeId: StoreId }, now: Date): Promise<void> {
    const { storeId, target } = clock;
    if (target !== null) return this.#clockRuns.resume(storeId);
    const time = storeTime(clock, now);
    const isDue = ({ dueAt, isUnderWay }: DueItem) =>
      dueAt.getTime() <= time.getTime() - (isUnderWay ? PATIENCE_MS : 0);
    const due = (await firstDue(this.#deps.database, storeId, time, MOST)).filter(isDue);
    await wake(this.#deps, due, time);
  }
}
