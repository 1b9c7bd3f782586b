import { condition } from '@temporalio/workflow';
import type { ConfirmPaymentInput, SentBack, UnfinishedInput } from './charge.contract.ts';
import { isHistoryLong } from './long-history.ts';
import type { AskAgain } from './marked-status.ts';
import type { RunClock } from './run-clock.ts';

/** A rail that has not finished by then is stuck, for hours or days. */
const LONGEST_PAUSE_MS = 15 * 60 * 1_000;

/** A payment whose look-up lags is accepted within five minutes of the moment that the bank knows it. */
const LONGEST_LOOK_UP_PAUSE_MS = 4 * 60 * 1_000;

/** From then on a notification or a listing has to name the payment again: it may never have been made. */
const LOOKED_UP_FOR_MS = 90 * 60 * 1_000;

/** Of money that has been on its way for half a day: what came before is in no operator's interest. */
const CONTINUE_AFTER_EVENTS = 300;

interface Waiting {
  readonly what: SentBack;
  readonly pauseMs: number;
  readonly dueAtMs: number;
  /** Since when the provider does not know the payment; null for money that is on its way back. */
  readonly unknownSinceMs: number | null;
}

/**
 * What a run has asked the provider to send back, and the provider has not finished, and payments that were notified and
 * that the provider does not know yet. It is asked again after the time that it named, then after twice that, and at once
 * where it notifies the payment. Only an activity that is told to
 * (`asksAgain`) answers so, which no release before did: so no history of before comes here.
 */
export class Unfinished {
  readonly #clock: RunClock;
  readonly #ask: (what: SentBack) => Promise<AskAgain | null>;
  readonly #waiting = new Map<string, Waiting>();
  #news = 0;
  #told = 0;
  #heard = 0;

  /** @param ask answers when to ask again; null where it is done. */
  constructor(
    clock: RunClock,
    ask: (what: SentBack) => Promise<AskAgain | null>,
    before: readonly UnfinishedInput[],
  ) {
    this.#clock = clock;
    this.#ask = ask;
    for (const { unknownSinceMs = null, ...what } of before)
      this.#wait(what, LONGEST_PAUSE_MS, unknownSinceMs);
  }

  /** Asks for the first time, or once more besides. */
  async begin(what: SentBack): Promise<void> {
    const again = await this.#ask(what);
    if (again === null) this.#waiting.delete(keyOf(what));
    else this.#wait(what, again.afterMs, again.isPaymentUnknown ? Date.now() : null);
  }

  /** Looks a payment up as soon as the run can, and for the whole time again where the provider still does not know it. */
  lookUpNow(what: ConfirmPaymentInput): void {
    const { pauseMs = 0 } = this.#waiting.get(keyOf(what)) ?? {};
    this.#wait(what, pauseMs, Date.now());
    this.takeNews();
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
  async untilDone(isOver: () => boolean): Promise<readonly UnfinishedInput[]> {
    for (;;) {
      await condition(() => this.#waiting.size > 0 || isOver());
      if (this.#waiting.size === 0) return [];
      if (isOver() && isHistoryLong(CONTINUE_AFTER_EVENTS)) return [...this.#waiting.values()].map(inputOf);
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

  async #again({ what, pauseMs, unknownSinceMs: before }: Waiting): Promise<void> {
    const again = await this.#ask(what);
    // A notification may have restarted the look-up while the provider was asked.
    const unknownSinceMs = this.#waiting.get(keyOf(what))?.unknownSinceMs ?? before ?? Date.now();
    const isGivenUp = again?.isPaymentUnknown && Date.now() - unknownSinceMs >= LOOKED_UP_FOR_MS;
    if (again === null || isGivenUp) this.#waiting.delete(keyOf(what));
    else
      this.#wait(what, Math.max(again.afterMs, 2 * pauseMs), again.isPaymentUnknown ? unknownSinceMs : null);
  }

  #wait(what: SentBack, pauseMs: number, unknownSinceMs: number | null): void {
    const longestMs = unknownSinceMs === null ? LONGEST_PAUSE_MS : LONGEST_LOOK_UP_PAUSE_MS;
    const bounded = Math.min(pauseMs, longestMs);
    this.#waiting.set(keyOf(what), { what, pauseMs: bounded, dueAtMs: Date.now() + bounded, unknownSinceMs });
  }
}

function keyOf(what: SentBack): string {
  return 'refundId' in what ? what.refundId : what.providerPaymentId;
}

function inputOf({ what, unknownSinceMs }: Waiting): UnfinishedInput {
  return unknownSinceMs === null ? what : { ...what, unknownSinceMs };
}
