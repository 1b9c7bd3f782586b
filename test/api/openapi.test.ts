import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { request } from 'undici';
import { documentedPath } from '../../src/api/frame/route-paths.ts';
import { API_ROUTES } from '../../src/app.ts';
import { CheckoutEntity } from '../../src/database/entities/checkout.ts';
import type { CheckoutStatus } from '../../src/domain/checkout.ts';
import type { CheckoutId } from '../../src/domain/ids.ts';
import type { ApiAnswer, ApiClient } from '../support/api/api-client.ts';
import { createTestApp, createTestStore, type TestApp } from '../support/api/app.ts';
import {
  expectDocumented,
  type OpenApi,
  operationsOf,
  readOpenApi,
  validator,
} from '../support/api/openapi.ts';
import { buildPixCharge, insertDelivery, insertWebhook, webhookBody } from '../support/rows/build.ts';
import {
  buildCoupon,
  buildCustomer,
  buildProduct,
  couponBody,
  productBody,
} from '../support/rows/catalog.ts';
import { buildCheckout, buildPaymentLink, checkoutBody } from '../support/rows/checkouts.ts';
import { credit } from '../support/rows/credit.ts';
import { insertSubscription } from '../support/rows/subscribed-rows.ts';

let app: TestApp;
let document: OpenApi;

beforeAll(async () => {
  app = await createTestApp();
  document = await readOpenApi(app.api);
});
afterAll(() => app.close());

/** Every list in a part of the document, by its name. `metadata` is left out, because its bytes are limited. */
function listsOf(part: unknown, name = ''): [string, Record<string, unknown>][] {
  if (typeof part !== 'object' || part === null || name === 'metadata' || name === 'example') return [];
  const own = resolved(part as Record<string, unknown>);
  const inside = Object.entries(own).flatMap(([key, value]) => listsOf(value, key));
  return own.type === 'array' ? [[name, own], ...inside] : inside;
}

function resolved(part: Record<string, unknown>): Record<string, unknown> {
  const name = /^#\/components\/schemas\/(.+)$/.exec(String(part.$ref))?.[1];
  return name === undefined ? part : (document.components.schemas[name] as Record<string, unknown>);
}

/** Every object in a part of the document. */
function partsOf(part: unknown): Record<string, unknown>[] {
  if (typeof part !== 'object' || part === null) return [];
  return [part as Record<string, unknown>, ...Object.values(part).flatMap(partsOf)];
}

describe('GET /openapi.json', () => {
  it('describes every route with its permission', () => {
    expect(document.openapi).toMatch(/^3\.1\./);
    expect(document.servers).toEqual([{ url: app.api.url }]);
    for (const route of API_ROUTES) {
      const path = documentedPath(route);
      const operation = document.paths[path]?.[route.method.toLowerCase()];
      const permissions = route.permission === null ? [] : [route.permission].flat();
      expect([path, operation?.['x-permission']]).toEqual([path, permissions]);
    }
    for (const path of ['/healthz', '/readyz', '/openapi.json'])
      expect(document.paths).toHaveProperty([path, 'get']);
  });

  it('describes only paths that are served, with and without /v2', async () => {
    for (const [method, path] of operationsOf(document)) {
      for (const served of [path, path.replace(/^\/v2/, '')]) {
        const answer = await app.api.call(served, { method: method.toUpperCase() });
        expect([served, answer.text.includes('"code":"ROUTE_NOT_FOUND"')]).toEqual([served, false]);
        expect([served, answer.status]).not.toEqual([served, 405]);
      }
    }
  });

  it('names the schema of every request after its operation', () => {
    for (const [, path, { operationId, requestBody }] of operationsOf(document)) {
      if (requestBody === undefined) continue;
      const name = `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Request`;
      const { schema } = requestBody.content?.['application/json'] ?? {};
      expect([path, schema]).toEqual([path, { $ref: `#/components/schemas/${name}` }]);
    }
  });

  it('contains no form that generators of clients cannot read', () => {
    const isAlone = ({ type }: Record<string, unknown>) => type === 'null';
    for (const part of partsOf({ paths: document.paths, schemas: document.components.schemas })) {
      // As one of several alternatives, null is well known.
      const fields = Object.values((part.properties ?? {}) as Record<string, Record<string, unknown>>);
      expect(fields.filter(isAlone)).toEqual([]);
      const { default: given = '' } = part;
      expect(typeof given !== 'object' || Array.isArray(given)).toBe(true);
      if (part.type === 'boolean') expect(part).not.toHaveProperty('const');
    }
  });

  it('keeps the payloads of events apart from the operations of a resource', () => {
    const operations = operationsOf(document).flatMap(([, , { tags }]) => tags);
    const payloads = Object.values(document.webhooks).flatMap(({ post }) => post.tags);
    expect(new Set(payloads)).toEqual(new Set(['event-payloads', 'v1-event-payloads']));
    expect(operations.filter((tag) => payloads.includes(tag))).toEqual([]);
  });

  it('gives each operation a unique name', () => {
    const names = operationsOf(document).map(([, , { operationId }]) => operationId);
    expect(new Set(names).size).toBe(names.length);
  });

  it('puts every operation and event into a section with a description', () => {
    const sent = Object.values(document.webhooks).map(({ post }) => post);
    const used = [...operationsOf(document).map(([, , operation]) => operation), ...sent].flatMap(
      ({ tags }) => tags,
    );
    expect(new Set(document.tags.map(({ name }) => name))).toEqual(new Set(used));
    for (const { description } of document.tags) expect(description).not.toBe('');
  });

  it('names every object in answers and events, without recursive schemas', () => {
    for (const [, path, { responses }] of operationsOf(document)) {
      for (const { content } of Object.values(responses))
        expect([path, inlineFields(content?.['application/json']?.schema)]).toEqual([path, []]);
    }
    for (const [name, { post }] of Object.entries(document.webhooks))
      expect([name, post.requestBody?.content?.['application/json'].schema]).toEqual([
        name,
        { $ref: expect.stringMatching(/Event$/) },
      ]);
    expect(Object.keys(document.components.schemas)).not.toContainEqual(expect.stringMatching(/^__/));
  });

  it('allows any origin to read the document and returns 304 while it is unchanged', async () => {
    const { headers } = await app.api.get('/openapi.json', { key: null });
    expect(headers.get('Access-Control-Allow-Origin')).toBe('*');
    // fetch() bypasses its cache when a caller sets If-None-Match.
    const again = await request(`${app.api.url}/openapi.json`, {
      headers: { 'If-None-Match': headers.get('ETag') ?? '' },
    });
    expect([again.statusCode, await again.body.text()]).toEqual([304, '']);
  });

  it('limits the length of every list in requests', () => {
    for (const [, path, { requestBody }] of operationsOf(document)) {
      for (const [name, list] of listsOf(requestBody)) {
        expect([path, name, typeof list.maxItems]).toEqual([path, name, 'number']);
      }
    }
  });

  it('offers Idempotency-Key on every POST but those of browsers', () => {
    for (const [method, path, { parameters = [] }] of operationsOf(document)) {
      const offered = parameters.some(
        (parameter) => parameter.in === 'header' && parameter.name === 'Idempotency-Key',
      );
      expect([path, offered]).toEqual([path, method === 'post' && path !== '/v2/card-tokens/create']);
    }
  });

  it('shows devMode on every object except references to objects', () => {
    const answers = operationsOf(document).flatMap(([, , { responses }]) => Object.values(responses));
    const sent = Object.values(document.webhooks).flatMap(({ post }) => post.requestBody ?? []);
    const objects = [...answers, ...sent].flatMap(({ content }) => {
      const media = content?.['application/json'];
      return objectsIn([media?.example, Object.values(media?.examples ?? {})]);
    });
    // The environment of a balance is also that of its accounts.
    const isNamed = (object: object) => isLine(object) || 'serves' in object;
    const identified = objects.filter((object) => 'id' in object && !isNamed(object));
    expect(identified.length).toBeGreaterThan(API_ROUTES.length);
    for (const object of identified) expect(object).toHaveProperty('devMode', expect.any(Boolean));
  });

  it('contains only examples that match their schemas', () => {
    let checked = 0;
    for (const [, , { requestBody, responses }] of operationsOf(document)) {
      for (const { content } of [requestBody ?? {}, ...Object.values(responses)]) {
        const media = content?.['application/json'];
        if (media === undefined) continue;
        const examples = Object.values(media.examples ?? {}).map(({ value }) => value);
        if (media.example !== undefined) examples.push(media.example);
        for (const example of examples) validator(document, media.schema).parse(example);
        checked += examples.length;
      }
    }
    expect(checked).toBeGreaterThan(API_ROUTES.length);
  });
});

interface Shape {
  readonly properties?: { readonly data?: Shape };
  readonly items?: Shape;
}

/** The fields of an answer's `data` that are described on the spot, where a name would do. */
function inlineFields(schema: Shape | undefined): string[] {
  const data = schema?.properties?.data;
  return Object.keys((data?.items ?? data)?.properties ?? {});
}

/** A line of what is sold names its product, and says how many. */
function isLine(object: object): boolean {
  return Object.keys(object).every((field) => ['id', 'externalId', 'quantity'].includes(field));
}

/** Every object at any depth. */
function objectsIn(value: unknown): object[] {
  if (Array.isArray(value)) return value.flatMap(objectsIn);
  if (value === null || typeof value !== 'object') return [];
  return [value, ...Object.values(value).flatMap(objectsIn)];
}

type Case = [method: string, path: string, call: () => Promise<ApiAnswer>, status: number];

/** Both kinds of checkout answer alike. */
function casesOfCheckouts(resource: 'checkouts' | 'payment-links'): Case[] {
  const build = resource === 'checkouts' ? buildCheckout : buildPaymentLink;
  const path = (operation: string) => `/v2/${resource}/${operation}`;
  const created = async (status: CheckoutStatus = 'PENDING') => {
    const { id } = await build(app.api);
    await app.database.em.fork().nativeUpdate(CheckoutEntity, { id: id as CheckoutId }, { status });
    return id;
  };
  const create = async (changes: Record<string, unknown> = {}) =>
    app.api.post(path('create'), await checkoutBody(app.api, changes));
  const cancel = (id: string) => app.api.post(path('cancel'), { id });
  return [
    ['POST', path('create'), () => create(), 200],
    ['POST', path('create'), () => create({ items: [] }), 400],
    ['POST', path('create'), () => create({ coupons: ['NONE'] }), 422],
    ['GET', path('get'), async () => app.api.get(`${path('get')}?id=${await created()}`), 200],
    ['GET', path('get'), () => app.api.get(`${path('get')}?id=bill_1`), 404],
    ['GET', path('list'), () => app.api.get(path('list')), 200],
    ['GET', path('list'), () => app.api.get(`${path('list')}?status=GONE`), 400],
    ['POST', path('cancel'), async () => cancel(await created('CANCELLED')), 200],
    ['POST', path('cancel'), () => cancel('bill_1'), 404],
    ['POST', path('cancel'), async () => cancel(await created('PAID')), 422],
    ['POST', path('cancel'), async () => cancel(await created()), 503],
  ];
}

/** Subscriptions, and the figures of a store. */
function casesOfSubscriptions(): Case[] {
  const path = (operation: string) => `/v2/subscriptions/${operation}`;
  const plan = () => buildProduct(app.api, { cycle: 'MONTHLY' });
  const create = async (changes: Record<string, unknown> = {}) =>
    app.api.post(path('create'), { items: [{ id: (await plan()).id, quantity: 1 }], ...changes });
  const some = (status: 'ACTIVE' | 'CANCELLED' = 'ACTIVE') =>
    insertSubscription({ database: app.database, storeId: app.storeId }, { status });
  const changePlan = async (id: string) =>
    app.api.post(path('change-plan'), { id, productId: (await plan()).id, quantity: 1 });
  const record = async (productId: string) =>
    app.api.post(path('record-usage'), { id: (await some()).id, productId, units: 2, action: 'add' });
  return [
    ['POST', path('create'), () => create(), 200],
    ['POST', path('create'), () => create({ items: [] }), 400],
    ['POST', path('create'), () => create({ items: [{ id: 'prod_1', quantity: 1 }] }), 422],
    ['GET', path('list'), () => app.api.get(path('list')), 200],
    ['GET', path('get'), async () => app.api.get(`${path('get')}?id=${(await some()).id}`), 200],
    ['GET', path('get'), async () => app.api.get(`${path('get')}?id=${(await some('CANCELLED')).id}`), 200],
    ['GET', path('get'), () => app.api.get(`${path('get')}?id=subs_1`), 404],
    ['POST', path('cancel'), () => app.api.post(path('cancel'), { id: 'subs_1' }), 404],
    ['POST', path('cancel'), async () => app.api.post(path('cancel'), { id: (await some()).id }), 503],
    ['POST', path('change-plan'), () => changePlan('subs_1'), 404],
    ['POST', path('change-plan'), async () => changePlan((await some()).id), 503],
    ['POST', path('record-usage'), async () => record((await buildProduct(app.api)).id), 200],
    ['POST', path('record-usage'), async () => record((await plan()).id), 422],
    ['GET', '/v2/public-mrr/mrr', () => app.api.get('/v2/public-mrr/mrr'), 200],
    ['GET', '/v2/public-mrr/merchant-info', () => app.api.get('/v2/public-mrr/merchant-info'), 200],
    ['GET', '/v2/public-mrr/revenue', () => app.api.get('/v2/public-mrr/revenue'), 200],
    ['GET', '/v2/public-mrr/revenue', () => app.api.get('/v2/public-mrr/revenue?endDate=x'), 400],
    ['GET', '/v2/public-mrr/revenue', () => app.api.get('/v2/public-mrr/revenue?startDate=2099-01-01'), 422],
  ];
}

/** Payouts and transfers, from a store that has just enough. */
function casesOfPayouts(): Case[] {
  const path = (operation: string) => `/v2/payouts/${operation}`;
  const rich = async (cents = 10_000) => {
    const { id: storeId } = await createTestStore(app.database);
    await credit(app.database, { storeId, devMode: true }, cents);
    return app.clientWith({ storeId });
  };
  const create = (api: ApiClient, externalId = 'week-47') =>
    api.post(path('create'), { amount: 350, externalId });
  const twice = async (externalId: string) => {
    const api = await rich();
    await create(api);
    return api.post(path('create'), { amount: 351, externalId });
  };
  const send = (api: ApiClient, key = 'ana@example.com') =>
    api.post('/v2/pix/send', { amount: 350, externalId: 'supplier-7', pix: { type: 'EMAIL', key } });
  const after = async (make: (api: ApiClient) => Promise<ApiAnswer>, read: string) => {
    const api = await rich();
    await make(api);
    return api.get(read);
  };
  return [
    ['POST', path('create'), async () => create(await rich()), 200],
    ['POST', path('create'), () => app.api.post(path('create'), { amount: 349, externalId: 'x' }), 400],
    ['POST', path('create'), () => twice('week-47'), 409],
    ['POST', path('create'), async () => create(await rich(349)), 422],
    ['POST', path('create'), () => twice('week-48'), 429],
    ['GET', path('get'), () => after(create, `${path('get')}?externalId=week-47`), 200],
    ['GET', path('get'), () => app.api.get(path('get')), 400],
    ['GET', path('get'), () => app.api.get(`${path('get')}?externalId=none`), 404],
    ['GET', path('list'), () => after(create, path('list')), 200],
    ['POST', '/v2/pix/send', async () => send(await rich()), 200],
    ['POST', '/v2/pix/send', async () => send(await rich(), 'ana'), 422],
    ['GET', '/v2/pix/get', () => after(send, '/v2/pix/get?externalId=supplier-7'), 200],
    ['GET', '/v2/pix/get', () => app.api.get('/v2/pix/get?id=tran_1'), 404],
    ['GET', '/v2/pix/list', () => after(send, '/v2/pix/list'), 200],
  ];
}

describe('real answers', () => {
  const cases: Case[] = [
    ['POST', '/v2/webhooks/create', () => app.api.post('/v2/webhooks/create', webhookBody()), 200],
    ['POST', '/v2/webhooks/create', () => app.api.post('/v2/webhooks/create', {}), 400],
    ['POST', '/v2/webhooks/create', () => app.api.post('/v2/webhooks/create', {}, { key: null }), 401],
    [
      'POST',
      '/v2/webhooks/create',
      () => app.api.post('/v2/webhooks/create', webhookBody({ endpoint: 'x' })),
      422,
    ],
    ['GET', '/v2/webhooks/list', () => app.api.get('/v2/webhooks/list'), 200],
    ['GET', '/v2/webhooks/list', () => app.api.get('/v2/webhooks/list?after=x'), 400],
    [
      'GET',
      '/v2/webhooks/get',
      async () => app.api.get(`/v2/webhooks/get?id=${(await someWebhook()).id}`),
      200,
    ],
    ['GET', '/v2/webhooks/get', () => app.api.get('/v2/webhooks/get?id=webh_1'), 404],
    [
      'POST',
      '/v2/webhooks/delete',
      async () => app.api.post('/v2/webhooks/delete', { id: (await someWebhook()).id }),
      200,
    ],
    ['POST', '/v2/webhooks/delete', () => app.api.post('/v2/webhooks/delete', { id: 'webh_1' }), 404],
    [
      'GET',
      '/v2/webhooks/deliveries',
      async () => app.api.get(`/v2/webhooks/deliveries?webhookId=${(await someDelivery()).webhookId}`),
      200,
    ],
    [
      'POST',
      '/v2/webhooks/resend',
      async () => app.api.post('/v2/webhooks/resend', { id: (await someDelivery()).id }),
      200,
    ],
    [
      'POST',
      '/v2/customers/create',
      () => app.api.post('/v2/customers/create', { email: 'ana@example.com' }),
      200,
    ],
    ['POST', '/v2/customers/create', () => app.api.post('/v2/customers/create', { data: {} }), 400],
    [
      'POST',
      '/v2/customers/create',
      () => app.api.post('/v2/customers/create', { email: 'ana@example.com', taxId: '1' }),
      422,
    ],
    [
      'GET',
      '/v2/customers/get',
      async () => app.api.get(`/v2/customers/get?id=${(await buildCustomer(app.api)).id}`),
      200,
    ],
    ['GET', '/v2/customers/list', () => app.api.get('/v2/customers/list'), 200],
    [
      'POST',
      '/v2/customers/delete',
      async () => app.api.post(`/v2/customers/delete?id=${(await buildCustomer(app.api)).id}`),
      200,
    ],
    ['POST', '/v2/products/create', () => app.api.post('/v2/products/create', productBody()), 200],
    [
      'POST',
      '/v2/products/create',
      async () => {
        const { externalId } = await buildProduct(app.api);
        return app.api.post('/v2/products/create', productBody({ externalId }));
      },
      409,
    ],
    [
      'POST',
      '/v2/products/create',
      () => app.api.post('/v2/products/create', productBody({ trialDays: 1 })),
      422,
    ],
    [
      'GET',
      '/v2/products/get',
      async () => app.api.get(`/v2/products/get?externalId=${(await buildProduct(app.api)).externalId}`),
      200,
    ],
    ['GET', '/v2/products/get', () => app.api.get('/v2/products/get'), 400],
    ['GET', '/v2/products/list', () => app.api.get('/v2/products/list'), 200],
    [
      'POST',
      '/v2/products/delete',
      async () => app.api.post(`/v2/products/delete?id=${(await buildProduct(app.api)).id}`),
      200,
    ],
    ['POST', '/v2/coupons/create', () => app.api.post('/v2/coupons/create', couponBody()), 200],
    [
      'POST',
      '/v2/coupons/create',
      async () => {
        const { code } = await buildCoupon(app.api);
        return app.api.post('/v2/coupons/create', couponBody({ code }));
      },
      409,
    ],
    [
      'GET',
      '/v2/coupons/get',
      async () => app.api.get(`/v2/coupons/get?id=${(await buildCoupon(app.api)).id}`),
      200,
    ],
    ['GET', '/v2/coupons/list', () => app.api.get('/v2/coupons/list'), 200],
    [
      'POST',
      '/v2/coupons/toggle',
      async () => app.api.post(`/v2/coupons/toggle?id=${(await buildCoupon(app.api)).id}`),
      200,
    ],
    ['POST', '/v2/coupons/toggle', () => app.api.post('/v2/coupons/toggle?id=none'), 404],
    [
      'POST',
      '/v2/coupons/delete',
      async () => app.api.post(`/v2/coupons/delete?id=${(await buildCoupon(app.api)).id}`),
      200,
    ],
    ['GET', '/v2/payments/list', () => app.api.get('/v2/payments/list'), 200],
    ['GET', '/v2/payments/list', () => app.api.get('/v2/payments/list?paidFrom=x'), 400],
    [
      'GET',
      '/v2/payments/get',
      async () => app.api.get(`/v2/payments/get?id=${(await buildPixCharge(app.api)).id}`),
      200,
    ],
    ['GET', '/v2/payments/get', () => app.api.get('/v2/payments/get?id=card_1'), 404],
    ['GET', '/v2/balance/movements', () => app.api.get('/v2/balance/movements'), 200],
    ['GET', '/v2/balance/movements', () => app.api.get('/v2/balance/movements?kind=GIFT'), 400],
    ...(['checkouts', 'payment-links'] as const).flatMap(casesOfCheckouts),
    ...casesOfSubscriptions(),
    ...casesOfPayouts(),
    [
      'POST',
      '/v2/checkouts/simulate-payment',
      async () => {
        const { id } = await buildCheckout(app.api);
        await app.database.em
          .fork()
          .nativeUpdate(CheckoutEntity, { id: id as CheckoutId }, { status: 'PAID' });
        return app.api.post('/v2/checkouts/simulate-payment', { id });
      },
      200,
    ],
    [
      'POST',
      '/v2/checkouts/simulate-payment',
      () => app.api.post('/v2/checkouts/simulate-payment', { id: 'bill_1' }),
      404,
    ],
    [
      'POST',
      '/v2/checkouts/simulate-payment',
      async () => {
        const { id } = await buildCheckout(app.api);
        const card = { number: '5555555555554444' };
        return app.api.post('/v2/checkouts/simulate-payment', { id, card });
      },
      422,
    ],
    [
      'POST',
      '/v2/checkouts/simulate-payment',
      async () => {
        const production = await app.clientWith({ devMode: false });
        return production.post('/v2/checkouts/simulate-payment', { id: 'bill_1' });
      },
      403,
    ],
    [
      'POST',
      '/v2/checkouts/simulate-payment',
      async () => {
        const { id } = await buildCheckout(app.api);
        return app.api.post('/v2/checkouts/simulate-payment', { id, method: 'CARD' });
      },
      503,
    ],
    ['GET', '/healthz', () => app.api.get('/healthz'), 200],
    ['GET', '/readyz', () => app.api.get('/readyz'), 200],
    ['GET', '/openapi.json', () => app.api.get('/openapi.json'), 200],
  ];

  it.each(cases)('matches the real answer of %s %s, case %#', async (method, path, call, status) => {
    const answer = await call();
    expect(answer.status).toBe(status);
    expectDocumented(document, method, path, answer);
  });

  it('refuses a real answer with an undocumented field', async () => {
    const answer = await app.api.get('/v2/webhooks/list');
    const text = answer.text.replace('"success":true', '"success":true,"secret":"x"');
    expect(() => expectDocumented(document, 'GET', '/v2/webhooks/list', { ...answer, text })).toThrow();
  });
});

const someWebhook = () => insertWebhook(app.database, { storeId: app.storeId });
const someDelivery = async () => insertDelivery(app.database, await someWebhook());
