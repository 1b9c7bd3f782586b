import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CouponView } from '../../src/api/coupons/schema.ts';
import { CouponEntity } from '../../src/database/entities/coupon.ts';
import { dataOf } from '../support/api/api-client.ts';
import { createTestApp, createTestStore, type TestApp } from '../support/api/app.ts';
import { buildCoupon, couponBody } from '../support/rows/catalog.ts';

const CREATE = '/v2/coupons/create';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const couponsListed = async (query: string) =>
  dataOf<CouponView[]>(await app.api.get(`/coupons/list?${query}`));
const listed = async (query: string) => (await couponsListed(query)).map(({ id }) => id);
const toggle = (code: string) => app.api.post(`/coupons/toggle?id=${code}`);
const countCoupons = async () => {
  const [row] = await app.database.em.fork().execute<{ count: string }[]>('select count(*) from coupons');
  return Number(row?.count);
};
/** As if that many payments with the coupon had been made. */
const redeem = (code: string, redeemsCount: number) =>
  app.database.em.fork().nativeUpdate(CouponEntity, { code }, { redeemsCount });

describe('a coupon', () => {
  it('returns every field of the contract, with the code as id', async () => {
    const body = {
      code: 'Welcome_10-x',
      discountKind: 'PERCENTAGE',
      discount: 12.5,
      maxRedeems: 3,
      notes: 'Março',
      metadata: { b: 1, a: [2] },
    };
    const answer = await app.api.post(CREATE, body);
    expect(answer.json).toEqual({
      data: {
        id: 'Welcome_10-x',
        ...body,
        duration: 'ONCE',
        durationInCycles: null,
        redeemsCount: 0,
        status: 'ACTIVE',
        validFrom: null,
        validUntil: null,
        devMode: true,
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        updatedAt: expect.any(String),
      },
      success: true,
      error: null,
    });
    expect(dataOf(await app.api.get('/v2/coupons/get?id=Welcome_10-x'))).toEqual(dataOf(answer));
  });

  it('creates a coupon without a cap or notes by default', async () => {
    expect(await buildCoupon(app.api)).toMatchObject({ maxRedeems: -1, notes: '', metadata: {} });
  });

  it('creates a coupon once when its Idempotency-Key is repeated', async () => {
    const headers = { 'Idempotency-Key': 'coupon-1' };
    const body = couponBody();
    const first = await app.api.post(CREATE, body, { headers });
    expect(dataOf(await app.api.post(CREATE, body, { headers }))).toEqual(dataOf(first));
    expect((await app.api.post(CREATE, body)).status).toBe(409);
  });
});

describe('the duration of a coupon', () => {
  it.each([
    { duration: 'REPEATING', durationInCycles: 3 },
    { duration: 'FOREVER', durationInCycles: null },
  ])('creates a coupon with %j', async (duration) => {
    expect(await buildCoupon(app.api, duration)).toMatchObject(duration);
  });

  it.each([
    { duration: 'REPEATING' },
    { duration: 'FOREVER', durationInCycles: 3 },
    { duration: 'ONCE', durationInCycles: 1 },
    { durationInCycles: 2 },
  ])('refuses %j with the field that is wrong', async (duration) => {
    expect(await app.api.post(CREATE, couponBody(duration))).toMatchObject({
      status: 422,
      json: { rule: 'DURATION_CYCLES', issues: [{ path: 'durationInCycles' }] },
    });
  });

  it('names each wrong field of a coupon at once', async () => {
    const wrong = { validFrom: '2027-11-30', validUntil: '2027-11-27', duration: 'REPEATING' };
    const { json } = await app.api.post(CREATE, couponBody(wrong));
    expect(json.issues?.map(({ path }) => path)).toEqual(['validUntil', 'durationInCycles']);
  });
});

describe('the validity of a coupon', () => {
  const update = (body: object) => app.api.post('/v2/coupons/update', body);

  it('counts days of Sao Paulo, the last one included', async () => {
    const coupon = await buildCoupon(app.api, { validFrom: '2027-11-27', validUntil: '2027-11-30' });
    expect(coupon).toMatchObject({
      status: 'ACTIVE',
      validFrom: '2027-11-27T03:00:00.000Z',
      validUntil: '2027-12-01T03:00:00.000Z',
    });
  });

  it('expires at its end, and is ACTIVE again with a later one', async () => {
    const { id } = await buildCoupon(app.api, { validUntil: '2026-01-01T12:00:00Z' });
    expect(await listed(`id=${id}&status=EXPIRED`)).toEqual([id]);
    expect(await listed(`id=${id}&status=ACTIVE`)).toEqual([]);
    expect(await toggle(id)).toMatchObject({ status: 422, json: { rule: 'VALIDITY_OVER' } });
    expect(dataOf(await update({ id, validUntil: null }))).toMatchObject({
      status: 'ACTIVE',
      validUntil: null,
    });
    expect(await listed(`id=${id}&status=ACTIVE`)).toEqual([id]);
  });

  it('never ends before it starts, also if both are changed one by one', async () => {
    const days = { validFrom: '2027-11-30', validUntil: '2027-11-27' };
    const refusal = { status: 422, json: { rule: 'RANGE_REVERSED', issues: [{ path: 'validUntil' }] } };
    expect(await app.api.post(CREATE, couponBody(days))).toMatchObject(refusal);
    const { id } = await buildCoupon(app.api, { validUntil: '2027-11-27' });
    expect(await update({ id, validFrom: '2027-11-30' })).toMatchObject(refusal);
    expect(await update({ id, validFrom: '2027-11-27' })).toMatchObject({ status: 200 });
    expect(await update({ id, validUntil: '2027-11-26' })).toMatchObject(refusal);
    expect(await update({ id, ...days, validUntil: null })).toMatchObject({ status: 200 });
  });

  it('returns 400 on v1, whose coupons have none', async () => {
    const body = { ...couponBody(), notes: 'Feira', validUntil: '2027-11-27' };
    expect(await app.api.post('/v1/coupon/create', body)).toMatchObject({ status: 400 });
  });

  it.each(['validFrom', 'validUntil'])('returns 400 for a %s that is no time', async (name) => {
    expect(await app.api.post(CREATE, couponBody({ [name]: '27/11/2027' }))).toMatchObject({
      status: 400,
      json: { issues: [{ path: name }] },
    });
  });
});

describe('coupons/update', () => {
  const update = (body: object, api = app.api) => api.post('/v2/coupons/update', body);

  it('changes what is sent; what is left out stays as it is, and null removes', async () => {
    const coupon = await buildCoupon(app.api, { maxRedeems: 5, notes: 'Março', metadata: { a: 1 } });
    const { id } = coupon;
    const changed = dataOf<CouponView>(await update({ id, maxRedeems: 9 }));
    expect(changed).toEqual({ ...coupon, maxRedeems: 9, updatedAt: expect.any(String) });
    const rest = { maxRedeems: -1, notes: '', metadata: {} };
    expect(dataOf(await update({ id, maxRedeems: -1, notes: null, metadata: null }))).toMatchObject(rest);
    expect((await couponsListed(`id=${id}`))[0]).toMatchObject(rest);
  });

  it('never lowers maxRedeems below the uses, and raises it for a used-up coupon', async () => {
    const { id } = await buildCoupon(app.api, { maxRedeems: 3 });
    await redeem(id, 2);
    await app.database.em.fork().nativeUpdate(CouponEntity, { code: id }, { reservedCount: 1 });
    expect(await update({ id, maxRedeems: 2, notes: 'x' })).toMatchObject({
      status: 422,
      json: {
        code: 'NOT_ACCEPTABLE',
        issues: [{ path: 'maxRedeems', message: expect.stringContaining('at least 3') }],
      },
    });
    expect((await couponsListed(`id=${id}`))[0]).toMatchObject({ maxRedeems: 3, notes: '' });
    await app.database.em
      .fork()
      .nativeUpdate(CouponEntity, { code: id }, { redeemsCount: 3, reservedCount: 0 });
    expect((await couponsListed(`id=${id}`))[0]).toMatchObject({ status: 'EXPIRED' });
    expect(dataOf(await update({ id, maxRedeems: 4 }))).toMatchObject({ status: 'ACTIVE' });
  });

  it("refuses to change code or discount, and returns 404 for others' coupons", async () => {
    const { id } = await buildCoupon(app.api);
    for (const field of ['code', 'discount', 'discountKind'])
      expect(await update({ id, [field]: 'X' })).toMatchObject({
        status: 400,
        json: { issues: [{ path: field }] },
      });
    const { id: storeId } = await createTestStore(app.database);
    for (const stranger of [{ storeId }, { devMode: false }])
      expect((await update({ id, notes: 'X' }, await app.clientWith(stranger))).status).toBe(404);
    await app.api.post(`/coupons/delete?id=${id}`);
    expect((await update({ id, notes: 'X' })).status).toBe(404);
  });
});

describe('a percentage', () => {
  it('keeps percentages exact to two decimals', async () => {
    for (const discount of [0.01, 0.07, 0.29, 1.15, 8.41, 33.33, 64.1, 99.99, 100]) {
      const { id } = await buildCoupon(app.api, { discount });
      const row = await app.database.em.fork().findOneOrFail(CouponEntity, { code: id });
      expect(row.discountValue).toBe(Number(discount.toFixed(2).replace('.', '')));
      expect((await couponsListed(`id=${id}`))[0]).toMatchObject({ discount });
    }
  });
});

describe('a fixed discount', () => {
  it.each([1, 9_999_999_999])('accepts a fixed discount of %d cents', async (discount) => {
    expect(await buildCoupon(app.api, { discountKind: 'FIXED', discount })).toMatchObject({ discount });
  });
});

describe('a code', () => {
  it('returns 409 if the code exists', async () => {
    const body = couponBody();
    await app.api.post(CREATE, body);
    expect(await app.api.post(CREATE, body)).toMatchObject({
      status: 409,
      json: { code: 'COUPON_CODE_CONFLICT', issues: [{ path: 'code' }] },
    });
  });

  it('creates one coupon from 100 requests with the same code at once', async () => {
    const before = await countCoupons();
    const body = couponBody();
    const answers = await Promise.all(Array.from({ length: 100 }, () => app.api.post(CREATE, body)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(99);
    expect(await countCoupons()).toBe(before + 1);
  });

  it('treats codes in other capitals as different coupons', async () => {
    await buildCoupon(app.api, { code: 'CAPITALS' });
    await buildCoupon(app.api, { code: 'capitals' });
    expect(await listed('id=Capitals')).toEqual([]);
    expect(await listed('id=capitals')).toEqual(['capitals']);
  });

  it('accepts the code of a deleted coupon again', async () => {
    const { id } = await buildCoupon(app.api, { code: 'AGAIN', discount: 5 });
    await app.api.post(`/coupons/delete?id=${id}`);
    await buildCoupon(app.api, { code: 'AGAIN', discount: 7 });
    expect(dataOf(await app.api.get('/coupons/get?id=AGAIN'))).toMatchObject({ discount: 7 });
  });
});

describe('refused coupons', () => {
  const fixed = { discountKind: 'FIXED' };
  it.each<[string, Record<string, unknown>, string]>([
    ['no code', { code: undefined }, 'code'],
    ['an empty code', { code: '' }, 'code'],
    ['a code of 51 characters', { code: 'A'.repeat(51) }, 'code'],
    ['a code with a space', { code: 'A B' }, 'code'],
    ['a code with a line break', { code: 'AB\n' }, 'code'],
    ['a code that looks like another', { code: 'WELCOME１０' }, 'code'],
    ['no kind', { discountKind: undefined }, 'discountKind'],
    ['another kind', { discountKind: 'BOTH' }, 'discountKind'],
    ['no discount', { discount: undefined }, 'discount'],
    ['0 %', { discount: 0 }, 'discount'],
    ['less than a hundredth of a percent', { discount: 0.001 }, 'discount'],
    ['three decimals', { discount: 12.345 }, 'discount'],
    ['more than 100 %', { discount: 100.01 }, 'discount'],
    ['a discount as text', { discount: '10' }, 'discount'],
    ['no cents', { ...fixed, discount: 0 }, 'discount'],
    ['a fraction of a cent', { ...fixed, discount: 10.5 }, 'discount'],
    ['more cents than any amount', { ...fixed, discount: 10_000_000_000 }, 'discount'],
    ['no use', { maxRedeems: 0 }, 'maxRedeems'],
    ['-2 uses', { maxRedeems: -2 }, 'maxRedeems'],
    ['half a use', { maxRedeems: 1.5 }, 'maxRedeems'],
    ['more uses than can be counted', { maxRedeems: 2_147_483_648 }, 'maxRedeems'],
    ['a misspelt field', { maxRedeem: 1 }, 'maxRedeem'],
    ['metadata that is no object', { metadata: [] }, 'metadata'],
  ])('%s is refused with 400 naming the field, and nothing is stored', async (_, changes, path) => {
    const before = await countCoupons();
    const answer = await app.api.post(CREATE, couponBody(changes));
    expect(answer).toMatchObject({ status: 400, json: { code: 'VALIDATION_ERROR', issues: [{ path }] } });
    expect(await countCoupons()).toBe(before);
  });
});

describe('coupons/toggle', () => {
  it('switches a coupon off and on again', async () => {
    const coupon = await buildCoupon(app.api);
    const { updatedAt: _, ...same } = coupon;
    expect(dataOf(await toggle(coupon.id))).toMatchObject({ ...same, status: 'INACTIVE' });
    expect(dataOf(await app.api.get(`/coupons/get?id=${coupon.id}`))).toMatchObject({ status: 'INACTIVE' });
    expect(dataOf(await toggle(coupon.id))).toMatchObject({ ...same, status: 'ACTIVE' });
  });

  it('toggles once per parallel request and returns each resulting status', async () => {
    const { id } = await buildCoupon(app.api);
    const answers = await Promise.all(Array.from({ length: 21 }, () => toggle(id)));
    const statuses = answers.map((answer) => dataOf<CouponView>(answer).status);
    expect(statuses.filter((status) => status === 'INACTIVE')).toHaveLength(11);
    expect(statuses.filter((status) => status === 'ACTIVE')).toHaveLength(10);
    expect(dataOf(await app.api.get(`/coupons/get?id=${id}`))).toMatchObject({ status: 'INACTIVE' });
  });

  it('refuses to toggle a coupon whose cap is reached', async () => {
    const { id } = await buildCoupon(app.api, { maxRedeems: 2 });
    await redeem(id, 2);
    expect(await toggle(id)).toMatchObject({ status: 422, json: { code: 'INVALID_STATE' } });
    expect(dataOf(await app.api.get(`/coupons/get?id=${id}`))).toMatchObject({
      status: 'EXPIRED',
      redeemsCount: 2,
    });
  });
});

describe('a list of coupons', () => {
  it('filters coupons by the status that each coupon shows', async () => {
    const api = await app.clientWith({ storeId: (await createTestStore(app.database)).id });
    for (const maxRedeems of [-1, 1, 2]) {
      for (const redeemsCount of [0, 1, 2]) {
        if (maxRedeems !== -1 && redeemsCount > maxRedeems) continue;
        for (const off of [false, true]) {
          const { id } = await buildCoupon(api, { maxRedeems });
          if (off) await api.post(`/coupons/toggle?id=${id}`);
          await redeem(id, redeemsCount);
        }
      }
    }
    const all = dataOf<CouponView[]>(await api.get('/coupons/list'));
    expect(all).toHaveLength(16);
    for (const status of ['ACTIVE', 'INACTIVE', 'EXPIRED']) {
      const expected = all.filter((coupon) => coupon.status === status);
      expect(expected.length).toBeGreaterThan(0);
      expect(dataOf(await api.get(`/coupons/list?status=${status}`))).toEqual(expected);
    }
    expect((await api.get('/coupons/list?status=GONE')).status).toBe(400);
  });

  it('pages coupons without gaps or repeats', async () => {
    const api = await app.clientWith({ storeId: (await createTestStore(app.database)).id });
    const made = [await buildCoupon(api), await buildCoupon(api), await buildCoupon(api)];
    const first = await api.get('/coupons/list?limit=2');
    const second = await api.get(`/coupons/list?limit=2&after=${first.json.pagination?.next}`);
    const ids = [...dataOf<CouponView[]>(first), ...dataOf<CouponView[]>(second)].map(({ id }) => id);
    expect(new Set(ids)).toEqual(new Set(made.map(({ id }) => id)));
    expect(ids).toHaveLength(3);
  });
});

describe('a deleted coupon', () => {
  it('deletes a coupon once and then returns 404', async () => {
    const { id } = await buildCoupon(app.api);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => app.api.post(`/coupons/delete?id=${id}`)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(9);
    expect(await app.api.get(`/coupons/get?id=${id}`)).toMatchObject({
      status: 404,
      json: { error: 'Coupon not found' },
    });
    expect((await toggle(id)).status).toBe(404);
    expect(await listed(`id=${id}`)).toEqual([]);
  });
});

describe('another store and the other environment', () => {
  it("returns 404 for another store's or environment's coupon, and reuses its code", async () => {
    const mine = await buildCoupon(app.api);
    const elsewhere = await app.clientWith({ storeId: (await createTestStore(app.database)).id });
    const production = await app.clientWith({ devMode: false });
    for (const client of [elsewhere, production]) {
      expect((await client.get(`/coupons/get?id=${mine.id}`)).status).toBe(404);
      expect((await client.post(`/coupons/toggle?id=${mine.id}`)).status).toBe(404);
      expect((await client.post(`/coupons/delete?id=${mine.id}`)).status).toBe(404);
      expect(dataOf(await client.get('/coupons/list'))).toEqual([]);
      await buildCoupon(client, { code: mine.code, discount: 50 });
    }
    expect(dataOf(await app.api.get(`/coupons/get?id=${mine.id}`))).toEqual(mine);
  });
});
