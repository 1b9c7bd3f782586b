import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  ApiError,
  ConnectionError,
  Recebe,
  startCheckout,
  TimeoutError,
} from '../../sdks/typescript/src/index.ts';
import { retryDelayMs } from '../../sdks/typescript/src/retries.ts';

interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

type Reply = (response: ServerResponse) => void;

let received: Received[];
let replies: Reply[];
let server: ReturnType<typeof createServer>;
let baseUrl: string;

beforeEach(async () => {
  received = [];
  replies = [];
  server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    received.push({ method, path: url, headers, body: await text(request) });
    (replies.shift() ?? json(500, {}))(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.close();
  server.closeAllConnections();
});

function json(status: number, body: object, headers: Record<string, string> = {}): Reply {
  return (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

const hangUp: Reply = (response) => response.destroy();

function charged(id: string) {
  return json(200, { data: { id, status: 'PENDING' }, success: true, error: null });
}

function page(ids: readonly string[], next: string | null) {
  const pagination = { hasMore: next !== null, next, before: null };
  return json(200, { data: ids.map((id) => ({ id })), success: true, error: null, pagination });
}

function client(options: { readonly timeoutMs?: number; readonly maxRetries?: number } = {}) {
  return new Recebe({ apiKey: 'abc_dev_key', baseUrl: `${baseUrl}/`, ...options });
}

const CHARGE = { method: 'PIX', data: { amount: 2_500 } } as const;

describe('a request', () => {
  it('sends the key and the body to the path of the operation', async () => {
    replies = [charged('pix_char_1')];
    expect(await client().transparents.create(CHARGE)).toMatchObject({ id: 'pix_char_1' });
    expect(received).toMatchObject([{ method: 'POST', path: '/v2/transparents/create' }]);
    expect(received[0]?.headers.authorization).toBe('Bearer abc_dev_key');
    expect(JSON.parse(received[0]?.body ?? '')).toEqual(CHARGE);
  });

  it('retries a lost answer and a 503 with the same Idempotency-Key', async () => {
    replies = [hangUp, json(503, { error: 'busy', code: 'TEMPORARILY_UNAVAILABLE' }), charged('pix_char_1')];
    expect(await client().transparents.create(CHARGE)).toMatchObject({ id: 'pix_char_1' });
    const keys = received.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('makes another Idempotency-Key for another call and sends the one it is given', async () => {
    replies = [charged('a'), charged('b'), charged('c')];
    const recebe = client();
    await recebe.transparents.create(CHARGE);
    await recebe.transparents.create(CHARGE);
    await recebe.transparents.create(CHARGE, { idempotencyKey: 'order-1' });
    const [one, other, own] = received.map(({ headers }) => headers['idempotency-key']);
    expect(one).not.toBe(other);
    expect(own).toBe('order-1');
  });

  it('waits for an attempt that is still running instead of failing', async () => {
    replies = [json(409, { error: 'running', code: 'IDEMPOTENCY_KEY_IN_FLIGHT' }), charged('pix_char_1')];
    expect(await client().transparents.create(CHARGE)).toMatchObject({ id: 'pix_char_1' });
  });

  it('fails once the retries are used up', async () => {
    replies = [hangUp, hangUp];
    await expect(client({ maxRetries: 1 }).transparents.create(CHARGE)).rejects.toThrow(ConnectionError);
    expect(received).toHaveLength(2);
  });

  it('gives up an attempt that gets no answer in time', async () => {
    replies = [() => {}];
    const charging = client({ timeoutMs: 50, maxRetries: 0 }).transparents.create(CHARGE);
    await expect(charging).rejects.toThrow(TimeoutError);
  });

  it('ends with the reason of its signal and is not retried', async () => {
    const controller = new AbortController();
    replies = [() => controller.abort(new Error('the customer left'))];
    const charging = client().transparents.create(CHARGE, { signal: controller.signal });
    await expect(charging).rejects.toThrow('the customer left');
    expect(received).toHaveLength(1);
  });

  it('follows no redirect, which would send the key elsewhere', async () => {
    replies = [json(302, {}, { location: `${baseUrl}/elsewhere` })];
    await expect(client().transparents.create(CHARGE)).rejects.toMatchObject({
      status: 302,
      code: 'UNKNOWN',
    });
    expect(received).toHaveLength(1);
  });

  it('names what is wrong in a typed error without a retry', async () => {
    const issues = [{ path: 'data.amount', message: 'must be an integer', rule: 'WRONG_TYPE' }];
    const failure = {
      data: null,
      success: false,
      error: 'data.amount: must be',
      code: 'VALIDATION_ERROR',
      issues,
    };
    replies = [json(400, failure, { 'x-request-id': 'req_1' })];
    const error = await client()
      .transparents.create(CHARGE)
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 400, code: 'VALIDATION_ERROR', issues, requestId: 'req_1' });
    expect(received).toHaveLength(1);
  });

  it('reports an answer that is not from Recebe with its status', async () => {
    replies = [(response) => response.writeHead(404).end('<html>nginx</html>')];
    const getting = client().transparents.get({ id: 'pix_char_1' });
    await expect(getting).rejects.toMatchObject({ status: 404, code: 'UNKNOWN', message: /nginx/ });
  });

  it.each([
    [{ apiKey: '', baseUrl: 'http://localhost:3000' }, 'apiKey is missing'],
    [{ apiKey: 'abc_dev_key', baseUrl: 'pay.example.com' }, 'baseUrl must be the address'],
  ])('refuses the settings %j', (options, message) => {
    expect(() => new Recebe(options)).toThrow(message);
  });
});

describe('retryDelayMs', () => {
  const refused = (status: number, retryAfter?: string) =>
    new ApiError(
      { status, headers: new Headers(retryAfter === undefined ? {} : { 'retry-after': retryAfter }) },
      {},
      '',
    );

  it('waits at least as long as Retry-After asks', () => {
    expect(retryDelayMs(refused(429, '20'), 1)).toBe(20_000);
    const inTenSeconds = new Date(Date.now() + 10_000).toUTCString();
    expect(retryDelayMs(refused(503, inTenSeconds), 1)).toBeGreaterThan(8_000);
  });

  it('leaves a longer wait to the caller', () => {
    expect(retryDelayMs(refused(429, '3600'), 1)).toBeNull();
  });

  it('doubles the wait up to eight seconds', () => {
    const delaysMs = [1, 2, 3, 10].map((attempt) => retryDelayMs(refused(500), attempt) ?? 0);
    const bounds = [500, 1_000, 2_000, 8_000];
    for (const [index, mostMs] of bounds.entries()) {
      expect(delaysMs[index]).toBeGreaterThanOrEqual(mostMs / 2);
      expect(delaysMs[index]).toBeLessThanOrEqual(mostMs);
    }
  });

  it.each([400, 401, 403, 404, 409, 422])('retries no %i', (status) => {
    expect(retryDelayMs(refused(status), 1)).toBeNull();
  });
});

describe('a list', () => {
  it('returns one page when it is awaited', async () => {
    replies = [page(['a', 'b'], 'cursor')];
    const { data, pagination } = await client().transparents.list({ limit: 2 });
    expect(data.map(({ id }) => id)).toEqual(['a', 'b']);
    expect(pagination.next).toBe('cursor');
    expect(received.map(({ path }) => path)).toEqual(['/v2/transparents/list?limit=2']);
  });

  it('reads every page when it is iterated over, each when it is needed', async () => {
    replies = [page(['a', 'b'], 'next page'), page(['c'], null)];
    const ids: string[] = [];
    for await (const { id } of client().transparents.list({ metadata: { orderId: 'A 1' } })) {
      ids.push(id);
      if (id === 'b') expect(received).toHaveLength(1);
    }
    expect(ids).toEqual(['a', 'b', 'c']);
    const metadata = 'metadata%5BorderId%5D=A+1';
    expect(received.map(({ path }) => path)).toEqual([
      `/v2/transparents/list?${metadata}`,
      `/v2/transparents/list?${metadata}&after=next+page`,
    ]);
  });

  it('sends nothing before it is used', () => {
    client().transparents.list();
    expect(received).toEqual([]);
  });

  it('throws the error of its request', async () => {
    replies = [json(403, { error: 'no', code: 'PERMISSION_DENIED' })];
    await expect(client().payouts.list()).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
  });
});

describe('startCheckout', () => {
  it('creates the checkout of a product', async () => {
    replies = [charged('bill_1')];
    await startCheckout(client(), { product: 'prod_1', methods: ['PIX', 'BOLETO'], customerId: 'cust_1' });
    expect(received.map(({ path, body }) => [path, JSON.parse(body)])).toEqual([
      [
        '/v2/checkouts/create',
        { items: [{ id: 'prod_1', quantity: 1 }], customerId: 'cust_1', methods: ['PIX', 'BOLETO'] },
      ],
    ]);
  });

  it('starts a subscription, with methods that can pay one, if the product has a cycle', async () => {
    const refusal = { error: 'has a cycle', code: 'VALIDATION_ERROR', rule: 'PRODUCT_HAS_CYCLE' };
    replies = [json(422, refusal), charged('bill_1')];
    await startCheckout(client(), { product: 'plan', quantity: 2, methods: ['PIX', 'BOLETO'] });
    expect(received.map(({ path }) => path)).toEqual(['/v2/checkouts/create', '/v2/subscriptions/create']);
    expect(JSON.parse(received[1]?.body ?? '')).toEqual({
      items: [{ id: 'plan', quantity: 2 }],
      methods: ['PIX'],
    });
  });

  it('throws any other refusal', async () => {
    replies = [json(422, { error: 'unknown', code: 'VALIDATION_ERROR', rule: 'UNKNOWN_PRODUCT' })];
    await expect(startCheckout(client(), { product: 'prod_1' })).rejects.toThrow('unknown');
    expect(received).toHaveLength(1);
  });
});
