/**
 * A small SaaS: who signs up tries it for two weeks and then pays every month. Who may come in follows from
 * webhooks alone. It needs Node.js 22.18 or newer, and nothing else: see README.md beside it.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
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

/** A price in cents. */
const PLAN = {
  externalId: 'saas-monthly',
  name: 'Plano mensal',
  price: 4_900,
  currency: 'BRL',
  cycle: 'MONTHLY',
  trialDays: 14,
};

/** What an account may do. One that is behind with a payment still comes in, while its card is tried again. */
type Access = 'none' | 'trial' | 'active' | 'behind' | 'ended';
const LETS_IN: readonly Access[] = ['trial', 'active', 'behind'];

/** The access of an account after each event. An account that has ended keeps that state. */
const ACCESS_AFTER: Readonly<Record<string, Access>> = {
  'subscription.trial_started': 'trial',
  'subscription.completed': 'active',
  'subscription.renewed': 'active',
  'subscription.payment_failed': 'behind',
  'subscription.cancelled': 'ended',
};

interface Account {
  access: Access;
  subscriptionId: string | null;
}

/** Starts the SaaS. @returns where it is, and how to stop it. */
export async function startSaas({ apiUrl, apiKey, webhookSecret, port }: Settings) {
  /** By name. A real one has this in a database. */
  const accounts = new Map<string, Account>();
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

  /** Recebe's product of our plan; made the first time. */
  async function planId(): Promise<string> {
    try {
      return (await recebe<{ id: string }>('products/create', PLAN)).id;
    } catch (error) {
      if ((error as { code?: string }).code !== 'EXTERNAL_ID_CONFLICT') throw error;
      return (await recebe<{ id: string }>(`products/get?externalId=${PLAN.externalId}`)).id;
    }
  }

  /** Sends who signs up to a page of Recebe's, where they leave a card. */
  async function signUp(name: string, response: ServerResponse): Promise<void> {
    if (!accounts.has(name)) accounts.set(name, { access: 'none', subscriptionId: null });
    const checkout = await recebe<{ url: string }>('subscriptions/create', {
      items: [{ id: await planId(), quantity: 1 }],
      // By this the webhooks will say whose subscription it is.
      externalId: name,
      completionUrl: `${ownUrl()}/app/${name}`,
    });
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
    const account = handled.has(id) ? undefined : accounts.get(data.subscription?.externalId);
    const access = ACCESS_AFTER[event];
    // Events may overtake each other: what comes late must not let somebody in again.
    if (account !== undefined && access !== undefined && account.access !== 'ended') {
      account.access = access;
      account.subscriptionId = data.subscription.id;
    }
    handled.add(id);
    response.writeHead(204).end();
  }

  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', ownUrl());
    const [, place, name = ''] = pathname.split('/');
    const account = accounts.get(name);
    try {
      if (request.method === 'POST' && place === 'hooks') return await hear(request, response);
      if (request.method === 'POST' && place === 'sign-up' && name !== '')
        return await signUp(name, response);
      if (request.method === 'POST' && place === 'cancel' && account?.subscriptionId) {
        await recebe('subscriptions/cancel', { id: account.subscriptionId });
        return page(response, 200, '<p>Your subscription ends.</p>');
      }
      if (place !== 'app') return page(response, 200, FRONT);
      const access = account?.access ?? 'none';
      if (LETS_IN.includes(access)) return page(response, 200, `<p>Welcome in (${access}).</p>`);
      page(response, 402, `<p>Your account is not paid for (${access}).</p>`);
    } catch (error) {
      console.error(error);
      page(response, 502, '<p>That did not work. Please try again.</p>');
    }
  });
  const ownUrl = () => `http://localhost:${(server.address() as AddressInfo).port}`;
  await new Promise<void>((resolve) => server.listen(port, resolve));
  return { url: ownUrl(), stop: () => void server.close().closeAllConnections() };
}

const FRONT =
  '<form method="post" action="/sign-up/ana"><button>Sign up as Ana</button></form><a href="/app/ana">Come in</a>';

function page(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'Content-Type': 'text/html; charset=utf-8' });
  response.end(`<!doctype html><title>SaaS</title><h1><a href="/">SaaS</a></h1>${body}`);
}

if (process.argv[1] === import.meta.filename) {
  const { url } = await startSaas({
    apiUrl: process.env.RECEBE_API_URL ?? 'http://localhost:3000',
    apiKey: process.env.RECEBE_API_KEY ?? '',
    webhookSecret: process.env.WEBHOOK_SECRET ?? '',
    port: Number(process.env.PORT ?? 4000),
  });
  console.log(`The SaaS is at ${url}; it takes webhooks at ${url}/hooks`);
}
