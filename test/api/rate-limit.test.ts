import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { loadConfig } from '../../src/config.ts';
import { RateLimiter } from '../../src/http/rate-limiter.ts';
import type { ApiAnswer, ApiClient } from '../support/api/api-client.ts';
import {
  createTestApp,
  createTestStore,
  type KeyOptions,
  TEST_CONFIG,
  type TestApp,
} from '../support/api/app.ts';

const START = new Date('2026-12-02T15:00:00.000Z');

let app: TestApp;
let now: Date;
/** Of a store of its own for each test. */
let api: ApiClient;
/** With another key of the same store. */
let clientOf: (given?: KeyOptions) => Promise<ApiClient>;
beforeAll(async () => {
  const config = { ...TEST_CONFIG, rateLimit: { perSecond: 2, burst: 4 } };
  app = await createTestApp({ config, clock: () => now });
});
beforeEach(async () => {
  now = START;
  api = await newStore();
});
afterAll(() => app.close());

async function newStore(): Promise<ApiClient> {
  const { id: storeId } = await createTestStore(app.database);
  clientOf = (given) => app.clientWith({ storeId, ...given });
  return clientOf();
}

const wait = (ms: number) => {
  now = new Date(now.getTime() + ms);
};

function limitOf({ status, headers }: ApiAnswer) {
  const [limit, remaining, reset, retryAfter] = [
    'RateLimit-Limit',
    'RateLimit-Remaining',
    'RateLimit-Reset',
    'Retry-After',
  ].map((name) => headers.get(name));
  return { status, limit, remaining, reset, retryAfter };
}

async function statuses(count: number, client = api): Promise<number[]> {
  const answers: number[] = [];
  for (let index = 0; index < count; index++) answers.push((await client.get('/v2/customers/list')).status);
  return answers;
}

describe('rate limit of a store', () => {
  it('shows in headers of every answer what is left and when the burst is full', async () => {
    expect(limitOf(await api.get('/v2/customers/list'))).toEqual({
      status: 200,
      limit: '4',
      remaining: '3',
      reset: '1',
      retryAfter: null,
    });
    expect(limitOf(await api.post('/v2/customers/create', { wrong: true }))).toMatchObject({
      status: 400,
      remaining: '2',
    });
    expect(limitOf(await api.get('/v2/customers/get?id=cust_none'))).toMatchObject({
      status: 404,
      remaining: '1',
    });
    expect(limitOf(await api.get('/v1/public-mrr/mrr'))).toMatchObject({ remaining: '0', reset: '2' });
  });

  it('returns 429 with Retry-After once the burst is used up', async () => {
    expect(await statuses(4)).toEqual([200, 200, 200, 200]);
    const refused = await api.post('/v2/customers/create', { email: 'ana@example.com' });
    expect(limitOf(refused)).toEqual({
      status: 429,
      limit: '4',
      remaining: '0',
      reset: '2',
      retryAfter: '1',
    });
    expect(refused.json).toMatchObject({ success: false, code: 'TOO_MANY_REQUESTS' });
    wait(1_000);
    expect((await api.get('/v2/customers/list?email=ana@example.com')).json.data).toEqual([]);
  });

  it('admits the configured rate to a client that keeps retrying', async () => {
    await statuses(4);
    for (let second = 0; second < 5; second++) {
      wait(1_000);
      expect(await statuses(4)).toEqual([200, 200, 429, 429]);
    }
    wait(60_000);
    expect(await statuses(5)).toEqual([200, 200, 200, 200, 429]);
  });

  it('shares one limit among 25 keys of a store', async () => {
    const keys = await Promise.all(Array.from({ length: 25 }, () => clientOf()));
    const answers = await Promise.all(keys.map((key) => key.get('/v2/customers/list')));
    const allowed = answers.filter(({ status }) => status === 200);
    expect([allowed.length, answers.length - allowed.length]).toEqual([4, 21]);
  });

  it.each([
    ['announced', new TextEncoder().encode('x'.repeat(70_000))],
    ['chunked', null],
  ])('refuses a large %s body of a used-up limit before it is parsed', async (_, sent) => {
    await statuses(3);
    const body = sent ?? new Blob(['x'.repeat(70_000)]).stream();
    const headers = { Authorization: `Bearer ${api.key}`, 'Content-Type': 'application/json' };
    const options = { method: 'POST', headers, body, duplex: 'half' };
    const { status } = await fetch(`${api.url}/v2/customers/create`, options as RequestInit);
    expect(status).toBe(429);
  });

  it('counts a large body as one request per 64 KiB', async () => {
    const large = await api.post('/v2/customers/create', { name: 'x'.repeat(10 * 65_536) });
    expect([large.status, large.headers.get('RateLimit-Remaining')]).toEqual([400, '0']);
    wait(3_900);
    expect(await statuses(1)).toEqual([429]);
    wait(200);
    expect(await statuses(1)).toEqual([200]);
  });

  it('counts a body of many values as one request per thousand', async () => {
    const many = await api.post('/v2/customers/create', { metadata: Array(10_000).fill(1) });
    expect([many.status, many.headers.get('RateLimit-Remaining')]).toEqual([400, '0']);
    wait(3_900);
    expect(await statuses(1)).toEqual([429]);
    wait(200);
    expect(await statuses(1)).toEqual([200]);
  });

  it('refuses a body of many values that comes with a public key', async () => {
    const browser = await clientOf({ isPublic: true });
    const many = await browser.post('/v2/card-tokens/create', { card: Array(2_000).fill(1) });
    expect(many.status).toBe(400);
    expect(many.json.error).toMatch(/^body: has \d+ values; with a public key it may have 1000$/);
  });

  it('counts each store and environment separately, and nothing without a key', async () => {
    await statuses(5);
    const prod = await clientOf({ devMode: false });
    expect(await statuses(5, prod)).toEqual([200, 200, 200, 200, 429]);
    expect(await statuses(1, await newStore())).toEqual([200]);
    const unknown = await api.get('/v2/customers/list', { key: null });
    expect(limitOf(unknown)).toMatchObject({ status: 401, limit: null });
  });
});

describe('RateLimiter', () => {
  it('evicts only the least recently seen owner', () => {
    const limiter = new RateLimiter({ perSecond: 1, burst: 2 });
    const take = (key: string) => limiter.take(key, START.getTime()).headers['RateLimit-Remaining'];
    expect([take('key_first'), take('key_second'), take('key_first')]).toEqual(['1', '1', '0']);
    for (let index = 0; index < 9_999; index++) take(`key_${index}`);
    expect(take('key_first')).toBe('0');
    expect(take('key_second')).toBe('1');
  });

  it.each([
    [50, 1, 50],
    [200, 1, 100],
    [300, 1, 78],
    [1_000, 1, 10],
    [1_000, 5, 10],
    [1_000, 50, 10],
  ])(
    'allows %i requests a second, %i at once, %i if refusals cost a tenth',
    (perSecond, atOnce, allowedPerSecond) => {
      const limiter = new RateLimiter({ perSecond: 100, burst: 200 }, 0.1);
      const allowedIn = (seconds: number, fromMs: number) =>
        Array.from({ length: perSecond * seconds }, (_, index) =>
          limiter.take('store_1', fromMs + (Math.floor(index / atOnce) * atOnce * 1_000) / perSecond),
        ).filter(({ isAllowed }) => isAllowed).length;
      const burstSeconds = 10;
      allowedIn(burstSeconds, START.getTime());
      const seconds = 20;
      const allowed = allowedIn(seconds, START.getTime() + burstSeconds * 1_000) / seconds;
      expect(allowed).toBeGreaterThanOrEqual(allowedPerSecond - 1);
      expect(allowed).toBeLessThanOrEqual(allowedPerSecond + 1);
    },
  );

  it('keeps the remaining requests when the clock is set back', () => {
    const limiter = new RateLimiter({ perSecond: 1, burst: 2 });
    const take = (at: Date) => limiter.take('store_1', at.getTime()).isAllowed;
    const earlier = new Date(START.getTime() - 3_600_000);
    expect([take(START), take(earlier), take(earlier)]).toEqual([true, true, false]);
    expect(take(new Date(earlier.getTime() + 1_000))).toBe(true);
  });
});

describe('rate limit settings', () => {
  const settings = (env: Record<string, string>) =>
    loadConfig({ DATABASE_URL: 'postgres://unused', ...env }).rateLimit;

  it('defaults to 100 requests a second and 200 at once, and reads 0 as no limit', () => {
    expect(settings({})).toEqual({ perSecond: 100, burst: 200 });
    expect(settings({ RATE_LIMIT_PER_SECOND: '5', RATE_LIMIT_BURST: '7' })).toEqual({
      perSecond: 5,
      burst: 7,
    });
    expect(settings({ RATE_LIMIT_PER_SECOND: '0' })).toBeNull();
    expect(() => settings({ RATE_LIMIT_BURST: '0' })).toThrow('RATE_LIMIT_BURST');
  });
});
