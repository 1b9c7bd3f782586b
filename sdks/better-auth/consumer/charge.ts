// Uses the installed package as an application with Better Auth would: real sign-up, session and requests, with users in
// memory. `npm run clients` compiles it, and runs it in a folder that has nothing else.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { checkout, portal, recebe, webhooks } from '@recebe/better-auth';
import { recebeClient } from '@recebe/better-auth/client';
import { Recebe } from '@recebe/sdk';
import { betterAuth } from 'better-auth';
import { memoryAdapter } from 'better-auth/adapters/memory';
import { createAuthClient } from 'better-auth/client';

const { RECEBE_URL: baseUrl = '', RECEBE_KEY: apiKey = '', RECEBE_CLIENT: name = '' } = process.env;
const SECRET = 'a secret of the consumer';
const SITE = 'http://localhost:3999';

interface Row {
  readonly id: string;
  readonly email: string;
  readonly recebeCustomerId?: string | null;
}

/** An application with users in memory. */
function application(client: Recebe, product: string, onPaid: (checkoutId: string) => void) {
  const tables: { user: Row[]; session: []; account: []; verification: [] } = {
    user: [],
    session: [],
    account: [],
    verification: [],
  };
  const auth = betterAuth({
    baseURL: SITE,
    secret: 'only for this program, and long enough',
    telemetry: { enabled: false },
    rateLimit: { enabled: false },
    emailAndPassword: { enabled: true },
    database: memoryAdapter(tables),
    plugins: [
      recebe({
        client,
        createCustomerOnSignUp: true,
        getCustomerParams: () => ({ metadata: { plan: 'free' } }),
        use: [
          checkout({
            products: { ebook: product },
            successUrl: '/thanks',
            methods: ['PIX'],
            getMetadata: ({ user, slug }) => ({ client: name, slug, userId: user?.id }),
          }),
          portal(),
          webhooks({
            secret: SECRET,
            on: { 'checkout.completed': ({ data }) => onPaid(data.checkout.id) },
          }),
        ],
      }),
    ],
  });
  // A transaction replaces the list.
  return { auth, user: () => tables.user[0], browser: browserOf(auth) };
}

/** A browser of somebody: it keeps cookies, and sends the requests of Better Auth's own client. */
function browserOf(auth: { readonly handler: (request: Request) => Promise<Response> }) {
  let cookie = '';
  return createAuthClient({
    baseURL: SITE,
    plugins: [recebeClient()],
    fetchOptions: {
      customFetchImpl: async (url, init) => {
        const request = new Request(url, init);
        request.headers.set('origin', SITE);
        if (cookie !== '') request.headers.set('cookie', cookie);
        const response = await auth.handler(request);
        const set = response.headers.getSetCookie().map((each) => each.split(';')[0]);
        if (set.length > 0) cookie = set.join('; ');
        return response;
      },
    },
  });
}

async function main(): Promise<void> {
  const client = new Recebe({ apiKey, baseUrl });
  const product = await client.products.create({
    externalId: `${name}-ebook`,
    name: 'E-book',
    price: 1500,
    currency: 'BRL',
  });
  const paid = new Set<string>();
  const { auth, user, browser } = application(client, product.id, (id) => paid.add(id));

  assert.equal((await browser.checkout({ slug: 'ebook' })).error?.status, 401);
  assert.equal((await browser.customer.portal()).error?.status, 401);
  const ana = { name: 'Ana Souza', email: 'ana@example.com', password: 'a long password' };
  const asOther = { ...ana, recebeCustomerId: 'cust_x' };
  assert.equal((await browser.signUp.email(asOther)).error?.status, 400);
  assert.equal((await browser.signUp.email(ana)).error, null);
  const customerId = user()?.recebeCustomerId ?? '';
  assert.match(customerId, /^cust_/);
  const customer = await client.customers.get({ id: customerId });
  assert.deepEqual(
    [customer.name, customer.email, customer.metadata],
    ['Ana Souza', 'ana@example.com', { plan: 'free', betterAuthUserId: user()?.id }],
  );
  await browser.updateUser({ name: 'Ana S. Lima' });
  assert.equal((await client.customers.get({ id: customerId })).name, 'Ana S. Lima');

  assert.equal((await browser.checkout({ slug: 'other' })).error?.status, 400);
  const { data: bought } = await browser.checkout({ slug: 'ebook', quantity: 1 });
  assert.equal(bought?.redirect, true);
  const { data } = await client.checkouts.list({ metadata: { client: name } });
  const order = data.find(({ url }) => url === bought?.url);
  assert(order !== undefined);
  assert.deepEqual(
    [order.amount, order.customerId, order.completionUrl, order.metadata],
    [1500, customerId, `${SITE}/thanks`, { client: name, slug: 'ebook', userId: user()?.id }],
  );
  const { data: opened } = await browser.customer.portal();
  assert.match(opened?.url ?? '', /^http/);

  await pay(client, auth, order.id);
  assert(paid.has(order.id));
  await signUpDuringOutage(product.id);
}

/** Has the checkout paid, and waits for its webhook. */
async function pay(
  client: Recebe,
  auth: { readonly handler: (request: Request) => Promise<Response> },
  checkoutId: string,
): Promise<void> {
  const answered = Promise.withResolvers<readonly number[]>();
  const server = createServer(async (request, response) => {
    const headers = Object.entries(request.headers).map(([key, value]): [string, string] => [
      key,
      String(value),
    ]);
    const body = new Uint8Array(await buffer(request));
    const post = async (sent: Uint8Array<ArrayBuffer> | string) => {
      const delivery = new Request(`${SITE}/api/auth/recebe/webhooks`, {
        method: 'POST',
        headers,
        body: sent,
      });
      return (await auth.handler(delivery)).status;
    };
    const forged = await post('{}');
    const status = await post(body);
    response.writeHead(status).end();
    if (body.length > 0 && Buffer.from(body).includes(checkoutId)) answered.resolve([forged, status]);
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
  assert.deepEqual(await answered.promise, [400, 200]);
  await client.webhooks.delete({ id: webhook.id });
  server.close();
  server.closeAllConnections();
}

/** A user signs up although the service is away, and has one customer as soon as they need it. */
async function signUpDuringOutage(product: string): Promise<void> {
  const outage = new AbortController();
  const client = new Recebe({
    apiKey,
    baseUrl,
    maxRetries: 0,
    fetch: (url, init) => (outage.signal.aborted ? fetch(url, init) : Promise.reject(new Error('away'))),
  });
  const { user, browser } = application(client, product, () => {});
  const bia = { name: 'Bia', email: 'bia@example.com', password: 'a long password' };
  const { error } = await browser.signUp.email(bia);
  assert.equal(error, null);
  assert.equal(user()?.recebeCustomerId ?? null, null);
  // It is over.
  outage.abort();
  await Promise.all([browser.customer.portal(), browser.checkout({ slug: 'ebook' })]);
  const found = await client.customers.list({ metadata: { betterAuthUserId: user()?.id ?? '' } });
  assert.deepEqual(
    found.data.map(({ id }) => id),
    [user()?.recebeCustomerId],
  );
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
