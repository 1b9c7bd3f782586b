import { setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import type { SubscriptionStatus } from '../../src/domain/subscription.ts';
import { searchAttribute } from '../search-attributes.contract.ts';
import type {
  DueAttempt,
  NextPlan,
  SubscriptionInput,
  SubscriptionPosition,
  SubscriptionState,
} from '../subscription.contract.ts';
import { isHistoryLong } from './long-history.ts';

/** Far below 10 000 events, where the server warns. A monthly subscription gets there in about twelve years. */
const CONTINUE_AFTER_EVENTS = 2_000;

/** Whether a run's history is so long that it continues as new. */
export function isSubscriptionLong(): boolean {
  return isHistoryLong(CONTINUE_AFTER_EVENTS);
}

/** The last failed attempt at the cycle that is being charged. */
export interface FailedCollection {
  readonly attempts: number;
  readonly reason: string;
  readonly retryAtMs: number;
}

/**
 * Where a run of a subscription is, and what operators see of that: search attributes, the run's details and the
 * query `state`. Every change of it is a method here.
 */
export class SubscriptionProgress {
  plan: NextPlan;
  #status: SubscriptionStatus = 'ACTIVE';
  #nextNumber: number;
  #nextChargeAtMs: number;
  #failure: FailedCollection | null = null;
  #isLeaving = false;
  #cancelAtMs: number | null;
  #isPeriodOver = false;
  readonly #isPaused: boolean;
  #moved: SubscriptionPosition | null = null;
  #endedCharges = 0;
  #isBetweenCycles = false;
  #endsBetweenCycles = 0;

  constructor({ nextNumber, nextChargeAtMs, plan, cancelAtMs, pausedUntilMs }: SubscriptionInput) {
    this.#isPaused = pausedUntilMs !== undefined;
    this.#cancelAtMs = cancelAtMs ?? null;
    this.#nextNumber = nextNumber;
    this.#nextChargeAtMs = nextChargeAtMs;
    this.plan = plan;
  }

  get status(): SubscriptionStatus {
    return this.#status;
  }

  get isActive(): boolean {
    return this.#status === 'ACTIVE';
  }

  /** Whether the row has moved on, so that a new run continues from there. */
  get hasMoved(): boolean {
    return this.#moved !== null;
  }

  /** How many signals about ended charges this run has received. */
  get endedCharges(): number {
    return this.#endedCharges;
  }

  noteChargeEnd(): void {
    this.#endedCharges += 1;
  }

  /** Whether the run waits for its next cycle to begin. */
  get isBetweenCycles(): boolean {
    return this.#isBetweenCycles;
  }

  /** How many charges have ended since this wait for the next cycle began: its debit may have opened and paid it. */
  get endsBetweenCycles(): number {
    return this.#endsBetweenCycles;
  }

  noteEndBetweenCycles(): void {
    this.#endsBetweenCycles += 1;
  }

  async betweenCycles(wait: () => Promise<void>): Promise<void> {
    this.#endsBetweenCycles = 0;
    this.#isBetweenCycles = true;
    await wait();
    this.#isBetweenCycles = false;
  }

  /** Whether the run continues as new at its next wait. */
  get isLeaving(): boolean {
    return this.#isLeaving;
  }

  /** Whether the period is over with which a scheduled cancellation takes effect. */
  get isPeriodOver(): boolean {
    return this.#isPeriodOver;
  }

  /** Whether nothing is collected any more. */
  get isCollectionOver(): boolean {
    return !this.isActive || this.#isPeriodOver;
  }

  /** Whether long waits end. */
  get isOver(): boolean {
    return this.isCollectionOver || this.#isLeaving;
  }

  /** When a scheduled cancellation takes effect; null without one. */
  get cancelAtMs(): number | null {
    return this.#cancelAtMs;
  }

  /** The cycle that is charged next or is being charged. */
  get nextNumber(): number {
    return this.#nextNumber;
  }

  get nextChargeAtMs(): number {
    return this.#nextChargeAtMs;
  }

  get lastFailure(): string | null {
    return this.#failure?.reason ?? null;
  }

  /** The only place that changes the status. It never returns to ACTIVE. */
  moveTo(next: SubscriptionStatus): void {
    if (next === this.#status || next === 'ACTIVE') return;
    this.#status = next;
    upsertSearchAttributes([
      { key: searchAttribute.status, value: next },
      { key: searchAttribute.nextChargeAt, value: null },
    ]);
    const { attempts, reason } = this.#failure ?? {};
    const last = reason ? ` Its last cycle had failed ${attempts} times (${reason}).` : '';
    setCurrentDetails(`Subscription is **${next}**.${last}`);
  }

  /** A cancellation was scheduled. */
  endsWith(cancelAtMs: number): void {
    this.#cancelAtMs = cancelAtMs;
    this.showNextCycle();
  }

  /** A pause began or ended, or a cancellation was undone: a new run continues where the row is now. */
  moveOn(position: SubscriptionPosition): void {
    this.#moved = position;
    this.#cancelAtMs = position.cancelAtMs ?? null;
    if (this.#cancelAtMs === null) this.#isPeriodOver = false;
    this.#isLeaving = true;
  }

  showPause(untilMs: number | null): void {
    const until = untilMs === null ? 'somebody resumes it' : `**${new Date(untilMs).toISOString()}**`;
    setCurrentDetails(`Paused until ${until}. Nothing is charged.`);
    upsertSearchAttributes([{ key: searchAttribute.nextChargeAt, value: null }]);
  }

  showUnpaidCycle(): void {
    setCurrentDetails('Past due. Its open cycle waits for the payer, and no attempt follows by itself.');
    upsertSearchAttributes([{ key: searchAttribute.nextChargeAt, value: null }]);
  }

  /** The period is over with which the scheduled cancellation takes effect. */
  notePeriodEnd(): void {
    this.#isPeriodOver = true;
  }

  get isHistoryLong(): boolean {
    return isSubscriptionLong();
  }

  /** Ends the run's next wait if the history is long. */
  leaveIfLong(): void {
    this.#isLeaving ||= this.isHistoryLong;
  }

  showNextCycle(): void {
    const at = new Date(this.#cancelAtMs ?? this.#nextChargeAtMs).toISOString();
    setCurrentDetails(
      this.#cancelAtMs === null
        ? `Charges cycle ${this.#nextNumber} at **${at}**.`
        : `Ends at **${at}**, with its current cycle.`,
    );
  }

  /** A run continues in the middle of a cycle: its failed attempts are known already. */
  knowsFailure({ attempt, lastFailure, dueAtMs }: DueAttempt): void {
    this.#failure = { attempts: attempt - 1, reason: lastFailure ?? '', retryAtMs: dueAtMs };
  }

  /** An attempt at the cycle has failed. */
  noteFailure(failure: FailedCollection): void {
    this.#failure = failure;
    upsertSearchAttributes([
      { key: searchAttribute.nextChargeAt, value: new Date(failure.retryAtMs) },
      { key: searchAttribute.failedAttempts, value: failure.attempts },
      { key: searchAttribute.lastFailure, value: failure.reason },
    ]);
  }

  /** The cycle was collected; the next one is charged at its end. */
  nextCycle(endsAtMs: number): void {
    this.#nextNumber += 1;
    this.#nextChargeAtMs = endsAtMs;
    const failureIsOver = [
      { key: searchAttribute.failedAttempts, value: 0 },
      { key: searchAttribute.lastFailure, value: null },
    ];
    upsertSearchAttributes([
      { key: searchAttribute.cycleNumber, value: this.#nextNumber - 1 },
      { key: searchAttribute.nextChargeAt, value: new Date(endsAtMs) },
      ...(this.#failure === null ? [] : failureIsOver),
    ]);
    this.#failure = null;
    this.showNextCycle();
  }

  /** Another run has collected the cycles before this position. */
  showCollected({ nextNumber, nextChargeAtMs }: SubscriptionPosition): void {
    upsertSearchAttributes([
      { key: searchAttribute.cycleNumber, value: nextNumber - 1 },
      { key: searchAttribute.nextChargeAt, value: new Date(nextChargeAtMs) },
    ]);
  }

  /** The answer of the query `state`. */
  shown(): SubscriptionState {
    const failure = this.#failure;
    return {
      status: this.#status,
      nextNumber: this.#nextNumber,
      plan: this.plan,
      nextChargeAt: new Date(this.#nextChargeAtMs).toISOString(),
      failedAttempts: failure?.attempts ?? 0,
      lastFailure: failure?.reason ?? null,
      retryAt: failure === null ? null : new Date(failure.retryAtMs).toISOString(),
      cancelAt: this.#cancelAtMs === null ? null : new Date(this.#cancelAtMs).toISOString(),
      isPaused: this.#isPaused,
    };
  }

  /** The input of the next run. @param resumes the open attempt of the cycle; null if none is open. */
  inputOfNextRun(
    { subscriptionId, pausedUntilMs, awaitsPayment }: SubscriptionInput,
    resumes: DueAttempt | null,
  ): SubscriptionInput {
    if (this.#moved !== null) return { ...this.#moved, subscriptionId, plan: this.plan };
    const next = {
      subscriptionId,
      nextNumber: this.#nextNumber,
      nextChargeAtMs: this.#nextChargeAtMs,
      plan: this.plan,
      ...(this.#cancelAtMs !== null && { cancelAtMs: this.#cancelAtMs }),
      // Nothing has moved the run on, so it still waits.
      ...(pausedUntilMs !== undefined && { pausedUntilMs }),
      ...(awaitsPayment && { awaitsPayment }),
    };
    return resumes === null ? next : { ...next, resumes };
  }
}
