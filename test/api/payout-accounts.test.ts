import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { removeAccount } from '../../src/accounts/accounts.ts';
import type { StoreId } from '../../src/domain/ids.ts';
import { subAccountAmounts } from '../../src/domain/ledger.ts';
import { payoutIdOf } from '../../src/ids.ts';
import { recordMove } from '../../src/ledger/account-moves.ts';
import { writeMovement } from '../../src/ledger/write-movement.ts';
import { writePayouts } from '../../src/recovery/lost-rows/write-payouts.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { createTestApp, type TestApp } from '../support/api/app.ts';
import { credit } from '../support/rows/credit.ts';
import { createTestDatabase, type TestDatabase } from '../support/rows/database.ts';
import { insertSubAccount } from '../support/rows/sub-accounts.ts';
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

  it("sends a sub-account's money from where it lies, and never twice with the store's", async () => {
    await pay(paidAt, 100_000);
    const owner = { storeId, devMode: false, provider: paidAt };
    const id = await insertSubAccount(db.database, owner);
    const em = () => db.database.em.fork();
    const movement = { kind: 'SUB_ACCOUNT_CREDITED', subjectId: 'share', createdAt: new Date() } as const;
    await writeMovement(em(), owner, { ...movement, amounts: subAccountAmounts(70_000) });
    await em().execute('update sub_accounts set balance_cents = 70000 where id = ?', [id]);
    const withdraw = () => api.post('/v2/sub-accounts/withdraw', { id, amount: 70_000, externalId: 'share' });
    expect(await withdraw()).toMatchObject({
      status: 422,
      json: { code: 'INSUFFICIENT_FUNDS_AT_ACCOUNT', error: expect.stringContaining(`at ${paidAt}`) },
    });
    const move = { fromProvider: paidAt, toProvider: sendsFrom, amountCents: 70_000, reference: 'E2' };
    await em().transactional((tx) => recordMove(tx, move, new Date()));
    expect(await withdraw()).toMatchObject({ status: 200 });
    // The books say that the store has 300.00, all of it at the other account.
    expect((await store()).balance.available).toBe(30_000);
    expect(await send(1, 'too-much')).toMatchObject({ json: { code: 'INSUFFICIENT_FUNDS_AT_ACCOUNT' } });
    const rest = { fromProvider: paidAt, toProvider: sendsFrom, amountCents: 30_000, reference: 'E3' };
    await em().transactional((tx) => recordMove(tx, rest, new Date()));
    expect(await send(30_000, 'enough')).toMatchObject({ status: 200 });
  });

  it('lets a sub-account pay for a withdrawal that a restore lost, once it is repeated', async () => {
    await pay(sendsFrom, 100_000);
    const owner = { storeId, devMode: false, provider: sendsFrom };
    const id = await insertSubAccount(db.database, owner);
    const em = () => db.database.em.fork();
    const movement = { kind: 'SUB_ACCOUNT_CREDITED', subjectId: 'lost', createdAt: new Date() } as const;
    await writeMovement(em(), owner, { ...movement, amounts: subAccountAmounts(70_000) });
    await em().execute('update sub_accounts set balance_cents = 70000 where id = ?', [id]);
    const transfer = {
      reference: payoutIdOf({ storeId, devMode: false, kind: 'TRANSFER', externalId: 'lost' }),
      amountCents: 70_000,
      payeeKey: '52998224725',
      orderedAt: new Date(),
      endToEndIdentifier: 'E1',
    };
    const account = { storeId, provider: { name: sendsFrom }, payoutKey: null };
    await writePayouts(em(), account as never, [transfer as never], new Date());
    expect((await store()).balance.available).toBe(-40_000);
    const withdraw = () => api.post('/v2/sub-accounts/withdraw', { id, amount: 70_000, externalId: 'lost' });
    expect(await withdraw()).toMatchObject({ status: 200, json: { data: { subAccountId: id } } });
    expect(await withdraw()).toMatchObject({ status: 200 });
    expect((await store()).balance.available).toBe(30_000);
    expect(dataOf(await api.get(`/v2/sub-accounts/get?id=${id}`))).toMatchObject({ balance: 0 });
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
