import type { Logger } from 'pino';
import { ChargeEntity } from '../../database/entities/charge.ts';
import { type Refund, RefundEntity } from '../../database/entities/refund.ts';
import type { Database } from '../../database/orm.ts';
import { Rotation } from '../../database/rotation.ts';
import type { ChargeUpdates } from '../../temporal/charge.ts';
import { BATCH, patience } from './patience.ts';

interface Deps {
  readonly database: Database;
  readonly chargeUpdates: Pick<ChargeUpdates, 'isSendingBack' | 'refund'>;
  readonly log: Logger;
}

/** Each check costs a call to Temporal per pending refund, so it is rarer than a sweep. */
const LOOK_EVERY_MS = 30_000;

/** Younger refunds are still with the run that accepted them. */
const UNTOUCHED_FOR_MS = 60_000;

/** Older refunds are left to the auditor, which checks all that are open. */
const LEFT_TO_AUDITOR_AFTER_MS = 20 * 60_000;

/** Resumes refunds that no run knows. Rows in the future belong to a store whose clock was moved. */
export class OpenRefunds {
  readonly #deps: Deps;
  readonly #requested = new Rotation(new Date(0));
  readonly #interrupted = new Rotation(new Date(0));
  #lookedAtMs = 0;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Resumes refunds that were requested while Temporal was unavailable, or by a process that died right after.
   * @throws if Postgres is unavailable.
   */
  async resumeRequested(now: Date): Promise<void> {
    const open = [{ createdAt: { $lt: patience(now) } }, { createdAt: { $gt: now } }];
    const refunds = await this.#page(this.#requested, 'REQUESTED', open);
    await Promise.all(refunds.map((refund) => this.#resume(refund)));
  }

  /**
   * Resumes refunds whose money is reserved and whose run was lost. Temporal keeps an update only once the task that
   * accepted it has ended: if the worker dies in that task, the row says PENDING and no run knows of the refund.
   * @throws if Postgres is unavailable.
   */
  async resumeInterrupted(now: Date): Promise<void> {
    if (Math.abs(now.getTime() - this.#lookedAtMs) < LOOK_EVERY_MS) return;
    this.#lookedAtMs = now.getTime();
    const from = new Date(now.getTime() - LEFT_TO_AUDITOR_AFTER_MS);
    const until = new Date(now.getTime() - UNTOUCHED_FOR_MS);
    const open = [{ updatedAt: { $gt: from, $lt: until } }, { updatedAt: { $gt: now } }];
    const refunds = await this.#page(this.#interrupted, 'PENDING', open);
    await Promise.all(refunds.map((refund) => this.#resume(refund)));
  }

  #page(rotation: Rotation<Date>, status: Refund['status'], $or: object[]): Promise<Refund[]> {
    const oldestFirst = { orderBy: { createdAt: 'asc' as const }, limit: BATCH };
    const read = (after: Date) =>
      this.#deps.database.em
        .fork()
        .find(RefundEntity, { status, createdAt: { $gt: after }, $or }, oldestFirst);
    return rotation.nextPage(BATCH, read, ({ createdAt }) => createdAt);
  }

  async #resume({ id: refundId, chargeId, status }: Refund): Promise<void> {
    const { chargeUpdates, database, log } = this.#deps;
    const isInterrupted = status === 'PENDING';
    try {
      if (isInterrupted && (await chargeUpdates.isSendingBack(chargeId, { refundId }))) return;
      const charge = await database.em.fork().findOneOrFail(ChargeEntity, { id: chargeId });
      if (isInterrupted) log.warn({ refundId, chargeId }, 'refund without a run resumed');
      await chargeUpdates.refund(charge, refundId, null);
    } catch (error) {
      // Once the workflow has the refund, it continues by itself; otherwise a later sweep finds it again.
      log.warn({ refundId, err: error }, 'refund update failed');
    }
  }
}
