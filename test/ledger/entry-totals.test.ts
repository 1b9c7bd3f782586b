import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { paymentAmounts } from '../../src/domain/ledger.ts';
import type { StoreEnvironment } from '../../src/domain/store-environment.ts';
import { entryTotals } from '../../src/ledger/entry-totals.ts';
import { writeMovement } from '../../src/ledger/write-movement.ts';
import { createTestStore } from '../support/api/app.ts';
import { createTestDatabase, type TestDatabase } from '../support/rows/database.ts';

let testDatabase: TestDatabase;
let owner: StoreEnvironment;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  owner = { storeId: (await createTestStore(testDatabase.database)).id, devMode: true };
  // Payments of 1.00, 2.00, ... 6.00, one a day, without fees.
  for (let day = 1; day <= 6; day += 1)
    await testDatabase.database.em.fork().transactional((em) =>
      writeMovement(
        em,
        { ...owner, provider: 'sandbox' },
        {
          kind: 'PAYMENT',
          subjectId: `pix_char_${day}`,
          amounts: paymentAmounts({ paidCents: day * 100, feeCents: 0, isSettled: true }),
          createdAt: new Date(Date.UTC(2026, 10, day)),
        },
      ),
    );
});
afterAll(() => testDatabase.drop());

const PAYMENTS = { accounts: ['AVAILABLE'], kinds: ['PAYMENT'], from: null, to: null } as const;

it('sums all entries that match', async () => {
  const totals = await entryTotals(testDatabase.database.em.fork(), owner, PAYMENTS);
  expect(totals).toEqual({ count: 6, inCents: 2_100, outCents: 0, isCut: false });
});

it('sums the newest entries if there are more than it sums', async () => {
  const totals = await entryTotals(testDatabase.database.em.fork(), owner, PAYMENTS, 2);
  // One more shows that there are more.
  expect(totals).toEqual({ count: 3, inCents: 1_500, outCents: 0, isCut: true });
});
