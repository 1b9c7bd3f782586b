import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startSaas } from '../../examples/shop/saas.ts';
import { startShop } from '../../examples/shop/shop.ts';
import { EVENT_NAMES } from '../../src/domain/event-names.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { createMoneyApp, type MoneyApp } from '../support/api/money-app.ts';
import { buildWebhook } from '../support/rows/build.ts';
import { eventually } from '../support/waiting/eventually.ts';

const SECRET = 'a secret of the example';

let app: MoneyApp;
beforeAll(async () => {
  app = await createMoneyApp();
});
afterAll(() => app.close());

/** Opens one of the examples for a store of its own, whose endpoint it is. */
async function open(start: typeof startShop | typeof startSaas) {
  const { api } = await app.anotherStore();
  const settings = { apiUrl: api.url, apiKey: api.key, webhookSecret: SECRET, port: 0 };
  const { url, stop } = await start(settings);
  await buildWebhook(api, { endpoint: `${url}/hooks`, secret: SECRET, events: EVENT_NAMES });
  const get = async (path: string) => {
    const response = await fetch(url + path);
    return { status: response.status, text: await response.text() };
  };
  /** As the form of a page does. @returns where the browser is sent to. */
  const post = async (path: string) => {
    const response = await fetch(url + path, { method: 'POST', redirect: 'manual' });
    return { status: response.status, location: response.headers.get('location') ?? '' };
  };
  return { api, url, get, post, [Symbol.dispose]: stop };
}

/** What the payer does on the checkout's page. */
async function payAt(api: ApiClient, location: string): Promise<string> {
  const [, id = ''] = /\/pay\/([^/?]+)$/.exec(location) ?? [];
  dataOf(await api.post('/v2/checkouts/simulate-payment', { id, method: 'CARD' }));
  return id;
}

describe('examples/shop/shop.ts', () => {
  it('marks an order as paid and refunded only after genuine webhooks', async () => {
    using shop = await open(startShop);
    expect((await shop.get('/')).text).toMatch(/Caneca esmaltada: R\$\s45,00/);
    const { status, location } = await shop.post('/buy/mug');
    expect(status).toBe(303);
    const checkoutId = new URL(location).pathname.split('/').at(-1);
    const checkout = dataOf<{ externalId: string; amount: number }>(
      await shop.api.get(`/v2/checkouts/get?id=${checkoutId}`),
    );
    expect(checkout.amount).toBe(4_500);
    const order = `/orders/${checkout.externalId}`;
    const forged = JSON.stringify({ id: 'log_1', event: 'checkout.completed', data: { checkout } });
    const refused = await fetch(`${shop.url}/hooks`, { method: 'POST', body: forged });
    expect(refused.status).toBe(401);
    expect((await shop.get(order)).text).toContain('waiting');
    const id = await payAt(shop.api, location);
    await eventually(async () => expect((await shop.get(order)).text).toContain('paid'));
    dataOf(await shop.api.post('/v2/checkouts/refund', { id }));
    await eventually(async () => expect((await shop.get(order)).text).toContain('refunded'));
    // The same product once more: it is there already.
    expect((await shop.post('/buy/mug')).status).toBe(303);
  });
});

describe('examples/shop/saas.ts', () => {
  it('lets in who tries it or pays, and nobody else', async () => {
    using saas = await open(startSaas);
    expect((await saas.get('/app/ana')).status).toBe(402);
    const { location } = await saas.post('/sign-up/ana');
    expect((await saas.get('/app/ana')).status).toBe(402);
    await payAt(saas.api, location);
    await eventually(async () =>
      expect(await saas.get('/app/ana')).toMatchObject({
        status: 200,
        text: expect.stringContaining('trial'),
      }),
    );
    await saas.post('/cancel/ana');
    await eventually(async () =>
      expect(await saas.get('/app/ana')).toMatchObject({
        status: 402,
        text: expect.stringContaining('ended'),
      }),
    );
  });
});
