import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { StrangerTurns } from '../../src/api/limits/stranger-turns.ts';
import { ClientAddresses } from '../../src/http/client-address.ts';
import type { DeviceReserve } from '../../src/http/device-reserve.ts';
import { RecentMap } from '../../src/http/recent-map.ts';
import { VisitLimits } from '../../src/http/visits.ts';
import { createTestApp, createTestStore, TEST_CONFIG, type TestApp } from '../support/api/app.ts';
import { signedIn } from '../support/dashboard/dashboard-user.ts';

let app: TestApp;
beforeAll(async () => {
  const config = {
    ...TEST_CONFIG,
    rateLimit: { perSecond: 100, burst: 1_000 },
    limitAnonymousTraffic: true,
  };
  app = await createTestApp({ config });
});
afterEach(() => {
  jest.restoreAllMocks();
});
afterAll(() => app.close());

describe('a request with a key', () => {
  const withKey = (key: string) =>
    fetch(`${app.api.url}/v2/store/get`, { headers: { Authorization: `Bearer ${key}` } });

  it('takes a turn of strangers for a key that may be made up', async () => {
    const lookup = jest.spyOn(StrangerTurns.prototype, 'lookup');
    for (const key of ['a', 'b'].map((text) => `abc_dev_${text.repeat(43)}`))
      expect((await withKey(key)).status).toBe(401);
    expect(lookup.mock.calls.map(([, , wasFound]) => wasFound())).toEqual([false, false]);
  });

  it('takes none for a known key, whose first request owes nothing', async () => {
    const lookup = jest.spyOn(StrangerTurns.prototype, 'lookup');
    const { id: storeId } = await createTestStore(app.database);
    const api = await app.clientWith({ storeId });
    for (let times = 0; times < 3; times += 1) expect((await api.get('/v2/store/get')).status).toBe(200);
    expect(lookup.mock.calls.map(([, , wasFound]) => wasFound())).toEqual([true]);
  });
});

describe('a request with a session', () => {
  it('takes turns after ten outside of a store, and none within it', async () => {
    const { id: storeId } = await createTestStore(app.database);
    const email = 'turns@example.com';
    const member = await signedIn({ url: app.api.url, database: app.database }, storeId, 'owner', email);
    const person = jest.spyOn(StrangerTurns.prototype, 'person');
    for (let times = 0; times < 15; times += 1) await member.get(`/dashboard/${storeId}/dev/keys`);
    expect(person).not.toHaveBeenCalled();
    for (let times = 0; times < 15; times += 1) await member.get('/dashboard/stores');
    for (const path of [`/dashboard/${storeId}/dev/nothing`, '/dashboard/stores']) await member.get(path);
    expect(person.mock.calls.length).toBeGreaterThan(5);
  });
});

describe('the turn of a request', () => {
  const [SESSION, PERSON] = ['s'.repeat(43), 'user_1'];
  function clientOf(url: string, { cookie = '', device = null as string | null } = {}) {
    const sessions = new RecentMap<string, string | null>(1);
    const known = { sessions, notifications: new RecentMap<string, never>(1) };
    const devices = { clientOf: () => device } as unknown as DeviceReserve;
    const config = { limitAnonymousTraffic: true, rateLimit: { perSecond: 100, burst: 200 } };
    const limits = new VisitLimits(config, new ClientAddresses([]), known, devices);
    const socket = { remoteAddress: '198.51.100.1' };
    const asked = { url, method: 'GET', headers: { cookie }, socket } as unknown as IncomingMessage;
    if (cookie !== '') sessions.set(hash('sha256', SESSION, 'hex'), PERSON);
    return limits.clientOf(asked, 0);
  }

  it('takes that of its address, with one more for all its devices', () => {
    expect(clientOf('/dashboard/sign-in')?.turn).toEqual({ of: 'strangers', part: '198.51.100.1' });
    const parts = ['device 1', 'device 2'].map((device) => clientOf('/dashboard/sign-in', { device }));
    expect(parts.map((client) => client?.id)).toEqual(['device 1', 'device 2']);
    expect(new Set(parts.map((client) => client?.turn?.part)).size).toBe(1);
  });

  it.each(['/pay/bill_1', '/portal/x', '/docs'])(
    'takes that of a stranger, whatever its session: %s',
    (url) => {
      const cookie = `recebe_session=${SESSION}`;
      expect(clientOf(url, { cookie })?.turn).toMatchObject({ of: 'strangers' });
      expect(clientOf('/dashboard/store_1/dev', { cookie })).toMatchObject({ turn: null });
    },
  );
});
