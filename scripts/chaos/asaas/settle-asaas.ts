import type { Client } from '@temporalio/client';
import type { Database } from '../../../src/database/orm.ts';
import type { Open } from '../open.ts';
import type { RealSettling } from '../real-money/chaos-provider.ts';
import { neverStored, Rounds } from '../real-money/rounds.ts';
import { unbooked } from '../real-money/unbooked.ts';
import { booksOfAsaas } from './asaas-books.ts';
import type { AsaasDoor, AsaasState } from './asaas-door.ts';

/** Finds payments and chargebacks that the service has not ingested, and queues of webhooks that are stopped. */
export class AsaasSettling implements RealSettling {
  readonly #database: Database;
  readonly #door: AsaasDoor;
  readonly #rounds: Rounds;

  constructor(database: Database, temporal: Client, door: AsaasDoor) {
    this.#database = database;
    this.#door = door;
    this.#rounds = new Rounds(database, temporal);
  }

  async open(isServing: boolean): Promise<readonly Open[]> {
    const state = await this.#door.state();
    const open = [
      ...(await unbooked(this.#database, booksOfAsaas(state))),
      ...state.webhooks
        .filter(({ interrupted, waiting }) => interrupted || waiting > 0)
        .map(({ id, interrupted, waiting }) => ({
          what: 'queue of webhooks',
          id,
          state: `${waiting} waiting${interrupted ? ', stopped' : ''}`,
        })),
      ...(await neverStored(this.#database)),
    ];
    if (open.length > 0) await this.#rounds.next(isServing);
    return open;
  }

  async staysOpen(): Promise<ReadonlySet<string>> {
    return inDoubtAtAsaas(this.#database, await this.#door.state());
  }
}

/**
 * Payouts and partial refunds that a person must resolve: their only order may have been lost before or after its effect, and
 * Asaas has no record of them, or of less money.
 */
export async function inDoubtAtAsaas(
  database: Database,
  { payments, transfers }: AsaasState,
): Promise<ReadonlySet<string>> {
  const claimed = await database.em.fork().execute<{ id: string; cents: number }[]>(`
    select payouts.id, payouts.amount_cents::float8 as cents from payouts
      join order_claims on reference = payouts.id and made_id is null and claimed_until = 'infinity'
      where payouts.status = 'PENDING' and not dev_mode
    union select refunds.id, refunds.amount_cents::float8 from refunds
      join order_claims on reference like refunds.id || '/%' and made_id is null and claimed_until = 'infinity'
      where refunds.status = 'PENDING' and not dev_mode`);
  const sent = new Set(transfers.map(({ externalReference }) => externalReference));
  const refunds = payments.flatMap((payment) => payment.refunds);
  const refundedCents = (id: string) =>
    refunds
      .filter(({ description }) => description === id)
      .reduce((sum, { value }) => sum + Math.round(value * 100), 0);
  return new Set(
    claimed.filter(({ id, cents }) => !sent.has(id) && refundedCents(id) < cents).map(({ id }) => id),
  );
}
