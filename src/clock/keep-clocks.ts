import { clocksAfter, findClock, type MovedClock } from '../database/store-clock.ts';
import type { StoreId } from '../domain/ids.ts';
import { storeTime } from '../domain/store-clock.ts';
import { RecentMap } from '../http/recent-map.ts';
import type { ClockScheduler } from './clock-scheduler.ts';
import { type DueItem, firstDue } from './due-rows.ts';
import type { ClockRuns } from './start-clock-run.ts';
import { isWritten, type WakeDeps, wake } from './wake.ts';

/** Clocks checked in one sweep; the next sweep continues after them. */
const CLOCKS = 100;
/** Items of one store that are read, and how many if nearly all of these were woken before. */
const MOST = 50;
const MOST_WITH_WOKEN = 500;
/** Runs woken in a sweep: of one store, and of all. Each is some 20 ms of work, which payments of other stores wait for. */
const WOKEN_OF_ONE = 10;
const WOKEN_IN_ALL = 20;
/** An item that was woken is not woken again for so long, so that those which take longer keep no others waiting. */
const WOKEN_AGAIN_MS = 10_000;
/** Woken items remembered in one process. */
const MOST_WOKEN = 10_000;
/** Younger items under way are still with their own run. */
const PATIENCE_MS = 5_000;

interface ToWake {
  readonly runs: readonly DueItem[];
  readonly written: readonly DueItem[];
}

interface Woken {
  readonly atMs: number;
  readonly times: number;
}

export interface KeeperDeps extends WakeDeps {
  readonly turns: Pick<ClockScheduler, 'take'>;
}

/**
 * Maintains moved clocks. It wakes due work of stores whose clock runs ahead, as timers do not know of that, and
 * starts missing runs of clocks. Any number of workers may do so at once.
 */
export class ClockKeeper {
  readonly #deps: KeeperDeps;
  readonly #clockRuns: ClockRuns;
  /** Stores to which announcements or reminders are due, and these. The store whose turn is the longest ago comes first. */
  readonly #toWrite = new Map<StoreId, readonly DueItem[]>();
  readonly #woken = new RecentMap<string, Woken>(MOST_WOKEN);
  #after = '';

  constructor(deps: KeeperDeps, clockRuns: ClockRuns) {
    this.#deps = deps;
    this.#clockRuns = clockRuns;
  }

  /** A failure of one clock does not delay others. @param now real time. */
  async keep(now: Date): Promise<void> {
    const clocks = await clocksAfter(this.#deps.database, { after: this.#after, limit: CLOCKS });
    this.#after = clocks.length < CLOCKS ? '' : (clocks.at(-1)?.storeId ?? '');
    let left = WOKEN_IN_ALL;
    for (const clock of clocks) {
      try {
        left -= await this.#keepOne(clock, now, Math.min(left, WOKEN_OF_ONE));
      } catch (error) {
        this.#deps.log.warn({ storeId: clock.storeId, err: error }, 'store clock not advanced');
      }
      if (left > 0) continue;
      this.#after = clock.storeId;
      return;
    }
  }

  /**
   * Writes the announcements and reminders of one store for a turn, which it shares with clocks that advance.
   * @returns whether more are due, of this or of another store.
   */
  async write(): Promise<boolean> {
    const [next] = this.#toWrite;
    if (next === undefined) return false;
    const [storeId, items] = next;
    this.#toWrite.delete(storeId);
    const turn = await this.#deps.turns.take();
    try {
      const clock = await findClock(this.#deps.database, storeId);
      // Otherwise it was reset, or its advance writes them.
      const isKept = clock !== null && clock.target === null;
      const left = isKept ? await wake(this.#deps, items, storeTime(clock, new Date())) : [];
      if (left.length > 0) this.#toWrite.set(storeId, left);
    } catch (error) {
      this.#deps.log.warn({ storeId, err: error }, 'announcements and reminders not written');
    } finally {
      turn.end();
    }
    return this.#toWrite.size > 0;
  }

  /** @returns how many runs it has woken. */
  async #keepOne(
    clock: MovedClock & { readonly storeId: StoreId },
    now: Date,
    most: number,
  ): Promise<number> {
    const { storeId, target } = clock;
    if (target !== null) {
      await this.#clockRuns.resume(storeId);
      return 0;
    }
    const time = storeTime(clock, now);
    const { runs, written } = await this.#toWake(storeId, time, now, most);
    await wake(this.#deps, runs, time);
    if (written.length > 0) this.#toWrite.set(storeId, written);
    for (const item of [...runs, ...written])
      this.#woken.set(nameOf(item), { atMs: now.getTime(), times: this.#timesOf(item) + 1 });
    return runs.length;
  }

  /**
   * What was woken least often comes first. A run that cannot end, such as one whose code fails, stays due; however many there are, they
   * keep no others from being woken.
   */
  async #toWake(storeId: StoreId, time: Date, now: Date, most: number): Promise<ToWake> {
    const isDue = ({ dueAt, isUnderWay }: DueItem) =>
      dueAt.getTime() <= time.getTime() - (isUnderWay ? PATIENCE_MS : 0);
    const isSilent = (item: DueItem) => {
      const last = this.#woken.get(nameOf(item));
      return last !== undefined && Math.abs(now.getTime() - last.atMs) < WOKEN_AGAIN_MS;
    };
    const readFirst = async (count: number) => {
      const items = await firstDue(this.#deps.database, storeId, time, count);
      const due = items.filter((item) => isDue(item) && !isSilent(item));
      const runs = due
        .filter((item) => !isWritten(item))
        .toSorted((one, other) => this.#timesOf(one) - this.#timesOf(other))
        .slice(0, most);
      const last = items[count - 1];
      return { runs, written: due.filter(isWritten), areMoreDue: last !== undefined && last.dueAt <= time };
    };
    const { areMoreDue, ...found } = await readFirst(MOST);
    const isEnough = found.runs.length === most && found.runs.every((item) => this.#timesOf(item) === 0);
    return areMoreDue && !isEnough ? readFirst(MOST_WITH_WOKEN) : found;
  }

  #timesOf(item: DueItem): number {
    return this.#woken.get(nameOf(item))?.times ?? 0;
  }
}

/** The next cycle of a subscription is another item, and so is its announcement. */
function nameOf({ storeId, kind, id, dueAt }: DueItem): string {
  return `${storeId} ${kind} ${id} ${dueAt.getTime()}`;
}
