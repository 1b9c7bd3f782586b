import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { hashOfKey } from '../../src/api/keys/caller.ts';
import type { ApiClient } from '../support/api/api-client.ts';
import { createTestApp, createTestStore, TEST_CONFIG, type TestApp } from '../support/api/app.ts';
import { countQueries } from '../support/rows/counted-queries.ts';
import { eventually } from '../support/waiting/eventually.ts';

const BURST = 4;

let app: TestApp;
let now = new Date('2026-12-02T15:00:00.000Z');
let queries: () => number;
/** Two keys of a store of its own for each test. */
let api: ApiClient;
let other: ApiClient;
beforeAll(async () => {
  const config = {
    ...TEST_CONFIG,
    rateLimit: { perSecond: 2, burst: BURST },
    limitAnonymousTraffic: true,
    trustedProxies: ['127.0.0.0/8'],
  };
  app = await createTestApp({ config, clock: () => now });
  queries = await countQueries(app.database);
});
beforeEach(async () => {
  now = new Date(now.getTime() + 3_600_000);
  const { id: storeId } = await createTestStore(app.database);
  api = await app.clientWith({ storeId });
  other = await app.clientWith({ storeId });
});
afterAll(() => app.close());

const list = (client: ApiClient) => client.get('/v2/customers/list');
const randomKey = () => `abc_dev_${randomBytes(32).toString('base64url')}`;

async function statusesOf(count: number, ask: () => Promise<{ status: number }>): Promise<number[]> {
  const answers = await Promise.all(Array.from({ length: count }, ask));
  return answers.map(({ status }) => status);
}

/** Both keys have been used, and what is written behind the first use of a key has been. */
async function useBothKeys(): Promise<void> {
  for (const client of [api, other]) {
    await list(client);
    await eventually(async () => expect(await lastUseOf(client)).not.toBeNull());
  }
}

async function lastUseOf({ key }: ApiClient): Promise<Date | null> {
  const [row] = await app.database.em
    .fork()
    .execute<{ used: Date | null }[]>('select last_used_at as used from api_keys where hash = ?', [
      hashOfKey(key),
    ]);
  return row?.used ?? null;
}

describe('a store over its limit', () => {
  it('refuses a store over its limit without a query, for each of its keys', async () => {
    await useBothKeys();
    await statusesOf(BURST, () => list(api));
    const before = queries();
    expect(new Set(await statusesOf(20, () => list(api)))).toEqual(new Set([429]));
    expect(new Set(await statusesOf(20, () => list(other)))).toEqual(new Set([429]));
    expect(queries()).toBe(before);
  });

  it('answers with the same headers and body as other refusals', async () => {
    await useBothKeys();
    await statusesOf(BURST, () => list(api));
    const answer = await api.get('/v2/customers/list', { headers: { 'X-Request-Id': 'order-1042' } });
    expect(answer.status).toBe(429);
    expect(answer.json).toMatchObject({ data: null, success: false, code: 'TOO_MANY_REQUESTS' });
    expect(answer.headers.get('Content-Type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(answer.headers.get('Cache-Control')).toBe('no-store');
    expect(answer.headers.get('X-Client-Request-Id')).toBe('order-1042');
    expect(answer.headers.get('X-Request-Id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0);
  });

  /** Lines of refusals that were written since. The middleware adds `durationMs` to its own. */
  const refusalsSince = (before: number) => app.logged.slice(before).filter(({ status }) => status === 429);

  it.each(['/transparents/create', '/V2/transparents/create', '/transparents/made-up'])(
    'refuses before the middleware at %s',
    async (path) => {
      await useBothKeys();
      await statusesOf(BURST - 2, () => list(api));
      const [before, lines] = [queries(), app.logged.length];
      const answer = await api.post(path, {}, { headers: { 'X-Request-Id': 'order-1042' } });
      expect([answer.status, answer.json]).toEqual([
        429,
        {
          data: null,
          success: false,
          error: 'Too many requests of this store; see Retry-After',
          code: 'TOO_MANY_REQUESTS',
        },
      ]);
      expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0);
      expect(answer.headers.get('RateLimit-Remaining')).toBe('0');
      expect(answer.headers.get('X-Client-Request-Id')).toBe('order-1042');
      expect(answer.headers.get('Deprecation')).toBeNull();
      expect(refusalsSince(lines)).toEqual([expect.not.objectContaining({ durationMs: expect.anything() })]);
      expect(queries()).toBe(before);
    },
  );

  it.each(['/v1/customer/create', '/V1/customer/create'])(
    "refuses before the middleware in v1's envelope at %s",
    async (path) => {
      await useBothKeys();
      const { headers: usual } = await api.get('/v1/public-mrr/mrr');
      await statusesOf(BURST - 3, () => list(api));
      const lines = app.logged.length;
      const answer = await api.post(path);
      const error = 'Too many requests of this store; see Retry-After';
      expect(answer.status).toBe(429);
      expect(answer.json).toEqual({ data: null, error, message: error, code: 'TOO_MANY_REQUESTS' });
      for (const name of ['Deprecation', 'Sunset', 'Cache-Control', 'X-Content-Type-Options'])
        expect([name, answer.headers.get(name)]).toEqual([name, usual.get(name) ?? 'missing']);
      expect(answer.headers.get('Content-Type')).toBe('application/json; charset=utf-8');
      expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0);
      expect(refusalsSince(lines)).toEqual([expect.not.objectContaining({ durationMs: expect.anything() })]);
    },
  );

  it('serves pages, documentation and probes to a key over its limit', async () => {
    await useBothKeys();
    await statusesOf(BURST, () => list(api));
    expect((await list(api)).status).toBe(429);
    for (const path of ['/docs', '/healthz', '/openapi.json', '/dashboard/sign-in'])
      expect([path, (await api.get(path)).status]).toEqual([path, 200]);
  });

  it('allows only the burst from many requests at once', async () => {
    await useBothKeys();
    now = new Date(now.getTime() + 10_000);
    const allowed = (await statusesOf(50, () => list(api))).filter((status) => status === 200);
    expect(allowed).toHaveLength(BURST);
  });

  it('logs one line a second that counts the other refusals', async () => {
    await useBothKeys();
    await statusesOf(2, () => list(api));
    const before = app.logged.length;
    for (let time = 0; time < 10; time += 1) await list(api);
    now = new Date(now.getTime() + 1_000);
    await statusesOf(2, () => list(api));
    await list(api);
    const refused = app.logged.slice(before).filter(({ status }) => status === 429);
    expect(refused).toMatchObject([
      { msg: 'request', level: 40, code: 'TOO_MANY_REQUESTS', storeId: expect.any(String), alsoRefused: 0 },
      { alsoRefused: 9 },
    ]);
  });
});

describe('a key that is revoked or expired', () => {
  it("refuses a revoked key at once and uses nothing of the store's limit", async () => {
    await useBothKeys();
    now = new Date(now.getTime() + 10_000);
    await app.database.em
      .fork()
      .execute('update api_keys set revoked_at = ? where hash = ?', [now, hashOfKey(api.key)]);
    const refused = await list(api);
    expect([refused.status, refused.headers.get('RateLimit-Limit')]).toEqual([401, null]);
    expect(new Set(await statusesOf(10, () => list(api)))).toEqual(new Set([401]));
    expect((await list(other)).headers.get('RateLimit-Remaining')).toBe(String(BURST - 1));
  });

  it("refuses an expired key at once and uses nothing of the store's limit", async () => {
    await useBothKeys();
    now = new Date(now.getTime() + 10_000);
    await app.database.em
      .fork()
      .execute('update api_keys set expires_at = ? where hash = ?', [now, hashOfKey(api.key)]);
    for (let time = 0; time < 6; time += 1)
      expect(await list(api)).toMatchObject({ status: 401, json: { code: 'KEY_EXPIRED' } });
    expect((await list(other)).headers.get('RateLimit-Remaining')).toBe(String(BURST - 1));
  });
});

describe('a wrong key', () => {
  let address = 0;
  const from = () => ({ 'X-Forwarded-For': `203.0.113.${address}` });
  beforeEach(() => {
    address += 1;
  });
  const askWith = (key: string, headers: Record<string, string> = from()) =>
    api.get('/v2/customers/list', { key, headers });

  it('looks a wrong key up once and refuses its address after 60 attempts', async () => {
    const key = randomKey();
    expect((await askWith(key)).status).toBe(401);
    const lookedUp = queries();
    expect((await askWith(key)).status).toBe(401);
    // The remaining query counts the address.
    expect(queries()).toBe(lookedUp + 1);
    await statusesOf(59, () => askWith(key));
    const before = queries();
    expect(new Set(await statusesOf(20, () => askWith(key)))).toEqual(new Set([429]));
    expect(queries()).toBe(before);
  });

  it('skips lookups for an address that guesses too fast, but accepts right keys', async () => {
    await list(api);
    await statusesOf(130, () => askWith(randomKey()));
    const before = queries();
    const refused = await askWith(randomKey());
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '1']);
    expect(queries()).toBe(before);
    expect((await api.get('/v2/customers/list', { headers: from() })).status).toBe(200);
    now = new Date(now.getTime() + 1_000);
    expect((await other.get('/v2/customers/list', { headers: from() })).status).toBe(200);
  });

  it('skips lookups for an IPv6 site that guesses too fast, but accepts right keys', async () => {
    await list(api);
    const ask = (host: number, key = randomKey()) =>
      askWith(key, { 'X-Forwarded-For': `2001:db8:32:${host.toString(16)}::1` });
    for (let round = 0; round < 22; round += 1)
      await Promise.all(Array.from({ length: 50 }, (_, host) => ask(round * 50 + host)));
    const before = queries();
    expect((await ask(2_000)).status).toBe(429);
    expect(queries()).toBe(before);
    expect((await ask(2_001, api.key)).status).toBe(200);
  });

  it('accepts a valid key that was idle while its address guesses too fast', async () => {
    await list(api);
    await list(other);
    now = new Date(now.getTime() + 61_000);
    await statusesOf(300, () => askWith(randomKey()));
    expect((await askWith(randomKey())).status).toBe(429);
    expect((await askWith(api.key)).status).toBe(200);
    now = new Date(now.getTime() + 23 * 3_600_000);
    await statusesOf(300, () => askWith(randomKey()));
    expect((await askWith(other.key)).status).toBe(200);
  });

  it('looks an idle key up again and counts it once it was revoked', async () => {
    await list(api);
    now = new Date(now.getTime() + 61_000);
    await app.database.em
      .fork()
      .execute('update api_keys set revoked_at = ? where hash = ?', [now, hashOfKey(api.key)]);
    const refused = await askWith(api.key);
    expect([refused.status, refused.headers.get('RateLimit-Limit')]).toEqual([401, null]);
    now = new Date(now.getTime() + 61_000);
    await statusesOf(300, () => askWith(randomKey()));
    const before = queries();
    expect((await askWith(api.key)).status).toBe(429);
    expect(queries()).toBe(before);
  });

  it('does not use up lookups with right keys', async () => {
    const keys: ApiClient[] = [];
    for (let made = 0; made < 110; made += 1) {
      const { id: storeId } = await createTestStore(app.database);
      keys.push(await app.clientWith({ storeId }));
    }
    const answers = await Promise.all(
      keys.slice(0, 90).map((key) => key.get('/v2/customers/list', { headers: from() })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const more = await Promise.all(
      keys.slice(90).map((key) => key.get('/v2/customers/list', { headers: from() })),
    );
    expect(new Set(more.map(({ status }) => status))).toEqual(new Set([200]));
  });
});

// Last, because the clock moves to v1's end.
describe('v1 after its end', () => {
  beforeEach(() => {
    now = new Date(Date.UTC(2028, 2, 2, 3));
  });

  it('returns 410, also to a store over its limit', async () => {
    await useBothKeys();
    await statusesOf(BURST, () => list(api));
    expect((await list(api)).status).toBe(429);
    expect((await api.post('/v1/customer/create')).status).toBe(410);
  });

  it('counts requests with any key for their address', async () => {
    const headers = { 'X-Forwarded-For': '198.51.100.90', Authorization: `Bearer ${randomKey()}` };
    const ask = () => fetch(`${app.api.url}/v1/customer/list`, { headers });
    const statuses = await statusesOf(260, ask);
    expect(statuses.filter((status) => status === 410)).toHaveLength(200);
    expect(statuses.filter((status) => status === 429)).toHaveLength(60);
  });
});
