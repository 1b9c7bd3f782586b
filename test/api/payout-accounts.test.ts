import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { removeAccount } from '../../src/accounts/accounts.ts';
import type { StoreId } from '../../src/domain/ids.ts';
import { recordMove } from '../../src/ledger/account-moves.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { createTestApp, type TestApp } from '../support/api/app.ts';
import { credit } from '../support/rows/credit.ts';
import { createTestDatabase, type TestDatabase } from '../support/rows/database.ts';
import { type TestAccounts, testAccounts } from '../support/rows/two-accounts.ts';

let db: TestDatabase;
let accounts: TestAccounts;
let app: TestApp;
let storeId: StoreId;
let paidAt: string;
let sendsFrom: string;
let api: ApiClient;

beforeAll(async () => {
  db = await createTestDatabase();
  accounts = testAccounts(db.database);
  const starter = { startSoon: () => undefined };
  app = await createTestApp({ providers: accounts.providers, starter }, { database: db.database });
});
afterAll(async () => {
  await app.close();
  await db.drop();
});
beforeEach(async () => {
  ({ storeId, paidAt, sendsFrom } = await accounts.shop());
  api = await app.clientWith({ storeId, devMode: false });
});

const send = (amount: number, externalId: string) =>
  api.post('/v2/pix/send', { amount, externalId, pix: { type: 'EMAIL', key: 'ana@example.com' } });
const pay = (provider: string, cents: number) =>
  credit(db.database, { storeId, devMode: false, provider }, cents);
const store = async () =>
  dataOf<{ balance: { available: number }; accounts: object[] }>(await api.get('/v2/store/get'));

describe('a payout', () => {
  it('refuses a payout if its money lies at another account and names both', async () => {
    await pay(paidAt, 100_000);
    expect((await store()).balance.available).toBe(100_000);
    const refused = await send(100_000, 'all');
    expect(refused).toMatchObject({
      status: 422,
      json: { code: 'INSUFFICIENT_FUNDS_AT_ACCOUNT', issues: [{ path: 'amount' }] },
    });
    const { error } = refused.json as { error: string };
    expect(error).toContain(`${sendsFrom}, the account that sends payouts: R$ 0,00 can be sent from there`);
    expect(error).toContain(`R$ 1.000,00 at ${paidAt}`);
    expect(error).toContain('accounts record-move');
    expect((await store()).balance.available).toBe(100_000);
  });

  it('sends a payout up to the balance of the account that sends it', async () => {
    await pay(paidAt, 100_000);
    await pay(sendsFrom, 5_000);
    expect(await send(5_001, 'too-much')).toMatchObject({ status: 422 });
    expect(await send(5_000, 'enough')).toMatchObject({ status: 200 });
    expect(await store()).toMatchObject({
      balance: { available: 100_000 },
      accounts: [
        { id: paidAt, profile: 'north', serves: ['PIX'], held: 100_000, available: 100_000 },
        // On its way out: it still lies there, and cannot be sent again.
        { id: sendsFrom, serves: ['PAYOUT'], held: 5_000, available: 0 },
      ],
    });
  });

  it('refuses a payout if only the account has the money, but not the store', async () => {
    await pay(sendsFrom, 5_000);
    await pay(paidAt, -3_000);
    expect(await send(2_001, 'too-much')).toMatchObject({ json: { code: 'INSUFFICIENT_FUNDS' } });
    expect(await send(2_000, 'enough')).toMatchObject({ status: 200 });
  });

  it('sends a payout once a move of its money is recorded', async () => {
    await pay(paidAt, 100_000);
    const move = { fromProvider: paidAt, toProvider: sendsFrom, amountCents: 60_000 };
    await db.database.em
      .fork()
      .transactional((em) => recordMove(em, { ...move, reference: 'E1' }, new Date()));
    expect(await send(60_001, 'too-much')).toMatchObject({ status: 422 });
    expect(await send(60_000, 'enough')).toMatchObject({ status: 200 });
    expect((await store()).balance.available).toBe(40_000);
  });

  it('excludes money at a removed account and lists the account until it is empty', async () => {
    await pay(paidAt, 9_000);
    await removeAccount(db.database.em.fork(), paidAt, new Date());
    await pay(sendsFrom, 1_000);
    expect(await send(1_001, 'too-much')).toMatchObject({ json: { code: 'INSUFFICIENT_FUNDS_AT_ACCOUNT' } });
    expect((await store()).accounts).toMatchObject([
      { id: paidAt, serves: [], available: 9_000 },
      { id: sendsFrom, available: 1_000 },
    ]);
    await pay(paidAt, -9_000);
    expect((await store()).accounts).toMatchObject([{ id: sendsFrom }]);
  });

  it('sends only covered payouts of ten at once, despite money at another account', async () => {
    await pay(paidAt, 100_000);
    await pay(sendsFrom, 5_000);
    const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => send(2_500, `race-${index}`)));
    const codes = answers.map(({ status, json }) => (status === 200 ? 'SENT' : json.code)).sort();
    expect(codes).toEqual([...Array(8).fill('INSUFFICIENT_FUNDS_AT_ACCOUNT'), 'SENT', 'SENT']);
    expect((await store()).accounts).toMatchObject([{ available: 100_000 }, { available: 0 }]);
  });

  it('competes with a recorded move for the same money, and one of them gets it', async () => {
    for (let round = 0; round < 20; round += 1) {
      ({ storeId, paidAt, sendsFrom } = await accounts.shop());
      api = await app.clientWith({ storeId, devMode: false });
      await pay(sendsFrom, 5_000);
      const move = { fromProvider: sendsFrom, toProvider: paidAt, amountCents: 5_000 };
      const [sent, moved] = await Promise.all([
        send(5_000, 'race'),
        db.database.em
          .fork()
          .transactional((em) => recordMove(em, { ...move, reference: 'E1' }, new Date()))
          .then(
            () => true,
            () => false,
          ),
      ]);
      expect([sent.status === 200, moved].filter((each) => each)).toHaveLength(1);
      const [, from] = (await store()).accounts;
      expect(from).toMatchObject({ available: 0 });
    }
  });
});
