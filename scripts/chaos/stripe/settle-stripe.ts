import type { Client } from '@temporalio/client';
import type { Database } from '../../../src/database/orm.ts';
import type { Open } from '../open.ts';
import type { RealSettling } from '../real-money/chaos-provider.ts';
import { neverStored, Rounds } from '../real-money/rounds.ts';
import { unbooked } from '../real-money/unbooked.ts';
import { booksOfStripe } from './stripe-books.ts';
import type { StripeDoor } from './stripe-door.ts';

/** Finds payments and chargebacks that the service has not ingested. */
export class StripeSettling implements RealSettling {
  readonly #database: Database;
  readonly #door: StripeDoor;
  readonly #rounds: Rounds;

  constructor(database: Database, temporal: Client, door: StripeDoor) {
    this.#database = database;
    this.#door = door;
    this.#rounds = new Rounds(database, temporal);
  }

  async open(isServing: boolean): Promise<readonly Open[]> {
    const open = [
      ...(await unbooked(this.#database, booksOfStripe(await this.#door.state()))),
      ...(await neverStored(this.#database)),
    ];
    if (open.length > 0) await this.#rounds.next(isServing);
    return open;
  }

  /** Stripe has idempotency keys, so nothing is in doubt. */
  staysOpen = async (): Promise<ReadonlySet<string>> => new Set();
}
