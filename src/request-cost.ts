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
/** Numbers the pieces of work, so that the end of one does not end a later one. */
let piece = 0;
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
  // The answer is still written to its socket.
  await setImmediate();
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

/** A statement of the current request, for where it is sent and where its answer arrives: outside of the request. */
export interface AskedStatement {
  /** A connection carries it out from now on. Before, others use all of them. */
  sent(): void;
  /** Rows are read for the request, or it continues. */
  resume(): void;
  /** All of the answer is there, or it failed, and the request continues. */
  answered(): void;
}

/** @returns null if the cost of nobody is counted here. */
export function askedStatement(): AskedStatement | null {
  const counted = current.getStore();
  if (counted === undefined) return null;
  let isUnanswered = false;
  return {
    sent: () => {
      isUnanswered = true;
      if (counted.unanswered === 0) counted.idleAtAskMs = idleMs();
      counted.unanswered += 1;
    },
    resume: () => resume(counted),
    answered: () => {
      if (isUnanswered) counted.unanswered -= 1;
      if (isUnanswered && counted.unanswered === 0) counted.postgresMs += idleMs() - counted.idleAtAskMs;
      isUnanswered = false;
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
  piece += 1;
  stopAfter(piece, TICKS_OF_A_PIECE);
}

/**
 * Ticks of Node.js that still belong to a piece of work: in one of them the driver sends a statement, and in another one the answer goes to
 * its socket. Node.js turns to other sockets only when none is left.
 */
const TICKS_OF_A_PIECE = 4;

/** The tick runs when no promise is left to continue. Without the microtask it could run before the first of them. */
function stopAfter(ownPiece: number, ticks: number): void {
  queueMicrotask(() =>
    process.nextTick(() => {
      if (ownPiece !== piece) return;
      if (ticks === 1) stop();
      else stopAfter(ownPiece, ticks - 1);
    }),
  );
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
