import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ShownPayout } from '../../src/api/payouts/schema.ts';
import { PayoutEntity } from '../../src/database/entities/payout.ts';
import type { PayoutId, StoreId } from '../../src/domain/ids.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { createTestApp, createTestStore, type TestApp } from '../support/api/app.ts';
import { availableCents, credit } from '../support/rows/credit.ts';
import { untilWaiting } from '../support/waiting/hold.ts';

const MINUTE_MS = 60_000;

let app: TestApp;
let storeId: StoreId;
/** A key of the test's own store, which has R$ 100,00. */
let api: ApiClient;
let now = new Date('2026-11-23T14:22:08.120Z');

beforeAll(async () => {
  app = await createTestApp({ clock: () => now, starter: { startSoon: () => undefined } });
});
beforeEach(async () => {
  storeId = (await createTestStore(app.database)).id;
  api = await app.clientWith({ storeId });
  await credit(app.database, { storeId, devMode: true }, 10_000);
});
afterAll(() => app.close());

const later = (ms: number) => {
  now = new Date(now.getTime() + ms);
};
const create = (changes: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
  api.post('/v2/payouts/create', { amount: 350, externalId: 'week-47', ...changes }, { headers });
const available = (devMode = true) => availableCents(app.database, { storeId, devMode });
const count = () => app.database.em.fork().count(PayoutEntity, { storeId });

describe('POST /payouts/create', () => {
  it('reserves the amount at once and returns a pending payout', async () => {
    const payout = dataOf<ShownPayout>(await create({ amount: 2_500, description: 'Semana 47' }));
    expect(payout).toEqual({
      id: expect.stringMatching(/^tran_[0-9A-Z]{26}$/),
      kind: 'WITHDRAW',
      status: 'PENDING',
      devMode: true,
      amount: 2_500,
      platformFee: 0,
      returnedAmount: 0,
      externalId: 'week-47',
      description: 'Semana 47',
      method: 'PIX',
      receiptUrl: `${app.api.url}/receipt/${payout.id}`,
      endToEndIdentifier: null,
      reason: null,
      approval: null,
      createdAt: now.toISOString(),
      updatedAt: now.toISOString(),
    });
    expect(await available()).toBe(7_500);
  });

  it('refuses a key that is revoked while its request waits', async () => {
    const revoking = app.database.em.fork();
    await revoking.begin();
    await revoking.execute('update api_keys set revoked_at = ? where store_id = ?', [now, storeId]);
    const answer = create();
    await untilWaiting(app.database, 1);
    await revoking.commit();
    expect(await answer).toMatchObject({ status: 403, json: { code: 'PERMISSION_DENIED' } });
    expect([await count(), await available()]).toEqual([0, 10_000]);
  });

  it('accepts 350 cents and refuses 349 with a 400 that names the minimum', async () => {
    expect(await create({ amount: 349 })).toMatchObject({
      status: 400,
      json: {
        code: 'VALIDATION_ERROR',
        issues: [{ path: 'amount', message: expect.stringContaining('between 350 ') }],
      },
    });
    expect(await create({ amount: 350 })).toMatchObject({ status: 200 });
  });

  it.each([
    ['amount', { amount: 350.5 }],
    ['amount', { amount: '350' }],
    ['amount', { amount: undefined }],
    ['amount', { amount: 10_000_000_000 }],
    ['externalId', { externalId: undefined }],
    ['externalId', { externalId: ' ' }],
    ['externalId', { externalId: 'x'.repeat(256) }],
    ['description', { description: 'x'.repeat(501) }],
    ['pix', { pix: { type: 'EMAIL', key: 'ana@example.com' } }],
  ])('refuses a malformed payout with 400 and reserves nothing: %s of %j', async (path, changes) => {
    expect(await create(changes)).toMatchObject({ status: 400, json: { issues: [{ path }] } });
    expect(await available()).toBe(10_000);
  });

  it('pays out the whole balance and refuses one cent more', async () => {
    expect(await create({ amount: 10_001 })).toMatchObject({
      status: 422,
      json: { code: 'INSUFFICIENT_FUNDS', issues: [{ path: 'amount' }] },
    });
    expect(await count()).toBe(0);
    dataOf(await create({ amount: 10_000 }));
    expect(await available()).toBe(0);
  });

  it('never spends the balance of another store or environment', async () => {
    const poor = await app.clientWith({ storeId: (await createTestStore(app.database)).id });
    const body = { amount: 350, externalId: 'week-47' };
    expect(await poor.post('/v2/payouts/create', body)).toMatchObject({
      json: { code: 'INSUFFICIENT_FUNDS' },
    });
    const production = await app.clientWith({ storeId, devMode: false });
    expect(await production.post('/v2/payouts/create', body)).toMatchObject({
      status: 422,
      json: { code: 'NO_PAYMENT_PROVIDER' },
    });
  });

  it('returns the same payout for a repeated externalId, even within the minute', async () => {
    const first = await create();
    expect((await create()).text).toBe(first.text);
    later(MINUTE_MS);
    expect(dataOf<ShownPayout>(await create()).id).toBe(dataOf<ShownPayout>(first).id);
    expect([await count(), await available()]).toEqual([1, 9_650]);
  });

  it.each([{ amount: 351 }, { description: 'another' }])(
    'returns 409 for the same externalId with other content: %j',
    async (changes) => {
      await create();
      expect(await create(changes)).toMatchObject({
        status: 409,
        json: { code: 'EXTERNAL_ID_CONFLICT', issues: [{ path: 'externalId' }] },
      });
      expect(await available()).toBe(9_650);
    },
  );

  it('replays the answer for the same Idempotency-Key', async () => {
    const headers = { 'Idempotency-Key': randomUUID() };
    const first = await create({}, headers);
    const retry = await create({}, headers);
    expect([retry.text, retry.headers.get('Idempotent-Replayed')]).toEqual([first.text, 'true']);
    expect(await available()).toBe(9_650);
  });

  it('accepts one payout a minute, otherwise returns 429 with Retry-After', async () => {
    await create();
    later(MINUTE_MS - 1_500);
    const early = await create({ externalId: 'week-48' });
    expect(early).toMatchObject({ status: 429, json: { code: 'TOO_MANY_PAYOUTS' } });
    expect(early.headers.get('Retry-After')).toBe('2');
    expect(await available()).toBe(9_650);
    later(1_500);
    expect(await create({ externalId: 'week-48' })).toMatchObject({ status: 200 });
  });

  it('leaves refused payouts and transfers out of the limit of one a minute', async () => {
    await create({ amount: 10_001 });
    const pix = { type: 'EMAIL', key: 'ana@example.com' };
    dataOf(await api.post('/v2/pix/send', { amount: 100, externalId: 'supplier-7', pix }));
    expect(await create({ externalId: 'week-48' })).toMatchObject({ status: 200 });
  });
});

describe('GET /payouts/get and /payouts/list', () => {
  const get = (query: string, client = api) => client.get(`/v2/payouts/get?${query}`);

  it('returns a payout by id or externalId and refuses both or neither', async () => {
    const created = await create();
    const { id } = dataOf<ShownPayout>(created);
    expect((await get('externalId=week-47')).text).toBe(created.text);
    expect((await get(`id=${id}`)).text).toBe(created.text);
    expect(await get('')).toMatchObject({ status: 400, json: { issues: [{ path: 'externalId' }] } });
    expect(await get(`id=${id}&externalId=week-47`)).toMatchObject({ status: 400 });
    expect(await get('externalId=week-48')).toMatchObject({ status: 404, json: { code: 'NOT_FOUND' } });
  });

  it('returns 404 for a payout of another store or environment, or as a transfer', async () => {
    const { id } = dataOf<ShownPayout>(await create());
    expect(await get(`id=${id}`, app.api)).toMatchObject({ status: 404 });
    const production = await app.clientWith({ storeId, devMode: false });
    expect(await get(`id=${id}`, production)).toMatchObject({ status: 404 });
    expect(await api.get(`/v2/pix/get?id=${id}`)).toMatchObject({ status: 404 });
    expect(dataOf(await api.get('/v2/pix/list'))).toEqual([]);
  });

  it('shows the end-to-end identifier of a completed payout and why another failed', async () => {
    const { id } = dataOf<ShownPayout>(await create());
    const set = (changes: object) =>
      app.database.em.fork().nativeUpdate(PayoutEntity, { id: id as PayoutId }, changes);
    await set({ status: 'COMPLETE', endToEndIdentifier: 'E999' });
    expect(dataOf(await get(`id=${id}`))).toMatchObject({
      status: 'COMPLETE',
      receiptUrl: `${app.api.url}/receipt/${id}`,
      endToEndIdentifier: 'E999',
      reason: null,
    });
    await set({ status: 'FAILED', endToEndIdentifier: null, failureReason: 'account_closed' });
    expect(dataOf(await get(`id=${id}`))).toMatchObject({
      status: 'FAILED',
      receiptUrl: `${app.api.url}/receipt/${id}`,
      endToEndIdentifier: null,
      reason: 'account_closed',
    });
  });

  it('lists payouts newest first, filtered by status, id and externalId', async () => {
    const ids: string[] = [];
    for (const externalId of ['week-47', 'week-48', 'week-49']) {
      ids.unshift(dataOf<ShownPayout>(await create({ externalId })).id);
      later(MINUTE_MS);
    }
    const [newest = '', middle = ''] = ids;
    await app.database.em
      .fork()
      .nativeUpdate(PayoutEntity, { id: newest as PayoutId }, { status: 'COMPLETE' });
    const list = async (query: string) =>
      dataOf<ShownPayout[]>(await api.get(`/v2/payouts/list?${query}`)).map(({ id }) => id);
    expect(await list('')).toEqual(ids);
    expect(await list('limit=2')).toEqual(ids.slice(0, 2));
    expect(await list('status=COMPLETE')).toEqual([newest]);
    expect(await list('status=PENDING')).toEqual(ids.slice(1));
    expect(await list('externalId=week-48')).toEqual([middle]);
    expect(await list(`id=${middle}`)).toEqual([middle]);
    expect(await api.get('/v2/payouts/list?status=PAID')).toMatchObject({ status: 400 });
  });
});

describe('permissions of payouts and transfers', () => {
  const calls = [
    ['WITHDRAW:CREATE', (client: ApiClient) => client.post('/v2/payouts/create', {})],
    ['WITHDRAW:READ', (client: ApiClient) => client.get('/v2/payouts/get')],
    ['WITHDRAW:READ', (client: ApiClient) => client.get('/v2/payouts/list')],
    ['WITHDRAW:APPROVE', (client: ApiClient) => client.post('/v2/payouts/approve', {})],
    ['WITHDRAW:APPROVE', (client: ApiClient) => client.post('/v2/payouts/reject', {})],
    ['WITHDRAW:APPROVE', (client: ApiClient) => client.post('/v2/pix/approve', {})],
    ['WITHDRAW:APPROVE', (client: ApiClient) => client.post('/v2/pix/reject', {})],
    ['WITHDRAW:CREATE', (client: ApiClient) => client.post('/v2/pix/send', {})],
    ['WITHDRAW:READ', (client: ApiClient) => client.get('/v2/pix/get')],
    ['WITHDRAW:READ', (client: ApiClient) => client.get('/v2/pix/list')],
  ] as const;

  it.each(calls)('refuses a key without %s and accepts one with it', async (permission, call) => {
    const other = permission === 'WITHDRAW:READ' ? 'WITHDRAW:CREATE' : 'WITHDRAW:READ';
    const without = await app.clientWith({ storeId, permissions: [other, 'STORE:READ'] });
    expect(await call(without)).toMatchObject({ status: 403, json: { code: 'PERMISSION_DENIED' } });
    const allowed = await app.clientWith({ storeId, permissions: [permission] });
    expect((await call(allowed)).status).not.toBe(403);
  });
});
