import type { Database } from '../../../src/database/orm.ts';
import { SELLERS, type Seller, viewOf } from '../../../test/model/money.model.ts';
import type { Book } from '../book.ts';
import type { Found } from './rows.ts';

/**
 * Compares the store's balance with the sum of its payments and payouts in the model. Pending and available money are one sum,
 * since a day may have ended meanwhile. `ledger verify` distinguishes them.
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
  const sentBy = (whose: Seller | null) =>
    book.payouts.filter(({ fails, seller }) => !fails && seller === whose);
  const balances = [...found.ends.values()].map((money) => viewOf(money).balance);
  const held =
    sum(balances.map(({ available, pending }) => available + pending)) +
    sum(found.renewals.map(({ subscription }) => subscription.amountCents - subscription.feeCents)) -
    sum(sentBy(null).map(({ amountCents }) => amountCents));
  const blocked = sum(balances.map((balance) => balance.blocked));
  const sellers = SELLERS.map(
    (seller) =>
      sum([...found.ends.values()].map((money) => viewOf(money).sellers[seller] ?? 0)) -
      sum(sentBy(seller).map(({ amountCents }) => amountCents)),
  );
  const differences = await compareSellers(database, storeId, sellers);
  if (Number(kept.held) === held && Number(kept.blocked) === blocked) return differences;
  return [
    ...differences,
    `store ${storeId} holds ${kept.held} cents and ${kept.blocked} blocked, where its clients know of ${held} and ${blocked}`,
  ];
}

/** Compares the balance of each seller with the sum of its splits, refunds and withdrawals. */
async function compareSellers(
  database: Database,
  storeId: string,
  expected: readonly number[],
): Promise<string[]> {
  const rows = await database.em
    .fork()
    .execute<{ name: string; cents: string }[]>(
      'select name, balance_cents::text as cents from sub_accounts where store_id = ?',
      [storeId],
    );
  const centsOf = new Map(rows.map(({ name, cents }) => [name, Number(cents)]));
  return expected.flatMap((cents, seller) => {
    const kept = centsOf.get(`seller ${seller}`) ?? 0;
    if (kept === cents) return [];
    return [`seller ${seller} of store ${storeId} has ${kept} cents, where its clients know of ${cents}`];
  });
}
