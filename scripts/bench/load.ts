import { setTimeout as sleep } from 'node:timers/promises';

/** The result of one run of load. */
export interface Load {
  /** Completed requests. */
  readonly count: number;
  /** The time from the first request to the last answer. */
  readonly elapsedMs: number;
  readonly perSecond: number;
  /** The latency of each request, unordered. */
  readonly latenciesMs: readonly number[];
}

/** Timers of Node fire at whole milliseconds. All requests due by then are sent at once. */
const TICK_MS = 1;

/**
 * Keeps `inFlight` requests running for `durationMs`, and waits for those that have started.
 * @throws the error of the first failed request, because a run with errors has no figures.
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
 * Sends requests at a fixed rate, however long the answers take, and measures each one from the time it was due. So the delays
 * of a stalled service include all requests that would have waited (no "coordinated omission").
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

/** The value at or below which `percent` of the values are (nearest rank). @throws if there are no values. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const value = sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)];
  if (value === undefined) throw new Error('nothing was measured');
  return value;
}

/** The middle value, or the mean of the two middle values. @throws if there are no values. */
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

/** Waits until `isTrue`, and checks every `everyMs`. @throws Error with the description of the condition. */
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
