import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { WorkflowUpdateRPCTimeoutOrCancelledError } from '@temporalio/client';
import { recordAbandonedLines } from '../../src/audit-log/expected-line.ts';
import { AuditLineEntity } from '../../src/database/entities/audit-line.ts';
import { ChargeEntity } from '../../src/database/entities/charge.ts';
import { CheckoutEntity } from '../../src/database/entities/checkout.ts';
import type { StoreId } from '../../src/domain/ids.ts';
import { type ApiAnswer, type ApiClient, dataOf } from '../support/api/api-client.ts';
import { createTestApp } from '../support/api/app.ts';
import { createMoneyApp, type MoneyApp } from '../support/api/money-app.ts';
import { insertDelivery, insertWebhook } from '../support/rows/build.ts';
import { buildProduct } from '../support/rows/catalog.ts';
import { buildCheckout, buildPaymentLink } from '../support/rows/checkouts.ts';
import { buildPaidPix } from '../support/rows/payments.ts';
import { insertSubscribed } from '../support/rows/subscriber-rows.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

let app: MoneyApp;
let storeId: StoreId;
let api: ApiClient;
beforeAll(async () => {
  app = await createMoneyApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  ({ storeId, api } = await app.anotherStore());
});

const em = () => app.database.em.fork();
const linesAbout = async (subjectId: string) => {
  const order = { position: 'asc' } as const;
  const found = await em().find(AuditLineEntity, { actorKind: 'API_KEY', subjectId }, { orderBy: order });
  return found.map(({ action, details }) => [action, details]);
};
const leftOver = () => em().execute('select form from expected_audit_lines');

const post = (path: string, body: object, key: string, client = api): Promise<ApiAnswer> =>
  client.post(`/v2/${path}`, body, { headers: { 'Idempotency-Key': key } });

/** Sends a request twice with one key, as after a lost response. */
async function twice(path: string, body: object): Promise<void> {
  const key = crypto.randomUUID();
  const first = await post(path, body, key);
  expect([path, first.status]).toEqual([path, 200]);
  expect((await post(path, body, key)).json).toEqual(first.json);
}

async function newCharge(client = api): Promise<string> {
  const body = { method: 'PIX', data: { amount: 100 } };
  return dataOf<{ id: string }>(await client.post('/v2/transparents/create', body)).id;
}

/** The checkout of a new subscription, and its plan. */
async function planCheckout() {
  const { id: productId } = await buildProduct(api, { cycle: 'MONTHLY' });
  const body = { items: [{ id: productId, quantity: 1 }], methods: ['CARD'] };
  const { id } = dataOf<{ id: string }>(await api.post('/v2/subscriptions/create', body));
  return { id, productId };
}

async function newSubscription() {
  const { id: checkoutId, productId } = await planCheckout();
  const paid = await api.post('/v2/checkouts/simulate-payment', { id: checkoutId });
  return { id: dataOf<{ subscriptionId: string }>(paid).subscriptionId, productId };
}

describe('the audit lines of an API key that repeats its requests', () => {
  it('names a cancelled charge, checkout and payment link once', async () => {
    const cancelled = [
      ['transparents/cancel', await newCharge()],
      ['checkouts/cancel', (await buildCheckout(api)).id],
      ['payment-links/cancel', (await buildPaymentLink(api)).id],
      ['subscriptions/checkouts/delete', (await planCheckout()).id],
    ] as const;
    for (const [path, id] of cancelled) {
      await twice(path, { id });
      await api.post(`/v2/${path}`, { id });
      expect(await linesAbout(id)).toEqual([[path, null]]);
    }
    expect(await leftOver()).toEqual([]);
  });

  it('names each change of a subscription once, and no request that changes nothing', async () => {
    const { id, productId } = await newSubscription();
    const until = new Date(Date.now() + 9 * DAY_MS).toISOString();
    for (const body of [{ until }, { until }, {}]) await twice('subscriptions/pause', { id, ...body });
    for (const _ of [1, 2]) await twice('subscriptions/resume', { id });
    for (const _ of [1, 2]) await twice('subscriptions/update', { id, metadata: { owner: 'Ana' } });
    await twice('subscriptions/update', { id, quantity: 2 });
    await twice('subscriptions/change-plan', { id, productId, quantity: 3 });
    await twice('subscriptions/pay', { id });
    for (const _ of [1, 2]) await twice('subscriptions/cancel', { id, atPeriodEnd: true });
    for (const _ of [1, 2]) await twice('subscriptions/update', { id, method: 'PIX' });
    await twice('subscriptions/cancel', { id });
    await api.post('/v2/subscriptions/cancel', { id });
    await api.post('/v2/subscriptions/pause', { id });
    expect(await linesAbout(id)).toEqual([
      ['subscriptions/pause', JSON.stringify({ resumesAt: until })],
      ['subscriptions/pause', '{"resumesAt":null}'],
      ['subscriptions/resume', null],
      ['subscriptions/update', '{"fields":["metadata"]}'],
      ['subscriptions/update', '{"fields":["quantity"],"startsNow":false}'],
      ['subscriptions/change-plan', JSON.stringify({ productId, quantity: 3, startsNow: false })],
      ['subscriptions/cancel', '{"atPeriodEnd":true}'],
      ['subscriptions/update', '{"fields":["method"]}'],
      ['subscriptions/cancel', '{"atPeriodEnd":false}'],
    ]);
    expect(await leftOver()).toEqual([]);
  });

  it('names an authorization of debits and its end once', async () => {
    const { first, subscription } = await insertSubscribed({ database: app.database, storeId }, 'CARD');
    const payer = { payerName: 'Ana Souza', payerTaxId: '52998224725' };
    await em().nativeUpdate(ChargeEntity, { id: first.id }, payer);
    const body = { subscriptionId: subscription.id, pixAutomatic: 'variable' };
    for (const _ of [1, 2]) await twice('mandates/create', body);
    const { id } = dataOf<{ id: string }>(await api.post('/v2/mandates/create', body));
    for (const _ of [1, 2]) await twice('mandates/cancel', { id });
    expect(await linesAbout(subscription.id)).toEqual([['mandates/create', null]]);
    expect(await linesAbout(id)).toEqual([['mandates/cancel', null]]);
  });

  it('names an example and resent deliveries once', async () => {
    const webhook = await insertWebhook(app.database, { storeId });
    const { id } = await insertDelivery(app.database, webhook);
    await twice('webhooks/test', { id: webhook.id });
    await twice('webhooks/resend', { id });
    expect(await linesAbout(id)).toEqual([['webhooks/resend', null]]);
    const [from, to] = ['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z'];
    const key = crypto.randomUUID();
    const range = { webhookId: webhook.id, from, to };
    const { id: resend } = dataOf<{ id: string }>(await post('webhooks/resend', range, key));
    await post('webhooks/resend', range, key);
    expect(await linesAbout(webhook.id)).toEqual([
      ['webhooks/test', null],
      ['webhooks/resend', JSON.stringify({ resend, from, to })],
    ]);
  });

  it('names a stopped resend once', async () => {
    await app.stopWorker();
    const { id: webhookId } = await insertWebhook(app.database, { storeId });
    const range = { webhookId, from: '2026-01-01T00:00:00.000Z', to: '2026-01-02T00:00:00.000Z' };
    const { id } = dataOf<{ id: string }>(await api.post('/v2/webhooks/resend', range));
    for (const _ of [1, 2]) await twice('webhooks/resend/stop', { id });
    await app.startWorker();
    const stopped = ['webhooks/resend/stop', JSON.stringify({ resend: id })];
    expect((await linesAbout(webhookId)).slice(1)).toEqual([stopped]);
  });

  it('names each move of the clock once', async () => {
    const to = new Date(Date.now() + 400 * DAY_MS).toISOString();
    await app.stopWorker();
    await api.post('/v2/dev/clock/advance', { to, preview: true });
    for (const _ of [1, 2]) await twice('dev/clock/advance', { to });
    for (const _ of [1, 2]) await twice('dev/clock/cancel', {});
    for (const _ of [1, 2]) await twice('dev/clock/reset', {});
    await app.startWorker();
    expect(await linesAbout(storeId)).toEqual([
      ['dev/clock/advance', JSON.stringify({ to })],
      ['dev/clock/cancel', null],
      ['dev/clock/reset', null],
    ]);
  });
});

it('leaves one line of five requests that cancel a charge at once', async () => {
  const id = await newCharge();
  const answers = await Promise.all([1, 2, 3, 4, 5].map(() => api.post('/v2/transparents/cancel', { id })));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  expect(await linesAbout(id)).toEqual([['transparents/cancel', null]]);
});

it('leaves no line of a refused request', async () => {
  const paid = await buildPaidPix(api);
  const { id } = await newSubscription();
  const readOnly = await app.clientWith({ storeId, readOnly: true });
  const { api: elsewhere } = await app.anotherStore();
  const answers = [
    await api.post('/v2/transparents/cancel', { id: paid }),
    await api.post('/v2/subscriptions/pause', { id, until: '2020-01-01' }),
    await api.post('/v2/subscriptions/update', { id, trialEnd: 'now' }),
    await api.post('/v2/subscriptions/update', { id, card: { token: 'ctok_unknown' } }),
    await readOnly.post('/v2/subscriptions/cancel', { id }),
    await elsewhere.post('/v2/subscriptions/cancel', { id }),
    await api.post('/v2/subscriptions/cancel', { id: 'ana@example.com' }),
    await api.post('/v2/webhooks/test', { id: 'webh_unknown' }),
    await api.post('/v2/webhooks/resend', { id: 'log_unknown' }),
    await api.post('/v2/dev/clock/advance', { to: '2020-01-01T00:00:00Z' }),
  ];
  expect(answers.map(({ status }) => status >= 400 && status < 500)).toEqual(answers.map(() => true));
  expect(await em().find(AuditLineEntity, { storeId, action: { $nin: ['products/create'] } })).toEqual([]);
  expect(await leftOver()).toEqual([]);
});

describe('while Temporal is away', () => {
  it('leaves a line with an unknown outcome of a request without Idempotency-Key', async () => {
    const { id } = await insertSubscription();
    const { status } = await app.apiWithoutTemporal.post('/v2/subscriptions/resume', { id });
    expect(status).toBe(503);
    expect(await linesAbout(id)).toEqual([['subscriptions/resume', '{"outcome":"UNKNOWN"}']]);
  });

  it('leaves one line of a request with an Idempotency-Key and its retry', async () => {
    const id = await newCharge(app.api);
    const key = crypto.randomUUID();
    expect(await post('transparents/cancel', { id }, key, app.apiWithoutTemporal)).toMatchObject({
      status: 503,
    });
    expect(await linesAbout(id)).toEqual([]);
    expect(await post('transparents/cancel', { id }, key, app.api)).toMatchObject({ status: 200 });
    await recordAbandonedLines(app.database, new Date(Date.now() + DAY_MS));
    expect(await linesAbout(id)).toEqual([['transparents/cancel', null]]);
  });

  const insertSubscription = async () =>
    (await insertSubscribed({ database: app.database, storeId: app.storeId }, 'CARD')).subscription;
});

it('leaves one line of a change whose process died before it was recorded', async () => {
  const dying = await createTestApp(
    {
      checkoutUpdates: {
        async cancel({ id }) {
          await em().nativeUpdate(CheckoutEntity, { id }, { status: 'CANCELLED' });
          throw new WorkflowUpdateRPCTimeoutOrCancelledError('gone');
        },
      },
    },
    { database: app.database },
  );
  await using closing = new AsyncDisposableStack();
  closing.defer(() => dying.close());
  const client = dying.api.as(api.key);
  const { id } = await buildCheckout(api);
  const key = crypto.randomUUID();
  expect((await post('checkouts/cancel', { id }, key, client)).status).toBe(503);
  expect((await post('checkouts/cancel', { id }, key, client)).status).toBe(200);
  for (const _ of [1, 2]) await recordAbandonedLines(app.database, new Date(Date.now() + DAY_MS));
  await twice('checkouts/cancel', { id });
  expect(await linesAbout(id)).toEqual([['checkouts/cancel', '{"outcome":"UNKNOWN"}']]);
});
