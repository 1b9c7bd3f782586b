import type { Logger } from 'pino';
import { ChargeEntity } from '../../database/entities/charge.ts';
import { type Refund, RefundEntity } from '../../database/entities/refund.ts';
import type { Database } from '../../database/orm.ts';
import { Rotation } from '../../database/rotation.ts';
import type { ChargeUpdates } from '../../temporal/charge.ts';
import { BATCH } from './patience.ts';

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

/**
 * Resumes refunds whose money is reserved and whose run was lost. Temporal keeps an update only once the task that
 * accepted it has ended: if the worker dies in that task, the row says PENDING and no run knows of the refund.
 */
export class InterruptedRefunds {
  readonly #deps: Deps;
  readonly #rotation = new Rotation(new Date(0));
  #lookedAtMs = 0;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** @throws if Postgres is unavailable. */
  async continueAll(now: Date): Promise<void> {
    if (Math.abs(now.getTime() - this.#lookedAtMs) < LOOK_EVERY_MS) return;
    this.#lookedAtMs = now.getTime();
    const refunds = await this.#rotation.nextPage(
      BATCH,
      (after) => this.#untouched(after, now),
      ({ createdAt }) => createdAt,
    );
    await Promise.all(refunds.map((refund) => this.#continue(refund)));
  }

  #untouched(after: Date, now: Date): Promise<Refund[]> {
    const from = new Date(now.getTime() - LEFT_TO_AUDITOR_AFTER_MS);
    const until = new Date(now.getTime() - UNTOUCHED_FOR_MS);
    const where = {
      status: 'PENDING' as const,
      createdAt: { $gt: after },
      // Rows in the future belong to a store whose clock was moved.
      $or: [{ updatedAt: { $gt: from, $lt: until } }, { updatedAt: { $gt: now } }],
    };
    const oldestFirst = { orderBy: { createdAt: 'asc' as const }, limit: BATCH };
    return this.#deps.database.em.fork().find(RefundEntity, where, oldestFirst);
  }

  async #continue({ id: refundId, chargeId }: Refund): Promise<void> {
    const { chargeUpdates, database, log } = this.#deps;
    try {
      if (await chargeUpdates.isSendingBack(chargeId, { refundId })) return;
      const charge = await database.em.fork().findOneOrFail(ChargeEntity, { id: chargeId });
      log.warn({ refundId, chargeId }, 'refund without a run resumed');
      await chargeUpdates.refund(charge, refundId, null);
    } catch (error) {
      // Once the workflow has the refund, it continues by itself; otherwise a later check finds it again.
      log.warn({ refundId, err: error }, 'refund update failed');
    }
  }
}
