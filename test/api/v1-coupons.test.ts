import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { CouponView } from '../../src/api/coupons/schema.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { createTestApp, createTestStore, type TestApp } from '../support/api/app.ts';
import { V1Client } from '../support/api/v1.ts';
import { buildCoupon } from '../support/rows/catalog.ts';

const WELCOME = { code: 'WELCOME10', discountKind: 'PERCENTAGE', discount: 12.5, notes: 'Março' };

let app: TestApp;
let documented: V1Client;
let api: ApiClient;
let v1: V1Client;
beforeAll(async () => {
  app = await createTestApp();
  documented = await V1Client.of(app.api);
});
beforeEach(async () => {
  api = await app.clientWith({ storeId: (await createTestStore(app.database)).id });
  v1 = documented.as(api);
});
afterAll(() => app.close());

const create = (changes: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
  v1.post('/coupon/create', { ...WELCOME, ...changes }, { headers });

describe('a coupon in v1', () => {
  it('returns every field of the v1 contract', async () => {
    expect((await create({ maxRedeems: 3, metadata: { a: 1 } })).json).toEqual({
      data: {
        ...WELCOME,
        id: 'WELCOME10',
        duration: 'ONCE',
        durationInCycles: null,
        maxRedeems: 3,
        redeemsCount: 0,
        status: 'ACTIVE',
        validFrom: null,
        validUntil: null,
        devMode: true,
        metadata: { a: 1 },
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        updatedAt: expect.any(String),
      },
      error: null,
    });
  });

  it('shows v1 coupons in v2 and v2 coupons in v1', async () => {
    const made = dataOf<CouponView>(await create());
    expect(dataOf(await api.get('/v2/coupons/get?id=WELCOME10'))).toEqual(made);
    const other = await buildCoupon(api, { discountKind: 'FIXED', discount: 500 });
    expect(await v1.list('/coupon/list')).toEqual([other, made]);
  });

  it('requires notes for a coupon in v1, but not in v2', async () => {
    expect(await create({ notes: undefined })).toMatchObject({
      status: 400,
      json: { data: null, error: 'notes: is required' },
    });
    expect((await buildCoupon(api)).notes).toBe('');
  });

  it('returns 409 naming the code if it exists in v2', async () => {
    await buildCoupon(api, { code: 'WELCOME10' });
    expect(await create()).toMatchObject({
      status: 409,
      json: { data: null, error: expect.stringMatching(/^code: /) },
    });
  });

  it('creates a coupon once when its Idempotency-Key is repeated', async () => {
    const headers = { 'Idempotency-Key': 'coupon-1' };
    const first = await create({}, headers);
    expect((await create({}, headers)).text).toBe(first.text);
    expect(await v1.list('/coupon/list')).toHaveLength(1);
  });

  it("lists only coupons of the key's own store", async () => {
    await create();
    expect(await documented.list('/coupon/list')).toEqual([]);
  });
});
