import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Database } from '../../src/database/orm.ts';
import {
  disputeOpenedAmounts,
  type LedgerAmounts,
  paymentAmounts,
  payoutReservedAmounts,
  settlementAmounts,
} from '../../src/domain/ledger.ts';
import type { StoreEnvironment } from '../../src/domain/store-environment.ts';
import { lockBalance } from '../../src/ledger/balance.ts';
import { type Movement, writeMovement } from '../../src/ledger/write-movement.ts';
import { createTestStore } from '../support/api/app.ts';
import { booksOf, NOTHING } from '../support/rows/books.ts';
import { createTestDatabase, type TestDatabase } from '../support/rows/database.ts';

const PIX = { paidCents: 10_000, feeCents: 80, isSettled: true };

let testDatabase: TestDatabase;
let database: Database;
let owner: StoreEnvironment;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = testDatabase.database;
});

beforeEach(async () => {
  owner = { storeId: (await createTestStore(database)).id, devMode: true };
});

afterAll(() => testDatabase.drop());

function movement(subjectId: string, amounts: LedgerAmounts, kind: Movement['kind'] = 'PAYMENT'): Movement {
  return { kind, subjectId: `${subjectId}-of-${owner.storeId}`, amounts, createdAt: new Date() };
}

function write(written: Movement, of = owner): Promise<void> {
  return database.em.fork().transactional((em) => writeMovement(em, { ...of, provider: 'sandbox' }, written));
}

describe('a movement in the ledger', () => {
  it.each([
    ['update', 'update ledger_movements set created_at = now()'],
    ['update of nothing', "update ledger_movements set kind = 'PAYMENT' where false"],
    ['delete', 'delete from ledger_movements'],
    ['truncate', 'truncate ledger_movements'],
  ])('refuses to change a movement: %s', async (_, statement) => {
    await write(movement('paid', paymentAmounts(PIX)));
    await expect(database.em.fork().execute(statement)).rejects.toThrow('is never changed');
    expect(await booksOf({ database }, owner)).toEqual(paymentAmounts(PIX));
  });

  it('refuses a movement that is off by a cent in any account', async () => {
    const balanced = paymentAmounts(PIX);
    for (const account of Object.keys(balanced)) {
      const cents = balanced[account as keyof LedgerAmounts];
      for (const wrong of [cents - 1, cents + 1]) {
        const written = write(movement(`${account}${wrong}`, { ...balanced, [account]: wrong }));
        await expect(written).rejects.toThrow('ledger_movements_balanced');
      }
    }
    expect(await booksOf({ database }, owner)).toEqual(NOTHING);
  });

  it('counts a movement once, even if it is written again or ten times at once', async () => {
    const paid = movement('paid', paymentAmounts(PIX));
    await Promise.all(Array.from({ length: 10 }, () => write(paid)));
    await write(paid);
    expect(await booksOf({ database }, owner)).toEqual(paymentAmounts(PIX));
  });

  it('counts nothing of a transaction that is rolled back', async () => {
    const rolledBack = database.em.fork().transactional(async (em) => {
      await writeMovement(em, { ...owner, provider: 'sandbox' }, movement('paid', paymentAmounts(PIX)));
      throw new Error('something else failed');
    });
    await expect(rolledBack).rejects.toThrow('something else failed');
    expect(await booksOf({ database }, owner)).toEqual(NOTHING);
  });

  it('shows a movement as entries whose credits equal its debits', async () => {
    await write(movement('paid', paymentAmounts(PIX)));
    const entries = await database.em
      .fork()
      .execute<{ account: string; cents: number }[]>(
        'select account, amount_cents::integer as cents from ledger_entries where store_id = ? order by account',
        [owner.storeId],
      );
    expect(entries).toEqual([
      { account: 'AVAILABLE', cents: 9_920 },
      { account: 'CLEARING', cents: 10_000 },
      { account: 'PLATFORM_FEES', cents: 80 },
    ]);
  });
});

describe('a balance', () => {
  it('keeps separate balances per store and environment', async () => {
    await write(movement('dev', paymentAmounts(PIX)));
    await write(movement('prod', payoutReservedAmounts({ amountCents: 1, feeCents: 0 })), {
      ...owner,
      devMode: false,
    });
    expect(await booksOf({ database }, owner)).toEqual(paymentAmounts(PIX));
    expect(await booksOf({ database }, { ...owner, devMode: false })).toMatchObject({ availableCents: -1 });
    const other = { storeId: (await createTestStore(database)).id, devMode: true };
    expect(await booksOf({ database }, other)).toEqual(NOTHING);
  });

  it('keeps balances equal to their movements with twelve parallel writers', async () => {
    const amounts = fc.record({
      paidCents: fc.nat(1_000_000),
      feeCents: fc.nat(1_000),
      isSettled: fc.boolean(),
    });
    const kinds = fc.constantFrom(paymentAmounts, settlementAmounts, disputeOpenedAmounts);
    const movements = fc.array(fc.tuple(kinds, amounts), { minLength: 12, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(movements, async (given) => {
        owner = { storeId: (await createTestStore(database)).id, devMode: true };
        const all = given.map(([amountsOf, taken], index) => movement(String(index), amountsOf(taken)));
        await Promise.all(all.map((each) => write(each)));
        const clearingCents = all.reduce((sum, each) => sum + each.amounts.clearingCents, 0);
        // booksOf itself compares all six accounts with the sums of their movements.
        expect((await booksOf({ database }, owner)).clearingCents).toBe(clearingCents);
      }),
      { numRuns: 20 },
    );
  });

  it('counts several movements of one statement, of several stores', async () => {
    const other = { storeId: (await createTestStore(database)).id, devMode: true };
    await database.em.fork().execute(
      `insert into ledger_movements
       select n::text || ?, 'PAYMENT', case when n % 3 = 0 then ? else ? end, true, n, n, 0, 0, 0, 0, now()
       from generate_series(1, 9) as n`,
      [owner.storeId, other.storeId, owner.storeId],
    );
    expect(await booksOf({ database }, owner)).toEqual({ ...NOTHING, clearingCents: 27, pendingCents: 27 });
    expect(await booksOf({ database }, other)).toEqual({ ...NOTHING, clearingCents: 18, pendingCents: 18 });
  });

  it('lets one of ten spend the last cent of a locked balance', async () => {
    await write(movement('paid', paymentAmounts(PIX)));
    const spend = (index: number) =>
      database.em.fork().transactional(async (em) => {
        const { availableCents } = await lockBalance(em, owner);
        if (availableCents < 9_920) return false;
        const amounts = payoutReservedAmounts({ amountCents: 9_920, feeCents: 0 });
        await writeMovement(
          em,
          { ...owner, provider: 'sandbox' },
          movement(String(index), amounts, 'PAYOUT_RESERVED'),
        );
        return true;
      });
    const spent = await Promise.all(Array.from({ length: 10 }, (_, index) => spend(index)));
    expect(spent.filter((each) => each)).toHaveLength(1);
    expect(await booksOf({ database }, owner)).toMatchObject({ availableCents: 0, outgoingCents: 9_920 });
  });
});
