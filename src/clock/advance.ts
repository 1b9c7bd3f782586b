import { setTimeout as sleep } from 'node:timers/promises';
import {
  cancelJourney,
  endJourney,
  findClock,
  type MovedClock,
  noteWaiting,
  progressOf,
  stepClock,
} from '../database/store-clock.ts';
import type { StoreId } from '../domain/ids.ts';
import type { ClockProgress } from '../domain/store-clock.ts';
import { nextCyclesOf } from '../subscriptions/next-cycles.ts';
import type { ClockScheduler, Turn } from './clock-scheduler.ts';
import { type DueItem, firstDue } from './due-rows.ts';
import { type WakeDeps, wake } from './wake.ts';

/** How long a clock advances before it reports its progress. */
const STRETCH_MS = 5_000;

/** The pause between two checks whether due work is done; it grows with the time already spent. */
const SHORTEST_PAUSE_MS = 4;
const LONGEST_PAUSE_MS = 100;
const PAUSE_PART = 1 / 8;

/** Work that is not done by then is notified again, with growing pauses, and a lost run is started again. */
const NOTIFY_AGAIN_MS = 1_000;
const LONGEST_SILENCE_MS = 30_000;

/** Due items per check; the others are seen once these are done. */
const MOST = 100;

/** Runs woken in one turn: a turn takes the time of their work, and the pause after it gives three times as much to others. */
const WOKEN_IN_A_TURN = 10;

/**
 * A journey ends early after this many stops. Then more became due than was forecast when it began
 * (src/api/clock/forecast.ts), since the forecast cannot include rows that are created meanwhile.
 */
const MOST_STEPS = 10_000;

export interface AdvanceDeps extends WakeDeps {
  /** Waits some seconds until the mails of reminders are sent: later they may not be needed any more. */
  readonly sendReminders: () => Promise<unknown>;
  readonly turns: Pick<ClockScheduler, 'join' | 'leave' | 'take'>;
}

/**
 * Advances a store's clock towards its target, from one due instant to the next. It leaves an instant once the rows
 * show that everything due there is done, so all work happens in order and at its due time. All state is in
 * Postgres and each step is taken once: after a crash, or with a second process, work continues from the clock's
 * position.
 *
 * @param isOver called in each round; throws to stop.
 * @returns the progress after some seconds, at the target, or at a cancellation; null if this process already
 *   advances as many clocks as it may.
 */
export async function advanceClock(
  deps: AdvanceDeps,
  storeId: StoreId,
  isOver: () => void,
): Promise<ClockProgress | null> {
  if (!deps.turns.join(storeId)) return null;
  const stop = new Stop(deps);
  try {
    return await advanceForSomeSeconds(deps, storeId, stop, isOver);
  } finally {
    stop.leave();
    deps.turns.leave(storeId);
  }
}

async function advanceForSomeSeconds(
  deps: AdvanceDeps,
  storeId: StoreId,
  stop: Stop,
  isOver: () => void,
): Promise<ClockProgress> {
  const endsAtMs = performance.now() + STRETCH_MS;
  await endOvergrown(deps, storeId);
  for (;;) {
    isOver();
    const clock = await findClock(deps.database, storeId);
    if (clock === null) throw new Error(`the clock of ${storeId} was never moved`);
    if (clock.standsAt === null || performance.now() > endsAtMs) return progressOf(clock, new Date());
    await moveOn(deps, storeId, clock, stop);
  }
}

/**
 * Ends a journey early if more cycles are left than a journey may begin with. The clock stands still meanwhile, so
 * new subscriptions share a few instants, and {@link MOST_STEPS} would allow millions of cycles.
 */
async function endOvergrown({ database, log }: AdvanceDeps, storeId: StoreId): Promise<void> {
  const clock = await findClock(database, storeId);
  if (clock === null || clock.target === null || clock.steps === 0) return;
  const { standsAt, target } = clock;
  if ((await nextCyclesOf(database, storeId, target)).lastFit === null) return;
  await cancelJourney(database, { storeId, real: new Date() });
  log.warn({ storeId, standsAt, target }, 'store clock stopped after too many new cycles');
}

async function moveOn(deps: AdvanceDeps, storeId: StoreId, clock: MovedClock, stop: Stop): Promise<void> {
  const { database, log } = deps;
  const { standsAt, target, steps } = clock;
  if (standsAt === null || target === null) return;
  if (steps >= MOST_STEPS) {
    await cancelJourney(database, { storeId, real: new Date() });
    log.warn({ storeId, steps, standsAt, target }, 'store clock stopped after too many steps');
    return;
  }
  const items = await firstDue(database, storeId, standsAt, MOST);
  const dueOf = (some: readonly DueItem[]) => some.filter(({ dueAt }) => dueAt <= standsAt);
  const due = dueOf(items);
  const [first] = due;
  if (first !== undefined) {
    const dueNow = async () => dueOf(await firstDue(database, storeId, standsAt, MOST));
    await stop.waitFor(due, dueNow, standsAt);
    if (stop.isLong) await noteWaiting(database, { storeId, standsAt, waitsFor: first.id });
    return;
  }
  stop.leave();
  const next = items[0]?.dueAt ?? target;
  if (standsAt < target)
    await stepClock(database, { storeId, from: standsAt, to: next < target ? next : target });
  else await endJourney(database, { storeId, target, aheadMs: target.getTime() - Date.now() });
}

/** One due instant: starts its work, in as many turns as it needs, and waits for it. */
class Stop {
  readonly #deps: AdvanceDeps;
  readonly #notified = new Map<string, { readonly atMs: number; readonly silenceMs: number }>();
  #sinceMs: number | null = null;
  #turn: Turn | null = null;
  #turnSinceMs = 0;
  /** What the turn has woken. */
  #woken: ReadonlySet<string> = new Set();

  constructor(deps: AdvanceDeps) {
    this.#deps = deps;
  }

  /** Whether this takes so long that someone may want to know why. */
  get isLong(): boolean {
    return this.#sinceMs !== null && performance.now() - this.#sinceMs > NOTIFY_AGAIN_MS;
  }

  /** @param dueNow reads again what is due: a turn may come after seconds. */
  async waitFor(
    due: readonly DueItem[],
    dueNow: () => Promise<readonly DueItem[]>,
    now: Date,
  ): Promise<void> {
    this.#noteUnderWay(due);
    const needsTurn = this.#turn === null || (!this.#isAtWork(due) && this.#toWake(due).length > 0);
    if (needsTurn) await this.#takeTurn(dueNow, now);
    const pauseMs = (performance.now() - this.#turnSinceMs) * PAUSE_PART;
    await sleep(Math.min(Math.max(pauseMs, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS));
  }

  leave(): void {
    this.#turn?.end();
    this.#turn = null;
    this.#notified.clear();
    this.#sinceMs = null;
  }

  /** Whether the turn is not over and runs that it has woken still have work. */
  #isAtWork(due: readonly DueItem[]): boolean {
    return this.#turn?.isOver === false && due.some((item) => this.#woken.has(keyOf(item)));
  }

  async #takeTurn(dueNow: () => Promise<readonly DueItem[]>, now: Date): Promise<void> {
    this.#turn?.end();
    this.#turn = await this.#deps.turns.take();
    this.#turnSinceMs = performance.now();
    this.#sinceMs ??= this.#turnSinceMs;
    const items = this.#toWake(await dueNow());
    for (const item of items) this.#noteNotified(item);
    const unfinished = new Set(await wake(this.#deps, items, now));
    // The next turn continues them at once.
    for (const item of unfinished) this.#notified.delete(keyOf(item));
    const done = items.filter((item) => !unfinished.has(item));
    this.#woken = new Set(done.map(keyOf));
    if (!done.some(({ kind }) => kind === 'reminder')) return;
    // Mails give way to others by themselves.
    this.#turn.end();
    await this.#deps.sendReminders();
  }

  /** Work under way is left alone for the first time. */
  #noteUnderWay(due: readonly DueItem[]): void {
    for (const item of due) if (item.isUnderWay && !this.#notified.has(keyOf(item))) this.#noteNotified(item);
  }

  #noteNotified(item: DueItem): void {
    const last = this.#notified.get(keyOf(item));
    const silenceMs = last === undefined ? NOTIFY_AGAIN_MS : Math.min(2 * last.silenceMs, LONGEST_SILENCE_MS);
    this.#notified.set(keyOf(item), { atMs: performance.now(), silenceMs });
  }

  #toWake(due: readonly DueItem[]): DueItem[] {
    const nowMs = performance.now();
    const isSilent = (item: DueItem) => {
      const last = this.#notified.get(keyOf(item));
      return last !== undefined && nowMs - last.atMs < last.silenceMs;
    };
    return due.filter((item) => !isSilent(item)).slice(0, WOKEN_IN_A_TURN);
  }
}

const keyOf = ({ kind, id }: DueItem): string => `${kind}/${id}`;
