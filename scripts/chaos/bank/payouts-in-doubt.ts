import type { Database } from '../../../src/database/orm.ts';
import { bankIdOf } from '../../../src/providers/bacen/ids.ts';
import type { BankState } from '../../psp/state.ts';
import { isRefusedByBank } from './scenarios.ts';

interface Payout {
  readonly id: string;
  readonly status: string;
  readonly cents: number;
}

/**
 * Whether a payout waits for a person (PAYOUT_IN_DOUBT): the bank refuses it and has no record of it, and an earlier request
 * was lost. Only that person can end it.
 */
export function isInDoubt({ transfers }: BankState, { id, status, cents }: Payout): boolean {
  return status === 'PENDING' && isRefusedByBank(cents) && transfers[bankIdOf(id)] === undefined;
}

/** The ids of all such payouts. */
export async function payoutsInDoubt(database: Database, state: BankState): Promise<ReadonlySet<string>> {
  const pending = await database.em
    .fork()
    .execute<Payout[]>(
      `select id, status, amount_cents::int as cents from payouts where status = 'PENDING' and not dev_mode`,
    );
  return new Set(pending.filter((payout) => isInDoubt(state, payout)).map(({ id }) => id));
}
