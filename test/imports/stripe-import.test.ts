import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pLimit from 'p-limit';
import { installLocalstripe } from '../../scripts/psp/stripe/install-localstripe.ts';
import { freePort } from '../../scripts/psp/stripe/start-program.ts';
import { OutsidePaymentEntity } from '../../src/database/entities/outside-payment.ts';
import { type Subscription, SubscriptionEntity } from '../../src/database/entities/subscription.ts';
import { saoPauloDateOf } from '../../src/domain/civil-date.ts';
import type { StoreId } from '../../src/domain/ids.ts';
import { stripeSource } from '../../src/imports/stripe/stripe-source.ts';
import { createTestStore } from '../support/api/app.ts';
import { runImportCommand } from '../support/fixtures/import-files.ts';
import { IS_THOROUGH } from '../support/jest/thoroughness.ts';
import { jsonPages } from '../support/outside/json-pages.ts';
import { createTestDatabase, type TestDatabase } from '../support/rows/database.ts';
import { eventually } from '../support/waiting/eventually.ts';

let at: TestDatabase;
beforeAll(async () => {
  at = await createTestDatabase();
});
afterAll(() => at.drop());

const KEY = 'sk_test_0123456789';
const env = { STRIPE_API_KEY: KEY };
const em = () => at.database.em.fork();
const DAY = 86_400;
const nowSeconds = Math.floor(Date.now() / 1_000);

async function importInto(url: string, more = '') {
  const { id: storeId } = await createTestStore(at.database);
  const run = (words = more) =>
    runImportCommand({ url: at.url, storeId, env }, `stripe --api-url ${url} ${words}`);
  return { storeId, run };
}

function subscriptionOf(storeId: StoreId, externalId: string): Promise<Subscription> {
  return em().findOneOrFail(SubscriptionEntity, { storeId, externalId });
}

const list = (...data: readonly object[]) => ({ object: 'list', has_more: false, data });
const customer = { id: 'cus_1', name: 'Ana', email: 'ana@example.com', metadata: { cpf: '529.982.247-25' } };
const price = {
  ...{ id: 'price_1', currency: 'brl', unit_amount: 4_990, product: 'prod_1', active: true },
  recurring: { interval: 'month', interval_count: 1, usage_type: 'licensed' },
};
const coupon = { id: 'METADE', percent_off: 50, duration: 'repeating', duration_in_months: 6, valid: true };
/** At noon, when it is the same day in UTC, where Stripe counts, and in São Paulo. */
const next = DAY * (Math.floor(nowSeconds / DAY) + 12.5);
const usual = {
  ...{ id: 'sub_1', customer: 'cus_1', status: 'active', collection_method: 'charge_automatically' },
  ...{
    items: list({ price, quantity: 1, current_period_end: next }),
    billing_cycle_anchor: next - 365 * DAY,
  },
};

/** Stripe, in the shapes of its OpenAPI document. */
function stripeWith(subscriptions: readonly object[], more: Readonly<Record<string, object>> = {}) {
  const answers: Readonly<Record<string, object>> = {
    '/v1/customers': list(customer),
    '/v1/products': list({ id: 'prod_1', name: 'Plano' }),
    '/v1/prices': list(price),
    '/v1/coupons': list(coupon),
    '/v1/subscriptions': list(...subscriptions),
    '/v1/charges': list(),
    ...more,
  };
  return jsonPages(({ pathname }) => answers[pathname]);
}

/** Without the anchor, whose days need not be those of the next charge here. */
const plain = { ...usual, billing_cycle_anchor: null };

describe('import stripe', () => {
  it('imports trials, coupons, pauses and scheduled cancellations as they stand', async () => {
    const discount = { id: 'di_1', end: next + 40 * DAY, source: { coupon } };
    await using stripe = await stripeWith(
      [
        { ...plain, id: 'trial', status: 'trialing', trial_end: next },
        { ...plain, id: 'half', discounts: ['di_1'] },
        { ...plain, id: 'paused', pause_collection: { behavior: 'void', resumes_at: next + DAY } },
        { ...plain, id: 'leaving', cancel_at_period_end: true, cancel_at: next },
        { ...plain, id: 'invoice', collection_method: 'send_invoice' },
        { ...plain, id: 'gone', status: 'canceled' },
      ],
      { '/v1/subscriptions/half': { ...plain, id: 'half', discounts: [discount] } },
    );
    const { storeId, run } = await importInto(stripe.url);
    const { answer, ended } = await run();
    expect({ errors: ended.errors, refused: answer.refused }).toEqual({ errors: '', refused: [] });
    expect(answer.counts.subscription).toMatchObject({ made: 5, skipped: 1 });
    expect(await subscriptionOf(storeId, 'trial')).toMatchObject({
      cycleNumber: 0,
      trialEndsAt: new Date(next * 1_000),
    });
    const half = await subscriptionOf(storeId, 'half');
    // The charges on the next date and a month later are before the end of the discount.
    expect(half.discount).toMatchObject({ code: 'METADE', lastNumber: half.cycleNumber + 2 });
    expect((await subscriptionOf(storeId, 'paused')).resumesAt).toEqual(new Date((next + DAY) * 1_000));
    expect((await subscriptionOf(storeId, 'leaving')).cancelAt).toEqual(new Date(next * 1_000));
    expect(await subscriptionOf(storeId, 'invoice')).toMatchObject({ method: 'PIX' });
    const asks = answer.notes.filter(({ problem }) =>
      problem.includes('https://pay.example.com/portal/cust_'),
    );
    expect(asks.map(({ id }) => id)).toEqual(['trial', 'half', 'paused', 'leaving']);
  });

  it('imports the oldest item as the plan and the others as add-ons', async () => {
    const seat = { ...price, id: 'price_seat', unit_amount: 1_000 };
    const support = { ...price, id: 'price_support', unit_amount: 2_500 };
    const item = (of: object, quantity: number, created: number) => ({
      ...{ price: of, quantity, created },
      current_period_end: next,
    });
    const items = list(item(seat, 3, 20), item(support, 0, 30), item(price, 1, 10));
    const coupons = [{ end: next + DAY, source: { coupon } }];
    await using stripe = await stripeWith(
      [
        { ...plain, items },
        { ...plain, id: 'halved', items, discounts: coupons },
      ],
      { '/v1/prices': list(price, seat, support) },
    );
    const { storeId, run } = await importInto(stripe.url);
    expect((await run()).answer.refused).toEqual([]);
    const { plan, amountCents } = await subscriptionOf(storeId, 'sub_1');
    expect(plan).toMatchObject({
      quantity: 1,
      unitPriceCents: 4_990,
      addOns: [{ quantity: 3, unitPriceCents: 1_000 }],
    });
    expect(amountCents).toBe(7_990);
    expect((await subscriptionOf(storeId, 'halved')).recurringDiscountCents).toBe(3_995);
  });

  it('keeps the day by which Stripe counts, which is a day in UTC', async () => {
    const year = new Date().getUTCFullYear() + 1;
    const at1Utc = (day: string) => Date.parse(`${day}T01:00:00Z`) / 1_000;
    await using stripe = await stripeWith([
      {
        ...usual,
        items: list({ price, quantity: 1, current_period_end: at1Utc(`${year}-02-28`) }),
        billing_cycle_anchor: at1Utc(`${year - 1}-01-31`),
      },
    ]);
    const { storeId, run } = await importInto(stripe.url);
    expect((await run()).answer.refused).toEqual([]);
    const { anchorAt, cycleEndsAt } = await subscriptionOf(storeId, 'sub_1');
    expect(saoPauloDateOf(cycleEndsAt)).toBe(year % 4 === 0 ? `${year}-02-28` : `${year}-02-28`);
    expect(saoPauloDateOf(anchorAt)).toBe(`${year - 1}-01-31`);
  });

  it('refuses what Recebe cannot charge the same way, with what would be right', async () => {
    const daily = { ...price, id: 'price_day', recurring: { interval: 'day', interval_count: 1 } };
    const seat = { ...price, id: 'price_seat' };
    const dollars = { ...price, id: 'price_usd', currency: 'usd' };
    const item = (of: object) => list({ price: of, quantity: 1, current_period_end: next });
    await using stripe = await stripeWith(
      [
        { ...plain, id: 'twice', items: list(...item(price).data, ...item(price).data) },
        {
          ...plain,
          id: 'apart',
          items: list(...item(price).data, { price: seat, current_period_end: next + DAY }),
        },
        { ...plain, id: 'reduced', items: list({ price, current_period_end: next, discounts: ['di_1'] }) },
        { ...plain, id: 'taxed', default_tax_rates: [{ id: 'txr_1' }] },
        { ...plain, id: 'ends', cancel_at: next + 90 * DAY },
        { ...plain, id: 'daily', items: item(daily) },
      ],
      {
        '/v1/prices': list(price, seat, daily, dollars, {
          ...price,
          id: 'price_tier',
          billing_scheme: 'tiered',
        }),
      },
    );
    const { run } = await importInto(stripe.url);
    const { answer } = await run();
    const refusals = answer.refused.map(({ id, field }) => `${id} ${field}`);
    expect(refusals).toEqual([
      'price_day cycle',
      'price_usd currency',
      'price_tier price',
      'twice items',
      'apart items',
      'reduced items',
      'taxed default_tax_rates',
      'ends cancel_at',
      'daily cycle',
    ]);
  });

  it('waits as Retry-After says, and never shows its key', async () => {
    const waits: number[] = [];
    await using stripe = await jsonPages((_path, nth) => {
      if (nth === 1) return { status: 429, headers: { 'retry-after': '7' } };
      return nth === 2 ? { status: 503 } : list();
    });
    const pause = async (ms: number) => waits.push(ms);
    for await (const _row of stripeSource({ key: KEY, apiUrl: stripe.url, pause }).rows()) void 0;
    expect(waits).toEqual([7_000, 1_000]);
    await using refusing = await jsonPages(() => ({ status: 401 }));
    const { run } = await importInto(refusing.url);
    const { ended } = await run();
    expect(ended.code).not.toBe(0);
    expect(ended.errors).toContain('does not accept the key in STRIPE_API_KEY');
    expect(ended.errors + ended.out).not.toContain(KEY);
  });

  it.each([
    ['repeats a page for ever', { ...list({ id: 'cus_1' }), has_more: true }, 'repeats a page'],
    ['sends no list', ['nothing'], 'answered without a list'],
    ['redirects', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }, 'answered with 302'],
  ])('stops when the other side %s', async (_what, answer, message) => {
    await using stripe = await jsonPages(() => answer);
    const { storeId, run } = await importInto(stripe.url);
    const { ended } = await run();
    expect(ended.errors).toContain(message);
    expect(await em().count(SubscriptionEntity, { storeId })).toBe(0);
  });
});

const program = installLocalstripe();
/** localstripe writes all of its objects to disk with each request, so it takes minutes to fill. */
const [CUSTOMERS, SUBSCRIBERS] = IS_THOROUGH ? [500, 200] : [50, 20];

(program === null ? describe.skip : describe)('import stripe from localstripe', () => {
  let folder: string;
  let server: ChildProcess;
  let url: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'recebe-localstripe-'));
    const port = await freePort();
    server = spawn(program ?? '', ['--port', String(port), '--from-scratch'], {
      cwd: folder,
      stdio: 'ignore',
    });
    url = `http://127.0.0.1:${port}`;
    await eventually(() => fetch(url));
  });
  afterAll(() => {
    server.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  async function post(
    path: string,
    fields: Readonly<Record<string, string>>,
  ): Promise<{ readonly id: string }> {
    const headers = { authorization: `Bearer ${KEY}` };
    const answer = await fetch(`${url}${path}`, {
      method: 'POST',
      headers,
      body: new URLSearchParams(fields),
    });
    const body = (await answer.json()) as { id: string };
    if (!answer.ok) throw new Error(`POST ${path}: ${JSON.stringify(body)}`);
    return body;
  }

  it('moves all customers and subscriptions, once, with their days and prices', async () => {
    const plans = [
      { id: 'plan_week', interval: 'week', amount: '1990', cycle: 'WEEKLY' },
      { id: 'plan_month', interval: 'month', amount: '4990', cycle: 'MONTHLY' },
      { id: 'plan_year', interval: 'year', amount: '49900', cycle: 'ANNUALLY' },
    ] as const;
    const product = await post('/v1/products', { name: 'Plano', type: 'service' });
    for (const { id, interval, amount } of plans)
      await post('/v1/plans', { id, interval, amount, currency: 'brl', product: product.id });
    await post('/v1/coupons', { id: 'DEZ', percent_off: '10', duration: 'forever' });
    const several = pLimit(10);
    const subscribed: {
      readonly id: string;
      readonly plan: (typeof plans)[number];
      readonly start: number;
    }[] = [];
    const fill = Array.from({ length: CUSTOMERS }, (_, index) =>
      several(async () => {
        const of = { name: `Cliente ${index}`, email: `c${index}@example.com` };
        const { id: owner } = await post('/v1/customers', of);
        if (index >= SUBSCRIBERS) return;
        const card = { number: '4242424242424242', exp_month: '12', exp_year: '2039', cvc: '123' };
        const inFields = Object.entries(card).map(([name, value]) => [`card[${name}]`, value]);
        const method = await post('/v1/payment_methods', { type: 'card', ...Object.fromEntries(inFields) });
        await post(`/v1/payment_methods/${method.id}/attach`, { customer: owner });
        await post(`/v1/customers/${owner}`, { 'invoice_settings[default_payment_method]': method.id });
        const plan = plans[index % 3] ?? plans[0];
        const start = nowSeconds - (index % 6) * DAY - 3_600;
        const { id } = await post('/v1/subscriptions', {
          customer: owner,
          'items[0][plan]': plan.id,
          'items[0][quantity]': String(1 + (index % 2)),
          backdate_start_date: String(start),
        });
        subscribed.push({ id, plan, start });
      }),
    );
    await Promise.all(fill);
    const { storeId, run } = await importInto(url);
    const { answer, ended } = await run();
    expect({ errors: ended.errors, refused: answer.refused }).toEqual({ errors: '', refused: [] });
    expect(answer.counts.customer).toMatchObject({ made: CUSTOMERS });
    expect(answer.counts.subscription).toMatchObject({ made: SUBSCRIBERS });
    expect(answer.counts.payment).toMatchObject({ made: SUBSCRIBERS, refused: 0 });
    for (const { id, plan, start } of subscribed) {
      const { cycle, cycleEndsAt, amountCents, plan: item } = await subscriptionOf(storeId, id);
      expect({ id, cycle, unit: item.unitPriceCents, amountCents }).toEqual({
        ...{ id, cycle: plan.cycle, unit: Number(plan.amount) },
        amountCents: Number(plan.amount) * item.quantity,
      });
      const end = new Date(start * 1_000);
      if (plan.interval === 'week') end.setUTCDate(end.getUTCDate() + 7);
      else if (plan.interval === 'year') end.setUTCFullYear(end.getUTCFullYear() + 1);
      else end.setUTCMonth(end.getUTCMonth() + 1);
      expect({ id, day: saoPauloDateOf(cycleEndsAt) }).toEqual({ id, day: end.toISOString().slice(0, 10) });
    }
    expect(await em().count(OutsidePaymentEntity, { storeId })).toBe(SUBSCRIBERS);
    const again = await run();
    expect(again.answer.counts.subscription).toMatchObject({ made: 0, unchanged: SUBSCRIBERS });
  }, 900_000);
});

it('refuses rows with impossible values one by one, and imports the others', async () => {
  const far = 1e20;
  const past = { status: 'succeeded', currency: 'brl', amount: 100, customer: 'cus_1' };
  await using stripe = await stripeWith(
    [
      { ...plain, id: 'right' },
      { ...plain, id: 'far', items: list({ price, current_period_end: far }) },
      { ...plain, id: 'before', items: list({ price, current_period_end: -1 }), billing_cycle_anchor: -far },
    ],
    {
      '/v1/customers': list(customer, { id: 'cus_\0', name: 'Ana' }, { id: 'cus_3', name: '\ud800' }),
      '/v1/coupons': list(coupon, { ...coupon, id: 'NEVER', redeem_by: far }),
      '/v1/charges': list(
        { ...past, id: 'ch_1', created: far },
        { ...past, id: 'ch_2', created: nowSeconds },
      ),
    },
  );
  const { answer } = await (await importInto(stripe.url)).run();
  expect(answer.refused.map(({ id, field }) => [id, field])).toEqual([
    ['cus_\0', 'id'],
    ['cus_3', 'name'],
    ['NEVER', 'redeem_by'],
    ['far', 'nextChargeAt'],
    ['before', 'nextChargeAt'],
    ['ch_1', 'paidAt'],
  ]);
  const made = Object.entries(answer.counts).map(([kind, counts]) => [kind, counts.made]);
  expect(Object.fromEntries(made)).toMatchObject({ customer: 1, coupon: 1, subscription: 1, payment: 1 });
});

it('stops if pages lead back to an earlier one', async () => {
  const pageAfter = { a: 'b', b: 'c', c: 'a' } as Readonly<Record<string, string>>;
  await using stripe = await jsonPages(({ searchParams }) => {
    const id = pageAfter[searchParams.get('starting_after') ?? 'c'];
    return { object: 'list', has_more: true, data: [{ id, name: 'Ana' }] };
  });
  const { ended, answer } = await (await importInto(stripe.url)).run();
  expect(ended.errors).toContain('Stripe repeats a page');
  expect([undefined, 3]).toContain({ ...answer.counts.customer }.made);
});
