import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { documentedPath } from '../../src/api/frame/route-paths.ts';
import { isV1Path } from '../../src/api/v1/envelope.ts';
import { API_ROUTES } from '../../src/app.ts';
import { PERMISSIONS, type Permission } from '../../src/domain/permission.ts';
import { createTestApp, type TestApp } from '../support/api/app.ts';

/** Midnight in São Paulo after 1 March 2028. */
const END = new Date('2028-03-02T03:00:00.000Z');
const SUNSET = 'Thu, 02 Mar 2028 03:00:00 GMT';

let app: TestApp;
let now = new Date('2026-12-04T15:00:00.000Z');
beforeAll(async () => {
  app = await createTestApp({ clock: () => now });
});
beforeEach(() => {
  now = new Date('2026-12-04T15:00:00.000Z');
});
afterAll(() => app.close());

/** Every operation of v1, as `[method, path, permission]`. */
const OPERATIONS = API_ROUTES.flatMap((route) => {
  const permissions = route.permission === null ? [] : [route.permission].flat();
  const operation: [string, string, readonly Permission[]] = [
    route.method,
    documentedPath(route),
    permissions,
  ];
  return isV1Path(route.path) ? [operation] : [];
});

/** What published clients of v1 read of a failure: `error`, `message` or `code`. */
function failure(text: string, code: string) {
  const error = expect.stringContaining(text);
  return { data: null, error, message: error, code };
}

describe('API v1', () => {
  it.each(['mrr', 'merchant-info', 'revenue'])('serves public-mrr/%s in the envelope of v1', async (path) => {
    const [v1, v2] = await Promise.all([
      app.api.get(`/v1/public-mrr/${path}`),
      app.api.get(`/v2/public-mrr/${path}`),
    ]);
    expect([v1.status, v1.json]).toEqual([200, { data: v2.json.data, error: null }]);
  });

  it('sends Deprecation and Sunset with every answer of v1 and with none of v2', async () => {
    const [good, bad, v2] = await Promise.all([
      app.api.get('/v1/public-mrr/mrr'),
      app.api.get('/v1/public-mrr/mrr', { key: null }),
      app.api.get('/v2/public-mrr/mrr'),
    ]);
    for (const { headers } of [good, bad]) {
      expect([headers.get('Deprecation'), headers.get('Sunset')]).toEqual(['@1776643200', SUNSET]);
    }
    expect(v2.headers.get('Sunset')).toBeNull();
  });

  it('returns failures of v1 with an error and no data', async () => {
    const { status, json } = await app.api.get('/v1/public-mrr/revenue?startDate=soon');
    expect(status).toBe(400);
    expect(json).toEqual(failure('startDate', 'VALIDATION_ERROR'));
  });

  it('returns 404 for a path that only v2 serves', async () => {
    expect(await app.api.get('/v1/subscriptions/list')).toMatchObject({
      status: 404,
      json: { data: null, error: 'There is nothing at this path; did you mean /v2/subscriptions/list?' },
    });
  });

  it('serves every operation of the contract with its permission', () => {
    const served = OPERATIONS.map(([method, path, permissions]) => [`${method} ${path}`, permissions.join()]);
    expect(Object.fromEntries(served)).toEqual({
      'POST /v1/customer/create': 'CUSTOMER:CREATE',
      'GET /v1/customer/list': 'CUSTOMER:READ',
      'POST /v1/coupon/create': 'COUPON:CREATE',
      'GET /v1/coupon/list': 'COUPON:READ',
      'POST /v1/billing/create': 'CHECKOUT:CREATE',
      'GET /v1/billing/list': 'CHECKOUT:READ',
      'POST /v1/pixQrCode/create': 'CHECKOUT:CREATE',
      'GET /v1/pixQrCode/check': 'CHECKOUT:READ',
      'POST /v1/pixQrCode/simulate-payment': 'CHECKOUT:READ',
      'POST /v1/withdraw/create': 'WITHDRAW:CREATE',
      'GET /v1/withdraw/get': 'WITHDRAW:READ',
      'GET /v1/withdraw/list': 'WITHDRAW:READ',
      'GET /v1/store/get': 'STORE:READ',
      'GET /v1/public-mrr/mrr': '',
      'GET /v1/public-mrr/merchant-info': 'STORE:READ',
      'GET /v1/public-mrr/revenue': 'STORE:READ',
      'POST /v1/webhooks/create': 'WEBHOOK:CREATE',
    });
  });

  it.each(OPERATIONS)(
    'refuses %s %s without a key or without its permission',
    async (method, path, accepted) => {
      expect(await app.api.call(path, { method, key: null })).toMatchObject({
        status: 401,
        json: { data: null, error: expect.stringMatching(/^Authorization: /) },
      });
      const permissions = PERMISSIONS.filter((permission) => !accepted.includes(permission));
      const { status, json } = await (await app.clientWith({ permissions })).call(path, { method });
      if (accepted.length === 0) return expect(status).toBe(200);
      expect([status, json]).toEqual([403, failure(accepted.join(), 'PERMISSION_DENIED')]);
    },
  );

  it.each(['customer', 'coupon', 'billing', 'pixQrCode', 'withdraw'])(
    'serves /%s/create under /v1 only',
    async (resource) => {
      for (const path of [`/v2/${resource}/create`, `/${resource}/create`]) {
        expect([path, (await app.api.post(path)).status]).toEqual([path, 404]);
      }
    },
  );

  it('serves /V1 in capitals like /v1, including its envelope and its end', async () => {
    const answer = await app.api.get('/V1/public-mrr/mrr');
    expect([Object.keys(answer.json), answer.headers.get('Sunset')]).toEqual([['data', 'error'], SUNSET]);
    now = END;
    expect((await app.api.get('/V1/public-mrr/mrr')).status).toBe(410);
  });

  it.each(OPERATIONS)(
    'returns 410 for %s %s after 1 March 2028, with and without a key',
    async (method, path) => {
      now = END;
      for (const key of [app.api.key, null]) {
        const { status, json, headers } = await app.api.call(path, { method, key });
        expect([status, json]).toEqual([410, failure('1 March 2028', 'GONE')]);
        expect([headers.get('Deprecation'), headers.get('Sunset')]).toEqual(['@1776643200', SUNSET]);
      }
    },
  );

  it('serves v1 until the last millisecond of 1 March 2028 in São Paulo', async () => {
    now = new Date(END.getTime() - 1);
    const lastDay = { timeZone: 'America/Sao_Paulo', dateStyle: 'short', timeStyle: 'medium' } as const;
    expect(new Intl.DateTimeFormat('pt-BR', lastDay).format(now)).toBe('01/03/2028, 23:59:59');
    expect((await app.api.get('/v1/public-mrr/mrr')).status).toBe(200);
    now = END;
    expect(await app.api.get('/v1/public-mrr/mrr')).toMatchObject({
      status: 410,
      json: { data: null, error: expect.stringContaining('/v2') },
    });
    expect((await app.api.get('/v2/public-mrr/mrr')).status).toBe(200);
  });
});
