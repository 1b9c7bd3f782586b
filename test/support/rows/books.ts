import { createStore } from '../../../src/cli/stores.ts';
import type { Database } from '../../../src/database/orm.ts';
import type { LedgerAmounts } from '../../../src/domain/ledger.ts';
import type { StoreEnvironment } from '../../../src/domain/store-environment.ts';
import type { WorkflowFixture } from '../fixtures/workflow-fixture.ts';

const AMOUNTS = [
  'clearing',
  'pending',
  'available',
  'blocked',
  'outgoing',
  'platform_fees',
  'suspense',
  'sub_accounts',
] as const;

/** Books that nothing has been written into, or whose movements have all been undone. */
export const NOTHING: LedgerAmounts = {
  clearingCents: 0,
  pendingCents: 0,
  availableCents: 0,
  blockedCents: 0,
  outgoingCents: 0,
  platformFeesCents: 0,
  suspenseCents: 0,
  subAccountsCents: 0,
};

/** The same fixture with a new store, so that a test knows every cent in its ledger. */
export async function withNewStore(fixture: WorkflowFixture): Promise<WorkflowFixture> {
  const given = { name: 'Loja Nova', city: 'SAO PAULO' };
  const { id } = await createStore(fixture.database.em.fork(), given, await fixture.now());
  return { ...fixture, storeId: id };
}

/** All accounts of a store in one environment. @throws if they are not the sums of its movements. */
export async function booksOf(
  { database }: { readonly database: Database },
  { storeId, devMode }: StoreEnvironment,
): Promise<LedgerAmounts> {
  const columns = (of: string) => AMOUNTS.map((name) => `${of.replace('$', `${name}_cents`)} as "${name}"`);
  const where = 'where store_id = ? and dev_mode = ?';
  const em = database.em.fork();
  // One statement, so that no movement comes in between the two.
  const [balance, sums] = await em.execute<Record<string, string>[]>(
    `select 1 as n, ${columns('$')} from ledger_balances ${where} union all
     select 2 as n, ${columns('coalesce(sum($), 0)')} from ledger_movements ${where} order by n`,
    [storeId, devMode, storeId, devMode],
  );
  const kept = amountsOf(sums === undefined ? undefined : balance);
  const summed = amountsOf(sums ?? balance);
  if (JSON.stringify(kept) !== JSON.stringify(summed)) {
    throw new Error(`the balance is ${JSON.stringify(kept)}, its movements make ${JSON.stringify(summed)}`);
  }
  return kept;
}

/** {@link booksOf} the fixture's store, without empty accounts. */
export async function heldBy(fixture: Pick<WorkflowFixture, 'database' | 'storeId'>) {
  const books = await booksOf(fixture, { storeId: fixture.storeId, devMode: true });
  return Object.fromEntries(Object.entries(books).filter(([, cents]) => cents !== 0));
}

/** The kinds of all movements of the fixture's store, oldest first. */
export async function movementsOf({ database, storeId }: Pick<WorkflowFixture, 'database' | 'storeId'>) {
  const rows = await database.em
    .fork()
    .execute<{ kind: string }[]>(
      'select kind from ledger_movements where store_id = ? order by xmin::text::bigint, created_at',
      [storeId],
    );
  return rows.map(({ kind }) => kind);
}

function amountsOf(row: Record<string, string> | undefined): LedgerAmounts {
  const of = (name: (typeof AMOUNTS)[number]) => Number(row?.[name] ?? 0);
  return {
    clearingCents: of('clearing'),
    pendingCents: of('pending'),
    availableCents: of('available'),
    blockedCents: of('blocked'),
    outgoingCents: of('outgoing'),
    platformFeesCents: of('platform_fees'),
    suspenseCents: of('suspense'),
    subAccountsCents: of('sub_accounts'),
  };
}
