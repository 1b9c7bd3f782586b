import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { StoreId } from '../../src/domain/ids.ts';
import type { ApiAnswer, ApiClient } from '../support/api/api-client.ts';
import { createTestApp, createTestStore, type TestApp } from '../support/api/app.ts';
import { availableCents, credit } from '../support/rows/credit.ts';

const ROUNDS = 100;
const HOUR_MS = 60 * 60 * 1_000;
const AMOUNT = 350;

let app: TestApp;
/** Moved by an hour between rounds, and by `stepMs` with each request. */
let nowMs = Date.UTC(2026, 10, 23);
let stepMs = 0;

beforeAll(async () => {
  const clock = () => {
    nowMs += stepMs;
    return new Date(nowMs);
  };
  app = await createTestApp({ clock, starter: { startSoon: () => undefined } });
});
afterAll(() => app.close());

interface Round {
  readonly api: ApiClient;
  readonly round: number;
}

const payout = ({ api, round }: Round, name: string) =>
  api.post('/v2/payouts/create', { amount: AMOUNT, externalId: `${name}-${round}` });
const transfer = ({ api, round }: Round, name: string) =>
  api.post('/v2/pix/send', {
    amount: AMOUNT,
    externalId: `${name}-${round}`,
    pix: { type: 'EMAIL', key: 'ana@example.com' },
  });

/**
 * One store and `ROUNDS` times what it has, and who wants it at once. @returns codes of the answers, and what
 * was left.
 */
async function race(cents: number, wants: (round: Round) => Promise<ApiAnswer>[]) {
  const { id: storeId }: { id: StoreId } = await createTestStore(app.database);
  const api = await app.clientWith({ storeId });
  const owner = { storeId, devMode: true };
  const rounds: { codes: string[]; leftCents: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    nowMs += HOUR_MS;
    await credit(app.database, owner, cents - (await availableCents(app.database, owner)));
    const answers = await Promise.all(wants({ api, round }));
    const codes = answers.map(({ status, json }) => (status === 200 ? 'SENT' : String(json.code)));
    rounds.push({ codes: codes.sort(), leftCents: await availableCents(app.database, owner) });
  }
  return rounds;
}

describe(`of two that want the last cent at once, ${ROUNDS} times, exactly one gets it:`, () => {
  const oneWins = Array(ROUNDS).fill({ codes: ['INSUFFICIENT_FUNDS', 'SENT'], leftCents: 0 });

  it('accepts one of two transfers for the last cent', async () => {
    expect(await race(AMOUNT, (round) => [transfer(round, 'a'), transfer(round, 'b')])).toEqual(oneWins);
  });

  it('accepts one of a payout and a transfer for the last cent', async () => {
    expect(await race(AMOUNT, (round) => [payout(round, 'a'), transfer(round, 'b')])).toEqual(oneWins);
  });

  it('accepts one of two payouts for the last cent', async () => {
    const rounds = await race(AMOUNT, (round) => [payout(round, 'a'), payout(round, 'b')]);
    expect(rounds).toEqual(Array(ROUNDS).fill({ codes: ['SENT', 'TOO_MANY_PAYOUTS'], leftCents: 0 }));
  });

  it('accepts one of two payouts a minute apart that reach Postgres together', async () => {
    stepMs = 61_000;
    const rounds = await race(AMOUNT, (round) => [payout(round, 'a'), payout(round, 'b')]);
    stepMs = 0;
    for (const { codes, leftCents } of rounds) {
      expect(leftCents).toBe(0);
      // If the later request is first, the earlier one falls within its minute.
      expect([
        ['INSUFFICIENT_FUNDS', 'SENT'],
        ['SENT', 'TOO_MANY_PAYOUTS'],
      ]).toContainEqual(codes);
    }
  });

  it('accepts two of three transfers if the balance covers two', async () => {
    const rounds = await race(2 * AMOUNT, (round) => [
      transfer(round, 'a'),
      transfer(round, 'b'),
      transfer(round, 'c'),
    ]);
    expect(rounds).toEqual(
      Array(ROUNDS).fill({ codes: ['INSUFFICIENT_FUNDS', 'SENT', 'SENT'], leftCents: 0 }),
    );
  });
});

describe(`two at once that are both covered, ${ROUNDS} times:`, () => {
  it('accepts one of two covered payouts and makes the other wait a minute', async () => {
    const rounds = await race(2 * AMOUNT, (round) => [payout(round, 'a'), payout(round, 'b')]);
    expect(rounds).toEqual(Array(ROUNDS).fill({ codes: ['SENT', 'TOO_MANY_PAYOUTS'], leftCents: AMOUNT }));
  });

  it('creates a transfer once if it is requested twice at once', async () => {
    const rounds = await race(2 * AMOUNT, (round) => [transfer(round, 'a'), transfer(round, 'a')]);
    expect(rounds).toEqual(Array(ROUNDS).fill({ codes: ['SENT', 'SENT'], leftCents: AMOUNT }));
  });
});
