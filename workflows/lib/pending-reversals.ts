import { condition } from '@temporalio/workflow';
import { LOOKED_UP_FOR_MS } from '../../src/domain/reconciliation.ts';
import type { ConfirmPaymentInput, PendingReversalInput, SentBack } from '../charge.contract.ts';
import { isHistoryLong } from './long-history.ts';
import type { AskAgain } from './marked-status.ts';
import type { RunClock } from './run-clock.ts';

/** A provider that has not finished by then is stuck for hours or days. */
const LONGEST_PAUSE_MS = 15 * 60 * 1_000;

/** Ensures that a payment with a slow look-up is accepted within five minutes after the bank knows it. */
const LONGEST_LOOK_UP_PAUSE_MS = 4 * 60 * 1_000;

/** Half a day of polling. No operator needs the earlier events. */
const CONTINUE_AFTER_EVENTS = 300;

/**
 * Asks the provider. @param unknownSinceMs since when the provider does not know the payment; null on the first
 * look-up.
 */
type Ask = (what: SentBack, unknownSinceMs: number | null) => Promise<AskAgain | null>;

/** The run's other work. */
interface MainLine {
  /** Whether the run waits for nothing but these reversals. */
  isOver(): boolean;
  /** Whether the run may continue as new although it is not over: it only waits for its payer. */
  mayLeave(): boolean;
}

interface Waiting {
  readonly what: SentBack;
  readonly pauseMs: number;
  readonly dueAtMs: number;
  /** Since when the provider does not know the payment; null for a reversal. */
  readonly unknownSinceMs: number | null;
}

/**
 * Reversals that the provider has not finished, and notified payments that the provider does not know yet. Each is
 * polled after the pause that the provider named, then after twice that pause, and at once when the provider
 * notifies the payment.
 */
export class PendingReversals {
  readonly #clock: RunClock;
  readonly #ask: Ask;
  readonly #waiting = new Map<string, Waiting>();
  #news = 0;
  #notified = 0;
  #handled = 0;
  #isLeaving: boolean = false;

  /** @param ask returns when to ask again; null once it is done. */
  constructor(clock: RunClock, ask: Ask, before: readonly PendingReversalInput[]) {
    this.#clock = clock;
    this.#ask = ask;
    for (const { unknownSinceMs = null, dueAtMs, ...what } of before)
      this.#wait(what, LONGEST_PAUSE_MS, unknownSinceMs, dueAtMs);
  }

  /** Whether the run has to continue as new, with the result of {@link untilDone}, before it is over. */
  get isLeaving(): boolean {
    return this.#isLeaving;
  }

  /** Asks for the first time, or once more outside the schedule. */
  async begin(what: SentBack): Promise<void> {
    const again = await this.#ask(what, null);
    if (again === null) this.#waiting.delete(keyOf(what));
    else this.#wait(what, again.afterMs, again.isPaymentUnknown ? this.#unknownSince(what) : null);
  }

  /**
   * Looks a payment up as soon as the run can. A payment with a pending look-up keeps its age and its pauses.
   * Otherwise a listing that names it every five minutes would keep its look-up alive for ever.
   */
  lookUpNow(what: ConfirmPaymentInput): void {
    const { pauseMs = 0 } = this.#waiting.get(keyOf(what)) ?? {};
    this.#wait(what, pauseMs, this.#unknownSince(what));
    this.takeNews();
  }

  #unknownSince(what: SentBack): number {
    const { unknownSinceMs = null } = this.#waiting.get(keyOf(what)) ?? {};
    return unknownSinceMs ?? Date.now();
  }

  /** Ends the current pause. */
  askNow(): void {
    this.#news += 1;
  }

  /**
   * Ends the current pause, and also the next one if none has begun: the provider may have answered the current
   * poll before the news. {@link askNow} need not: the update that calls it asks for its payment itself.
   */
  takeNews(): void {
    this.#notified += 1;
  }

  /**
   * Polls the provider until nothing is pending.
   * @returns the work that the next run must continue if the history is long; nothing if all is done.
   */
  async untilDone(main: MainLine): Promise<readonly PendingReversalInput[]> {
    for (;;) {
      if (this.#mayLeave(main)) {
        this.#isLeaving = true;
        return this.#left();
      }
      await condition(() => this.#waiting.size > 0 || main.isOver());
      if (this.#waiting.size === 0) return [];
      if (main.isOver() && isHistoryLong(CONTINUE_AFTER_EVENTS)) return this.#left();
      const dueAtMs = Math.min(...[...this.#waiting.values()].map(({ dueAtMs: at }) => at));
      const pauseMs = Math.max(dueAtMs - Date.now(), 1);
      const news = this.#news;
      const isNotified = () => this.#notified > this.#handled || this.#news > news;
      await this.#clock.pause(pauseMs, isNotified, 'ask the provider again');
      const isDue = ({ dueAtMs: at }: Waiting) => isNotified() || at <= Date.now();
      const due = [...this.#waiting.values()].filter(isDue);
      this.#handled = this.#notified;
      for (const waiting of due) await this.#again(waiting);
    }
  }

  /** This run handles the news that arrived meanwhile. */
  #mayLeave(main: MainLine): boolean {
    const isIdle = !main.isOver() && main.mayLeave() && this.#notified === this.#handled;
    return isIdle && isHistoryLong(CONTINUE_AFTER_EVENTS);
  }

  #left(): readonly PendingReversalInput[] {
    return [...this.#waiting.values()].map(inputOf);
  }

  async #again(asked: Waiting): Promise<void> {
    const { what, pauseMs, unknownSinceMs: before } = asked;
    const again = await this.#ask(what, before);
    // A notification may have restarted the look-up while the provider was asked.
    const current = this.#waiting.get(keyOf(what));
    const unknownSinceMs = current?.unknownSinceMs ?? before ?? Date.now();
    const isGivenUp = again?.isPaymentUnknown && Date.now() - unknownSinceMs >= LOOKED_UP_FOR_MS;
    const isDone = again === null || isGivenUp;
    if (isDone && current !== asked && current !== undefined) return;
    if (isDone) this.#waiting.delete(keyOf(what));
    else
      this.#wait(what, Math.max(again.afterMs, 2 * pauseMs), again.isPaymentUnknown ? unknownSinceMs : null);
  }

  #wait(what: SentBack, pauseMs: number, unknownSinceMs: number | null, dueAtMs?: number): void {
    const longestMs = unknownSinceMs === null ? LONGEST_PAUSE_MS : LONGEST_LOOK_UP_PAUSE_MS;
    const bounded = Math.min(pauseMs, longestMs);
    const waiting = { what, pauseMs: bounded, dueAtMs: dueAtMs ?? Date.now() + bounded, unknownSinceMs };
    this.#waiting.set(keyOf(what), waiting);
  }
}

function keyOf(what: SentBack): string {
  return 'refundId' in what ? what.refundId : what.providerPaymentId;
}

function inputOf({ what, unknownSinceMs, dueAtMs }: Waiting): PendingReversalInput {
  return { ...what, dueAtMs, ...(unknownSinceMs !== null && { unknownSinceMs }) };
}
