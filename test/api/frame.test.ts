import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ServiceError } from '@temporalio/client';
import { requestLevel } from '../../src/api/frame/request-log.ts';
import { openDatabase } from '../../src/database/orm.ts';
import { createTestApp, type TestApp } from '../support/api/app.ts';
import { insertDelivery, insertWebhook, webhookBody } from '../support/rows/build.ts';

let app: TestApp;
/** The error with which the handler of the resend fails. */
let failure: Error = new Error('unset');

beforeAll(async () => {
  app = await createTestApp({ resendDelivery: () => Promise.reject(failure) });
});
afterAll(() => app.close());

async function resend() {
  const webhook = await insertWebhook(app.database, { storeId: app.storeId });
  const { id } = await insertDelivery(app.database, webhook);
  return app.api.post('/webhooks/resend', { id });
}

describe('a connection', () => {
  it('keeps connections open for 75 seconds, longer than load balancers do', async () => {
    const answer = await app.api.get('/webhooks/list');
    expect(answer.headers.get('Keep-Alive')).toBe('timeout=75');
  });
});

describe('a request id', () => {
  it("creates a new id per request, and returns and logs the client's id too", async () => {
    const headers = { 'X-Request-Id': 'order-1042/retry:2' };
    const [answer, again] = [
      await app.api.get('/webhooks/list', { headers }),
      await app.api.get('/webhooks/list', { headers }),
    ];
    const requestId = answer.headers.get('X-Request-Id');
    expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
    expect(again.headers.get('X-Request-Id')).not.toBe(requestId);
    expect(answer.headers.get('X-Client-Request-Id')).toBe('order-1042/retry:2');
    expect(app.logged).toContainEqual(
      expect.objectContaining({
        requestId,
        clientRequestId: 'order-1042/retry:2',
        method: 'GET',
        route: '/webhooks/list',
        status: 200,
        storeId: app.storeId,
      }),
    );
  });

  it.each([
    ['is missing', {}],
    ['is too long', { 'X-Request-Id': 'x'.repeat(129) }],
    ['holds spaces', { 'X-Request-Id': 'a b' }],
    ['is not ASCII', { 'X-Request-Id': 'é' }],
    ['is a tax id', { 'X-Request-Id': '529.982.247-25' }],
    ['is a card number', { 'X-Request-Id': '4242424242424242' }],
    ['is a mail address', { 'X-Request-Id': 'ana@example.com' }],
    ['is markup', { 'X-Request-Id': '<script>alert(1)</script>' }],
    ['is JSON', { 'X-Request-Id': '{"level":60}' }],
  ])("sets a request id on errors and drops the client's id if it %s", async (_, headers) => {
    const answer = await app.api.get('/nowhere', { headers: headers as Record<string, string> });
    const requestId = answer.headers.get('X-Request-Id');
    expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
    expect(answer.headers.has('X-Client-Request-Id')).toBe(false);
    const lines = app.logged.filter((line) => line.requestId === requestId);
    expect(lines).toHaveLength(1);
    expect(lines[0]).not.toHaveProperty('clientRequestId');
  });
});

describe('the line of a request', () => {
  it.each([
    ['info', 'that was answered', '/transparents/create', 200, 12],
    ['warn', 'that was refused', '/transparents/create', 422, 12],
    ['warn', 'that somebody waited for', '/transparents/create', 200, 1_200],
    ['debug', 'that machines make all the time', '/healthz', 200, 1],
    ['warn', 'that machines make all the time, and that fails', '/readyz', 503, 1],
    ['info', 'for what there is not, as anybody may make it', undefined, 404, 1],
  ] as const)('logs at level %s a request %s', (level, _, route, status, durationMs) => {
    expect(requestLevel(route, status, durationMs)).toBe(level);
  });
});

describe('an answer', () => {
  it.each([
    '/v2/webhooks/list',
    '/v1/webhooks/list',
    '/v2/webhooks/get?id=none',
    '/nowhere',
    '/healthz',
    '/pay/none',
    '/receipt/none',
  ])('sends no-store and nosniff for %s', async (path) => {
    const { headers } = await app.api.get(path);
    expect([headers.get('Cache-Control'), headers.get('X-Content-Type-Options')]).toEqual([
      'no-store',
      'nosniff',
    ]);
  });

  it('allows caches to keep public responses', async () => {
    const { headers } = await app.api.get('/openapi.json', { key: null });
    expect([headers.get('Cache-Control'), headers.get('X-Content-Type-Options')]).toEqual([
      'public, max-age=300',
      'nosniff',
    ]);
  });
});

describe('an id of another kind', () => {
  it.each([
    [
      '/checkouts/get?id=pix_char_1',
      'an id that begins with pix_char_ is that of a charge, see /payments/get',
    ],
    [
      '/customers/get?id=subs_1',
      'an id that begins with subs_ is that of a subscription, see /subscriptions/get',
    ],
    [
      '/webhooks/get?id=log_1',
      'an id that begins with log_ is that of a delivery, see /webhooks/deliveries/get',
    ],
  ])('names the endpoint for the id in the 404 of %s', async (path, hint) => {
    const { status, json } = await app.api.get(path);
    expect([status, json.error]).toEqual([404, expect.stringContaining(hint)]);
  });

  it('names no other endpoint if the id is of the right kind', async () => {
    expect((await app.api.get('/checkouts/get?id=bill_1')).json.error).toMatch(/ not found$/);
  });
});

describe('a path', () => {
  it('returns 404 in the envelope for an unknown path', async () => {
    const answer = await app.api.get('/v2/nowhere');
    expect(answer).toMatchObject({
      status: 404,
      json: { data: null, success: false, code: 'ROUTE_NOT_FOUND' },
    });
  });

  it.each([
    ['DELETE', '/v2/webhooks/list', 'GET'],
    ['GET', '/webhooks/create', 'POST'],
    ['PUT', '/webhooks/create', 'POST'],
    ['POST', '/healthz', 'GET'],
  ])('returns 405 with the allowed methods for %s %s', async (method, path, allowed) => {
    const answer = await app.api.call(path, { method });
    expect(answer).toMatchObject({ status: 405, json: { success: false, code: 'METHOD_NOT_ALLOWED' } });
    expect(answer.headers.get('Allow')?.split(', ')).toContain(allowed);
  });
});

describe('a failure of ours', () => {
  it('hides the cause of a 500 in the response and logs it', async () => {
    failure = new Error('select secret from webhooks at 10.0.0.7');
    const answer = await resend();
    expect(answer).toMatchObject({ status: 500, json: { success: false, code: 'INTERNAL_ERROR' } });
    expect(answer.text).not.toContain('select');
    expect(JSON.stringify(app.logged)).toContain('select secret from webhooks at 10.0.0.7');
  });

  it('shows neither secrets nor rows in the log, though the database repeats them', async () => {
    await app.database.em.fork().execute("alter table webhooks add check (name <> 'refuse me')");
    const body = webhookBody({ name: 'refuse me', secret: 'secret\nof two lines' });
    expect(await app.api.post('/webhooks/create', body)).toMatchObject({ status: 500 });
    const log = JSON.stringify(app.logged);
    expect(log).toContain('violates check constraint');
    expect(log).not.toContain('of two lines');
  });

  it('returns 503 with Retry-After if Temporal is out of reach', async () => {
    failure = new ServiceError('connection refused');
    const answer = await resend();
    expect(answer).toMatchObject({ status: 503, json: { code: 'TEMPORARILY_UNAVAILABLE' } });
    expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0);
  });
});

describe('probes', () => {
  it('answers the liveness probe without a key', async () => {
    expect(await app.api.get('/healthz', { key: null })).toMatchObject({
      status: 200,
      json: { status: 'ok' },
    });
  });

  it('reports degraded but ready while Temporal is down', async () => {
    const answer = await app.api.get('/readyz', { key: null });
    expect([answer.status, answer.json]).toEqual([
      200,
      { status: 'degraded', postgres: 'ok', temporal: 'unreachable' },
    ]);
  });

  it('reports unavailable while Postgres is down', async () => {
    const nowhere = await openDatabase('postgres://nobody@127.0.0.1:9/none', 1);
    const other = await createTestApp({ database: nowhere });
    try {
      const answer = await other.api.get('/readyz', { key: null });
      expect(answer).toMatchObject({ status: 503, json: { status: 'unavailable', postgres: 'unreachable' } });
    } finally {
      await other.close();
      await nowhere.close(true);
    }
  });
});
