import type { Client } from '@temporalio/client';
import type { Database } from '../../../src/database/orm.ts';
import { disputeIdOf } from '../../../src/providers/bacen/ids.ts';
import type { BankPayment, BankState } from '../../psp/state.ts';
import { returned } from '../differences/bank-reversals.ts';
import type { Open } from '../open.ts';
import { neverStored, Rounds } from '../real-money/rounds.ts';
import type { BankDoor } from './door.ts';
import { takenBack } from './taken-back.ts';

const TELL_EVERY_MS = 15_000;

/** Finds payments that the service has not ingested, and charges at the bank that the service has not stored. */
export class BankSettling {
  readonly #database: Database;
  readonly #door: BankDoor;
  readonly #rounds: Rounds;
  #nextNotificationMs = performance.now() + TELL_EVERY_MS;

  constructor(database: Database, temporal: Client, door: BankDoor) {
    this.#database = database;
    this.#rounds = new Rounds(database, temporal);
    this.#door = door;
  }

  /**
   * Lists open work, and runs the requests to the bank now that Recebe would send within minutes.
   * @param isServing whether clients may still repeat a request whose charge was not stored.
   */
  async open(isServing: boolean): Promise<readonly Open[]> {
    const em = this.#database.em.fork();
    const { payments, transfers, agenda } = await this.#door.state();
    const taken = takenBack({ payments });
    await this.#endTakingBack(taken);
    const written = await em.execute<{ id: string; outcome: string; partsCents: number }[]>(
      `select provider_payment_id as id, outcome, coalesce((
         select max(returned_cents) from payment_returns where payment_id = payments.id), 0)::float8 as "partsCents"
       from payments where provider <> 'sandbox'`,
    );
    const writtenOf = new Map(written.map((payment) => [payment.id, payment]));
    const disputes = await em.execute<{ id: string }[]>(
      `select provider_dispute_id as id from disputes where provider <> 'sandbox' and status <> 'OPEN'`,
    );
    const decided = new Set(disputes.map(({ id }) => id));
    // A HELD payment ends without help once nothing of it is left at the bank. A part that was returned has left suspense.
    const isEnded = (payment: BankPayment) => {
      const { outcome, partsCents } = writtenOf.get(payment.endToEndId) ?? {};
      return outcome === 'RETURNED' || (outcome === 'HELD' && partsCents === returned(payment));
    };
    await this.#notifyAgain(payments);
    const open = [
      ...Object.keys(payments)
        .filter((id) => !writtenOf.has(id))
        .map((id) => ({ what: 'payment at the bank', id, state: 'not ingested' })),
      ...taken
        .filter(({ payment }) => !isEnded(payment))
        .map(({ payment, refund }) => disputeIdOf({ endToEndId: payment.endToEndId, refundId: refund.id }))
        .filter((id) => !decided.has(id))
        .map((id) => ({ what: 'disputed payment', id, state: 'not ingested' })),
      ...(await this.#unbookedReturns(transfers)),
      ...agenda.map((due) => ({ what: 'act of the bank', id: due.act, state: `due at ${due.at}` })),
      ...(await neverStored(this.#database)),
    ];
    if (open.length > 0) await this.#rounds.next(isServing);
    return open;
  }

  /** Returned transfers that the bank has booked and Recebe has not. */
  async #unbookedReturns(transfers: BankState['transfers']): Promise<readonly Open[]> {
    const booked = await this.#database.em
      .fork()
      .execute<{ id: string }[]>('select provider_return_id as id from payout_returns');
    const known = new Set(booked.map(({ id }) => id));
    return Object.values(transfers)
      .flatMap(({ returns = [] }) => returns)
      .filter(({ rtrId }) => !known.has(rtrId))
      .map(({ rtrId: id }) => ({ what: 'returned transfer', id, state: 'not ingested' }));
  }

  /** Completes reversals that the payer's bank had begun when its scenario ended. */
  async #endTakingBack(taken: ReturnType<typeof takenBack>): Promise<void> {
    for (const { payment, refund } of taken)
      if (refund.status === 'EM_PROCESSAMENTO') await this.#door.settle(payment, refund, 'DEVOLVIDO');
  }

  /**
   * Banks repeat unacknowledged notifications for hours. This one gives up after seconds, so the run requests repeats.
   * Otherwise Recebe polls the bank within a quarter of an hour.
   */
  async #notifyAgain(payments: BankState['payments']): Promise<void> {
    if (performance.now() < this.#nextNotificationMs) return;
    this.#nextNotificationMs = performance.now() + TELL_EVERY_MS;
    const waiting = await this.#database.em.fork().execute<{ id: string }[]>(
      `select provider_payment_id as id from payments where provider <> 'sandbox' and (outcome = 'RETURNING'
         or exists (select from refunds where refunds.charge_id = payments.charge_id and status = 'PENDING'))`,
    );
    for (const { id } of waiting) {
      const payment = payments[id];
      if (payment !== undefined) await this.#door.notifyAgain(payment);
    }
  }
}
