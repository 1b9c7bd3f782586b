import { WorkflowUpdateRPCTimeoutOrCancelledError } from '@temporalio/client';
import type { MarkedStatus } from '../../activities/charges.ts';
import type { Activities } from '../../activities/index.ts';
import type { Database } from '../../src/database/orm.ts';
import type { ChargeStatus } from '../../src/domain/charge.ts';
import type { ChargeId, PayoutId, RefundId, StoreId } from '../../src/domain/ids.ts';
import { LOOKED_UP_FOR_MS } from '../../src/domain/reconciliation.ts';
import { ProviderError } from '../../src/providers/provider-error.ts';
import type { ChargeUpdates } from '../../src/temporal/charge.ts';
import { ProcessDied } from './mortal.ts';

// As workflows/lib/activity-options.ts, workflows/lib/pending-reversals.ts and workflows/payout.ts have them.
const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 30_000;
const LONGEST_PAUSE_MS = 15 * 60_000;
const LONGEST_LOOK_UP_PAUSE_MS = 4 * 60_000;
/** The auditor resumes work that has been idle for longer. */
const AUDITED_AFTER_MS = 15 * 60_000;

type Answer = ChargeStatus | MarkedStatus;
type Step = (worker: Activities, nowMs: number, unknownSinceMs: number | null) => Promise<Answer>;

interface Waiting {
  readonly chargeId: string;
  readonly step: Step;
  dueAtMs: number;
  pauseMs: number;
  /** Failures in a row. */
  failures: number;
  unknownSinceMs: number | null;
}

/**
 * In place of Temporal: runs activities as the workflows of charges and payouts would, with the same pauses, on a clock
 * that the test moves. An activity that throws is repeated, by another worker if it killed the first. A repeated
 * update gets its first answer.
 */
export class Runs {
  readonly #database: Database;
  readonly #storeId: StoreId;
  readonly #nowMs: () => number;
  readonly #newWorker: () => Activities;
  readonly #waiting = new Map<string, Waiting>();
  readonly #answered = new Map<string, ChargeStatus>();
  readonly #turns = new Map<string, Promise<unknown>>();
  readonly #payoutsDue = new Map<PayoutId, { dueAtMs: number; pauseMs: number }>();
  #worker: Activities;
  #auditedAtMs = 0;
  isAway: boolean = false;

  constructor(given: {
    readonly database: Database;
    readonly storeId: StoreId;
    readonly nowMs: () => number;
    readonly newWorker: () => Activities;
  }) {
    this.#database = given.database;
    this.#storeId = given.storeId;
    this.#nowMs = given.nowMs;
    this.#newWorker = given.newWorker;
    this.#worker = given.newWorker();
  }

  readonly updates: Pick<
    ChargeUpdates,
    'confirmPayment' | 'askProviderNow' | 'lookUpPayment' | 'confirmDispute' | 'cancel' | 'refund'
  > = {
    confirmPayment: ({ id }, providerPaymentId) =>
      this.#update(`payment/${providerPaymentId}`, id, recording(id, providerPaymentId)),
    refund: ({ id }, refundId) => this.#update(`refund/${refundId}`, id, refunding(id, refundId)),
    cancel: ({ id }) =>
      this.#ask(`cancel/${id}`, id, (worker, nowMs) => worker.cancelCharge({ chargeId: id, nowMs })),
    confirmDispute: ({ id }, providerDisputeId) =>
      this.#ask(`dispute/${providerDisputeId}`, id, (worker, nowMs) =>
        worker.recordDispute({ chargeId: id, providerDisputeId, nowMs }),
      ),
    askProviderNow: async (id) => {
      for (const waiting of this.#waiting.values())
        if (waiting.chargeId === id) waiting.dueAtMs = this.#nowMs();
    },
    lookUpPayment: async ({ id }, providerPaymentId) => {
      const key = `payment/${providerPaymentId}`;
      const { pauseMs = 0, unknownSinceMs } = this.#waiting.get(key) ?? {};
      const state = { pauseMs, unknownSinceMs: unknownSinceMs ?? this.#nowMs() };
      this.#wait(key, id, recording(id, providerPaymentId), state, 0);
    },
  };

  /** Runs everything that is due. */
  async tick(): Promise<void> {
    if (this.isAway) return;
    await this.#findWork();
    const due = [...this.#waiting].filter(([, { dueAtMs }]) => dueAtMs <= this.#nowMs());
    for (const [key, { chargeId, step }] of due) await this.#attempt(key, chargeId, step).catch(() => null);
    for (const [payoutId, { dueAtMs }] of [...this.#payoutsDue])
      if (dueAtMs <= this.#nowMs()) await this.#advance(payoutId);
  }

  /** Names of the work that has not ended. */
  get open(): readonly string[] {
    return [...this.#waiting.keys(), ...this.#payoutsDue.keys()];
  }

  /** Runs an update. One with the same id gets the first answer again. */
  async #update(key: string, chargeId: ChargeId, step: Step): Promise<ChargeStatus> {
    const before = this.#answered.get(key);
    if (before !== undefined) return before;
    const status = await this.#ask(key, chargeId, step);
    this.#answered.set(key, status);
    return status;
  }

  /** @throws the error of an update that no worker has finished in time. */
  async #ask(key: string, chargeId: ChargeId, step: Step): Promise<ChargeStatus> {
    if (this.isAway) {
      this.#wait(key, chargeId, step, {}, 0);
      throw late();
    }
    return this.#attempt(key, chargeId, step);
  }

  /** Makes one attempt after all earlier ones of its charge. If it fails or is unfinished, the next one is planned. */
  #attempt(key: string, chargeId: string, step: Step): Promise<ChargeStatus> {
    const before = this.#turns.get(chargeId) ?? Promise.resolve();
    const attempt = before.then(() => this.#run(key, chargeId, step));
    this.#turns.set(
      chargeId,
      attempt.catch(() => null),
    );
    return attempt;
  }

  async #run(key: string, chargeId: string, step: Step): Promise<ChargeStatus> {
    const waiting = this.#waiting.get(key);
    let answer: Answer;
    try {
      answer = await step(this.#worker, this.#nowMs(), waiting?.unknownSinceMs ?? null);
    } catch (error) {
      this.#replaceDead(error);
      const failures = (waiting?.failures ?? 0) + 1;
      this.#wait(key, chargeId, step, { ...waiting, failures }, retryMs(error, failures));
      throw late();
    }
    const {
      status,
      askAgainMs = null,
      isPaymentUnknown = false,
    } = typeof answer === 'string' ? { status: answer } : answer;
    const unknownSinceMs = isPaymentUnknown ? (waiting?.unknownSinceMs ?? this.#nowMs()) : null;
    const isGivenUp = unknownSinceMs !== null && this.#nowMs() - unknownSinceMs >= LOOKED_UP_FOR_MS;
    if (askAgainMs === null || isGivenUp) this.#waiting.delete(key);
    else {
      const longestMs = isPaymentUnknown ? LONGEST_LOOK_UP_PAUSE_MS : LONGEST_PAUSE_MS;
      const pauseMs = Math.min(Math.max(askAgainMs, 2 * (waiting?.pauseMs ?? 0)), longestMs);
      this.#wait(key, chargeId, step, { pauseMs, unknownSinceMs }, pauseMs);
    }
    return status;
  }

  #wait(key: string, chargeId: string, step: Step, state: Partial<Waiting>, afterMs: number): void {
    const fresh = { pauseMs: 0, failures: 0, unknownSinceMs: null };
    this.#waiting.set(key, { ...fresh, ...state, chargeId, step, dueAtMs: this.#nowMs() + afterMs });
  }

  async #advance(payoutId: PayoutId): Promise<void> {
    const { pauseMs = 0 } = this.#payoutsDue.get(payoutId) ?? {};
    try {
      const status = await this.#worker.advancePayout({ payoutId, nowMs: this.#nowMs() });
      if (status !== 'PENDING') {
        this.#payoutsDue.delete(payoutId);
        return;
      }
    } catch (error) {
      this.#replaceDead(error);
    }
    const nextMs = Math.min(Math.max(1_000, 2 * pauseMs), LONGEST_PAUSE_MS);
    this.#payoutsDue.set(payoutId, { dueAtMs: this.#nowMs() + nextMs, pauseMs: nextMs });
  }

  #replaceDead(error: unknown): void {
    if (error instanceof ProcessDied) this.#worker = this.#newWorker();
  }

  /** Finds work in the database, as sweeper, timers and auditor do. */
  async #findWork(): Promise<void> {
    const em = this.#database.em.fork();
    const ids = <Id>(sql: string) =>
      em
        .execute<{ id: Id; charge_id: ChargeId }[]>(sql, [this.#storeId])
        .then((rows) => rows.map(({ id, charge_id }) => ({ id, chargeId: charge_id })));
    for (const { id } of await ids<PayoutId>(
      `select id from payouts where store_id = ? and status = 'PENDING'`,
    ))
      if (!this.#payoutsDue.has(id)) this.#payoutsDue.set(id, { dueAtMs: 0, pauseMs: 0 });
    const now = new Date(this.#nowMs()).toISOString();
    const closing = `select id from charges where store_id = ? and status = 'PENDING' and closes_at <= '${now}'`;
    for (const { id } of await ids<ChargeId>(closing))
      this.#add(`expire/${id}`, id, (worker, nowMs) => worker.expireCharge({ chargeId: id, nowMs }));
    if (this.#nowMs() - this.#auditedAtMs < AUDITED_AFTER_MS) return;
    this.#auditedAtMs = this.#nowMs();
    const refunds = `select id, charge_id from refunds where store_id = ? and status in ('REQUESTED', 'PENDING')`;
    for (const { id, chargeId } of await ids<RefundId>(refunds))
      this.#add(`refund/${id}`, chargeId, refunding(chargeId, id));
    const returning = `select provider_payment_id as id, charge_id from payments where outcome = 'RETURNING'
      and charge_id in (select id from charges where store_id = ?)`;
    for (const { id, chargeId } of await ids<string>(returning))
      this.#add(`payment/${id}`, chargeId, recording(chargeId, id));
  }

  #add(key: string, chargeId: ChargeId, step: Step): void {
    if (!this.#waiting.has(key)) this.#wait(key, chargeId, step, {}, 0);
  }
}

const recording =
  (chargeId: ChargeId, providerPaymentId: string): Step =>
  (worker, nowMs, unknownSinceMs) =>
    worker.recordPayment({
      chargeId,
      providerPaymentId,
      nowMs,
      ...(unknownSinceMs !== null && { unknownSinceMs }),
    });

const refunding =
  (chargeId: ChargeId, refundId: RefundId): Step =>
  (worker, nowMs) =>
    worker.refundCharge({ chargeId, refundId, nowMs });

function retryMs(error: unknown, failures: number): number {
  if (error instanceof ProviderError && error.retryAfterMs !== null) return error.retryAfterMs;
  return Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), LONGEST_RETRY_MS);
}

const late = () => new WorkflowUpdateRPCTimeoutOrCancelledError('no worker has finished it in time');
