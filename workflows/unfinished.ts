import { condition } from '@temporalio/workflow';
import type { SentBack } from './charge.contract.ts';
import { isHistoryLong } from './long-history.ts';
import type { RunClock } from './run-clock.ts';

/** A rail that has not finished by then is stuck, for hours or days. */
const LONGEST_PAUSE_MS = 15 * 60 * 1_000;

/** Of money that has been on its way for half a day: what came before is in no operator's interest. */
const CONTINUE_AFTER_EVENTS = 300;

interface Waiting {
  readonly what: SentBack;
  readonly pauseMs: number;
  readonly dueAtMs: number;
}

/**
 * What a run has asked the provider to send back, and the provider has not finished: it is asked again after the time
 * that it named, then after twice that, and at once where it tells of the payment. Only an activity that is told to
 * (`asksAgain`) answers so, which no release before did: so no history of before comes here.
 */
export class Unfinished {
  readonly #clock: RunClock;
  readonly #ask: (what: SentBack) => Promise<number | null>;
  readonly #waiting = new Map<string, Waiting>();
  #news = 0;
  #told = 0;
  #heard = 0;

  /** @param ask answers after how many milliseconds to ask again; null where it is done. */
  constructor(clock: RunClock, ask: (what: SentBack) => Promise<number | null>, before: readonly SentBack[]) {
    this.#clock = clock;
    this.#ask = ask;
    for (const what of before) this.#wait(what, LONGEST_PAUSE_MS);
  }

  /** Asks for the first time, or once more besides. */
  async begin(what: SentBack): Promise<void> {
    const afterMs = await this.#ask(what);
    if (afterMs === null) this.#waiting.delete(keyOf(what));
    else this.#wait(what, afterMs);
  }

  /** The next pause ends here. */
  askNow(): void {
    this.#news += 1;
  }

  /**
   * The next pause ends here, and one that has not begun, too: what is being asked may have been answered before the
   * news. That of {@link askNow} stays as it is, since it decides what is in histories.
   */
  takeNews(): void {
    this.#told += 1;
  }

  /**
   * Asks again for whatever waits.
   * @param isOver whether the run waits for nothing else.
   * @returns what a run has to go on with whose history is long; nothing where all is done.
   */
  async untilDone(isOver: () => boolean): Promise<readonly SentBack[]> {
    for (;;) {
      await condition(() => this.#waiting.size > 0 || isOver());
      if (this.#waiting.size === 0) return [];
      if (isOver() && isHistoryLong(CONTINUE_AFTER_EVENTS))
        return [...this.#waiting.values()].map(({ what }) => what);
      const dueAtMs = Math.min(...[...this.#waiting.values()].map(({ dueAtMs: at }) => at));
      const pauseMs = Math.max(dueAtMs - Date.now(), 1);
      const news = this.#news;
      const isTold = () => this.#told > this.#heard || this.#news > news;
      await this.#clock.pause(pauseMs, isTold, 'ask the provider again');
      const isDue = ({ dueAtMs: at }: Waiting) => isTold() || at <= Date.now();
      const due = [...this.#waiting.values()].filter(isDue);
      this.#heard = this.#told;
      for (const waiting of due) await this.#again(waiting);
    }
  }

  async #again({ what, pauseMs }: Waiting): Promise<void> {
    const afterMs = await this.#ask(what);
    if (afterMs === null) this.#waiting.delete(keyOf(what));
    else this.#wait(what, Math.max(afterMs, 2 * pauseMs));
  }

  #wait(what: SentBack, pauseMs: number): void {
    const bounded = Math.min(pauseMs, LONGEST_PAUSE_MS);
    this.#waiting.set(keyOf(what), { what, pauseMs: bounded, dueAtMs: Date.now() + bounded });
  }
}

function keyOf(what: SentBack): string {
  return 'refundId' in what ? what.refundId : what.providerPaymentId;
}
