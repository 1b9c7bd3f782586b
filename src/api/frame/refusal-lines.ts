/** Refusals of one store, or one address, leave a line of the log this often. */
const LINE_EVERY_MS = 1_000;

/** Remembered in one process; the longest silent is forgotten first. */
const MOST_OWNERS = 10_000;

interface Counted {
  /** Of the newest line. */
  readonly lineMs: number;
  /** Refusals since then, which had no line. */
  silent: number;
}

/** Keeps a flood of refused requests from being a flood of log lines. */
export class RefusalLines {
  readonly #owners = new Map<string, Counted>();

  /** Counts a refusal. @returns null if it gets no line, else how many had none since the owner's line before. */
  count(owner: string, now: Date): number | null {
    const nowMs = now.getTime();
    const counted = this.#owners.get(owner);
    if (counted !== undefined && Math.abs(nowMs - counted.lineMs) < LINE_EVERY_MS) {
      counted.silent += 1;
      return null;
    }
    this.#owners.delete(owner);
    this.#owners.set(owner, { lineMs: nowMs, silent: 0 });
    if (this.#owners.size > MOST_OWNERS) this.#forgetOldest();
    return counted?.silent ?? 0;
  }

  #forgetOldest(): void {
    const [oldest] = this.#owners.keys();
    if (oldest !== undefined) this.#owners.delete(oldest);
  }
}
