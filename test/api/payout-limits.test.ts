import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { PayoutEntity } from '../../src/database/entities/payout.ts';
import type { StoreId } from '../../src/domain/ids.ts';
import { buildBrCode } from '../../src/domain/pix.ts';
import type { ApiClient } from '../support/api/api-client.ts';
import { createTestApp, createTestStore, type TestApp } from '../support/api/app.ts';
import { credit } from '../support/rows/credit.ts';
import { setControls } from '../support/rows/payout-controls.ts';

/** 23:30 of 23 November in São Paulo. */
const EVENING = new Date('2026-11-24T02:30:00.000Z');
const MINUTE_MS = 60_000;
const ANA = { type: 'EMAIL', key: 'ana@example.com' };
const BIA = { type: 'EMAIL', key: 'bia@example.com' };

let app: TestApp;
/** A second API process with the same database. */
let otherApp: TestApp;
let storeId: StoreId;
let api: ApiClient;
let now: Date;

beforeAll(async () => {
  const deps = { clock: () => now, starter: { startSoon: () => undefined } };
  app = await createTestApp(deps);
  otherApp = await createTestApp(deps, { database: app.database });
});
beforeEach(async () => {
  now = EVENING;
  storeId = (await createTestStore(app.database)).id;
  api = await app.clientWith({ storeId });
  await credit(app.database, { storeId, devMode: true }, 1_000_000);
});
afterAll(async () => {
  await otherApp.close();
  await app.close();
});

let sent = 0;
const transfer = (amount: number, pix: object = ANA, by = api) => {
  sent += 1;
  return by.post('/v2/pix/send', { amount, externalId: `transfer-${sent}`, pix });
};
const limit = (controls: Parameters<typeof setControls>[2]) =>
  setControls(app.database, { storeId, devMode: true }, controls);
const refusal = (rule: string, error: string) => ({
  status: 422,
  json: {
    code: 'PAYOUT_LIMIT_EXCEEDED',
    rule,
    error: expect.stringContaining(error),
    issues: [{ path: 'amount', rule }],
  },
});

describe('limit of one payout', () => {
  it('accepts an amount up to the limit and refuses a cent more', async () => {
    await limit({ maxPayoutCents: 5_000 });
    expect(await transfer(5_000)).toMatchObject({ status: 200 });
    expect(await transfer(5_001)).toMatchObject(
      refusal('PAYOUT_TOO_LARGE', 'amount: this store sends at most R$ 50,00 (5000 cents) at a time'),
    );
  });

  it('applies the limit of one payout to payouts, transfers and v1 withdrawals', async () => {
    await limit({ maxPayoutCents: 5_000 });
    const body = { amount: 5_001, externalId: 'large' };
    const answers = [
      await api.post('/v2/payouts/create', body),
      await api.post('/v2/pix/send', { ...body, pix: ANA }),
      await api.post('/v1/withdraw/create', { ...body, method: 'PIX', pix: ANA }),
    ];
    expect(answers.map(({ status, json }) => [status, json.code])).toEqual(
      Array(3).fill([422, 'PAYOUT_LIMIT_EXCEEDED']),
    );
    expect(await app.database.em.fork().count(PayoutEntity, { storeId })).toBe(0);
  });

  it('ignores the limit of production in dev mode', async () => {
    await setControls(app.database, { storeId, devMode: false }, { maxPayoutCents: 1 });
    expect(await transfer(5_000)).toMatchObject({ status: 200 });
  });
});

describe('limit of a day', () => {
  it('counts payouts and transfers together and names what is left', async () => {
    await limit({ maxDayCents: 10_000 });
    expect(await api.post('/v2/payouts/create', { amount: 6_000, externalId: 'a' })).toMatchObject({
      status: 200,
    });
    expect(await transfer(4_001)).toMatchObject(
      refusal('DAY_LIMIT_REACHED', 'R$ 100,00 (10000 cents) a day, and R$ 40,00 (4000 cents) is left today'),
    );
    expect(await transfer(4_000)).toMatchObject({ status: 200 });
  });

  it('resets the limit of a day at midnight in São Paulo', async () => {
    await limit({ maxDayCents: 10_000 });
    expect(await transfer(10_000)).toMatchObject({ status: 200 });
    now = new Date(EVENING.getTime() + 29 * MINUTE_MS);
    expect(await transfer(1)).toMatchObject({ status: 422 });
    now = new Date(EVENING.getTime() + 30 * MINUTE_MS);
    expect(await transfer(10_000)).toMatchObject({ status: 200 });
  });

  it('leaves failed payouts and other stores out of the limit of a day', async () => {
    await limit({ maxDayCents: 10_000 });
    await transfer(10_000);
    const { id: otherId } = await createTestStore(app.database);
    await credit(app.database, { storeId: otherId, devMode: true }, 10_000);
    expect(await transfer(10_000, ANA, await app.clientWith({ storeId: otherId }))).toMatchObject({
      status: 200,
    });
    await app.database.em.fork().nativeUpdate(PayoutEntity, { storeId }, { status: 'FAILED' });
    expect(await transfer(10_000)).toMatchObject({ status: 200 });
  });

  it('answers a repeated request with its payout when nothing is left', async () => {
    await limit({ maxDayCents: 10_000 });
    const body = { amount: 10_000, externalId: 'once', pix: ANA };
    const first = await api.post('/v2/pix/send', body);
    expect((await api.post('/v2/pix/send', body)).text).toBe(first.text);
  });

  it('accepts exactly 3 of 20 parallel transfers over two processes with room for 3', async () => {
    await limit({ maxDayCents: 3_500 });
    const other = otherApp.api.as(api.key);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, each) => transfer(1_000, ANA, each % 2 === 0 ? api : other)),
    );
    const rules = answers.map(({ status, json }) =>
      status === 200 ? 'SENT' : String((json as { rule?: string }).rule),
    );
    expect(rules.filter((rule) => rule === 'SENT')).toHaveLength(3);
    expect(rules.filter((rule) => rule === 'DAY_LIMIT_REACHED')).toHaveLength(17);
    expect(await app.database.em.fork().count(PayoutEntity, { storeId })).toBe(3);
  });
});

describe('limit of a payee', () => {
  it('counts one PIX key separately, however it is written', async () => {
    await limit({ maxPayeeDayCents: 10_000 });
    await transfer(9_000);
    expect(await transfer(1_001, { type: 'EMAIL', key: 'ANA@example.com' })).toMatchObject(
      refusal('PAYEE_LIMIT_REACHED', 'R$ 10,00 (1000 cents) is left for this key today'),
    );
    expect(await transfer(10_000, BIA)).toMatchObject({ status: 200 });
  });

  it('counts every BR Code of the same key', async () => {
    await limit({ maxPayeeDayCents: 10_000 });
    await transfer(9_000);
    const brCode = (txid: string) => ({
      type: 'BR_CODE',
      key: buildBrCode({
        key: ANA.key,
        merchantName: 'Ana',
        merchantCity: 'Recife',
        amountCents: 1_001,
        txid,
      }),
    });
    for (const txid of ['ONE', 'TWO'])
      expect(await transfer(1_001, brCode(txid))).toMatchObject({
        status: 422,
        json: { rule: 'PAYEE_LIMIT_REACHED' },
      });
  });

  it('never applies the limit of a payee to the store’s own account', async () => {
    await limit({ maxPayeeDayCents: 1 });
    expect(await api.post('/v2/payouts/create', { amount: 5_000, externalId: 'own' })).toMatchObject({
      status: 200,
    });
  });

  it('counts transfers that the previous release wrote', async () => {
    await limit({ maxPayeeDayCents: 10_000 });
    await transfer(9_000);
    await app.database.em.fork().nativeUpdate(PayoutEntity, { storeId }, { payeeKey: null });
    expect(await transfer(1_001)).toMatchObject({ status: 422, json: { rule: 'PAYEE_LIMIT_REACHED' } });
  });
});
