import { RecentMap } from '../../http/recent-map.ts';

/** At most one log line per store or address in this time. */
const LINE_EVERY_MS = 1_000;

/** Owners remembered in one process. The least recently refused is evicted first. */
const MOST_OWNERS = 10_000;

interface Counted {
  /** Time of the latest line. */
  readonly lineMs: number;
  /** Refusals without a line since then. */
  silent: number;
}

/** Limits the log lines for refused requests, so that a flood of requests does not flood the log. */
export class RefusalLines {
  readonly #owners = new RecentMap<string, Counted>(MOST_OWNERS);

  /**
   * Counts a refusal. @returns null if it gets no line, otherwise how many were skipped since the owner's
   * previous line.
   */
  count(owner: string, now: Date): number | null {
    const nowMs = now.getTime();
    const counted = this.#owners.get(owner);
    if (counted !== undefined && Math.abs(nowMs - counted.lineMs) < LINE_EVERY_MS) {
      counted.silent += 1;
      return null;
    }
    this.#owners.set(owner, { lineMs: nowMs, silent: 0 });
    return counted?.silent ?? 0;
  }
}
