import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestApp, type TestApp } from '../support/app.ts';

const SUNSET = 'Wed, 01 Mar 2028 00:00:00 GMT';

let app: TestApp;
let now = new Date('2026-12-04T15:00:00.000Z');
beforeAll(async () => {
  app = await createTestApp({ clock: () => now });
});
afterAll(() => app.close());

describe('API v1', () => {
  it.each(['mrr', 'merchant-info', 'revenue'])('serves public-mrr/%s in its own envelope', async (path) => {
    const [v1, v2] = await Promise.all([
      app.api.get(`/v1/public-mrr/${path}`),
      app.api.get(`/v2/public-mrr/${path}`),
    ]);
    expect([v1.status, v1.json]).toEqual([200, { data: v2.json.data, error: null }]);
  });

  it('tells on every answer that it is deprecated and when it ends, and v2 does not', async () => {
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

  it('fails with an error and no data', async () => {
    const { status, json } = await app.api.get('/v1/public-mrr/revenue?startDate=soon');
    expect(status).toBe(400);
    expect(json).toEqual({ data: null, error: expect.stringContaining('startDate') });
  });

  it('does not have what is only in v2', async () => {
    expect(await app.api.get('/v1/subscriptions/list')).toMatchObject({
      status: 404,
      json: { data: null, error: 'There is nothing at this path' },
    });
  });

  it('is gone from its last moment on, and not a millisecond before', async () => {
    now = new Date('2028-02-29T23:59:59.999Z');
    expect((await app.api.get('/v1/public-mrr/mrr')).status).toBe(200);
    now = new Date('2028-03-01T00:00:00.000Z');
    expect(await app.api.get('/v1/public-mrr/mrr')).toMatchObject({
      status: 410,
      json: { data: null, error: expect.stringContaining('/v2') },
    });
    expect((await app.api.get('/v2/public-mrr/mrr')).status).toBe(200);
  });
});
