import { availableParallelism } from 'node:os';
import pLimit from 'p-limit';

/**
 * Each comparison keeps a core busy for 20 ms. Half of the cores stay free for payments, and two of libuv's four threads for members,
 * files, compression and name look-ups.
 */
const AT_ONCE = Math.min(2, Math.max(1, Math.floor(availableParallelism() / 2)));
/** A sign-in compares two passwords at least: on one core the last of these waits for four seconds. */
const MOST_WAITING = 100;

/**
 * Where people who are not signed in wait until their password or code is compared. A flood of guesses from many addresses must not
 * take all cores from payments. Members wait in a queue of their own, which strangers do not reach (`MemberQueue`).
 */
export class PasswordQueue {
  readonly #turns = pLimit(AT_ONCE);

  /** Whether so many wait that another one is better refused. */
  get isFull(): boolean {
    return this.#turns.pendingCount >= MOST_WAITING;
  }

  /** Compares when it is its turn. */
  compare<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#turns(work);
  }
}
