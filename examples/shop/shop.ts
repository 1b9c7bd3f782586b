/**
 * A small shop: a page of products, a checkout for each order, and a webhook that says which order is paid.
 * It needs Node.js 22.18 or newer, and nothing else: see README.md beside it.
 */
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

interface Settings {
  /** Where Recebe is, such as http://localhost:3000. */
  readonly apiUrl: string;
  readonly apiKey: string;
  /** What signs the webhooks: of the endpoint, or what `recebe listen` prints. */
  readonly webhookSecret: string;
  readonly port: number;
}

/** What is sold, with prices in cents. A real shop has this in a database, and the orders too. */
const PRODUCTS = [
  { sku: 'mug', name: 'Caneca esmaltada', priceCents: 4_500 },
  { sku: 'beans', name: 'Café em grãos, 250 g', priceCents: 3_900 },
];

interface Order {
  readonly id: string;
  readonly sku: string;
  status: 'waiting' | 'paid' | 'refunded';
}

/** Starts the shop. @returns where it is, and how to stop it. */
export async function startShop({ apiUrl, apiKey, webhookSecret, port }: Settings) {
  const orders = new Map<string, Order>();
  /** The same event may come twice: its id tells. */
  const handled = new Set<string>();

  async function recebe<Data>(path: string, body?: object): Promise<Data> {
    const response = await fetch(`${apiUrl}/v2/${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const { data, error, code } = (await response.json()) as { data: Data; error: string; code?: string };
    if (!response.ok) throw Object.assign(new Error(`${path}: ${error}`), { code });
    return data;
  }

  /** Recebe's product of ours; made the first time. An `externalId` is taken once, so it cannot be made twice. */
  async function productId({ sku, name, priceCents }: (typeof PRODUCTS)[number]): Promise<string> {
    const body = { externalId: sku, name, price: priceCents, currency: 'BRL' };
    try {
      return (await recebe<{ id: string }>('products/create', body)).id;
    } catch (error) {
      if ((error as { code?: string }).code !== 'EXTERNAL_ID_CONFLICT') throw error;
      return (await recebe<{ id: string }>(`products/get?externalId=${sku}`)).id;
    }
  }

  /** Makes an order, and sends the payer to a page of Recebe's. */
  async function buy(sku: string, response: ServerResponse): Promise<void> {
    const product = PRODUCTS.find((each) => each.sku === sku);
    if (product === undefined) return page(response, 404, '<p>We do not sell that.</p>');
    const order: Order = { id: randomUUID(), sku, status: 'waiting' };
    const checkout = await recebe<{ url: string }>('checkouts/create', {
      items: [{ id: await productId(product), quantity: 1 }],
      // By this the webhook will say which order it is about.
      externalId: order.id,
      methods: ['PIX', 'CARD'],
      completionUrl: `${ownUrl()}/orders/${order.id}`,
      returnUrl: ownUrl(),
    });
    orders.set(order.id, order);
    response.writeHead(303, { Location: checkout.url }).end();
  }

  /** Takes a webhook: it is believed only once its signature is right. */
  async function hear(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const expected = createHmac('sha256', webhookSecret).update(body).digest();
    const sent = Buffer.from(String(request.headers['x-webhook-signature'] ?? ''), 'base64');
    if (sent.length !== expected.length || !timingSafeEqual(sent, expected)) {
      response.writeHead(401).end();
      return;
    }
    const { id, event, data } = JSON.parse(body.toString());
    const order = handled.has(id) ? undefined : orders.get(data.checkout?.externalId);
    if (order !== undefined && event === 'checkout.completed') order.status = 'paid';
    if (order !== undefined && event === 'checkout.refunded') order.status = 'refunded';
    handled.add(id);
    // Whatever else comes is no fault of the sender's: it is taken, and left alone.
    response.writeHead(204).end();
  }

  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', ownUrl());
    const [, place, name = ''] = pathname.split('/');
    try {
      if (request.method === 'POST' && place === 'hooks') return await hear(request, response);
      if (request.method === 'POST' && place === 'buy') return await buy(name, response);
      const order = place === 'orders' ? orders.get(name) : undefined;
      if (order !== undefined) return page(response, 200, `<p>Your order is <b>${order.status}</b>.</p>`);
      if (pathname === '/') return page(response, 200, PRODUCTS.map(productForm).join(''));
      page(response, 404, '<p>There is nothing here.</p>');
    } catch (error) {
      console.error(error);
      page(response, 502, '<p>That did not work. Please try again.</p>');
    }
  });
  const ownUrl = () => `http://localhost:${(server.address() as AddressInfo).port}`;
  await new Promise<void>((resolve) => server.listen(port, resolve));
  return { url: ownUrl(), stop: () => void server.close().closeAllConnections() };
}

function productForm({ sku, name, priceCents }: (typeof PRODUCTS)[number]): string {
  const price = (priceCents / 100).toLocaleString('pt-BR', { style: 'currency', currency: 'BRL' });
  return `<form method="post" action="/buy/${sku}"><p>${name}: ${price} <button>Buy</button></p></form>`;
}

function page(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'Content-Type': 'text/html; charset=utf-8' });
  response.end(`<!doctype html><title>Shop</title><h1><a href="/">Shop</a></h1>${body}`);
}

if (process.argv[1] === import.meta.filename) {
  const { url } = await startShop({
    apiUrl: process.env.RECEBE_API_URL ?? 'http://localhost:3000',
    apiKey: process.env.RECEBE_API_KEY ?? '',
    webhookSecret: process.env.WEBHOOK_SECRET ?? '',
    port: Number(process.env.PORT ?? 4000),
  });
  console.log(`The shop is at ${url}; it takes webhooks at ${url}/hooks`);
}
