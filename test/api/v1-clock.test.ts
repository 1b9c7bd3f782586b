import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { saoPauloDateOf } from '../../src/domain/civil-date.ts';
import { laterBy, parseDuration } from '../../src/domain/duration.ts';
import { V1_EVENT_NAMES } from '../../src/domain/event-names.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { createMoneyApp, type MoneyApp } from '../support/api/money-app.ts';
import { V1Client } from '../support/api/v1.ts';
import { advance, clockOf } from '../support/fixtures/clock.ts';
import { type Endpoint, startWebhookSink } from '../support/outside/webhook-sink.ts';
import { webhookBody } from '../support/rows/build.ts';
import { buildProduct } from '../support/rows/catalog.ts';
import { payCheckout } from '../support/rows/payments.ts';

let app: MoneyApp;
let documented: V1Client;
beforeAll(async () => {
  app = await createMoneyApp();
  documented = await V1Client.of(app.api);
});
afterAll(() => app.close());

interface Shown {
  readonly id: string;
  readonly status: string;
  readonly createdAt: string;
}

/** Creates a store with a client for each version. */
async function anotherStore(): Promise<{ api: ApiClient; v1: V1Client }> {
  const { api } = await app.anotherStore();
  return { api, v1: documented.as(api) };
}

function later(by: string, from: Date): Date {
  const duration = parseDuration(by);
  if (duration === null) throw new Error(`${by} is no duration`);
  return laterBy(from, duration);
}

const day = (instant: Date | string) => saoPauloDateOf(new Date(instant));
const today = async (api: ApiClient) => day((await clockOf(api)).now);

const SHIRT = { externalId: 'shirt', name: 'Camiseta', quantity: 1, price: 5_000 };
const WAYS_BACK = {
  returnUrl: 'https://shop.example.com/',
  completionUrl: 'https://shop.example.com/thanks',
};

async function bill(v1: V1Client): Promise<Shown> {
  return dataOf(await v1.post('/billing/create', { methods: ['PIX'], products: [SHIRT], ...WAYS_BACK }));
}

async function pixQrCode(v1: V1Client, changes: Record<string, unknown> = {}): Promise<Shown> {
  return dataOf(await v1.post('/pixQrCode/create', { amount: 2_500, ...changes }));
}

const paid = async (v1: V1Client, id: string) =>
  dataOf<Shown>(await v1.post(`/pixQrCode/simulate-payment?id=${id}`));

/** The data of an endpoint's received events of one name, in the order of receipt. */
function dataReceived(endpoint: Endpoint, name: string) {
  const bodies = endpoint.received.map(({ body }) => JSON.parse(body));
  return bodies.filter(({ event }) => event === name).map(({ data }) => data);
}

const countOf = (endpoint: Endpoint, counts: Readonly<Record<string, number>>) =>
  endpoint.waitFor(() =>
    Object.entries(counts).every(([name, count]) => dataReceived(endpoint, name).length >= count),
  );

describe('v1 with a moved clock', () => {
  it('dates PIX codes and billings by the moved clock and expires them by it', async () => {
    const { api, v1 } = await anotherStore();
    await advance(api, { by: 'P40D' });
    const [short, long] = [
      await pixQrCode(v1, { expiresIn: 3_600 }),
      await pixQrCode(v1, { expiresIn: 86_400 }),
    ];
    const billing = await bill(v1);
    const created = await today(api);
    expect([short, long, billing].map(({ createdAt }) => day(createdAt))).toEqual([
      created,
      created,
      created,
    ]);
    const statusOf = async ({ id }: Shown) =>
      dataOf<{ status: string }>(await v1.get(`/pixQrCode/check?id=${id}`)).status;

    await advance(api, { by: 'PT61M' });
    expect([await statusOf(short), await statusOf(long)]).toEqual(['EXPIRED', 'PENDING']);
    // The code that has not expired can still be paid.
    expect(await paid(v1, long.id)).toMatchObject({ status: 'PAID' });
    expect((await v1.post(`/pixQrCode/simulate-payment?id=${short.id}`)).status).toBe(422);

    const other = await bill(v1);
    await payCheckout(api, other.id, 'PIX');
    await advance(api, { by: 'P2M' });
    const billings = await v1.list<Shown>('/billing/list');
    expect(billings.map(({ id, status }) => [id, status])).toEqual([
      [other.id, 'PAID'],
      [billing.id, 'EXPIRED'],
    ]);
  });

  it('sends events of v1 dated by the moved clock and signed by real time', async () => {
    await using sink = await startWebhookSink();
    const endpoint = sink.endpoint();
    const { api, v1 } = await anotherStore();
    const body = webhookBody({ endpoint: endpoint.url, events: [...V1_EVENT_NAMES] });
    dataOf(await v1.post('/webhooks/create', body));
    // Early in a month: the tries of a cycle that begins on its last days would be in two months.
    const tenth = `${day(later('P1M', new Date())).slice(0, 7)}-10T12:00:00-03:00`;
    await advance(api, { to: tenth });
    const begun = new Date((await clockOf(api)).now);
    const month = (months: number) => day(later(`P${months}M`, begun));

    const billing = await bill(v1);
    await payCheckout(api, billing.id, 'PIX');
    const plan = await buildProduct(api, { cycle: 'MONTHLY', price: 5_000 });
    const items = [{ id: plan.id, quantity: 1 }];
    const checkout = dataOf<Shown>(await api.post('/v2/subscriptions/create', { items }));
    // In the month that its expiry names this card is declined twice.
    const [year, failing] = month(2).split('-');
    const card = { number: '4000000000000259', expiry: `${failing}/${year}` };
    dataOf(await api.post('/v2/checkouts/simulate-payment', { id: checkout.id, card }));
    await advance(api, { to: later('P3M10D', begun).toISOString() });
    await countOf(endpoint, { 'billing.paid': 4, 'billing.failed': 2, 'subscription.created': 1 });

    const [one] = dataReceived(endpoint, 'billing.created').filter((data) => data.billing?.id === billing.id);
    expect(day(one.billing.createdAt)).toBe(day(begun));
    const [subscribed] = dataReceived(endpoint, 'subscription.created');
    const cycles = dataReceived(endpoint, 'billing.paid').filter((data) => data.subscription !== undefined);
    const inOrder = (name: string) => (data: { subscription: { currentCycle: { number: number } } }) =>
      `${name} ${data.subscription.currentCycle.number}`;
    expect(cycles.map(inOrder('paid')).sort()).toEqual(['paid 2', 'paid 3', 'paid 4']);
    const begins = cycles.map((data) => day(data.subscription.updatedAt)).sort();
    // The third cycle is collected at its third try, two days late.
    expect(begins).toEqual([month(1), day(later('P2M2D', begun)), month(3)]);
    const failures = dataReceived(endpoint, 'billing.failed');
    expect(failures.map(({ reason }) => reason)).toEqual(['insufficient_funds', 'insufficient_funds']);

    dataOf(await api.post('/v2/subscriptions/cancel', { id: subscribed.subscription.id }));
    await countOf(endpoint, { 'subscription.canceled': 1 });
    const [cancelled] = dataReceived(endpoint, 'subscription.canceled');
    expect(day(cancelled.subscription.canceledAt)).toBe(await today(api));
    // Signatures carry the real time of sending, not the moved clock.
    const sentAt = endpoint.received.map(({ headers }) => Number(headers['webhook-timestamp']) * 1_000);
    for (const atMs of sentAt) expect(Math.abs(Date.now() - atMs)).toBeLessThan(600_000);
  });

  it('applies the moved clock to withdrawals, their pace, refunds and revenue', async () => {
    await using sink = await startWebhookSink();
    const endpoint = sink.endpoint();
    const { api, v1 } = await anotherStore();
    await advance(api, { by: 'P1M' });
    const events = ['withdraw.done', 'billing.refunded'];
    dataOf(await v1.post('/webhooks/create', webhookBody({ endpoint: endpoint.url, events })));
    const { id } = await pixQrCode(v1, { amount: 9_000 });
    const kept = await pixQrCode(v1, { amount: 4_000 });
    for (const code of [id, kept.id]) await paid(v1, code);
    const paidOn = await today(api);
    const withdraw = (externalId: string) =>
      v1.post('/withdraw/create', {
        externalId,
        method: 'PIX',
        amount: 1_000,
        pix: { type: 'EMAIL', key: 'ana@example.com' },
      });
    expect((await withdraw('first')).status).toBe(200);
    expect((await withdraw('too soon')).json).toMatchObject({ code: 'TOO_MANY_PAYOUTS' });
    await advance(api, { by: 'P10D' });
    const second = dataOf<Shown>(await withdraw('second'));
    expect(day(second.createdAt)).toBe(await today(api));
    await countOf(endpoint, { 'withdraw.done': 2 });
    const days = dataReceived(endpoint, 'withdraw.done').map(({ transaction }) => day(transaction.createdAt));
    expect(days.sort()).toEqual([paidOn, await today(api)]);

    const revenue = async () =>
      dataOf<{ transactionsPerDay: object }>(await v1.get('/public-mrr/revenue')).transactionsPerDay;
    expect(await revenue()).toEqual({ [paidOn]: { amount: 13_000, count: 2 } });
    dataOf(await api.post('/v2/transparents/refund', { id }));
    await countOf(endpoint, { 'billing.refunded': 1 });
    expect(dataReceived(endpoint, 'billing.refunded')[0].pixQrCode).toMatchObject({ id, status: 'REFUNDED' });
    expect(await revenue()).toEqual({ [paidOn]: { amount: 4_000, count: 1 } });
    // The default range is the thirty days up to the date of the moved clock.
    await advance(api, { by: 'P1M' });
    const other = await pixQrCode(v1);
    await paid(v1, other.id);
    expect(await revenue()).toEqual({ [await today(api)]: { amount: 2_500, count: 1 } });
  });

  it('serves v1 by real time when the clock is past its end', async () => {
    const { api, v1 } = await anotherStore();
    await advance(api, { to: '2031-01-01T15:00:00Z' });
    expect(day((await pixQrCode(v1)).createdAt)).toBe('2031-01-01');
  });
});
