import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { PayoutId } from '../../src/domain/ids.ts';
import type { PixDestination } from '../../src/domain/payout.ts';
import { mintId } from '../../src/ids.ts';
import {
  FAILING_KEYS,
  FAILING_PAYOUT_CENTS,
  SandboxTransfers,
  SLOW_KEY,
} from '../../src/providers/sandbox/sandbox-transfers.ts';
import { createTestDatabase, type TestDatabase } from '../support/rows/database.ts';

const NOW = new Date('2026-11-23T14:22:08.120Z');

let testDatabase: TestDatabase;
let bank: SandboxTransfers;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  bank = new SandboxTransfers(testDatabase.database);
});
afterAll(() => testDatabase.drop());

const email = (key: string): PixDestination => ({ type: 'EMAIL', key });
const order = (destination: PixDestination | null, amountCents = 2_500) => ({
  reference: mintId<PayoutId>('payout', NOW),
  amountCents,
  destination,
  now: NOW,
});

describe('the sandbox bank', () => {
  it("sends at once and returns an end-to-end identifier in the Central Bank's form", async () => {
    for (const destination of [null, email('ana@example.com')]) {
      expect(await bank.send(order(destination))).toEqual({
        outcome: 'COMPLETE',
        endToEndIdentifier: expect.stringMatching(/^E\d{8}202611231422[0-9A-Za-z]{11}$/),
      });
    }
  });

  it.each([...FAILING_KEYS])('does not send to %s: %s', async (key, reason) => {
    expect(await bank.send(order(email(key)))).toEqual({ outcome: 'FAILED', reason });
  });

  it('fails a payout of exactly 404.04, and no other', async () => {
    expect(await bank.send(order(null, FAILING_PAYOUT_CENTS))).toEqual({
      outcome: 'FAILED',
      reason: 'account_closed',
    });
    for (const other of [order(null, 40_403), order(email('ana@example.com'), FAILING_PAYOUT_CENTS)])
      expect(await bank.send(other)).toMatchObject({ outcome: 'COMPLETE' });
  });

  it('takes its time for the slow key', async () => {
    const slow = order(email(SLOW_KEY));
    const askAfter = (ms: number) => bank.send({ ...slow, now: new Date(NOW.getTime() + ms) });
    expect(await askAfter(0)).toEqual({ outcome: 'PENDING' });
    expect(await askAfter(2_999)).toEqual({ outcome: 'PENDING' });
    expect(await askAfter(3_000)).toMatchObject({ outcome: 'COMPLETE' });
  });

  it('sends once however often and by however many it is asked', async () => {
    const once = order(null);
    const answers = await Promise.all(Array.from({ length: 8 }, () => bank.send(once)));
    const later = await bank.send({ ...once, now: new Date(NOW.getTime() + 3_600_000) });
    expect(new Set([...answers, later].map((answer) => JSON.stringify(answer))).size).toBe(1);
  });
});
