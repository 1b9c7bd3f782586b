import { type Environment, nameOf } from './busy-environments.ts';

/** Starts of charges and checkouts a second, in each process, for which an environment never waits. */
const SHARE_PER_SECOND = 10;

/** Environments remembered; the longest unseen is forgotten first, and has its whole share again. */
const REMEMBERED = 10_000;

interface Share {
  left: number;
  atMs: number;
}

/** The share of starts that every environment has, however busy others are. */
export class StartShares {
  readonly #shares = new Map<string, Share>();
  readonly #nowMs: () => number;

  /** @param nowMs a clock that never goes back. */
  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** @returns whether this start is within its environment's share. */
  take(environment: Environment): boolean {
    const most = SHARE_PER_SECOND;
    const name = nameOf(environment);
    const nowMs = this.#nowMs();
    const share = this.#shares.get(name) ?? { left: most, atMs: nowMs };
    share.left = Math.min(most, share.left + ((nowMs - share.atMs) * most) / 1_000);
    share.atMs = nowMs;
    this.#shares.delete(name);
    this.#shares.set(name, share);
    const [oldest] = this.#shares.keys();
    if (this.#shares.size > REMEMBERED && oldest !== undefined) this.#shares.delete(oldest);
    if (share.left < 1) return false;
    share.left -= 1;
    return true;
  }
}
