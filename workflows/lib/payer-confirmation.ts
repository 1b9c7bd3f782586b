import type { MarkedStatus, PayerConfirms } from '../../activities/charges.ts';
import type { ChargeStatus } from '../../src/domain/charge.ts';
import type { RunClock } from './run-clock.ts';

/** What an attempt to decide a card payment returned. */
type Decision = ChargeStatus | MarkedStatus;

/**
 * A card payment that its payer confirms at their bank. The run asks the provider after the pause that it named, then
 * after twice that pause, at the deadline, and at once when the payer is back or the provider notifies something.
 */
export class PayerConfirmation {
  readonly #clock: RunClock;
  #news = 0;
  #isAwaited: boolean = false;

  constructor(clock: RunClock) {
    this.#clock = clock;
  }

  /** Whether the payer has been asked, so that a request need not wait for the decision. */
  get isAwaited(): boolean {
    return this.#isAwaited;
  }

  /** The payer is back, or the provider has news. Ends the current pause, or the next one if none has begun. */
  takeNews(): void {
    this.#news += 1;
  }

  /**
   * Waits until the payment is decided. At the deadline the activity closes it.
   * @param ask asks the provider again.
   * @param isOpen false once an update has ended the charge, such as a notified payment or a cancellation.
   * @returns the last answer; null if an update has ended the charge.
   */
  async decided(
    first: Decision,
    ask: () => Promise<Decision>,
    isOpen: () => boolean,
  ): Promise<Decision | null> {
    let answer = first;
    let pauseMs = 0;
    let seen = this.#news;
    for (;;) {
      const confirms = confirmsIn(answer);
      if (confirms === null) return answer;
      this.#isAwaited = true;
      pauseMs = this.#news > seen ? confirms.askAgainMs : Math.max(confirms.askAgainMs, 2 * pauseMs);
      await this.#pause(pauseMs, confirms.untilMs, () => !isOpen() || this.#news > seen);
      if (!isOpen()) return null;
      if (this.#news > seen) pauseMs = 0;
      seen = this.#news;
      answer = await ask();
    }
  }

  /** Never sleeps past the deadline. */
  #pause(pauseMs: number, untilMs: number, sooner: () => boolean): Promise<void> {
    const leftMs = untilMs - Date.now();
    const boundedMs = leftMs > 0 ? Math.min(pauseMs, leftMs) : pauseMs;
    return this.#clock.pause(boundedMs, sooner, 'payer confirms at their bank');
  }
}

function confirmsIn(answer: Decision): PayerConfirms | null {
  return typeof answer === 'string' ? null : (answer.payerConfirms ?? null);
}
