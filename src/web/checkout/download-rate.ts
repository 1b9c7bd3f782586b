import { setTimeout as sleep } from 'node:timers/promises';

/** Of all downloads of a process. Passing on a gigabyte takes some five seconds of the main thread. */
const MOST_BYTES_PER_SECOND = 48 * 1024 ** 2;
/** Of one store's environment. */
const MOST_OF_ENVIRONMENT = 16 * 1024 ** 2;
/** Timers are no more exact than this. */
const LEAST_PAUSE_MS = 5;

/** Paces the downloads of a process, so that payments do not wait for fast ones. Each part waits for its time, so downloads of one environment get equal parts. */
export class DownloadRate {
  #allFreeAtMs = 0;
  readonly #freeAtMs = new Map<string, number>();

  /** Waits until these bytes may be sent. */
  async sending(environment: string, bytes: number): Promise<void> {
    const pauseMs = this.pauseMs(environment, bytes, performance.now());
    if (pauseMs >= LEAST_PAUSE_MS) await sleep(pauseMs, undefined, { ref: false });
  }

  /** How long these bytes have to wait, after all that were asked for before. @param nowMs by a monotonic clock. */
  pauseMs(environment: string, bytes: number, nowMs: number): number {
    this.#allFreeAtMs = Math.max(nowMs, this.#allFreeAtMs) + (bytes * 1_000) / MOST_BYTES_PER_SECOND;
    const freeAtMs =
      Math.max(nowMs, this.#freeAtMs.get(environment) ?? 0) + (bytes * 1_000) / MOST_OF_ENVIRONMENT;
    this.#freeAtMs.set(environment, freeAtMs);
    return Math.max(freeAtMs, this.#allFreeAtMs) - nowMs;
  }

  /** No download of this environment runs any more. */
  forget(environment: string): void {
    this.#freeAtMs.delete(environment);
  }
}
