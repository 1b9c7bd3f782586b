import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { EVENT_NAMES } from '../../src/domain/event-names.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { createMoneyApp, type MoneyApp } from '../support/api/money-app.ts';
import { type Endpoint, startWebhookSink, type WebhookSink } from '../support/outside/webhook-sink.ts';
import { buildPixCharge, buildWebhook } from '../support/rows/build.ts';
import { buildCheckout } from '../support/rows/checkouts.ts';
import { payForm } from '../support/web/pay-form.ts';

/** Invoices are notified in their own time, and these tests count webhooks. */
const EVENTS = EVENT_NAMES.filter((name) => !name.startsWith('invoice.'));
const METADATA = { scenario: 'paid late in the evening', attempt: 2 };

let app: MoneyApp;
let sink: WebhookSink;
let endpoint: Endpoint;
let api: ApiClient;
beforeAll(async () => {
  [app, sink] = await Promise.all([createMoneyApp(), startWebhookSink()]);
});
beforeEach(async () => {
  ({ api } = await app.anotherStore());
  endpoint = sink.endpoint();
  await buildWebhook(api, { endpoint: endpoint.url, events: EVENTS });
});
afterAll(async () => {
  await app.close();
  await sink[Symbol.asyncDispose]();
});

/** A checkout, and the PIX code that a payer was shown on its page. */
async function codeOnHostedPage() {
  const checkout = await buildCheckout(api, { metadata: { orderId: 'A-1042' } });
  const { location } = await payForm(api.url, checkout.id, { method: 'PIX' });
  return { checkout, chargeId: location.split('/').at(-1) ?? '' };
}

async function firstWebhook(event: string): Promise<{ readonly data: Record<string, unknown> }> {
  await endpoint.waitFor((webhooks) => webhooks.length > 0);
  const body = JSON.parse(endpoint.received[0]?.body ?? '');
  expect(body.event).toBe(event);
  return body;
}

describe('a PIX code that a payer was shown on a hosted checkout', () => {
  it('appears in transparents/get, transparents/check and pixQrCode/check', async () => {
    const { chargeId: id } = await codeOnHostedPage();
    const shown = dataOf<{ brCode: string; expiresAt: string }>(
      await api.get(`/v2/transparents/get?id=${id}`),
    );
    expect(shown).toMatchObject({ id, status: 'PENDING', amount: 5_000, devMode: true });
    expect(shown.brCode).toMatch(/^000201/);
    for (const path of ['/v2/transparents/check', '/v1/pixQrCode/check']) {
      const { expiresAt } = shown;
      expect(dataOf(await api.get(`${path}?id=${id}`))).toMatchObject({ id, status: 'PENDING', expiresAt });
    }
  });

  it.each(['/v2/transparents/simulate-payment', '/v1/pixQrCode/simulate-payment'])(
    'becomes PAID by %s and sends checkout.completed with the metadata of the payment',
    async (path) => {
      const { checkout, chargeId: id } = await codeOnHostedPage();
      const answer = await api.post(`${path}?id=${id}`, { metadata: METADATA });
      expect(dataOf(answer)).toMatchObject({ id, status: 'PAID' });
      expect(await firstWebhook('checkout.completed')).toMatchObject({
        data: {
          checkout: { id: checkout.id, status: 'PAID', metadata: { orderId: 'A-1042' } },
          payment: { id, metadata: METADATA },
        },
      });
      const paid = await api.get(`/v2/checkouts/get?id=${checkout.id}`);
      expect(dataOf(paid)).toMatchObject({ status: 'PAID', paidAmount: 5_000 });
    },
  );

  it('sends the metadata of its payment in checkout.refunded too', async () => {
    const { chargeId: id } = await codeOnHostedPage();
    dataOf(await api.post(`/v2/transparents/simulate-payment?id=${id}`, { metadata: METADATA }));
    await endpoint.waitFor((webhooks) => webhooks.length === 1);
    dataOf(await api.post('/v2/checkouts/refund', { id, reason: 'Pedido cancelado' }));
    await endpoint.waitFor((webhooks) => webhooks.length === 2);
    expect(JSON.parse(endpoint.received[1]?.body ?? '')).toMatchObject({
      event: 'checkout.refunded',
      data: { payment: { id, metadata: METADATA } },
    });
  });
});

describe('a transparent charge', () => {
  it('sends its own metadata, which the metadata of the payment does not change', async () => {
    const { id } = await buildPixCharge(api, { metadata: { orderId: 'A-1043' } });
    dataOf(await api.post(`/v2/transparents/simulate-payment?id=${id}`, { metadata: METADATA }));
    expect(await firstWebhook('transparent.completed')).toMatchObject({
      data: { transparent: { id, metadata: { orderId: 'A-1043' } } },
    });
    const shown = await api.get(`/v2/transparents/get?id=${id}`);
    expect(dataOf(shown)).toMatchObject({ metadata: { orderId: 'A-1043' } });
  });
});
