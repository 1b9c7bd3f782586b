import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { orderedId } from '../../src/charges/ordered-id.ts';
import { createTestDatabase, type TestDatabase } from '../support/rows/database.ts';

const ROUNDS = 40;
const AT_ONCE = 8;

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());

it('returns one id for many parallel calls of the same request', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const asking = {
      database: test.database,
      devMode: false,
      provider: { name: 'bank' },
      sameAs: [`order-${round}`],
      now: new Date(),
    };
    const ids = await Promise.all(
      Array.from({ length: AT_ONCE }, () => orderedId(asking)('pixCharge', null)),
    );
    expect(new Set(ids).size).toBe(1);
  }
});
