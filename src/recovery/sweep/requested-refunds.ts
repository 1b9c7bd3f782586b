import type { Logger } from 'pino';
import { ChargeEntity } from '../../database/entities/charge.ts';
import { type Refund, RefundEntity } from '../../database/entities/refund.ts';
import type { Database } from '../../database/orm.ts';
import { Rotation } from '../../database/rotation.ts';
import type { ChargeUpdates } from '../../temporal/charge.ts';
import { BATCH, patience } from './patience.ts';

interface Deps {
  readonly database: Database;
  readonly chargeUpdates: Pick<ChargeUpdates, 'refund'>;
  readonly log: Logger;
}

/** Carries out refunds that were requested while Temporal was unavailable, or by a process that died right after. */
export class RequestedRefunds {
  readonly #deps: Deps;
  readonly #rotation = new Rotation(new Date(0));

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async notify(now: Date): Promise<void> {
    const refunds = await this.#rotation.nextPage(
      BATCH,
      (after) => this.#requested(after, now),
      ({ createdAt }) => createdAt,
    );
    await Promise.all(refunds.map((refund) => this.#notify(refund)));
  }

  #requested(after: Date, now: Date): Promise<Refund[]> {
    const where = {
      status: 'REQUESTED' as const,
      createdAt: { $gt: after },
      $or: [{ createdAt: { $lt: patience(now) } }, { createdAt: { $gt: now } }],
    };
    const oldestFirst = { orderBy: { createdAt: 'asc' as const }, limit: BATCH };
    return this.#deps.database.em.fork().find(RefundEntity, where, oldestFirst);
  }

  async #notify({ id, chargeId }: Refund): Promise<void> {
    const { chargeUpdates, database, log } = this.#deps;
    try {
      const charge = await database.em.fork().findOneOrFail(ChargeEntity, { id: chargeId });
      await chargeUpdates.refund(charge, id, null);
    } catch (error) {
      // Once the workflow knows of it, it continues by itself; otherwise a later sweep sends it again.
      log.warn({ refundId: id, err: error }, 'refund update failed');
    }
  }
}
