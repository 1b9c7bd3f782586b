import { setTimeout as sleep } from 'node:timers/promises';

/** What one run of load took. */
export interface Load {
  /** Pieces of work finished. */
  readonly count: number;
  /** From the first one sent to the last one finished. */
  readonly elapsedMs: number;
  readonly perSecond: number;
  /** Latency of each piece, unordered. */
  readonly latenciesMs: readonly number[];
}

/** Timers of Node fire on whole milliseconds; what is due by then is sent at once. */
const TICK_MS = 1;

/**
 * Keeps `inFlight` pieces of work going for `durationMs` and lets those begun finish.
 * @throws what the first failing piece throws: a run with errors has no figures.
 */
export async function closedLoop(
  durationMs: number,
  inFlight: number,
  work: () => Promise<void>,
): Promise<Load> {
  const startedMs = performance.now();
  const latenciesMs: number[] = [];
  let failed = false;
  const one = async () => {
    while (!failed && performance.now() - startedMs < durationMs) {
      const sentMs = performance.now();
      await work();
      latenciesMs.push(performance.now() - sentMs);
    }
  };
  const stopOthers = (error: unknown) => {
    failed = true;
    throw error;
  };
  await Promise.all(Array.from({ length: inFlight }, () => one().catch(stopOthers)));
  return loadOf(latenciesMs, performance.now() - startedMs);
}

/**
 * Sends work at a fixed rate, however long the answers take, and measures each piece from the instant it was
 * due: a stalled service is charged with everybody who would have waited (no "coordinated omission").
 */
export async function openLoop(
  durationMs: number,
  perSecond: number,
  work: () => Promise<void>,
): Promise<Load> {
  const startedMs = performance.now();
  const latenciesMs: number[] = [];
  const pieces: Promise<void>[] = [];
  const total = Math.round((durationMs / 1_000) * perSecond);
  const dueMs = (index: number) => startedMs + (index * 1_000) / perSecond;
  while (pieces.length < total) {
    const nextDueMs = dueMs(pieces.length);
    if (nextDueMs > performance.now()) await sleep(TICK_MS);
    else pieces.push(work().then(() => void latenciesMs.push(performance.now() - nextDueMs)));
  }
  await Promise.all(pieces);
  return loadOf(latenciesMs, performance.now() - startedMs);
}

function loadOf(latenciesMs: number[], elapsedMs: number): Load {
  const count = latenciesMs.length;
  return { count, elapsedMs, perSecond: count / (elapsedMs / 1_000), latenciesMs };
}

/** The value below or at which `percent` of the values lie (nearest rank). @throws where there are none. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const value = sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)];
  if (value === undefined) throw new Error('nothing was measured');
  return value;
}

/** The middle value, or the mean of the two in the middle. @throws where there are none. */
export function median(values: readonly number[]): number {
  return (
    (percentile(values, 50) +
      percentile(
        values.map((value) => -value),
        50,
      ) *
        -1) /
    2
  );
}

/** Waits until `isTrue`, looking every `everyMs`. @throws Error naming what was waited for. */
export async function until(
  what: string,
  isTrue: () => Promise<boolean> | boolean,
  { everyMs = 50, timeoutMs = 600_000 } = {},
): Promise<void> {
  const deadlineMs = performance.now() + timeoutMs;
  while (!(await isTrue())) {
    if (performance.now() > deadlineMs)
      throw new Error(`still waiting for ${what} after ${timeoutMs / 1_000} s`);
    await sleep(everyMs);
  }
}
