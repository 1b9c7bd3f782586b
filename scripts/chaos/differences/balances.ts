import type { Database } from '../../../src/database/orm.ts';
import { viewOf } from '../../../test/model/money.model.ts';
import type { Book } from '../book.ts';
import type { Found } from './rows.ts';

/**
 * The store's money, beside what its payments and payouts add up to in the model. What is pending and what is
 * available are one sum, since a day may have ended meanwhile; `ledger verify` tells them apart.
 */
export async function compareBalance(
  database: Database,
  storeId: string,
  book: Book,
  found: Found,
): Promise<string[]> {
  const [kept = { held: '0', blocked: '0' }] = await database.em
    .fork()
    .execute<{ held: string; blocked: string }[]>(
      `select sum(pending_cents + available_cents)::text as held, sum(blocked_cents)::text as blocked
      from ledger_balances where store_id = ?`,
      [storeId],
    );
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const balances = [...found.ends.values()].map((money) => viewOf(money).balance);
  const held =
    sum(balances.map(({ available, pending }) => available + pending)) +
    sum(found.renewals.map(({ subscription }) => subscription.amountCents - subscription.feeCents)) -
    sum(book.payouts.filter(({ fails }) => !fails).map(({ amountCents }) => amountCents));
  const blocked = sum(balances.map((balance) => balance.blocked));
  if (Number(kept.held) === held && Number(kept.blocked) === blocked) return [];
  return [
    `store ${storeId} holds ${kept.held} cents and ${kept.blocked} blocked, where its clients know of ${held} and ${blocked}`,
  ];
}
