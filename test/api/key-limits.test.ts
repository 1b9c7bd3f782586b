import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { changesSomething, type Route } from '../../src/api/frame/route.ts';
import { servedPaths } from '../../src/api/frame/route-paths.ts';
import { hashOfKey } from '../../src/api/keys/caller.ts';
import { API_ROUTES } from '../../src/app.ts';
import { limitServingKey } from '../../src/cli/keys.ts';
import { ApiKeyEntity } from '../../src/database/entities/api-key.ts';
import { AuditLineEntity } from '../../src/database/entities/audit-line.ts';
import { READING_PERMISSIONS } from '../../src/domain/permission.ts';
import type { ApiClient } from '../support/api/api-client.ts';
import { createTestApp, TEST_CONFIG, type TestApp } from '../support/api/app.ts';

const START = new Date('2026-12-02T15:00:00.000Z');
const HOUR_MS = 3_600_000;

/** Behind a proxy, so that a test can come from any address. */
let app: TestApp;
/** The same database, reached directly. */
let direct: TestApp;
let now: Date;
beforeAll(async () => {
  const clock = () => now;
  app = await createTestApp({ clock, config: { ...TEST_CONFIG, trustedProxies: ['127.0.0.1'] } });
  direct = await createTestApp({ clock }, { database: app.database });
});
beforeEach(() => {
  now = START;
});
afterAll(async () => {
  await direct.close();
  await app.close();
});

const at = (ms: number) => {
  now = new Date(START.getTime() + ms);
};
const list = (api: ApiClient, from?: string) =>
  api.get('/v2/customers/list', { headers: from === undefined ? {} : { 'X-Forwarded-For': from } });
const keyOf = ({ key }: ApiClient) =>
  app.database.em.fork().findOneOrFail(ApiKeyEntity, { hash: hashOfKey(key) });
const refusals = async (api: ApiClient) => {
  const { id } = await keyOf(api);
  return app.database.em.fork().find(AuditLineEntity, { action: 'keys/refused', subjectId: id });
};
const limit = async (api: ApiClient, limits: Parameters<typeof limitServingKey>[2]) => {
  const { id } = await keyOf(api);
  return app.database.em.fork().transactional((em) => limitServingKey(em, id, limits, now));
};

/** Every way in which a route is called. */
function callsOf(route: Route) {
  const methods = [route.method, ...(route.alias === undefined ? [] : [route.alias])];
  return servedPaths(route).flatMap((path) => methods.map((method) => ({ method, path })));
}

describe('a read-only key', () => {
  it('refuses every changing route for a read-only key', async () => {
    const api = await app.clientWith({ readOnly: true });
    // A route for public keys takes no other key.
    const calls = API_ROUTES.filter((route) => changesSomething(route) && !route.publicKey).flatMap(callsOf);
    expect(calls.length).toBeGreaterThan(80);
    for (const { method, path } of calls) {
      const { status, json } = await api.call(path, { method });
      expect([method, path, status, json.code]).toEqual([method, path, 403, 'READ_ONLY_KEY']);
    }
  });

  it('reads everything that a key with every permission reads', async () => {
    const api = await app.clientWith({ readOnly: true });
    const calls = API_ROUTES.filter((route) => !changesSomething(route)).flatMap(callsOf);
    expect(calls.length).toBeGreaterThan(50);
    for (const { method, path } of calls) {
      const [mine, full] = [await api.call(path, { method }), await app.api.call(path, { method })];
      expect([path, mine.status, mine.json]).toEqual([path, full.status, full.json]);
      // What the routes ask for besides the key: an id, which a query without one lacks.
      expect([path, [200, 400].includes(mine.status)]).toEqual([path, true]);
    }
  });

  it('gives a read-only key reading permissions only, and explains a refused change', async () => {
    const api = await app.clientWith({ readOnly: true });
    expect((await keyOf(api)).permissions).toEqual(READING_PERMISSIONS);
    const charge = { method: 'PIX', data: { amount: 1_000 } };
    const { status, json } = await api.post('/v2/transparents/create', charge);
    expect([status, json.error]).toEqual([
      403,
      'This API key is read-only, and /transparents/create changes something; use a key that is not read-only',
    ]);
    expect((await api.get('/v2/transparents/list')).json.data).toEqual([]);
    // The spec lets this permission create charges, and a key that is not read-only still may.
    const reading = await app.clientWith({ permissions: ['CHECKOUT:READ'] });
    expect((await reading.post('/v2/transparents/create', charge)).status).toBe(200);
  });

  it('limits a read-only key to the permissions that it was given', async () => {
    const api = await app.clientWith({ readOnly: true, permissions: ['WEBHOOK:READ', 'WEBHOOK:CREATE'] });
    expect((await api.get('/v2/webhooks/list')).status).toBe(200);
    expect((await list(api)).json.code).toBe('PERMISSION_DENIED');
  });
});

describe('a key that expires', () => {
  it('refuses a key from its expiry on and returns that instant', async () => {
    const api = await app.clientWith({ expiresAt: new Date(START.getTime() + HOUR_MS) });
    at(HOUR_MS - 1);
    expect((await list(api)).status).toBe(200);
    at(HOUR_MS);
    const refused = await list(api);
    expect([refused.status, refused.json.code]).toEqual([401, 'KEY_EXPIRED']);
    expect(refused.json.error).toContain('2026-12-02T16:00:00.000Z');
    expect(refused.headers.get('WWW-Authenticate')).toBe('Bearer');
  });

  it('refuses a key whose expiry was moved into the past and never restores it', async () => {
    const api = await app.clientWith({ expiresAt: new Date(START.getTime() + 24 * HOUR_MS) });
    await limit(api, { expiresAt: new Date(START.getTime() + 1) });
    expect((await list(api)).status).toBe(200);
    at(1);
    expect((await list(api)).status).toBe(401);
    await expect(limit(api, { expiresAt: null })).rejects.toThrow('has expired');
    expect((await list(api)).status).toBe(401);
  });

  it('expires a key by real time even if the clock of its store was moved', async () => {
    const api = await app.clientWith({ expiresAt: new Date(START.getTime() + HOUR_MS) });
    expect((await api.post('/v2/dev/clock/advance', { by: 'P1D' })).status).toBe(200);
    expect((await list(api)).status).toBe(200);
  });
});

describe('a key with allowed networks', () => {
  const allowedNetworks = ['192.0.2.0/24', '2001:db8:1::/48'];

  it.each([
    ['192.0.2.7', 200],
    ['::ffff:192.0.2.7', 200],
    ['2001:db8:1:2::3', 200],
    ['192.0.3.1', 403],
    ['2001:db8:2::1', 403],
    ['192.0.2.7, 198.51.100.9', 403],
    ['unknown', 403],
  ])('answers a request from %s with status %d', async (from, status) => {
    const api = await app.clientWith({ allowedNetworks });
    const answer = await list(api, from);
    expect(answer.status).toBe(status);
    if (status !== 200) expect(answer.json.code).toBe('ADDRESS_NOT_ALLOWED');
  });

  it('names in the refusal the address that the service sees', async () => {
    const api = await app.clientWith({ allowedNetworks });
    expect((await list(api, '198.51.100.9')).json.error).toBe(
      'The API key may not be used from 198.51.100.9',
    );
  });

  it('ignores a forwarded address from an untrusted sender', async () => {
    const elsewhere = await direct.clientWith({ allowedNetworks });
    expect((await list(elsewhere, '192.0.2.7')).json.code).toBe('ADDRESS_NOT_ALLOWED');
    const here = await direct.clientWith({ allowedNetworks: ['127.0.0.0/8'] });
    expect((await list(here, '192.0.2.7')).status).toBe(200);
  });

  it('applies changed networks from the next request on', async () => {
    const api = await app.clientWith({ allowedNetworks });
    await limit(api, { allowedNetworks: ['198.51.100.9'] });
    expect((await list(api, '192.0.2.7')).status).toBe(403);
    expect((await list(api, '198.51.100.9')).status).toBe(200);
    await limit(api, { allowedNetworks: null });
    expect((await list(api, '203.0.113.1')).status).toBe(200);
  });

  it('records one audit line an hour for refusals of a key, even parallel ones', async () => {
    const api = await app.clientWith({ allowedNetworks });
    const tries = () => Promise.all(Array.from({ length: 8 }, () => list(api, '198.51.100.9')));
    await tries();
    await tries();
    expect(await refusals(api)).toMatchObject([{ actorKind: 'API_KEY', address: '198.51.100.x' }]);
    expect(await keyOf(api)).toMatchObject({
      refusedAt: START,
      refusedFrom: '198.51.100.x',
      lastUsedAt: null,
    });
    at(HOUR_MS - 1);
    await tries();
    expect(await refusals(api)).toHaveLength(1);
    at(HOUR_MS);
    await tries();
    expect(await refusals(api)).toHaveLength(2);
  });

  it('logs each refusal with the id of the key', async () => {
    const api = await app.clientWith({ allowedNetworks });
    await list(api, '198.51.100.9');
    const { id } = await keyOf(api);
    expect(app.logged).toContainEqual(expect.objectContaining({ code: 'ADDRESS_NOT_ALLOWED', keyId: id }));
  });
});
