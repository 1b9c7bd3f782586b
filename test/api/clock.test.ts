import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ClockView } from '../../src/api/clock/schema.ts';
import {
  addDays,
  lastOfMonth,
  monthStart,
  saoPauloDateOf,
  saoPauloMidnight,
} from '../../src/domain/civil-date.ts';
import { laterBy, parseDuration } from '../../src/domain/duration.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { balanceOf, createMoneyApp, type MoneyApp } from '../support/api/money-app.ts';
import { advance, arrivedAt, clockOf } from '../support/fixtures/clock.ts';
import { IS_THOROUGH } from '../support/jest/thoroughness.ts';
import { startWebhookSink } from '../support/outside/webhook-sink.ts';
import { buildPixCharge, buildWebhook } from '../support/rows/build.ts';
import { buildCoupon, buildProduct } from '../support/rows/catalog.ts';
import { buildCheckout } from '../support/rows/checkouts.ts';
import { buildPaidPix, chargeOf, payCheckout } from '../support/rows/payments.ts';
import { payForm } from '../support/web/pay-form.ts';

let app: MoneyApp;
beforeAll(async () => {
  app = await createMoneyApp();
});
afterAll(() => app.close());

function later(by: string, from: Date): Date {
  const duration = parseDuration(by);
  if (duration === null) throw new Error(`${by} is no duration`);
  return laterBy(from, duration);
}

/** A monthly plan of R$ 50.00 that was paid with a test card. @returns when. */
async function subscribe(api: ApiClient, card: { number: string; expiry?: string }): Promise<Date> {
  const plan = await buildProduct(api, { cycle: 'MONTHLY', price: 5_000 });
  const items = [{ id: plan.id, quantity: 1 }];
  const checkout = dataOf<{ id: string }>(await api.post('/v2/subscriptions/create', { items }));
  dataOf(await api.post('/v2/checkouts/simulate-payment', { id: checkout.id, card }));
  const [completed] = await eventsOf(api, 'subscription.completed');
  return new Date(completed?.createdAt ?? '');
}

interface PublishedEvent {
  readonly name: string;
  readonly createdAt: string;
}

/** Oldest first. */
async function eventsOf(api: ApiClient, name: string): Promise<PublishedEvent[]> {
  return dataOf<PublishedEvent[]>(await api.get(`/v2/events/list?name=${name}`)).reverse();
}

/** An expiry as it is printed on a card. */
function monthsLater(months: number): string {
  const [year = '', month] = monthStart(saoPauloDateOf(new Date()), months).split('-');
  return `${month}/${year.slice(2)}`;
}

const SUBSCRIPTIONS = IS_THOROUGH ? 100 : 5;

const APPROVED = { number: '4242424242424242' };
const day = (instant: Date | string) => saoPauloDateOf(new Date(instant));

describe('a clock that is moved', () => {
  it("announces a card's expiry 30 and 7 days ahead, each on its day", async () => {
    const { api } = await app.anotherStore();
    await eventsOf(api, 'subscription.card_expiring');
    const begun = await subscribe(api, { ...APPROVED, expiry: monthsLater(3) });
    await advance(api, { by: 'P5M' });
    const lastDay = lastOfMonth(monthStart(saoPauloDateOf(begun), 3));
    const announced = await eventsOf(api, 'subscription.card_expiring');
    expect(announced.map(({ createdAt }) => createdAt)).toEqual(
      [30, 7].map((days) => saoPauloMidnight(addDays(lastDay, -days)).toISOString()),
    );
  });

  it('charges a subscription every month of a year, each at its own instant', async () => {
    const { api } = await app.anotherStore();
    const begun = await subscribe(api, APPROVED);
    const clock = await advance(api, { by: 'P1Y' });
    expect(clock).toMatchObject({ status: 'ready', target: null });
    const renewed = await eventsOf(api, 'subscription.renewed');
    expect(renewed.map(({ createdAt }) => createdAt)).toEqual(
      Array.from({ length: 12 }, (_, month) => later(`P${month + 1}M`, begun).toISOString()),
    );
    // The last payment, and the one before, settle in their thirty days.
    const net = 5_000 - 235;
    expect(await balanceOf(api)).toMatchObject({ available: 12 * net, pending: net });
    // Time continues from the target.
    expect(Date.parse((await clockOf(api)).now)).toBeGreaterThan(Date.parse(clock.now));
  });

  it('charges many subscriptions in the order in which they are due', async () => {
    const { api, storeId } = await app.anotherStore();
    for (let made = 0; made < SUBSCRIPTIONS; made += 1) await subscribe(api, APPROVED);
    await advance(api, { by: 'P1Y' });
    const renewals = await app.database.em.fork().execute<{ createdAt: string }[]>(
      `select created_at as "createdAt" from events
       where store_id = :storeId and name = 'subscription.renewed' order by recorded_in`,
      { storeId },
    );
    const instants = renewals.map(({ createdAt }) => Date.parse(createdAt));
    expect(instants).toHaveLength(12 * SUBSCRIPTIONS);
    expect(instants).toEqual(instants.toSorted((one, other) => one - other));
  }, 1_200_000);

  it('renews a cycle after its card failed twice in the month it expires', async () => {
    const { api } = await app.anotherStore();
    const inMonths = (months: number) => later(`P${months}M`, new Date());
    const [year, month] = day(inMonths(2)).split('-');
    await subscribe(api, { number: '4000000000000259', expiry: `${month}/${year}` });
    await advance(api, { to: later('P10D', inMonths(3)).toISOString() });
    const days = async (name: string) => (await eventsOf(api, name)).map(({ createdAt }) => day(createdAt));
    const failing = inMonths(2);
    expect(await days('subscription.payment_failed')).toEqual([day(failing), day(later('P1D', failing))]);
    expect(await days('subscription.renewed')).toEqual([
      day(inMonths(1)),
      day(later('P2D', failing)),
      day(inMonths(3)),
    ]);
  });

  it('expires charges and checkouts, adds late fees and settles payments in time', async () => {
    const { api } = await app.anotherStore();
    const events = ['transparent.expired', 'checkout.expired'];
    await using sink = await startWebhookSink();
    await buildWebhook(api, { endpoint: sink.endpoint().url, events });
    const begunAt = (await clockOf(api)).now;
    const pix = await buildPixCharge(api, { expiresIn: 3_600 });
    const fine = { value: 200, type: 'PERCENTAGE' };
    const customer = { name: 'Ana Souza', taxId: '529.982.247-25', email: 'ana@example.com' };
    const boleto = dataOf<{ id: string }>(
      await api.post('/v2/transparents/create', {
        method: 'BOLETO',
        data: { amount: 10_000, fine, customer },
      }),
    );
    const checkout = await buildCheckout(api);
    await payCheckout(api, (await buildCheckout(api)).id);

    await advance(api, { by: 'P25D' });
    expect((await chargeOf(api, pix.id)).status).toBe('EXPIRED');
    const [expired] = await eventsOf(api, 'transparent.expired');
    expect(Math.abs(Date.parse(expired?.createdAt ?? '') - Date.parse(begunAt) - 3_600_000)).toBeLessThan(
      10_000,
    );
    // What is due grows with the days of the clock, and what is created is dated by it.
    const late = await api.post(`/v2/transparents/simulate-payment?id=${boleto.id}`);
    expect(dataOf(late)).toMatchObject({ paidAmount: 10_200 });
    const product = await buildProduct(api);
    expect(day(product.createdAt)).toBe(day((await clockOf(api)).now));
    const page = await (await fetch(`${api.url}/pay/${checkout.id}`)).text();
    expect(page).toContain('o relógio está em');

    await advance(api, { by: 'P6D' });
    expect(dataOf<{ status: string }>(await api.get(`/v2/checkouts/get?id=${checkout.id}`)).status).toBe(
      'EXPIRED',
    );
    expect(await eventsOf(api, 'checkout.expired')).toHaveLength(1);
    expect((await balanceOf(api)).pending).toBe(0);
  });

  it("dates refunds, disputes, payouts and movements by the store's clock", async () => {
    const { api } = await app.anotherStore();
    await advance(api, { by: 'P1M' });
    const [first, second] = [
      await buildPaidPix(api, { amount: 5_000 }),
      await buildPaidPix(api, { amount: 4_000 }),
    ];
    const payout = (externalId: string) => api.post('/v2/payouts/create', { amount: 1_000, externalId });
    expect((await payout('first')).status).toBe(200);
    expect((await payout('too soon')).json).toMatchObject({ code: 'TOO_MANY_PAYOUTS' });
    await advance(api, { by: 'PT2M' });
    expect((await payout('second')).status).toBe(200);
    await advance(api, { by: 'P40D' });
    const { now } = await clockOf(api);
    dataOf(await api.post('/v2/transparents/refund', { id: first, amount: 1_500 }));
    dataOf(await api.post('/v2/dev/disputes/open', { id: second }));
    await advance(api, { by: 'P2M' });
    dataOf(await api.post('/v2/dev/disputes/win', { id: second }));
    for (const [name, at] of [
      ['transparent.refunded', now],
      ['transparent.disputed', now],
    ] as const) {
      const [published] = await eventsOf(api, name);
      expect([name, day(published?.createdAt ?? '')]).toEqual([name, day(at)]);
    }
    const payouts = dataOf<{ status: string }[]>(await api.get('/v2/payouts/list'));
    expect(payouts.map(({ status }) => status)).toEqual(['COMPLETE', 'COMPLETE']);
    const movements = dataOf<{ createdAt: string }[]>(await api.get('/v2/balance/movements?limit=1'));
    expect(day(movements[0]?.createdAt ?? '')).toBe(day((await clockOf(api)).now));
  });

  it('releases the coupon use that an unpaid boleto reserved', async () => {
    const { api } = await app.anotherStore();
    const coupon = await buildCoupon(api, { maxRedeems: 2 });
    const checkout = await buildCheckout(api, { coupons: [coupon.code], methods: ['BOLETO'] });
    const ana = { payerName: 'Ana Souza', payerTaxId: '529.982.247-25' };
    await payForm(api.url, checkout.id, { method: 'BOLETO', coupon: coupon.code, ...ana });
    const held = async () => {
      const [row] = await app.database.em
        .fork()
        .execute<{ reserved: number }[]>(
          'select reserved_count as reserved from coupons where code = :code',
          {
            code: coupon.code,
          },
        );
      return row?.reserved;
    };
    expect(await held()).toBe(1);
    await advance(api, { by: 'P2M' });
    expect(await held()).toBe(0);
  });

  it("keeps real time for other stores and for the store's own production", async () => {
    const { api, storeId } = await app.anotherStore();
    await advance(api, { by: 'P1M' });
    const production = await app.clientWith({ storeId, devMode: false });
    const product = await buildProduct(production);
    expect(day(product.createdAt)).toBe(day(new Date()));
    expect(day((await clockOf((await app.anotherStore()).api)).now)).toBe(day(new Date()));
  });
});

describe('moving the clock', () => {
  it('refuses to move backwards, without an instant, or with a production key', async () => {
    const { api, storeId } = await app.anotherStore();
    const move = async (body: object, client = api) =>
      (await client.post('/v2/dev/clock/advance', body)).json;
    expect(await move({ to: '2020-01-01' })).toMatchObject({
      code: 'NOT_ACCEPTABLE',
      issues: [{ path: 'to' }],
    });
    expect(await move({})).toMatchObject({ code: 'VALIDATION_ERROR', issues: [{ path: 'to' }] });
    expect(await move({ by: 'P1M', to: '2050-01-01' })).toMatchObject({ issues: [{ path: 'by' }] });
    for (const by of ['P', 'P0D', '-P1M', '1 month', 'P1.5D', 'PT']) {
      expect(await move({ by })).toMatchObject({ code: 'VALIDATION_ERROR', issues: [{ path: 'by' }] });
    }
    const production = await app.clientWith({ storeId, devMode: false });
    expect(await move({ by: 'P1D' }, production)).toMatchObject({ code: 'WRONG_ENVIRONMENT' });
    expect((await production.get('/v2/dev/clock')).status).toBe(403);
  });

  it('accepts the same target again while advancing and refuses another target', async () => {
    const { api } = await app.anotherStore();
    const to = later('P1M', new Date()).toISOString();
    // Without a worker the clock stays advancing.
    await app.stopWorker();
    try {
      const { movedAt } = dataOf<ClockView>(await api.post('/v2/dev/clock/advance', { to }));
      expect(dataOf(await api.post('/v2/dev/clock/advance', { to }))).toMatchObject({ target: to, movedAt });
      expect((await api.post('/v2/dev/clock/advance', { by: 'P1D' })).json).toMatchObject({
        code: 'CLOCK_ADVANCING',
        error: expect.stringContaining(to),
      });
      expect((await api.post('/v2/dev/clock/reset')).json).toMatchObject({ code: 'CLOCK_ADVANCING' });
    } finally {
      await app.startWorker();
    }
    expect((await arrivedAt(api, to)).steps).toBe(1);
  });

  it('resets the clock only when no charge is open', async () => {
    const { api } = await app.anotherStore();
    await advance(api, { by: 'P1M' });
    const { id } = await buildPixCharge(api);
    expect((await api.post('/v2/dev/clock/reset')).json).toMatchObject({
      code: 'CLOCK_IN_USE',
      error: expect.stringContaining('1 charges'),
    });
    dataOf(await api.post('/v2/transparents/cancel', { id }));
    expect(dataOf(await api.post('/v2/dev/clock/reset'))).toMatchObject({ status: 'ready', movedFrom: null });
    expect(day((await clockOf(api)).now)).toBe(day(new Date()));
  });
});
