import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ChargeEntity } from '../../src/database/entities/charge.ts';
import { CheckoutEntity } from '../../src/database/entities/checkout.ts';
import { CouponEntity } from '../../src/database/entities/coupon.ts';
import { CustomerEntity } from '../../src/database/entities/customer.ts';
import type { CheckoutStatus } from '../../src/domain/checkout.ts';
import type { ChargeId, CheckoutId } from '../../src/domain/ids.ts';
import type { ShownCheckout } from '../../src/wire/checkout.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { createTestApp, createTestStore, type TestApp } from '../support/api/app.ts';
import { buildCoupon, buildCustomer, buildProduct } from '../support/rows/catalog.ts';
import { insertCharge } from '../support/rows/checkout-rows.ts';
import { buildCheckout, buildPaymentLink } from '../support/rows/checkouts.ts';

let now = new Date('2026-12-04T15:00:00.000Z');
/** What the workflow makes of a checkout that is cancelled, in place of a worker. */
let cancelledAs: CheckoutStatus;
const cancelled: string[] = [];

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({
    clock: () => now,
    starter: { startSoon: () => {} },
    checkoutUpdates: {
      async cancel({ id }) {
        cancelled.push(id);
        await setStatus(id, cancelledAs);
        return cancelledAs;
      },
    },
  });
});
afterAll(() => app.close());

const setStatus = (id: string, status: CheckoutStatus) =>
  app.database.em.fork().nativeUpdate(CheckoutEntity, { id: id as CheckoutId }, { status });
const listed = async (query: string, api = app.api) =>
  dataOf<ShownCheckout[]>(await api.get(`/checkouts/list?${query}`)).map(({ id }) => id);
const cancel = (id: string, api = app.api) => api.post('/checkouts/cancel', { id });
const anotherStore = async () => app.clientWith({ storeId: (await createTestStore(app.database)).id });

describe('a list of checkouts', () => {
  it('filters checkouts by id, externalId and status', async () => {
    const [first, second] = [
      await buildCheckout(app.api, { externalId: 'listed-1' }),
      await buildCheckout(app.api, { externalId: 'listed-2' }),
    ];
    await setStatus(second.id, 'PAID');
    expect(await listed(`id=${first.id}`)).toEqual([first.id]);
    expect(await listed('externalId=listed-1')).toEqual([first.id]);
    expect(await listed('externalId=listed-1&status=PENDING')).toEqual([first.id]);
    expect(await listed('externalId=listed-1&status=PAID')).toEqual([]);
    expect(await listed('externalId=listed-2&status=PAID')).toEqual([second.id]);
    expect(await listed(`id=${first.id}&status=PAID`)).toEqual([]);
    expect(await listed('externalId=never')).toEqual([]);
    expect((await app.api.get('/checkouts/list?status=GONE')).status).toBe(400);
  });

  it('filters checkouts by customer e-mail and by tax id, formatted or bare', async () => {
    const ana = await buildCustomer(app.api, { email: 'ana.list@example.com', taxId: '529.982.247-25' });
    const bia = await buildCustomer(app.api, { email: 'bia.list@example.com', taxId: '111.444.777-35' });
    const ofAna = await buildCheckout(app.api, { customerId: ana.id });
    const ofBia = await buildCheckout(app.api, { customerId: bia.id });
    await buildCheckout(app.api);
    expect(await listed('taxId=529.982.247-25')).toEqual([ofAna.id]);
    expect(await listed('taxId=52998224725')).toEqual([ofAna.id]);
    expect(await listed('email=bia.list@example.com')).toEqual([ofBia.id]);
    expect(await listed('email=ana.list@example.com&taxId=111.444.777-35')).toEqual([]);
    for (const nobody of ['taxId=529.982.247-26', 'taxId=x', 'email=nobody@example.com']) {
      expect(await listed(nobody)).toEqual([]);
    }
  });

  it('finds the checkouts of all customers that share an e-mail address', async () => {
    const email = 'family@example.com';
    const family = [await buildCustomer(app.api, { email }), await buildCustomer(app.api, { email })];
    const checkouts = [];
    for (const { id } of family) checkouts.push(await buildCheckout(app.api, { customerId: id }));
    expect(new Set(await listed(`email=${email}`))).toEqual(new Set(checkouts.map(({ id }) => id)));
  });

  it('excludes deleted customers from the filters but still returns their checkouts', async () => {
    const email = 'gone@example.com';
    const customer = await buildCustomer(app.api, { email });
    const checkout = await buildCheckout(app.api, { customerId: customer.id });
    await app.api.post(`/customers/delete?id=${customer.id}`);
    expect(await listed(`email=${email}`)).toEqual([]);
    expect(dataOf(await app.api.get(`/checkouts/get?id=${checkout.id}`))).toEqual(checkout);
  });

  it('pages checkouts newest first, forwards and backwards', async () => {
    const api = await anotherStore();
    const made: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      now = new Date(now.getTime() + 1_000);
      made.unshift((await buildCheckout(api)).id);
    }
    const page = async (query: string) => {
      const answer = await api.get(`/checkouts/list?limit=2${query}`);
      return { ids: dataOf<ShownCheckout[]>(answer).map(({ id }) => id), ...answer.json.pagination };
    };
    const first = await page('');
    const second = await page(`&after=${first.next}`);
    const third = await page(`&after=${second.next}`);
    expect([...first.ids, ...second.ids, ...third.ids]).toEqual(made);
    expect([first.hasMore, second.hasMore, third.hasMore]).toEqual([true, true, false]);
    expect((await page(`&before=${second.before}`)).ids).toEqual(first.ids);
  });
});

describe('another store and the other environment', () => {
  it('returns 404 for a checkout of another store or environment', async () => {
    const { id } = await buildCheckout(app.api, { externalId: 'mine' });
    const clients = [await anotherStore(), await app.clientWith({ devMode: false })];
    const neverWas = await app.api.get('/checkouts/get?id=bill_0');
    expect(neverWas).toMatchObject({ status: 404, json: { error: 'Checkout not found', code: 'NOT_FOUND' } });
    for (const client of clients) {
      const got = await client.get(`/checkouts/get?id=${id}`);
      expect([got.status, got.text]).toEqual([404, neverWas.text]);
      expect((await cancel(id, client)).text).toBe(neverWas.text);
      expect(await listed(`id=${id}`, client)).toEqual([]);
      expect(await listed('externalId=mine', client)).toEqual([]);
    }
    expect(cancelled).not.toContain(id);
  });
});

describe('cancelling a checkout', () => {
  it('ends it through its workflow, and cancelling it again changes nothing', async () => {
    cancelledAs = 'CANCELLED';
    const { id } = await buildCheckout(app.api);
    const first = dataOf<ShownCheckout>(await cancel(id));
    expect(first).toMatchObject({ id, status: 'CANCELLED' });
    expect(dataOf(await cancel(id))).toEqual(first);
    expect(cancelled.filter((cancelledId) => cancelledId === id)).toHaveLength(1);
  });

  it.each(['PAID', 'EXPIRED', 'REFUNDED'] as const)(
    'refuses to cancel a checkout that is %s',
    async (status) => {
      const { id } = await buildCheckout(app.api);
      await setStatus(id, status);
      expect(await cancel(id)).toMatchObject({
        status: 422,
        json: { code: 'INVALID_STATE', error: expect.stringContaining(status) },
      });
      expect(cancelled).not.toContain(id);
    },
  );

  it('refuses to cancel a checkout that was paid first', async () => {
    cancelledAs = 'PAID';
    const { id } = await buildCheckout(app.api);
    expect(await cancel(id)).toMatchObject({ status: 422, json: { code: 'INVALID_STATE' } });
  });

  it('returns 503 and changes nothing while Temporal is out of reach', async () => {
    const offline = await createTestApp({ starter: { startSoon: () => {} } });
    const { id } = await buildCheckout(offline.api);
    expect(await cancel(id, offline.api)).toMatchObject({
      status: 503,
      json: { code: 'TEMPORARILY_UNAVAILABLE' },
    });
    expect(dataOf(await offline.api.get(`/checkouts/get?id=${id}`))).toMatchObject({ status: 'PENDING' });
    await offline.close();
  });
});

describe('simulating a payment', () => {
  const simulate = (id: string, body: object = {}, api: ApiClient = app.api) =>
    api.post('/checkouts/simulate-payment', { id, ...body });
  const counts = async () => {
    const em = app.database.em.fork();
    return [await em.count(ChargeEntity), await em.count(CustomerEntity)];
  };
  const CARD = { method: 'CARD', card: { number: '4242 4242 4242 4242' } };

  it('refuses to simulate a payment with a production key', async () => {
    const production = await app.clientWith({ devMode: false });
    expect(await simulate('bill_0', {}, production)).toMatchObject({
      status: 403,
      json: { code: 'WRONG_ENVIRONMENT' },
    });
  });

  it("returns 404 when simulating a payment of another store's checkout", async () => {
    const { id } = await buildCheckout(app.api);
    expect((await simulate(id, {}, await anotherStore())).status).toBe(404);
  });

  it.each(['EXPIRED', 'CANCELLED', 'REFUNDED'] as const)(
    'refuses to simulate a payment of a checkout that is %s',
    async (status) => {
      const { id } = await buildCheckout(app.api);
      await setStatus(id, status);
      expect(await simulate(id, CARD)).toMatchObject({ status: 422, json: { code: 'INVALID_STATE' } });
    },
  );

  it('refuses a payment once the checkout expires, even if its workflow is late', async () => {
    const { id, expiresAt } = await buildCheckout(app.api);
    const then = now;
    now = new Date(expiresAt ?? '');
    const answer = await simulate(id, CARD);
    now = then;
    expect(answer).toMatchObject({ status: 422, json: { code: 'INVALID_STATE' } });
  });

  it('returns a paid checkout unchanged and charges nothing', async () => {
    const { id } = await buildCheckout(app.api);
    await setStatus(id, 'PAID');
    const before = await counts();
    expect(dataOf(await simulate(id, CARD))).toMatchObject({ id, status: 'PAID', paymentId: null });
    expect(await counts()).toEqual(before);
  });

  const payer = { name: 'Ana Souza', taxId: '123.456.789-09', email: 'ana@example.com' };
  it.each<[string, object, string, string]>([
    ['a method that is not offered', { method: 'BOLETO' }, 'NOT_ACCEPTABLE', 'method'],
    ['a coupon that is not offered', { ...CARD, coupon: 'OTHER' }, 'COUPON_NOT_ACCEPTED', 'coupon'],
    ['3 installments where 2 are offered', { ...CARD, installments: 3 }, 'NOT_ACCEPTABLE', 'installments'],
    ['a card number with a wrong check digit', card('4242424242424241'), 'CARD_NOT_ACCEPTED', 'card.number'],
    ['a card that is no test card', card('5555555555554444'), 'CARD_NOT_ACCEPTED', 'card.number'],
    ['what is no card number', card('constructor'), 'CARD_NOT_ACCEPTED', 'card.number'],
    [
      'a tax id that does not exist',
      { ...CARD, payer: { taxId: '529.982.247-26' } },
      'INVALID_TAX_ID',
      'payer.taxId',
    ],
  ])('refuses %s, stores nothing and repeats no card number', async (_, body, code, path) => {
    const { id } = await buildCheckout(app.api, { card: { maxInstallments: 2 } });
    const before = await counts();
    const answer = await simulate(id, { payer, ...body });
    expect([answer.status, answer.json.code, answer.json.issues?.[0]?.path]).toEqual([422, code, path]);
    expect(await counts()).toEqual(before);
    expect(answer.text).not.toMatch(/5555555555554444|4242424242424241/);
    expect(JSON.stringify(app.logged)).not.toMatch(/5555555555554444|4242424242424241/);
  });

  it.each<[string, object, string]>([
    ['without name', { taxId: payer.taxId }, 'payer.name'],
    ['without tax id', { name: payer.name }, 'payer.taxId'],
  ])('refuses a boleto for a payer %s', async (_, incomplete, path) => {
    const { id } = await buildCheckout(app.api, { methods: ['BOLETO'] });
    const answer = await simulate(id, { payer: incomplete });
    expect(answer).toMatchObject({ status: 422, json: { code: 'NOT_ACCEPTABLE', issues: [{ path }] } });
  });

  it('refuses a boleto if the coupon leaves less than 300 cents', async () => {
    const { id: coupon } = await buildCoupon(app.api, { discountKind: 'FIXED', discount: 1 });
    const items = [{ id: (await buildProduct(app.api, { price: 300 })).id, quantity: 1 }];
    const { id } = await buildCheckout(app.api, { items, methods: ['BOLETO'], coupons: [coupon] });
    expect(await simulate(id, { coupon })).toMatchObject({
      status: 422,
      json: { code: 'NOT_ACCEPTABLE', issues: [{ path: 'method' }] },
    });
    expect(await app.database.em.fork().findOneOrFail(CouponEntity, { code: coupon })).toMatchObject({
      reservedCount: 0,
    });
  });

  it('refuses a coupon whose last use is reserved by another payment', async () => {
    const { id: coupon } = await buildCoupon(app.api, { maxRedeems: 1 });
    const { id } = await buildCheckout(app.api, { coupons: [coupon] });
    await app.database.em.fork().nativeUpdate(CouponEntity, { code: coupon }, { reservedCount: 1 });
    expect(await simulate(id, { ...CARD, coupon })).toMatchObject({
      status: 422,
      json: { code: 'COUPON_NOT_ACCEPTED', issues: [{ path: 'coupon' }] },
    });
  });

  it('refuses cards after ten declines and accepts them again an hour later', async () => {
    const { id } = await buildCheckout(app.api, { methods: ['CARD', 'PIX'] });
    const declined = await insertDeclined(id as CheckoutId, 10);
    expect(await simulate(id, CARD)).toMatchObject({
      status: 422,
      json: { code: 'CARD_NOT_ACCEPTED', issues: [{ path: 'card' }] },
    });
    const anHourAgo = new Date(now.getTime() - 61 * 60_000);
    const em = app.database.em.fork();
    await em.nativeUpdate(ChargeEntity, { id: declined }, { createdAt: anHourAgo });
    // Temporal is out of reach here, so an accepted card stays undecided.
    expect(await simulate(id, CARD)).toMatchObject({ status: 503 });
  });

  it.each([
    ['installments', { method: 'PIX', installments: 2 }],
    ['card', { method: 'PIX', card: { number: '4242424242424242' } }],
  ])('refuses %s with PIX', async (path, body) => {
    const { id } = await buildCheckout(app.api);
    expect(await simulate(id, body)).toMatchObject({
      status: 422,
      json: { code: 'NOT_ACCEPTABLE', issues: [{ path }] },
    });
  });

  it.each<[string, object, string]>([
    ['another method', { method: 'CASH' }, 'method'],
    ['a security code, which none is asked for', { card: { number: '4242', cvv: '1' } }, 'card.cvv'],
    ['0 installments', { installments: 0 }, 'installments'],
    ['a misspelt field', { cupom: 'A' }, 'cupom'],
  ])('returns 400 naming the field for %s', async (_, body, path) => {
    expect(await simulate('bill_0', body)).toMatchObject({
      status: 400,
      json: { code: 'VALIDATION_ERROR', issues: [{ path }] },
    });
  });

  it('creates one charge per Idempotency-Key when a 503 is retried', async () => {
    const { id } = await buildPaymentLink(app.api);
    const sentWith = (key: string) =>
      app.api.post('/checkouts/simulate-payment', { id, ...CARD }, { headers: { 'Idempotency-Key': key } });
    for (const key of [`first-${id}`, `first-${id}`, `second-${id}`])
      expect(await sentWith(key)).toMatchObject({ status: 503 });
    const em = app.database.em.fork();
    expect(await em.count(ChargeEntity, { checkoutId: id as CheckoutId })).toBe(2);
  });

  it('returns 503 without Temporal, and keeps the payment and coupon reserved', async () => {
    const { id: coupon } = await buildCoupon(app.api);
    const { id } = await buildPaymentLink(app.api, { coupons: [coupon] });
    expect(await simulate(id, { ...CARD, coupon, payer })).toMatchObject({
      status: 503,
      json: { code: 'TEMPORARILY_UNAVAILABLE' },
    });
    const em = app.database.em.fork();
    expect(await em.find(ChargeEntity, { checkoutId: id as CheckoutId })).toMatchObject([
      {
        method: 'CARD',
        status: 'PENDING',
        amountCents: 4_500,
        discountCents: 500,
        platformFeeCents: 218,
        cardBrand: 'visa',
        cardLastFour: '4242',
        workflowStartedAt: null,
      },
    ]);
    expect(await em.findOneOrFail(CouponEntity, { code: coupon })).toMatchObject({
      redeemsCount: 0,
      reservedCount: 1,
    });
  });
});

function card(number: string) {
  return { method: 'CARD', card: { number } };
}

/** Card payments of this checkout that were declined just now. @returns the id of one of them. */
async function insertDeclined(checkoutId: CheckoutId, count: number): Promise<ChargeId> {
  const em = app.database.em.fork();
  const checkout = await em.findOneOrFail(CheckoutEntity, { id: checkoutId });
  const shop = { database: app.database, storeId: app.storeId };
  const declined = { status: 'FAILED' as const, createdAt: now };
  const charges = await Promise.all(
    Array.from({ length: count }, () => insertCharge(shop, checkout, 'CARD', declined)),
  );
  return (charges[0] as { id: ChargeId }).id;
}
