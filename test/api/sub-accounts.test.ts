import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ShownTransfer } from '../../src/api/payouts/schema.ts';
import type { ShownEntry, ShownSubAccount } from '../../src/api/sub-accounts/schema.ts';
import { PayoutEntity } from '../../src/database/entities/payout.ts';
import { SubAccountEntity } from '../../src/database/entities/sub-account.ts';
import type { PayoutId, StoreId } from '../../src/domain/ids.ts';
import { verifySinceCheckpoint } from '../../src/ledger/ledger-checkpoint.ts';
import { verifyLedger } from '../../src/ledger/verify-ledger.ts';
import { bookReturns } from '../../src/payouts/payout-returns.ts';
import { revivePayout } from '../../src/payouts/payout-revival.ts';
import { UNREGISTERED_CPF } from '../../src/providers/sandbox/sandbox-transfers.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { balanceOf, createMoneyApp, type MoneyApp, spend } from '../support/api/money-app.ts';
import { buildPaidPix, chargeOf } from '../support/rows/payments.ts';
import { SILENT_LOG } from '../support/servers/silent-temporal.ts';
import { eventually } from '../support/waiting/eventually.ts';

/** The fee of a PIX charge of R$ 100.00. */
const FEE = 80;
const ANA = '529.982.247-25';
const RUI = '111.444.777-35';

let app: MoneyApp;
let storeId: StoreId;
let api: ApiClient;
beforeAll(async () => {
  app = await createMoneyApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  ({ storeId, api } = await app.anotherStore());
});

const createSeller = async (taxId: string, changes: object = {}) =>
  dataOf<ShownSubAccount>(await api.post('/v2/sub-accounts/create', { name: 'Ana', taxId, ...changes }));
const sellerOf = async ({ id }: Pick<ShownSubAccount, 'id'>) =>
  dataOf<ShownSubAccount>(await api.get(`/v2/sub-accounts/get?id=${id}`));
const entriesOf = async ({ id }: Pick<ShownSubAccount, 'id'>) =>
  dataOf<ShownEntry[]>(await api.get(`/v2/sub-accounts/movements?id=${id}`));
/** A paid PIX charge of R$ 100.00, of which the sellers receive these amounts. */
const split = (...parts: (readonly [ShownSubAccount, number])[]) =>
  buildPaidPix(api, {
    amount: 10_000,
    splits: parts.map(([{ id }, amount]) => ({ subAccountId: id, amount })),
  });
const refund = (id: string, amount?: number) =>
  api.post('/v2/transparents/refund', { id, ...(amount !== undefined && { amount }) });
const withdraw = ({ id }: ShownSubAccount, amount: number, externalId = 'october', changes: object = {}) =>
  api.post('/v2/sub-accounts/withdraw', { id, amount, externalId, ...changes });
const transferOf = async (id: string) => dataOf<ShownTransfer>(await api.get(`/v2/pix/get?id=${id}`));
const available = async () => (await balanceOf(api)).available;
const balance = async (seller: ShownSubAccount) => (await sellerOf(seller)).balance;
const em = () => app.database.em.fork();

/** Every test leaves books without a discrepancy. */
const expectSoundBooks = async () => expect((await verifyLedger(em(), storeId)).discrepancies).toEqual([]);

describe('POST /sub-accounts/create', () => {
  it('creates a sub-account without money', async () => {
    const seller = await createSeller(ANA, { externalId: 'seller-42', metadata: { segment: 'shoes' } });
    expect(seller).toEqual({
      id: expect.stringMatching(/^sacc_[0-9A-Z]{26}$/),
      devMode: true,
      name: 'Ana',
      taxId: ANA,
      externalId: 'seller-42',
      balance: 0,
      metadata: { segment: 'shoes' },
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    expect(dataOf(await api.get('/v2/sub-accounts/list?externalId=seller-42'))).toEqual([seller]);
    expect(dataOf(await api.get(`/v2/sub-accounts/list?taxId=${ANA}`))).toEqual([seller]);
    expect(dataOf(await api.get(`/v2/sub-accounts/list?taxId=${RUI}`))).toEqual([]);
  });

  it('returns the existing one of the tax id, and ignores other fields', async () => {
    const seller = await createSeller(ANA);
    await split([seller, 7_000]);
    const again = await createSeller('52998224725', { name: 'Another', externalId: 'x' });
    expect(again).toMatchObject({ id: seller.id, name: 'Ana', externalId: null, balance: 7_000 });
  });

  it('creates one of ten that are requested at once', async () => {
    const sellers = await Promise.all(Array.from({ length: 10 }, () => createSeller(ANA)));
    expect(new Set(sellers.map(({ id }) => id)).size).toBe(1);
    expect(await em().count(SubAccountEntity, { storeId })).toBe(1);
  });

  it("refuses an invalid tax id and the store's own", async () => {
    const create = (taxId: string) => api.post('/v2/sub-accounts/create', { name: 'Ana', taxId });
    expect(await create('123')).toMatchObject({ status: 422, json: { code: 'INVALID_TAX_ID' } });
    await em().execute('update stores set tax_id = ? where id = ?', ['52998224725', storeId]);
    expect(await create(ANA)).toMatchObject({ status: 422, json: { rule: 'OWN_TAX_ID' } });
  });

  it('names every wrong field', async () => {
    const answer = await api.post('/v2/sub-accounts/create', {
      name: '',
      taxId: '123',
      externalId: 'x'.repeat(101),
      metadata: { count: 1 },
    });
    const paths = new Set((answer.json.issues ?? []).map(({ path }) => path));
    expect(paths).toEqual(new Set(['name', 'taxId', 'externalId', 'metadata.count']));
  });

  it('names metadata once if it has thousands of wrong entries', async () => {
    const metadata = Object.fromEntries(Array.from({ length: 900 }, (_, index) => [`key-${index}`, index]));
    const answer = await api.post('/v2/sub-accounts/create', { name: 'Ana', taxId: ANA, metadata });
    expect(answer.json.issues).toMatchObject([{ path: 'metadata', message: 'must have at most 50 keys' }]);
  });

  it("hides another store's sub-account and movements", async () => {
    const seller = await createSeller(ANA);
    const other = (await app.anotherStore()).api;
    expect(await other.get(`/v2/sub-accounts/get?id=${seller.id}`)).toMatchObject({ status: 404 });
    expect(await other.get(`/v2/sub-accounts/movements?id=${seller.id}`)).toMatchObject({ status: 404 });
    const body = { id: seller.id, amount: 100, externalId: 'x' };
    expect(await other.post('/v2/sub-accounts/withdraw', body)).toMatchObject({ status: 404 });
    const splits = [{ subAccountId: seller.id, amount: 100 }];
    expect(
      await other.post('/v2/transparents/create', { method: 'PIX', data: { amount: 1_000, splits } }),
    ).toMatchObject({
      status: 422,
      json: { rule: 'UNKNOWN_SUB_ACCOUNT', issues: [{ path: 'data.splits.0.subAccountId' }] },
    });
  });
});

describe('POST /sub-accounts/update', () => {
  it('replaces what is given, and keeps the balance and the rest', async () => {
    const seller = await createSeller(ANA, { externalId: 'seller-42', metadata: { segment: 'shoes' } });
    await split([seller, 7_000]);
    const { id } = seller;
    const changed = dataOf<ShownSubAccount>(
      await api.post('/v2/sub-accounts/update', { id, name: 'Ana Calçados', externalId: null }),
    );
    expect(changed).toEqual({
      ...seller,
      name: 'Ana Calçados',
      balance: 7_000,
      updatedAt: changed.updatedAt,
    });
    expect(await sellerOf(seller)).toEqual(changed);
    const metadata = { region: 'south' };
    expect(dataOf(await api.post('/v2/sub-accounts/update', { id, metadata }))).toMatchObject({
      name: 'Ana Calçados',
      metadata,
    });
    await expectSoundBooks();
  });

  it('refuses another tax id, an empty name, and sub-accounts of other stores', async () => {
    const { id } = await createSeller(ANA);
    const answer = await api.post('/v2/sub-accounts/update', { id, name: '', taxId: RUI });
    expect(answer.status).toBe(400);
    const paths = new Set((answer.json.issues ?? []).map(({ path }) => path));
    expect(paths).toEqual(new Set(['name', 'taxId']));
    const other = (await app.anotherStore()).api;
    expect(await other.post('/v2/sub-accounts/update', { id, name: 'Rui' })).toMatchObject({ status: 404 });
    expect(await sellerOf({ id })).toMatchObject({ name: 'Ana', taxId: ANA });
  });
});

describe('a split payment', () => {
  it('divides the money between the store and its sub-accounts when it is paid', async () => {
    const [ana, rui] = [await createSeller(ANA), await createSeller(RUI)];
    const id = await split([ana, 7_000], [rui, 1_000]);
    const splits = [
      { subAccountId: ana.id, amount: 7_000 },
      { subAccountId: rui.id, amount: 1_000 },
    ];
    expect(await chargeOf(api, id)).toMatchObject({ splits });
    expect(dataOf(await api.get(`/v2/payments/get?id=${id}`))).toMatchObject({ splits });
    expect(await available()).toBe(2_000 - FEE);
    expect([await balance(ana), await balance(rui)]).toEqual([7_000, 1_000]);
    expect(await entriesOf(ana)).toEqual([
      {
        id: expect.stringMatching(/^sace_/),
        devMode: true,
        subAccountId: ana.id,
        kind: 'PAYMENT',
        amount: 7_000,
        balanceAfter: 7_000,
        paymentId: id,
        transferId: null,
        createdAt: expect.any(String),
      },
    ]);
    const movements = dataOf<
      { kind: string; amount: number; paymentId: string; subAccountId: string | null }[]
    >(await api.get('/v2/balance/movements'));
    expect(
      movements.map(({ kind, amount, paymentId, subAccountId }) => [kind, amount, paymentId, subAccountId]),
    ).toEqual([
      ['SUB_ACCOUNT_CREDITED', -1_000, id, rui.id],
      ['SUB_ACCOUNT_CREDITED', -7_000, id, ana.id],
      ['PAYMENT', 10_000 - FEE, id, null],
    ]);
    const statement = dataOf<{ paymentIntentId: string }[]>(
      await api.get('/v2/bank-statement/list?kind=SUB_ACCOUNT'),
    );
    expect(statement).toMatchObject([
      { paymentIntentId: id, movements: [{ amount: 1_000, balanceEffect: 'debit' }] },
      { paymentIntentId: id, movements: [{ amount: 7_000, balanceEffect: 'debit' }] },
    ]);
    await expectSoundBooks();
  });

  it('refuses splits of more than the payment less its fee, and names the most', async () => {
    const [ana, rui] = [await createSeller(ANA), await createSeller(RUI)];
    const create = (amount: number) =>
      api.post('/v2/transparents/create', {
        method: 'PIX',
        data: {
          amount: 10_000,
          splits: [
            { subAccountId: ana.id, amount: 5_000 },
            { subAccountId: rui.id, amount },
          ],
        },
      });
    expect(await create(5_000 - FEE)).toMatchObject({ status: 200 });
    expect(await create(5_000 - FEE + 1)).toMatchObject({
      status: 422,
      json: { rule: 'SPLITS_EXCEED_PAYMENT', error: expect.stringContaining('9920 cents') },
    });
  });

  it('refuses a sub-account that is named twice, and splits of boletos', async () => {
    const { id: subAccountId } = await createSeller(ANA);
    const twice = [
      { subAccountId, amount: 1 },
      { subAccountId, amount: 2 },
    ];
    const answer = await api.post('/v2/transparents/create', {
      method: 'PIX',
      data: { amount: 100, splits: twice },
    });
    expect(answer).toMatchObject({ status: 400, json: { issues: [{ path: 'data.splits' }] } });
    const boleto = { amount: 10_000, splits: [{ subAccountId, amount: 1 }] };
    expect(await api.post('/v2/transparents/create', { method: 'BOLETO', data: boleto })).toMatchObject({
      status: 400,
    });
  });

  it('takes a partial refund from all in proportion, and the rest with the last refund', async () => {
    const [ana, rui] = [await createSeller(ANA), await createSeller(RUI)];
    const id = await split([ana, 7_000], [rui, 1_001]);
    dataOf(await refund(id, 3_333));
    expect([await balance(ana), await balance(rui)]).toEqual([7_000 - 2_333, 1_001 - 333]);
    await expectSoundBooks();
    dataOf(await refund(id));
    expect([await balance(ana), await balance(rui), await available()]).toEqual([0, 0, 0]);
    expect((await entriesOf(ana)).map(({ kind, amount }) => [kind, amount])).toEqual([
      ['REFUND_RESERVED', -4_667],
      ['REFUND_RESERVED', -2_333],
      ['PAYMENT', 7_000],
    ]);
    await expectSoundBooks();
  });

  it('lets the store bear what a sub-account no longer has', async () => {
    const ana = await createSeller(ANA);
    const id = await split([ana, 7_000]);
    dataOf(await withdraw(ana, 7_000));
    expect(await refund(id)).toMatchObject({ status: 422, json: { code: 'INSUFFICIENT_FUNDS' } });
    await buildPaidPix(api, { amount: 20_000 });
    const before = await available();
    dataOf(await refund(id));
    expect([await balance(ana), before - (await available())]).toEqual([0, 10_000 - FEE]);
    await expectSoundBooks();
  });

  it('refunds with money that only the sub-accounts have', async () => {
    const ana = await createSeller(ANA);
    const id = await split([ana, 9_000]);
    await spend(app, storeId, 1_000 - FEE);
    expect(await refund(id)).toMatchObject({ status: 422, json: { code: 'INSUFFICIENT_FUNDS' } });
    await buildPaidPix(api, { amount: 1_000 });
    dataOf(await refund(id));
    expect(await balance(ana)).toBe(0);
  });

  it('takes disputed money from the sub-account, and gives it back after a win', async () => {
    const ana = await createSeller(ANA);
    const id = await split([ana, 7_000]);
    dataOf(await api.post('/v2/dev/disputes/open', { id }));
    expect(await balance(ana)).toBe(0);
    expect(await balanceOf(api)).toEqual({ available: 0, pending: 0, blocked: 10_000 });
    await expectSoundBooks();
    dataOf(await api.post('/v2/dev/disputes/win', { id }));
    expect([await balance(ana), await available()]).toEqual([7_000, 3_000 - FEE]);
    await expectSoundBooks();
    dataOf(await api.post('/v2/dev/disputes/open', { id }));
    dataOf(await api.post('/v2/dev/disputes/lose', { id }));
    expect([await balance(ana), await available()]).toEqual([0, 0]);
    await expectSoundBooks();
  });
});

describe('POST /sub-accounts/withdraw', () => {
  it("sends the money to the holder's tax id as a transfer", async () => {
    const ana = await createSeller(ANA);
    await split([ana, 7_000]);
    const before = await available();
    const sent = dataOf<ShownTransfer>(await withdraw(ana, 5_000, 'october', { description: 'Repasse' }));
    expect(sent).toMatchObject({
      subAccountId: ana.id,
      amount: 5_000,
      platformFee: 0,
      externalId: 'october',
      description: 'Repasse',
      pix: { type: 'CPF', key: '529.***.***-**' },
    });
    await eventually(async () => expect(await transferOf(sent.id)).toMatchObject({ status: 'COMPLETE' }));
    expect([await balance(ana), await available()]).toEqual([2_000, before]);
    expect(await entriesOf(ana)).toMatchObject([
      { kind: 'PAYOUT_RESERVED', amount: -5_000, balanceAfter: 2_000, transferId: sent.id, paymentId: null },
      { kind: 'PAYMENT' },
    ]);
    await expectSoundBooks();
  });

  it('returns the first of two with the same content, and refuses other content', async () => {
    const [ana, rui] = [await createSeller(ANA), await createSeller(RUI)];
    await split([ana, 4_000], [rui, 4_000]);
    const first = dataOf<ShownTransfer>(await withdraw(ana, 1_000));
    expect(dataOf<ShownTransfer>(await withdraw(ana, 1_000))).toMatchObject({ id: first.id });
    expect(await withdraw(rui, 1_000)).toMatchObject({ status: 409, json: { code: 'EXTERNAL_ID_CONFLICT' } });
    expect(await balance(ana)).toBe(3_000);
  });

  it('refuses less than 100 cents, and more than the balance, whatever the store has', async () => {
    const ana = await createSeller(ANA);
    await split([ana, 1_000]);
    expect(await withdraw(ana, 99)).toMatchObject({ status: 400, json: { issues: [{ path: 'amount' }] } });
    expect(await withdraw(ana, 1_001)).toMatchObject({
      status: 422,
      json: { code: 'INSUFFICIENT_FUNDS', error: expect.stringContaining('sub-account') },
    });
    expect(await balance(ana)).toBe(1_000);
  });

  it("keeps the sub-account's money out of payouts and transfers of the store", async () => {
    const ana = await createSeller(ANA);
    await split([ana, 9_000]);
    const pix = { type: 'EMAIL', key: 'ana@example.com' };
    const send = (amount: number) => api.post('/v2/pix/send', { amount, externalId: `${amount}`, pix });
    expect(await send(1_000)).toMatchObject({ status: 422, json: { code: 'INSUFFICIENT_FUNDS' } });
    expect(await send(1_000 - FEE)).toMatchObject({ status: 200 });
  });

  it('pays one of ten withdrawals of everything that are requested at once', async () => {
    const ana = await createSeller(ANA);
    await split([ana, 7_000]);
    const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => withdraw(ana, 7_000, `w-${n}`)));
    const codes = answers.map(({ status, json }) => (status === 200 ? 'SENT' : json.code)).sort();
    expect(codes).toEqual([...Array(9).fill('INSUFFICIENT_FUNDS'), 'SENT']);
    expect(await balance(ana)).toBe(0);
    await expectSoundBooks();
  });

  it('returns the money to the sub-account if the key is unknown', async () => {
    const rui = await createSeller(UNREGISTERED_CPF);
    await split([rui, 7_000]);
    const { id } = dataOf<ShownTransfer>(await withdraw(rui, 7_000));
    await eventually(async () => expect(await transferOf(id)).toMatchObject({ status: 'FAILED' }));
    expect([await balance(rui), await available()]).toEqual([7_000, 3_000 - FEE]);
    await expectSoundBooks();
    await revive(id as PayoutId);
    expect([await balance(rui), await available()]).toEqual([0, 3_000 - FEE]);
    await expectSoundBooks();
  });

  it('takes a revived withdrawal from the store if the sub-account has spent the money', async () => {
    const rui = await createSeller(UNREGISTERED_CPF);
    const charge = await split([rui, 7_000]);
    const { id } = dataOf<ShownTransfer>(await withdraw(rui, 7_000));
    await eventually(async () => expect(await transferOf(id)).toMatchObject({ status: 'FAILED' }));
    dataOf(await refund(charge, 5_000));
    expect(await balance(rui)).toBe(3_500);
    await revive(id as PayoutId);
    expect(await balance(rui)).toBe(0);
    await expectSoundBooks();
  });

  it('credits the sub-account when the bank returns a withdrawal', async () => {
    const ana = await createSeller(ANA);
    await split([ana, 7_000]);
    const { id } = dataOf<ShownTransfer>(await withdraw(ana, 7_000));
    await eventually(async () => expect(await transferOf(id)).toMatchObject({ status: 'COMPLETE' }));
    const returned = { providerReturnId: 'D1', amountCents: 3_000, returnedAt: new Date() };
    await em().transactional((tx) => bookReturns(tx, id as PayoutId, [returned], step()));
    expect([await balance(ana), await available()]).toEqual([3_000, 3_000 - FEE]);
    await expectSoundBooks();
  });

  it('needs its own permission', async () => {
    const seller = await createSeller(ANA);
    const reader = await app.clientWith({ storeId, permissions: ['WITHDRAW:CREATE', 'SUB_ACCOUNT:READ'] });
    const body = { id: seller.id, amount: 100, externalId: 'x' };
    expect(await reader.post('/v2/sub-accounts/withdraw', body)).toMatchObject({ status: 403 });
    expect(await reader.post('/v2/sub-accounts/create', {})).toMatchObject({ status: 403 });
    expect(await reader.get(`/v2/sub-accounts/get?id=${seller.id}`)).toMatchObject({ status: 200 });
  });
});

describe('the ledger check', () => {
  /** Damage that no trigger sees, as a superuser does it. */
  const damage = (sql: string) =>
    em().transactional(async (tx) => {
      await tx.execute('set local session_replication_role = replica');
      await tx.execute(sql, [storeId]);
    });
  const problems = async () =>
    (await verifyLedger(em(), storeId)).discrepancies.map(({ problem }) => problem);

  it.each([
    ['a balance', 'update sub_accounts set balance_cents = balance_cents + 1 where store_id = ?'],
    ['an entry', 'update sub_account_entries set amount_cents = amount_cents + 1 where store_id = ?'],
    ['a split', `update charges set splits = null where store_id = ? and splits is not null`],
    ['a withdrawal', `update payouts set sub_account_id = null where store_id = ?`],
    ['a lost entry', `delete from sub_account_entries where store_id = ? and kind = 'PAYOUT_RESERVED'`],
  ])('finds %s that was changed', async (_, sql) => {
    const ana = await createSeller(ANA);
    await split([ana, 7_000]);
    dataOf(await withdraw(ana, 100));
    expect(await problems()).toEqual([]);
    await damage(sql);
    expect(await problems()).not.toEqual([]);
  });

  it('continues from a checkpoint, and finds what was changed since', async () => {
    const ana = await createSeller(ANA);
    await split([ana, 7_000]);
    const verify = async () => (await verifySinceCheckpoint(em(), new Date(), false)).discrepancies;
    expect((await verify()).filter((found) => found.storeId === storeId)).toEqual([]);
    await split([ana, 1_000]);
    await damage(`update sub_account_entries set balance_after_cents = 1 where store_id = ? and number = 2`);
    expect((await verify()).filter((found) => found.storeId === storeId)).not.toEqual([]);
    await damage(
      `update sub_account_entries set balance_after_cents = 8000 where store_id = ? and number = 2`,
    );
    expect((await verify()).filter((found) => found.storeId === storeId)).toEqual([]);
  });

  it('refuses every change of an entry', async () => {
    const ana = await createSeller(ANA);
    await split([ana, 7_000]);
    const change = em().execute('update sub_account_entries set amount_cents = 1 where store_id = ?', [
      storeId,
    ]);
    await expect(change).rejects.toThrow('never changed');
  });
});

const step = () => ({ now: new Date(), publicUrl: 'https://pay.example', log: SILENT_LOG });

/** The bank reports that it sent a withdrawal that had failed. */
const revive = (id: PayoutId) =>
  em().transactional(async (tx) => {
    expect(await revivePayout(tx, id, 'E1', step())).toBe(true);
    expect(await tx.findOneOrFail(PayoutEntity, { id })).toMatchObject({ status: 'COMPLETE' });
  });
