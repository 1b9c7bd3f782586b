// Uses the installed package as a shop with Next.js would: `npm run clients` compiles it for `import` and for `require`,
// and runs it in folders that have nothing else. The routes are those of the package; Next.js itself makes the requests.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { Checkout, CustomerPortal, Webhooks } from '@recebe/nextjs';
import { Recebe } from '@recebe/sdk';
import { NextRequest } from 'next/server.js';

const { RECEBE_URL: baseUrl = '', RECEBE_KEY: apiKey = '', RECEBE_CLIENT: name = '' } = process.env;
const SECRET = 'a secret of the consumer';
const SITE = 'https://shop.example';

async function main(): Promise<void> {
  const client = new Recebe({ apiKey, baseUrl });
  const customer = await client.customers.create({ name: 'Ana Souza', email: 'ana@example.com' });
  const product = await client.products.create({
    externalId: `${name}-ebook`,
    name: 'E-book',
    price: 1500,
    currency: 'BRL',
  });
  const plan = await client.products.create({
    externalId: `${name}-pro`,
    name: 'Pro',
    price: 4900,
    currency: 'BRL',
    cycle: 'MONTHLY',
  });
  const isSignedIn = (request: NextRequest) => request.cookies.get('session')?.value === 'ana';
  const checkout = Checkout({
    apiKey,
    baseUrl,
    products: { ebook: product.id, pro: `${name}-pro` },
    successUrl: '/thanks',
    methods: ['PIX', 'BOLETO'],
    getCustomerId: (request) => (isSignedIn(request) ? customer.id : null),
    getMetadata: () => ({ client: name }),
  });
  const visit = (path: string, headers: Record<string, string> = {}) =>
    checkout(new NextRequest(`${SITE}${path}`, { headers }));
  const placeOf = (response: Response) => {
    assert.equal(response.status, 303);
    return response.headers.get('location') ?? '';
  };

  const bought = placeOf(await visit('/checkout?product=ebook', { cookie: 'session=ana' }));
  const { data } = await client.checkouts.list({ metadata: { client: name } });
  const order = data.find(({ url }) => url === bought);
  assert(order !== undefined);
  assert.deepEqual(
    [order.amount, order.customerId, order.completionUrl, order.methods],
    [1500, customer.id, `${SITE}/thanks`, ['PIX', 'BOLETO']],
  );
  const subscribed = placeOf(await visit('/checkout?product=pro&quantity=2'));
  const subscriptions = await client.subscriptions.checkouts.list();
  const subscription = subscriptions.data.find(({ url }) => url === subscribed);
  assert(subscription !== undefined);
  assert.deepEqual([subscription.items, subscription.customerId], [[{ id: plan.id, quantity: 2 }], null]);
  assert.equal((await visit('/checkout?product=other')).status, 400);
  assert.equal((await visit('/checkout?product=toString')).status, 400);
  assert.equal((await visit('/checkout?product=ebook&quantity=0')).status, 400);
  assert.equal((await visit('/checkout?product=ebook', { 'sec-purpose': 'prefetch' })).status, 204);

  const portal = CustomerPortal({
    client,
    getCustomerId: (request) => (isSignedIn(request) ? customer.id : null),
  });
  assert.equal((await portal(new NextRequest(`${SITE}/portal`))).status, 401);
  const opened = await portal(new NextRequest(`${SITE}/portal`, { headers: { cookie: 'session=ana' } }));
  assert.match(placeOf(opened), /^http/);

  await pay(client, order.id);
}

/** Has the checkout paid, and waits for its webhook. */
async function pay(client: Recebe, checkoutId: string): Promise<void> {
  const paid = Promise.withResolvers<number | null>();
  const receive = Webhooks({
    secret: SECRET,
    on: {
      'checkout.completed': ({ data }) => {
        if (data.checkout.id === checkoutId) paid.resolve(data.checkout.paidAmount);
      },
    },
  });
  const statuses: number[] = [];
  const server = createServer(async (request, response) => {
    const headers = Object.entries(request.headers).map(([key, value]): [string, string] => [
      key,
      String(value),
    ]);
    const body = new Uint8Array(await buffer(request));
    const forged = await receive(new NextRequest(`${SITE}/hooks`, { method: 'POST', headers, body: '{}' }));
    statuses.push(forged.status);
    const { status } = await receive(new NextRequest(`${SITE}/hooks`, { method: 'POST', headers, body }));
    response.writeHead(status).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const webhook = await client.webhooks.create({
    name,
    endpoint: `http://127.0.0.1:${port}/hooks`,
    secret: SECRET,
    events: ['checkout.completed'],
  });
  await client.checkouts.simulatePayment({ id: checkoutId });
  assert.equal(await paid.promise, 1500);
  assert.equal(statuses[0], 400);
  await client.webhooks.delete({ id: webhook.id });
  server.close();
  server.closeAllConnections();
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
