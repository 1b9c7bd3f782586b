import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { paymentAmounts, settlementAmounts } from '../../src/domain/ledger.ts';
import type { StoreEnvironment } from '../../src/domain/store-environment.ts';
import { recordMove, WrongMove } from '../../src/ledger/account-moves.ts';
import { balanceOf } from '../../src/ledger/balance.ts';
import { accountsOf } from '../../src/ledger/clearing.ts';
import { writeMovement } from '../../src/ledger/write-movement.ts';
import { createTestStore } from '../support/api/app.ts';
import { credit } from '../support/rows/credit.ts';
import { createTestDatabase, type TestDatabase } from '../support/rows/database.ts';
import { type TestAccounts, testAccounts } from '../support/rows/two-accounts.ts';

let db: TestDatabase;
let accounts: TestAccounts;
beforeAll(async () => {
  db = await createTestDatabase();
  accounts = testAccounts(db.database);
});
afterAll(() => db.drop());

const em = () => db.database.em.fork();
const lying = async (owner: StoreEnvironment) =>
  (await accountsOf(em(), owner)).map(({ id, heldCents, availableCents }) => [id, heldCents, availableCents]);

describe('balances at the accounts of a store', () => {
  it('keeps account balances equal to their movements with twelve parallel writers', async () => {
    const kinds = fc.constantFrom(paymentAmounts, settlementAmounts);
    const amounts = fc.record({
      paidCents: fc.nat(1_000_000),
      feeCents: fc.nat(1_000),
      isSettled: fc.boolean(),
    });
    const movements = fc.array(fc.tuple(kinds, amounts, fc.constantFrom('pacc_a', 'pacc_b', 'pacc_c')), {
      minLength: 12,
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(movements, async (given) => {
        const owner = { storeId: (await createTestStore(db.database)).id, devMode: false };
        const all = given.map(([amountsOf, taken, provider], index) => ({
          provider,
          amounts: amountsOf(taken),
          subjectId: `${index}-of-${owner.storeId}`,
        }));
        await Promise.all(
          all.map(({ provider, ...movement }) =>
            writeMovement(
              em(),
              { ...owner, provider },
              { ...movement, kind: 'PAYMENT', createdAt: new Date() },
            ),
          ),
        );
        const sums = Map.groupBy(all, ({ provider }) => provider);
        const sum = (provider: (typeof all)[number]['provider'], name: 'clearingCents' | 'availableCents') =>
          (sums.get(provider) ?? []).reduce((total, each) => total + each.amounts[name], 0);
        const expected = [...sums.keys()]
          .sort()
          .map((id) => [id, sum(id, 'clearingCents'), sum(id, 'availableCents')])
          .filter(([, held, available]) => held !== 0 || available !== 0);
        expect(await lying(owner)).toEqual(expected);
        const total = (await accountsOf(em(), owner)).reduce((cents, each) => cents + each.availableCents, 0);
        expect(total).toBe((await balanceOf(em(), owner)).availableCents);
      }),
      { numRuns: 20 },
    );
  });

  it('lists an account without a row only while money is booked there', async () => {
    const owner = { storeId: (await createTestStore(db.database)).id, devMode: false };
    const at = { ...owner, provider: 'pacc_unknown' };
    const settle = (subjectId: string, paidCents: number) => {
      const amounts = settlementAmounts({ paidCents, feeCents: 0 });
      return writeMovement(em(), at, { subjectId, kind: 'SETTLEMENT', amounts, createdAt: new Date() });
    };
    await settle(`gain-of-${owner.storeId}`, 100);
    expect(await lying(owner)).toEqual([['pacc_unknown', 0, 100]]);
    await settle(`loss-of-${owner.storeId}`, -100);
    expect(await lying(owner)).toEqual([]);
  });

  it('derives the balance in dev mode without storing a row', async () => {
    const owner = { storeId: (await createTestStore(db.database)).id, devMode: true };
    await credit(db.database, owner, 500);
    expect(await lying(owner)).toEqual([['sandbox', 500, 500]]);
    expect(await em().execute('select 1 from clearing_balances where dev_mode')).toEqual([]);
  });

  it('counts settlements of two accounts in one statement at their accounts', async () => {
    const { id: storeId } = await createTestStore(db.database);
    await em().execute(
      `insert into ledger_movements (subject_id, kind, store_id, dev_mode, provider, clearing_cents, pending_cents,
         available_cents, blocked_cents, outgoing_cents, platform_fees_cents, created_at)
       select n::text || ?, 'SETTLEMENT', ?, false, case when n % 2 = 0 then 'pacc_a' else 'pacc_b' end, 0, -n, n, 0, 0, 0, now()
       from generate_series(1, 5) n`,
      [storeId, storeId],
    );
    expect(await lying({ storeId, devMode: false })).toEqual([
      ['pacc_a', 0, 6],
      ['pacc_b', 0, 9],
    ]);
  });
});

describe('a move between accounts', () => {
  let owner: StoreEnvironment;
  let from: string;
  let to: string;
  beforeEach(async () => {
    const { storeId, paidAt, sendsFrom } = await accounts.shop();
    [owner, from, to] = [{ storeId, devMode: false }, paidAt, sendsFrom];
    await credit(db.database, { ...owner, provider: from }, 1_000);
  });

  const record = (given: object = {}) =>
    em().transactional((tx) =>
      recordMove(
        tx,
        {
          fromProvider: from,
          toProvider: to,
          amountCents: 400,
          reference: 'E1',
          ...given,
        },
        new Date(),
      ),
    );

  it('keeps the balance and the statement of the store', async () => {
    const entries = () =>
      em().execute('select kind from statement_entries where store_id = ? and kind not like ?', [
        owner.storeId,
        'MOVED%',
      ]);
    const [balance, statement] = [await balanceOf(em(), owner), await entries()];
    await record();
    expect(await lying(owner)).toEqual([
      [from, 600, 600],
      [to, 400, 400],
    ]);
    expect(await balanceOf(em(), owner)).toEqual(balance);
    expect(await entries()).toEqual(statement);
  });

  it('records a move once per reference, even if five do so at once', async () => {
    const recorded = await Promise.all(Array.from({ length: 5 }, () => record()));
    expect(recorded.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect(new Set(recorded.map(({ move }) => move.id)).size).toBe(1);
    expect(await lying(owner)).toEqual([
      [from, 600, 600],
      [to, 400, 400],
    ]);
  });

  it.each([
    ['another amount under the same reference', { amountCents: 401 }, '--reference: is that of another move'],
    [
      'more than is booked there',
      { amountCents: 601, reference: 'E2' },
      '--amount: must be at most 600 cents',
    ],
    ['an account that is not there', { fromProvider: 'pacc_none' }, '--from: must be an account'],
    ['the same account', { toProvider: null }, '--to: must be another account'],
  ])('refuses %s, and records nothing', async (_, given, problem) => {
    await record();
    const before = await lying(owner);
    const refused = record('toProvider' in given ? { toProvider: from } : given);
    await expect(refused).rejects.toThrow(WrongMove);
    await expect(refused).rejects.toThrow(problem);
    expect(await lying(owner)).toEqual(before);
  });

  it('refuses the account of another store', async () => {
    const other = await accounts.shop();
    await expect(record({ toProvider: other.sendsFrom })).rejects.toThrow(
      '--to: must be an account of the same',
    );
  });

  it('refuses to change a recorded move', async () => {
    await record();
    await expect(em().execute('update account_moves set amount_cents = 1')).rejects.toThrow(
      'is never changed',
    );
  });
});
