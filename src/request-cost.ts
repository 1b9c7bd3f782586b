import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate } from 'node:timers/promises';

/** What one request takes from all others. */
export interface RequestCost {
  /** The time that it keeps the main thread busy. */
  readonly mainThreadMs: number;
  /**
   * The time in which it waits for Postgres and the main thread works for no counted request: an answer that lies there while another one
   * is served is not its own. It still grows when others keep Postgres busy.
   */
  readonly postgresMs: number;
}

export const NO_COST: RequestCost = { mainThreadMs: 0, postgresMs: 0 };

interface Counted {
  mainThreadMs: number;
  postgresMs: number;
  /** Statements without an answer, and the idle time of the main thread when the first of them was sent. Parallel ones count once. */
  unanswered: number;
  idleAtAskMs: number;
  /** Those who want to know the cost in the end. */
  readonly listeners: ((cost: RequestCost) => void)[];
}

const current = new AsyncLocalStorage<Counted>();

/** Whose code runs at this moment, and since when. */
let running: Counted | undefined;
let sinceMs = 0;
/** How long the main thread has worked for counted requests until then. */
let busyMs = 0;

/** A clock that stands still while the main thread works for a counted request. */
function idleMs(): number {
  const nowMs = performance.now();
  return nowMs - busyMs - (running === undefined ? 0 : nowMs - sinceMs);
}

/**
 * Runs a request whose time on the main thread is counted: from here, and from each {@link noteResumed} within it, until it waits for
 * something. Node.js counts only what all requests take together.
 */
export async function withCostCounted(run: () => Promise<void>): Promise<void> {
  const counted: Counted = { ...NO_COST, unanswered: 0, idleAtAskMs: 0, listeners: [] };
  await current.run(counted, () => {
    noteResumed();
    return run();
  });
  const cost = costOf(counted);
  for (const listener of counted.listeners) listener(cost);
}

/** What the current request has cost so far; nothing without one. */
export function costSoFar(): RequestCost {
  const counted = current.getStore();
  return counted === undefined ? NO_COST : costOf(counted);
}

/** What has been added to a cost since. */
export function costSince(before: RequestCost, after: RequestCost): RequestCost {
  return {
    mainThreadMs: after.mainThreadMs - before.mainThreadMs,
    postgresMs: after.postgresMs - before.postgresMs,
  };
}

/** Calls `listener` when the current request has ended, with what it has cost in all. Without a current request it is never called. */
export function onCostCounted(listener: (cost: RequestCost) => void): void {
  current.getStore()?.listeners.push(listener);
}

/** Records that the current request continues after a wait. Without this note, what it does until its next wait is not counted. */
export function noteResumed(): void {
  resume(current.getStore());
}

/** Ends a piece of work that takes long, so that other requests run before the next one. */
export async function letOthersRun(): Promise<void> {
  await setImmediate();
  noteResumed();
}

/** A statement of the current request, for where its answer arrives: outside of the request. */
export interface AskedStatement {
  /** Rows are read for the request, or it continues. */
  resume(): void;
  /** All of the answer is there, and the request continues. */
  answered(): void;
}

/** @returns null if the cost of nobody is counted here. */
export function askedStatement(): AskedStatement | null {
  const counted = current.getStore();
  if (counted === undefined) return null;
  if (counted.unanswered === 0) counted.idleAtAskMs = idleMs();
  counted.unanswered += 1;
  return {
    resume: () => resume(counted),
    answered: () => {
      counted.unanswered -= 1;
      if (counted.unanswered === 0) counted.postgresMs += idleMs() - counted.idleAtAskMs;
      resume(counted);
    },
  };
}

function resume(counted: Counted | undefined): void {
  if (counted === running) return;
  stop();
  if (counted === undefined) return;
  running = counted;
  sinceMs = performance.now();
  // The tick runs when no promise is left to continue. Without the microtask it could run before the first of them.
  queueMicrotask(stopInTheEnd);
}

function stopInTheEnd(): void {
  process.nextTick(stop);
}

function stop(): void {
  if (running === undefined) return;
  const ranMs = performance.now() - sinceMs;
  running.mainThreadMs += ranMs;
  busyMs += ranMs;
  running = undefined;
}

function costOf(counted: Counted): RequestCost {
  const { mainThreadMs, postgresMs } = counted;
  const nowMs = counted === running ? performance.now() - sinceMs : 0;
  return { mainThreadMs: mainThreadMs + nowMs, postgresMs };
}
