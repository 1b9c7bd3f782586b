import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from './embedded/process.ts';

interface Server {
  exited: Promise<string>;
  stop(): Promise<void>;
}

/** A server that ends this often within a minute will do so again. */
const MAX_STARTS_PER_MINUTE = 5;

/**
 * Keeps a server running: one that ends unasked (a crash, the system's killer of memory hogs) is started
 * again.
 * @param restart starts it where it was before, so that its clients find it again.
 * @param onGivenUp is told once when it cannot be kept running.
 * @returns a function that stops it for good.
 */
export function supervise(
  name: string,
  first: Server,
  restart: () => Promise<Server>,
  log: Log,
  onGivenUp: (reason: string) => void,
): () => Promise<void> {
  let current = first;
  let stopped = false;
  const watch = async () => {
    const starts: number[] = [];
    while (!stopped) {
      const how = await current.exited;
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
