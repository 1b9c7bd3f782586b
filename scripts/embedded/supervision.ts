import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from './process.mjs';

interface Server {
  exited: Promise<string>;
  stop(): Promise<void>;
  /** Where it may be up and yet of no use: settles once it is seen to work. @throws where it does not. */
  probe?(): Promise<void>;
}

/** How it is found out that a server is up and of no use. */
interface Patience {
  readonly pauseMs: number;
  /** One that is only busy misses some probes, and answers the next. */
  readonly failuresInARow: number;
}

/**
 * A server that answers with errors gets 40 seconds. One that does not answer at all gets two minutes, because
 * its probes wait for an answer.
 */
const PATIENCE: Patience = { pauseMs: 5_000, failuresInARow: 8 };

/** A server that ends this often within a minute will do so again. */
const MAX_STARTS_PER_MINUTE = 5;

/**
 * Keeps a server running: one that ends unasked (a crash, the system's killer of memory hogs) is started
 * again, and one that is of no use any more is ended first.
 * @param restart starts it where it was before, so that its clients find it again.
 * @param onGivenUp called once if it cannot be kept running.
 * @returns a function that stops it for good.
 */
export function supervise(
  name: string,
  first: Server,
  restart: () => Promise<Server>,
  log: Log,
  onGivenUp: (reason: string) => void,
  patience = PATIENCE,
): () => Promise<void> {
  let current = first;
  let stopped = false;
  const onBroken = (server: Server, reason: string) => {
    if (stopped) return;
    log(`${name} is up, and of no use (${reason}); ending it`);
    return server.stop();
  };
  const watch = async () => {
    const starts: number[] = [];
    while (!stopped) {
      const server = current;
      const looking = endsWhenBroken(server, (reason) => onBroken(server, reason), patience);
      const how = await server.exited.finally(looking.close);
      if (stopped) return;
      const nowMs = performance.now();
      starts.push(nowMs);
      if (starts.filter((atMs) => atMs > nowMs - 60_000).length > MAX_STARTS_PER_MINUTE) {
        throw new Error(`it keeps ending (${how})`);
      }
      log(`${name} ended (${how}); starting it again`);
      await sleep(200);
      if (stopped) return;
      current = await restart();
      if (stopped) await current.stop();
    }
  };
  watch().catch((error: unknown) => {
    if (!stopped)
      onGivenUp(`${name} could not be kept running: ${error instanceof Error ? error.message : error}`);
  });
  return async () => {
    stopped = true;
    await current.stop();
  };
}

/** Probes a server until it has failed too often, which is reported once, or until this is closed. */
export function endsWhenBroken(
  { probe }: Pick<Server, 'probe'>,
  onBroken: (reason: string) => Promise<void> | undefined,
  { pauseMs, failuresInARow } = PATIENCE,
): { close(): void } {
  const closing = new AbortController();
  const { signal } = closing;
  const look = async (isSeenToWork: () => Promise<void>) => {
    for (let failures = 0; ; ) {
      await sleep(pauseMs, undefined, { signal, ref: false });
      try {
        await isSeenToWork();
        failures = 0;
      } catch (error) {
        failures += 1;
        if (signal.aborted) return;
        if (failures >= failuresInARow)
          return onBroken(error instanceof Error ? error.message : String(error));
      }
    }
  };
  // It rejects only because it was closed.
  if (probe !== undefined) look(probe).catch(() => {});
  return { close: () => closing.abort() };
}
