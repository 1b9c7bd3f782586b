import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CouponEntity } from '../../src/database/entities/coupon.ts';
import { AnonymousTraffic } from '../../src/http/anonymous-traffic.ts';
import { costSoFar, NO_COST, withCostCounted } from '../../src/request-cost.ts';
import { createTestApp, TEST_CONFIG } from '../support/api/app.ts';
import { chargesOf, insertCheckout, insertCoupon } from '../support/rows/checkout-rows.ts';
import { createPayerApp, type PayerApp, payFormOf } from '../support/web/payer-app.ts';

const config = { ...TEST_CONFIG, limitAnonymousTraffic: true, trustedProxies: ['127.0.0.0/8'] };

let app: PayerApp;
/** Another process of the same service. */
let other: PayerApp;
beforeAll(async () => {
  app = await createPayerApp({ config });
  other = await createPayerApp({ config, database: app.database });
});
afterAll(async () => {
  await other.close();
  await app.close();
});

/** Each test uses its own addresses. */
let test = 0;
beforeEach(() => {
  test += 1;
});
const from = (host: number) => ({ 'X-Forwarded-For': `198.51.${test}.${host}` });

/** Sends `times` requests at once, half of them to each process. @returns the count of each status, or of forms shown again. */
async function many(
  times: number,
  send: (to: PayerApp, time: number) => Promise<{ status: number; cameBack?: boolean }>,
) {
  const answers = await Promise.all(
    Array.from({ length: times }, (_, time) => send(time % 2 === 0 ? app : other, time)),
  );
  const counts: Record<string, number> = {};
  for (const { status, cameBack } of answers) {
    const answer = cameBack ? 'came back' : status;
    counts[answer] = (counts[answer] ?? 0) + 1;
  }
  return counts;
}

describe('limits of one address over all processes', () => {
  it('refuses 60 wrong API keys a minute with 401, and further ones with 429', async () => {
    const ask = (to: PayerApp) =>
      to.api.get('/v2/customers/list', { key: `abc_dev_${'x'.repeat(43)}`, headers: from(1) });
    expect(await many(100, ask)).toEqual({ 401: 60, 429: 40 });
    const refused = await ask(app);
    expect(refused.json).toMatchObject({ success: false, code: 'TOO_MANY_REQUESTS' });
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
    // A valid key from the same address is not limited, nor is another address.
    expect((await app.api.get('/v2/customers/list', { headers: from(1) })).status).toBe(200);
    expect((await app.api.get('/v2/customers/list', { key: null, headers: from(2) })).status).toBe(401);
  });

  it('starts 30 charges a minute on a payment link', async () => {
    const link = await insertCheckout(app, { frequency: 'MULTIPLE_PAYMENTS', expiresAt: null });
    const pay = (to: PayerApp) => to.send(`/pay/${link.id}`, payFormOf({ method: 'PIX' }), from(1));
    expect(await many(60, pay)).toEqual({ 303: 30, 429: 30 });
    expect(await chargesOf(app, link.id)).toHaveLength(30);
    const { status, text } = await pay(app);
    expect([status, text]).toEqual([429, expect.stringContaining('Muitos acessos em pouco tempo')]);
    expect((await app.send(`/pay/${link.id}`, payFormOf({ method: 'PIX' }), from(2))).status).toBe(303);
  });

  it('allows 20 coupon guesses an hour, and counts no valid code that was applied', async () => {
    const coupon = await insertCoupon(app);
    const checkout = await insertCheckout(app, { coupons: [coupon.code] });
    const apply = (code: string) => (to: PayerApp) =>
      to.send(`/pay/${checkout.id}`, payFormOf({ action: 'apply-coupon', coupon: code }), from(1));
    for (let time = 0; time < 25; time++) expect((await apply(coupon.code)(app)).cameBack).toBe(true);
    expect(await many(40, (to, time) => apply(`GUESS${time}`)(to))).toEqual({ 'came back': 20, 429: 20 });
    // Once the limit is reached, a valid code is refused as well.
    expect((await apply(coupon.code)(app)).status).toBe(429);
    // Paying with the code would also show that it is valid.
    const pay = payFormOf({ method: 'PIX', coupon: coupon.code, payerEmail: 'wrong' });
    expect((await app.send(`/pay/${checkout.id}`, pay, from(1))).status).toBe(429);
  });

  it('serves 3 000 pages a minute', async () => {
    await app.database.em
      .fork()
      .execute('insert into anonymous_traffic values (?, 2990, ?)', [
        `pagesOfAddress:198.51.${test}.1`,
        Date.now() + 30_000,
      ]);
    const open = (to: PayerApp) => to.api.get('/receipt/none', { key: null, headers: from(1) });
    expect(await many(20, open)).toEqual({ 404: 10, 429: 10 });
    const refused = await open(app);
    expect(refused.text).toContain('Muitos acessos em pouco tempo');
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
  });
});

describe('limits of one checkout over all addresses', () => {
  it('starts 30 charges in ten minutes, and 30 more for addresses that start few', async () => {
    const checkout = await insertCheckout(app, { methods: ['PIX'] });
    const pay = (to: PayerApp, time: number) =>
      to.send(`/pay/${checkout.id}`, payFormOf({ method: 'PIX', payerName: `P ${time}` }), from(time));
    expect(await many(80, pay)).toEqual({ 303: 60, 429: 20 });
  });

  it('starts a payment of one address after another has used the link up', async () => {
    const { id } = await insertCheckout(app, { methods: ['PIX'] });
    await app.database.em
      .fork()
      .execute('insert into anonymous_traffic (key, points, expire) values (?, 30, ?)', [
        `chargesOfCheckout:${id}`,
        Date.now() + 600_000,
      ]);
    const pay = (to: PayerApp, time: number) =>
      to.send(`/pay/${id}`, payFormOf({ method: 'PIX', payerName: `P ${time}` }), from(1));
    expect(await many(5, pay)).toEqual({ 303: 3, 429: 2 });
  });

  it('limits a whole IPv6 site to ten times what one address may', async () => {
    const ask = (to: PayerApp, time: number) =>
      to.api.get('/v2/customers/list', {
        key: `abc_dev_${'x'.repeat(43)}`,
        headers: { 'X-Forwarded-For': `2001:db8:30:${time.toString(16)}::1` },
      });
    await app.database.em
      .fork()
      .execute('insert into anonymous_traffic (key, points, expire) values (?, 590, ?)', [
        'wrongKeysOfAddress:2001:db8:30::/48',
        Date.now() + 60_000,
      ]);
    expect(await many(30, ask)).toEqual({ 401: 10, 429: 20 });
  });

  it('allows 200 coupon guesses an hour', async () => {
    const checkout = await insertCheckout(app, { coupons: ['REAL'] });
    const guess = (to: PayerApp, time: number) =>
      to.send(`/pay/${checkout.id}`, payFormOf({ action: 'apply-coupon', coupon: `G${time}` }), from(time));
    expect(await many(230, guess)).toEqual({ 'came back': 200, 429: 30 });
  });
});

describe('an address that a client writes itself', () => {
  it('ignores the header without a trusted proxy, and logs one warning', async () => {
    const open = await createTestApp({ config: { ...config, trustedProxies: [] } });
    try {
      const statuses: number[] = [];
      for (let time = 0; time < 65; time++)
        statuses.push((await open.api.get('/store/get', { key: null, headers: from(time) })).status);
      expect(statuses.filter((status) => status === 401)).toHaveLength(60);
      expect(open.logged.filter(({ msg }) => String(msg).includes('TRUSTED_PROXIES'))).toHaveLength(1);
    } finally {
      await open.close();
    }
  });
});

describe('unpaid boletos', () => {
  const BOLETO = { method: 'BOLETO', payerName: 'Ana Souza', payerTaxId: '529.982.247-25' };

  it('lets boletos reserve at most half of a capped coupon, and PIX the rest', async () => {
    const { id: couponId, code } = await insertCoupon(app, { maxRedeems: 20, redeemsCount: 4 });
    const link = { frequency: 'MULTIPLE_PAYMENTS', expiresAt: null } as const;
    const checkout = await insertCheckout(app, { ...link, coupons: [code], methods: ['BOLETO', 'PIX'] });
    const pay = (fields: Record<string, string>) => (to: PayerApp, time: number) =>
      to.send(`/pay/${checkout.id}`, payFormOf({ ...fields, coupon: code }), from(time));
    expect(await many(20, pay(BOLETO))).toEqual({ 303: 8, 'came back': 12 });
    expect((await pay(BOLETO)(app, 99)).text).toContain('reservado por outros boletos');
    expect(await many(20, pay({ method: 'PIX' }))).toEqual({ 303: 8, 'came back': 12 });
    const coupon = await app.database.em.fork().findOneOrFail(CouponEntity, { id: couponId });
    expect(coupon).toMatchObject({ redeemsCount: 4, reservedCount: 16 });
  });

  it("lets boletos reserve a coupon's last use, and any use without a cap", async () => {
    const last = await insertCoupon(app, { maxRedeems: 1 });
    const endless = await insertCoupon(app);
    const coupons = [last.code, endless.code];
    const link = { frequency: 'MULTIPLE_PAYMENTS', expiresAt: null } as const;
    const checkout = await insertCheckout(app, { ...link, coupons, methods: ['BOLETO'] });
    const pay = (coupon: string) => (to: PayerApp, time: number) =>
      to.send(`/pay/${checkout.id}`, payFormOf({ ...BOLETO, coupon }), from(time));
    expect(await many(3, pay(last.code))).toEqual({ 303: 1, 'came back': 2 });
    expect(await many(5, pay(endless.code))).toEqual({ 303: 5 });
  });
});

it('counts what a request does after it was limited as its own', async () => {
  const traffic = new AnonymousTraffic(app.database);
  let cost = NO_COST;
  await withCostCounted(async () => {
    await traffic.count(['pagesOfAddress', 'cost']);
    const untilMs = performance.now() + 50;
    while (performance.now() < untilMs);
    cost = costSoFar();
  });
  expect(cost.mainThreadMs).toBeGreaterThan(45);
});
