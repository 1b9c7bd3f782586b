import type { Client } from '@temporalio/client';
import type { Database } from '../../../src/database/orm.ts';
import { reconciliationScheduleId } from '../../../workflows/reconciliation.contract.ts';

/** The default of the service. */
const TASK_QUEUE = 'recebe';
/** Between two rounds that the run starts. The schedule starts its own every five minutes. */
const ROUND_EVERY_MS = 5_000;
/** Longer than the wait before a charge that nobody requested again is cancelled at the provider. */
const ABANDONED_FOR = '11 minutes';

/** Starts rounds of reconciliation ahead of their schedule. */
export class Rounds {
  readonly #database: Database;
  readonly #temporal: Client;
  #nextMs = 0;

  constructor(database: Database, temporal: Client) {
    this.#database = database;
    this.#temporal = temporal;
  }

  /** Starts one, unless the last one was moments ago. @param isServing whether clients may still ask for what was not stored. */
  async next(isServing: boolean): Promise<void> {
    if (performance.now() < this.#nextMs) return;
    this.#nextMs = performance.now() + ROUND_EVERY_MS;
    if (!isServing)
      await this.#database.em
        .fork()
        .execute(`update charge_orders set asked_at = asked_at - interval '${ABANDONED_FOR}'`);
    const schedule = this.#temporal.schedule.getHandle(reconciliationScheduleId(TASK_QUEUE));
    // If Temporal is busy, the next round starts one.
    await schedule.trigger().catch(() => undefined);
  }
}

/** Charges that were ordered at the provider, and neither stored nor cancelled. */
export async function neverStored(database: Database) {
  const orders = await database.em
    .fork()
    .execute<{ id: string }[]>('select charge_id as id from charge_orders where kept_since is null');
  return orders.map(({ id }) => ({ what: 'charge of the provider', id, state: 'never stored' }));
}
