import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { PayoutEntity } from '../../src/database/entities/payout.ts';
import type { StoreId } from '../../src/domain/ids.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { createTestApp, createTestStore, type TestApp } from '../support/api/app.ts';
import { V1Client } from '../support/api/v1.ts';
import { availableCents, credit } from '../support/rows/credit.ts';

const BODY = {
  externalId: 'week-47',
  method: 'PIX',
  amount: 350,
  pix: { type: 'CPF', key: '529.982.247-25' },
};

let app: TestApp;
let documented: V1Client;
let storeId: StoreId;
/** A key of the test's own store, which has R$ 100,00. */
let api: ApiClient;
let v1: V1Client;
let now = new Date('2026-11-23T14:22:08.120Z');
beforeAll(async () => {
  app = await createTestApp({ clock: () => now, starter: { startSoon: () => undefined } });
  documented = await V1Client.of(app.api);
});
beforeEach(async () => {
  storeId = (await createTestStore(app.database)).id;
  api = await app.clientWith({ storeId });
  v1 = documented.as(api);
  await credit(app.database, { storeId, devMode: true }, 10_000);
});
afterAll(() => app.close());

interface Withdraw {
  readonly id: string;
  readonly externalId: string;
}

const create = (changes: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
  v1.post('/withdraw/create', { ...BODY, ...changes }, { headers });
const available = () => availableCents(app.database, { storeId, devMode: true });
const minutePasses = () => {
  now = new Date(now.getTime() + 60_000);
};
const row = (externalId: string) =>
  app.database.em.fork().findOneOrFail(PayoutEntity, { storeId, externalId });

describe('a withdrawal', () => {
  it('returns every field of the v1 contract and reserves the amount', async () => {
    expect((await create({ amount: 2500, description: 'Semana 47' })).json).toEqual({
      data: {
        id: expect.stringMatching(/^tran_[0-9A-Z]{26}$/),
        kind: 'WITHDRAW',
        status: 'PENDING',
        devMode: true,
        receiptUrl: expect.stringContaining('/receipt/tran_'),
        amount: 2500,
        platformFee: 0,
        externalId: 'week-47',
        createdAt: now.toISOString(),
        updatedAt: now.toISOString(),
      },
      error: null,
    });
    expect(await available()).toBe(7_500);
  });

  it('creates a payout of v2 to the key in the request', async () => {
    const { id } = dataOf<Withdraw>(await create());
    expect(dataOf(await api.get('/v2/payouts/get?externalId=week-47'))).toMatchObject({ id, amount: 350 });
    expect(dataOf<Withdraw[]>(await api.get('/v2/payouts/list')).map((one) => one.id)).toEqual([id]);
    expect(dataOf(await api.get('/v2/pix/list'))).toEqual([]);
    expect(await row('week-47')).toMatchObject({ kind: 'PAYOUT', pixKeyType: 'CPF', pixKey: '52998224725' });
  });

  it('lists withdrawals and payouts of v2, newest first, without transfers', async () => {
    const first = dataOf<Withdraw>(await create());
    minutePasses();
    const second = dataOf<Withdraw>(
      await api.post('/v2/payouts/create', { amount: 400, externalId: 'week-48' }),
    );
    const transfer = { amount: 500, externalId: 'rent', pix: { type: 'EMAIL', key: 'ana@example.com' } };
    expect((await api.post('/v2/pix/send', transfer)).status).toBe(200);
    expect(dataOf(await v1.get('/withdraw/get?externalId=week-47'))).toEqual(first);
    expect(await v1.list('/withdraw/list')).toMatchObject([
      { id: second.id, kind: 'WITHDRAW', amount: 400 },
      { id: first.id, kind: 'WITHDRAW', amount: 350 },
    ]);
    expect((await v1.get('/withdraw/get?externalId=rent')).status).toBe(404);
  });

  it.each(['PENDING', 'COMPLETE', 'FAILED'] as const)(
    'returns the status %s and a receipt page',
    async (status) => {
      const receiptUrl = expect.stringContaining('/receipt/tran_');
      await create();
      await app.database.em.fork().nativeUpdate(PayoutEntity, { storeId }, { status });
      expect(dataOf(await v1.get('/withdraw/get?externalId=week-47'))).toMatchObject({ status, receiptUrl });
    },
  );

  it('returns the existing withdrawal for the same content and 409 for other content', async () => {
    const first = await create();
    const sameKey = { pix: { type: 'CPF', key: '52998224725' } };
    expect(dataOf(await create(sameKey))).toEqual(dataOf(first));
    minutePasses();
    expect(await create({ pix: { type: 'EMAIL', key: 'ana@example.com' } })).toMatchObject({
      status: 409,
      json: { data: null, error: expect.stringMatching(/^externalId: /) },
    });
    expect(await available()).toBe(9_650);
  });

  it('creates a withdrawal once when its Idempotency-Key is repeated', async () => {
    const headers = { 'Idempotency-Key': 'withdraw-1' };
    const first = await create({}, headers);
    const again = await create({}, headers);
    expect([again.text, again.headers.get('Idempotent-Replayed')]).toEqual([first.text, 'true']);
    expect(await v1.list('/withdraw/list')).toHaveLength(1);
  });

  it('allows one withdrawal or payout per minute', async () => {
    await api.post('/v2/payouts/create', { amount: 400, externalId: 'week-48' });
    const refused = await create();
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '60']);
    minutePasses();
    expect((await create()).status).toBe(200);
  });

  it.each([
    [400, 'amount', { amount: 349 }],
    [400, 'externalId', { externalId: undefined }],
    [400, 'method', { method: undefined }],
    [400, 'method', { method: 'TED' }],
    [400, 'pix', { pix: undefined }],
    [400, 'pix.type', { pix: { type: 'IBAN', key: 'x' } }],
    [400, 'pix.key', { pix: { type: 'CPF' } }],
    [400, 'kind', { kind: 'WITHDRAW' }],
    [422, 'pix.key', { pix: { type: 'CPF', key: '529.982.247-26' } }],
    [422, 'pix.key', { pix: { type: 'RANDOM', key: 'ana@example.com' } }],
    [422, 'amount', { amount: 10_001 }],
  ])('returns %d naming %s and stores nothing, case %#', async (status, field, changes) => {
    const answer = await create(changes);
    expect([answer.status, answer.json.error?.split(': ')[0]]).toEqual([status, field]);
    expect([await available(), await v1.list('/withdraw/list')]).toEqual([10_000, []]);
  });

  it('returns 404 for a withdrawal of another store or environment', async () => {
    await create();
    const production = documented.as(await app.clientWith({ storeId, devMode: false }));
    for (const stranger of [documented, production]) {
      expect((await stranger.get('/withdraw/get?externalId=week-47')).status).toBe(404);
      expect(await stranger.list('/withdraw/list')).toEqual([]);
    }
  });
});
