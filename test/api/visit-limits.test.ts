import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestOptions, request, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createKey } from '../../src/api/keys/api-keys.ts';
import { inTurns } from '../../src/api/limits/early-refusal.ts';
import { StrangerTurns } from '../../src/api/limits/stranger-turns.ts';
import { WaitingRequests } from '../../src/api/limits/waiting-requests.ts';
import { UserEntity } from '../../src/database/entities/user.ts';
import type { StoreId, UserId } from '../../src/domain/ids.ts';
import type { Role } from '../../src/domain/role.ts';
import type { VisitLimits } from '../../src/http/visits.ts';
import { DEVICE_SECONDS, newDevice } from '../../src/identity/device.ts';
import { beginSession } from '../../src/identity/sessions.ts';
import { withCostCounted } from '../../src/request-cost.ts';
import { noteBegunPayment } from '../../src/request-turn.ts';
import { BusyEnvironments } from '../../src/temporal/busy-environments.ts';
import { createTestApp, createTestStore, TEST_CONFIG, type TestApp } from '../support/api/app.ts';
import {
  DashboardUser,
  givePassword,
  hiddenFields,
  PASSWORD,
  signedIn,
} from '../support/dashboard/dashboard-user.ts';
import { countQueries } from '../support/rows/counted-queries.ts';
import { eventually } from '../support/waiting/eventually.ts';

let now = new Date();
let app: TestApp;
let queries: () => number;
beforeAll(async () => {
  const config = {
    ...TEST_CONFIG,
    rateLimit: { perSecond: 100, burst: 200 },
    limitAnonymousTraffic: true,
    trustedProxies: ['127.0.0.0/8'],
  };
  const busy = new BusyEnvironments(() => now.getTime());
  app = await createTestApp({ config, clock: () => now, busy });
  queries = await countQueries(app.database);
});
beforeEach(() => {
  now = new Date(now.getTime() + 10_000);
});
afterAll(() => app.close());

const visit = (path: string, from: string, headers: Record<string, string> = {}) =>
  fetch(app.api.url + path, { redirect: 'manual', headers: { 'X-Forwarded-For': from, ...headers } });
const statusesOf = async (times: number, ask: () => Promise<{ status: number }>) => {
  const statuses = (await Promise.all(Array.from({ length: times }, ask))).map(({ status }) => status);
  return { passed: statuses.filter((status) => status !== 429).length, statuses };
};

/** Over a connection of its own, which the server may close. */
const send = (path: string, options: RequestOptions) =>
  new Promise<{ status: number }>((resolve, reject) => {
    const sent = request(app.api.url + path, { ...options, agent: false }, (answer) => {
      answer.resume().once('close', () => resolve({ status: answer.statusCode ?? 0 }));
    });
    sent.once('error', reject).end();
  });

describe('requests without a key', () => {
  it.each([
    '/dashboard/sign-in',
    '/openapi.json',
    '/v2/transparent/creat',
    '/portal/cpl_x',
    '/notifications/acct_x/guessed',
  ])('allows 200 of 260 requests of an address at once: %s', async (path) => {
    const { passed, statuses } = await statusesOf(260, () => visit(path, '198.51.100.1'));
    expect([passed, statuses.includes(429)]).toEqual([200, true]);
    expect((await visit(path, '198.51.100.2')).status).not.toBe(429);
    expect(
      (await app.api.get('/v2/customers/list', { headers: { 'X-Forwarded-For': '198.51.100.1' } })).status,
    ).toBe(200);
  });

  it.each([
    '/docs/search?q=pix',
    '/DOCS/Search?q=pix',
    'http://recebe.example/docs/search?q=pix',
    '/docs\\search?q=pix#',
  ])('counts a search as five requests: %s', async (path) => {
    const [from, host] = ['198.51.100.3', { Host: 'recebe.example' }];
    const { hostname, port } = new URL(app.api.url);
    const search = () =>
      new Promise<{ status: number }>((resolve, reject) => {
        const options = { hostname, port, path, headers: { ...host, 'X-Forwarded-For': from } };
        const sent = request(
          options,
          (answer) => void answer.resume().once('close', () => resolve({ status: answer.statusCode ?? 0 })),
        );
        sent.once('error', reject).end();
      });
    expect((await statusesOf(60, search)).passed).toBe(40);
  });

  it('shows people a page in their language, and programs JSON, without a query', async () => {
    await statusesOf(200, () => visit('/openapi.json', '198.51.100.4'));
    const before = queries();
    const page = await visit('/portal/cpl_x', '198.51.100.4', {
      Accept: 'text/html',
      'Accept-Language': 'es-AR',
    });
    expect([page.status, page.headers.get('content-type')]).toEqual([429, 'text/html; charset=utf-8']);
    expect(await page.text()).toContain('<html lang="es">');
    const json = await visit('/v2/transparents/check', '198.51.100.4');
    expect(await json.json()).toMatchObject({ success: false, code: 'TOO_MANY_REQUESTS' });
    expect(Number(json.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(queries()).toBe(before);
    expect((await visit('/healthz', '198.51.100.4')).status).toBe(200);
  });

  it('sends a refused address the style and the mark of its page', async () => {
    const from = '198.51.100.40';
    const accept = { Accept: 'text/html' };
    await statusesOf(260, () => visit('/openapi.json', from));
    const page = await visit('/docs', from, accept);
    const files = [...(await page.text()).matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)];
    expect([page.status, files.length]).toEqual([429, expect.any(Number)]);
    const statuses = await Promise.all(files.map(async ([, path = '']) => (await visit(path, from)).status));
    expect(new Set(statuses)).toEqual(new Set([200]));
    const { passed } = await statusesOf(200, () => visit('/assets/none.css', from));
    expect(passed).toBeLessThanOrEqual(110);
  });

  it('gives an IPv6 site ten times the limit of an address', async () => {
    let host = 0;
    const ask = () => visit('/healthz-not', `2001:db8:31:${(host++).toString(16)}::1`);
    let passed = 0;
    for (let part = 0; part < 10; part++) passed += (await statusesOf(205, ask)).passed;
    expect(passed).toBe(2_000);
  });

  it('answers every probe of an address, before any middleware', async () => {
    const { passed } = await statusesOf(260, () => visit('/healthz', '198.51.100.8'));
    expect(passed).toBe(260);
    const { headers } = await visit('/readyz', '198.51.100.8');
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    // The middleware adds it to every answer.
    expect(headers.get('vary')).toBeNull();
  });

  it('asks Postgres and Temporal once for many probes', async () => {
    await visit('/readyz', '198.51.100.5');
    const before = queries();
    await statusesOf(50, () => visit('/readyz', '198.51.100.5'));
    expect(queries() - before).toBeLessThan(10);
  });

  it('sends a compressed document that equals the plain one', async () => {
    const plain = await visit('/openapi.json', '198.51.100.6', { 'Accept-Encoding': 'identity' });
    const zipped = await visit('/openapi.json', '198.51.100.6', { 'Accept-Encoding': 'gzip' });
    expect(zipped.headers.get('content-encoding')).toBe('gzip');
    expect(zipped.headers.get('etag')).toBe(plain.headers.get('etag'));
    expect(await zipped.text()).toBe(await plain.text());
  });

  it.each(['br', 'deflate'])('does not compress the document again for %s', async (encoding) => {
    const { headers } = await visit('/openapi.json', '198.51.100.7', { 'Accept-Encoding': encoding });
    expect([headers.get('content-encoding'), headers.get('vary')]).toEqual([null, 'Accept-Encoding']);
  });
});

describe('a browser in which its owner has signed in', () => {
  const SIGN_IN = '/dashboard/sign-in';
  const email = 'owner-of-a-device@example.com';
  let device: string;
  beforeEach(async () => {
    await signedIn({ url: app.api.url, database: app.database }, app.storeId, 'owner', email);
    await givePassword(app.database);
    const browser = new DashboardUser(app.api.url);
    await browser.post(SIGN_IN, { email, password: PASSWORD, to: '/dashboard' });
    device = browser.cookie('recebe_device') ?? '';
  });

  const flood = (from: string) => statusesOf(260, () => visit('/openapi.json', from));
  const visitAs = (cookie: string, path: string, from: string) =>
    visit(path, from, { Cookie: `recebe_device=${cookie}` });

  it('signs in while strangers of its address send too many requests', async () => {
    const from = '198.51.100.80';
    await flood(from);
    const browser = new DashboardUser(app.api.url);
    const there = { 'X-Forwarded-For': from };
    browser.setCookie('recebe_device', device);
    expect((await visit(SIGN_IN, from)).status).toBe(429);
    expect((await browser.get(SIGN_IN, there)).status).toBe(200);
    const fields = { email, password: PASSWORD, to: '/dashboard' };
    const { status, location } = await browser.post(SIGN_IN, fields, there);
    expect([status, location]).toEqual([303, '/dashboard']);
    expect((await browser.get('/dashboard', there)).status).toBe(303);
  });

  it('sends thirty requests beyond its address, to the dashboard only', async () => {
    const from = '198.51.100.81';
    await flood(from);
    expect((await visitAs(device, '/openapi.json', from)).status).toBe(429);
    expect((await visitAs(device, '/dashboards', from)).status).toBe(429);
    expect((await statusesOf(40, () => visitAs(device, SIGN_IN, from))).passed).toBe(30);
    await flood('198.51.100.82');
    expect((await visitAs(device, SIGN_IN, '198.51.100.82')).status).toBe(429);
  });

  it('shares what an address may send with all devices there', async () => {
    const from = '198.51.100.83';
    const owner = { id: 'user_x' as UserId, passwordHash: 'x', secondFactorChangedAt: null };
    const devices = Array.from({ length: 10 }, () => newDevice(app.deps.secretsKeys, owner, now) ?? '');
    await flood(from);
    const counts = [];
    for (const each of devices) counts.push(await statusesOf(30, () => visitAs(each, SIGN_IN, from)));
    expect(counts.reduce((total, { passed }) => total + passed, 0)).toBe(200);
  });

  it('gets no reserve by a cookie that is made up or has expired', async () => {
    const from = '198.51.100.84';
    await flood(from);
    const [, signature = ''] = /\.([\w-]{43})$/.exec(device) ?? [];
    const forged = device.replace(signature, signature.split('').toReversed().join(''));
    for (const cookie of [forged, 'a'.repeat(124), ''])
      expect((await visitAs(cookie, SIGN_IN, from)).status).toBe(429);
    const before = now;
    now = new Date(now.getTime() + (DEVICE_SECONDS + 1) * 1_000);
    await flood(from);
    expect((await visitAs(device, SIGN_IN, from)).status).toBe(429);
    now = before;
  });
});

/** Longer than a store counts as busy: beside another one, pages wait for their turn, and some are refused for that. */
const QUIET_MS = 61_000;

/** Members of a new store whose sessions this process has seen, before a new allowance. */
async function membersOf(role: Role, count: number) {
  const { id: storeId } = await createTestStore(app.database);
  const page = `/dashboard/${storeId}/dev/account`;
  const members = await Promise.all(
    Array.from({ length: count }, (_, index) =>
      signedIn(
        { url: app.api.url, database: app.database },
        storeId,
        role,
        `m${index}-${storeId}@example.com`,
      ),
    ),
  );
  for (const each of members) await each.get(page);
  now = new Date(now.getTime() + QUIET_MS);
  return { storeId, members, page };
}

describe('members', () => {
  it('limits a member without limiting others', async () => {
    const { id: storeId } = await createTestStore(app.database);
    const place = { url: app.api.url, database: app.database };
    const [ana, bia] = [
      await signedIn(place, storeId, 'owner', `ana-${storeId}@example.com`),
      await signedIn(place, storeId, 'owner', `bia-${storeId}@example.com`),
    ];
    const page = `/dashboard/${storeId}/dev/account`;
    for (const each of [ana, bia]) await each.get(page);
    now = new Date(now.getTime() + QUIET_MS);
    expect((await statusesOf(60, () => ana.get(page))).passed).toBe(40);
    expect((await bia.get(page)).status).toBe(200);
  });

  it('limits a session, and all sessions of a person to three times as much', async () => {
    const { id: storeId } = await createTestStore(app.database);
    const place = { url: app.api.url, database: app.database };
    const page = `/dashboard/${storeId}/dev/account`;
    const sessions = await Promise.all(
      Array.from({ length: 4 }, () => signedIn(place, storeId, 'owner', `ana-${storeId}@example.com`)),
    );
    for (const each of sessions) await each.get(page);
    now = new Date(now.getTime() + QUIET_MS);
    const passed = [];
    for (const session of sessions) passed.push((await statusesOf(50, () => session.get(page))).passed);
    expect(passed).toEqual([40, 40, 40, 0]);
  });

  it('limits all members of a store together, beyond ten requests of each', async () => {
    const { storeId, members, page } = await membersOf('support', 9);
    let passedOfAll = 0;
    // Ten at once: more could wait longer for their turn than a page may.
    for (let part = 0; part < 4; part += 1) {
      const counts = await Promise.all(members.map((member) => statusesOf(10, () => member.get(page))));
      passedOfAll += counts.reduce((sum, { passed }) => sum + passed, 0);
    }
    expect(passedOfAll).toBe(9 * 10 + 200);
    const at = `/dashboard/${storeId}/dev`;
    expect((await members[0]?.get(`${at}/account`))?.status).toBe(429);
  });

  it('lets an owner revoke a key and end a session while other members flood', async () => {
    const { storeId, members, page } = await membersOf('viewer', 5);
    const place = { url: app.api.url, database: app.database };
    const ana = `ana-${storeId}@example.com`;
    const [owner, stolen] = [
      await signedIn(place, storeId, 'owner', ana),
      await signedIn(place, storeId, 'owner', ana),
    ];
    const given = { storeId, devMode: true, description: 'Loja', permissions: [] };
    const { key } = await createKey(app.database.em.fork(), given, now);
    const at = `/dashboard/${storeId}/dev`;
    for (const each of [owner, stolen]) await each.get(page);
    const flood = () =>
      Promise.all([...members, stolen].map((member) => statusesOf(45, () => member.get(page))));
    now = new Date(now.getTime() + QUIET_MS);
    await flood();
    expect((await owner.submit(`${at}/keys/${key.id}/revoke`, `${at}/keys/${key.id}/revoke`)).status).toBe(
      303,
    );
    await flood();
    const [, end = ''] =
      /action="([^"]*\/account\/sessions\/[^"]*\/end)"/.exec((await owner.get(page)).html) ?? [];
    expect((await owner.submit(page, end)).status).toBe(303);
    expect((await stolen.get(page)).status).not.toBe(200);
  });
});

describe('an owner whose other sessions flood', () => {
  const SESSIONS = 30;
  const emailOf = (storeId: string) => `ana-${storeId}@example.com`.toLowerCase();
  const ownerOf = (storeId: StoreId) =>
    signedIn({ url: app.api.url, database: app.database }, storeId, 'owner', emailOf(storeId));

  const ownBrowser = async (email: string) => {
    const user = new DashboardUser(app.api.url);
    await user.post('/dashboard/sign-in', { email, password: PASSWORD, to: '/dashboard' });
    return user;
  };

  it('revokes a key from a browser in which they gave their password', async () => {
    const { id: storeId } = await createTestStore(app.database);
    const at = `/dashboard/${storeId}/dev`;
    const stolen = await Promise.all(Array.from({ length: SESSIONS }, () => ownerOf(storeId)));
    await givePassword(app.database);
    const owner = await ownBrowser(emailOf(storeId));
    const given = { storeId, devMode: true, description: 'Loja', permissions: [] };
    const { key } = await createKey(app.database.em.fork(), given, now);
    for (const each of [...stolen, owner]) await each.get(`${at}/account`);
    now = new Date(now.getTime() + QUIET_MS);
    for (const each of stolen) await statusesOf(5, () => each.get(`${at}/account`));
    expect((await stolen[0]?.get(`${at}/account`))?.status).toBe(429);
    const revoke = `${at}/keys/${key.id}/revoke`;
    expect((await owner.submit(revoke, revoke)).status).toBe(303);
    const { passed } = await statusesOf(35, () => owner.get(`${at}/account`));
    expect(passed).toBeLessThan(30);
  });

  it('ends a session while stolen ones and another member flood', async () => {
    const { storeId, members, page } = await membersOf('viewer', 6);
    const stolen = await Promise.all(Array.from({ length: 6 }, () => ownerOf(storeId)));
    const thief = await ownerOf(storeId);
    await givePassword(app.database);
    const owner = await ownBrowser(emailOf(storeId));
    for (const each of [...stolen, thief, owner]) await each.get(page);
    const flood = () =>
      Promise.all([...members, ...stolen].map((each) => statusesOf(40, () => each.get(page))));
    now = new Date(now.getTime() + QUIET_MS);
    await flood();
    const mallory = await ownBrowser(`m0-${storeId}@example.com`);
    thief.setCookie('recebe_device', mallory.cookie('recebe_device') ?? '');
    expect((await thief.get(page)).status).toBe(429);
    const shown = await owner.get(page);
    expect(shown.status).toBe(200);
    const [, end = ''] = /action="([^"]*\/account\/sessions\/[^"]*\/end)"/.exec(shown.html) ?? [];
    expect((await owner.post(end, hiddenFields(shown, end))).status).toBe(303);
  });

  it('opens a page while sessions that await a code flood', async () => {
    const { id: storeId } = await createTestStore(app.database);
    const page = `/dashboard/${storeId}/dev/account`;
    const owner = await ownerOf(storeId);
    await owner.get(page);
    const em = app.database.em.fork();
    const { id: userId } = await em.findOneOrFail(UserEntity, { email: emailOf(storeId) });
    const [from, code] = ['198.51.100.90', '/dashboard/sign-in/code'];
    const cookies: string[] = [];
    for (let session = 0; session < SESSIONS; session += 1) {
      const given = { userId, awaitsCode: true, now, address: from, userAgent: 'eve' };
      const { tokenText } = await beginSession(em, given);
      cookies.push(`recebe_session=${tokenText}`);
    }
    const enter = (Cookie: string) => visit(code, from, { Cookie });
    for (const cookie of cookies) expect((await enter(cookie)).status).toBe(200);
    now = new Date(now.getTime() + QUIET_MS);
    const floods = await Promise.all(cookies.map((cookie) => statusesOf(10, () => enter(cookie))));
    expect(floods.reduce((sum, { passed }) => sum + passed, 0)).toBe(200);
    expect((await owner.get(page)).status).toBe(200);
  });
});

describe('requests with a key', () => {
  it.each(['/docs/search?q=pix', '/dashboard/sign-in'])('counts pages by address: %s', async (path) => {
    const api = await app.clientWith({ storeId: (await createTestStore(app.database)).id });
    await api.get('/v2/customers/list');
    const { passed } = await statusesOf(210, () =>
      visit(path, `198.51.100.${path.length}`, { Authorization: `Bearer ${api.key}` }),
    );
    expect(passed).toBe(path.startsWith('/docs') ? 40 : 200);
  });

  it('counts made-up keys at paths that do not exist', async () => {
    const ask = () =>
      visit('/v2/customers/lists', '198.51.100.7', {
        Authorization: `Bearer abc_dev_${randomBytes(32).toString('base64url')}`,
      });
    expect((await statusesOf(150, ask)).passed).toBe(100);
  });

  it.each([
    ['OPTIONS', '/v2/card-tokens/create'],
    ['POST', '/V2/card-tokens/create/'],
    ['HEAD', '/healthz'],
  ])('counts requests by address whose key is not read: %s %s', async (method, path) => {
    const from = `198.51.100.${20 + method.length}`;
    const Authorization = `Bearer abc_dev_${randomBytes(32).toString('base64url')}`;
    const headers = { 'X-Forwarded-For': from, Authorization, 'Content-Type': 'application/json' };
    const { statuses } = await statusesOf(260, () => send(path, { method, headers }));
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(60);
  });

  it('refuses guessed keys before any middleware runs, with a log line now and then', async () => {
    const ask = () =>
      visit('/v2/customers/list', '198.51.100.40', {
        Authorization: `Bearer abc_dev_${randomBytes(32).toString('base64url')}`,
      });
    await statusesOf(130, ask);
    const routed = app.logged.length;
    expect((await statusesOf(20, ask)).passed).toBe(0);
    expect(app.logged.slice(routed).filter(({ route }) => route !== undefined)).toEqual([]);
    expect(app.logged).toContainEqual(expect.objectContaining({ status: 429, alsoRefused: 0 }));
  });

  it('counts paths that do not exist', async () => {
    const api = await app.clientWith({ storeId: (await createTestStore(app.database)).id });
    await api.get('/v2/customers/list');
    const { passed } = await statusesOf(260, () => api.get('/v2/customers/lists'));
    expect(passed).toBe(199);
  });

  it('counts a body of 640 KiB as eleven requests', async () => {
    const api = await app.clientWith({ storeId: (await createTestStore(app.database)).id });
    const before = Number((await api.get('/v2/customers/list')).headers.get('RateLimit-Remaining'));
    await api.post('/v2/customers/create', { email: 'x'.repeat(640 * 1024 - 12) });
    const after = Number((await api.get('/v2/customers/list')).headers.get('RateLimit-Remaining'));
    expect(before - after).toBe(12);
  });
});

/** What turns need to know of a request. */
function turnParts({
  isBusy = true,
  clientOf,
}: {
  readonly isBusy?: boolean;
  readonly clientOf: (request: IncomingMessage) => ReturnType<VisitLimits['clientOf']>;
}): Parameters<typeof inTurns>[0] {
  return {
    visits: { clientOf, notifiedBy: () => null, noteStray: () => undefined } as unknown as VisitLimits,
    strangers: new StrangerTurns(() => isBusy),
    busy: { any: () => isBusy, othersThan: () => isBusy },
    clock: () => now,
    maxConnections: 2_000,
    pageOf: null,
  };
}

it.each(['GET', 'HEAD'])(
  'serves four pages of a client at a time, and others meanwhile: %s',
  async (method) => {
    const begun: string[] = [];
    const ends: (() => void)[] = [];
    const handle = (request: IncomingMessage, response: ServerResponse) =>
      new Promise<void>((resolve) => {
        begun.push(request.url ?? '');
        ends.push(() => {
          response.end();
          resolve();
        });
      });
    const parts = turnParts({
      isBusy: false,
      clientOf: ({ headers }) => ({ id: String(headers['x-visitor']), turn: null }),
    });
    const serve = inTurns(parts, handle);
    const server = createServer((request, response) => void serve(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const get = (path: string, client: string) =>
      fetch(url + path, { method, headers: { 'X-Visitor': client } });
    const answers = Array.from({ length: 9 }, () => get('/flood', 'eve'));
    await eventually(() => expect(begun).toHaveLength(4));
    answers.push(get('/other', 'ana'));
    await eventually(() => expect(begun).toEqual([...Array(4).fill('/flood'), '/other']));
    while (begun.length < 10 || ends.length > 0) {
      ends.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(Array(10).fill(200));
    await new Promise((resolve) => server.close(resolve).closeAllConnections());
  },
);

describe('pages and forms of strangers while a store is busy', () => {
  let nowMs: number;
  let begun: string[];
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'performance'] });
    [nowMs, begun] = [1_000, []];
    jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
  });
  afterEach(() => {
    jest.restoreAllMocks();
    jest.useRealTimers();
  });

  /** Opens pages, or sends forms, that keep the main thread busy for so long. */
  function visitor(ms: number, { pays = false, bank = Promise.resolve() } = {}) {
    const parts = turnParts({
      clientOf: ({ headers }) => ({
        id: String(headers['x-address']),
        turn: { of: 'strangers', part: String(headers['x-stranger']) },
      }),
    });
    const serve = inTurns(parts, async (request) => {
      begun.push(`${request.headers['x-address']} ${nowMs - 1_000}`);
      nowMs += ms;
      await bank;
      if (pays) noteBegunPayment(request);
    });
    return (address: string, stranger: string, method = 'GET') => {
      const headers = { 'x-address': address, 'x-stranger': stranger };
      const sent = { method, url: '/pay/bill_1', headers } as unknown as IncomingMessage;
      void withCostCounted(() => serve(sent, { destroyed: false } as ServerResponse));
    };
  }

  async function pass(ms: number): Promise<void> {
    await jest.advanceTimersByTimeAsync(0);
    for (let passed = 0; passed < ms; passed += 10) {
      nowMs += 10;
      await jest.advanceTimersByTimeAsync(10);
    }
  }

  it('serves one of a client at a time, with a pause as long as it took', async () => {
    const open = visitor(40);
    for (let page = 0; page < 3; page += 1) open('eve', 'eve');
    await pass(200);
    expect(begun).toEqual(['eve 0', 'eve 80', 'eve 160']);
  });

  it.each([
    ['pages a third', 'GET', 2_500, 0.33],
    ['forms without a payment a quarter', 'POST', 2_500, 0.25],
  ])('gives all %s of the main thread, each site in turn', async (_, method, startMs, part) => {
    const open = visitor(40);
    for (let address = 0; address < 100; address += 1)
      open(`eve_${address}`, `site ${address % 2} of eve`, method);
    await pass(startMs);
    const [before, sinceMs] = [begun.length, nowMs];
    open('ana', 'ana', method);
    await pass(2_000);
    const later = begun.slice(before);
    expect(later.slice(0, 5).some((page) => page.startsWith('ana'))).toBe(true);
    // Such a request takes 40 ms that are counted and 13 ms that are not.
    expect((later.length * 53) / (nowMs - sinceMs)).toBeCloseTo(part, 1);
  });

  it('lets no payer wait for others who pay', async () => {
    const pay = visitor(40, { pays: true });
    for (let address = 0; address < 100; address += 1)
      pay(`payer_${address}`, `carrier ${address % 2}`, 'POST');
    await pass(10);
    expect(begun).toHaveLength(100);
  });

  it('lets forms that wait for a bank keep no others waiting, and owe nothing', async () => {
    const pay = visitor(5, { pays: true, bank: new Promise(() => undefined) });
    for (let address = 0; address < 100; address += 1)
      pay(`payer_${address}`, `carrier ${address % 2}`, 'POST');
    await pass(750);
    expect(begun).toHaveLength(100);
  });
});

describe('requests that wait for their turn', () => {
  const wait = (waiting: WaitingRequests, client: string, times: number) =>
    Array.from({ length: times }, () => waiting.begin(client)).filter((end) => end !== null);

  it('lets one client have as many as its limit allows while few others wait', () => {
    expect(wait(new WaitingRequests(2_000), 'office', 250)).toHaveLength(250);
  });

  it('leaves most connections free, however many clients wait', () => {
    const waiting = new WaitingRequests(2_000);
    const few = Array.from({ length: 25 }, (_, eve) => wait(waiting, `eve ${eve}`, 200).length);
    expect(few.reduce((sum, count) => sum + count, 0)).toBeLessThan(550);
    expect(wait(waiting, 'ana', 1)).toHaveLength(1);
    for (let eve = 0; eve < 3_000; eve += 1) wait(waiting, `another eve ${eve}`, 1);
    expect(waiting.begin('late')).toBeNull();
  });

  it('leaves connections to others, however many a few clients open', () => {
    const waiting = new WaitingRequests(2_000);
    const counts = Array.from({ length: 10 }, (_, eve) => wait(waiting, `eve ${eve}`, 200).length);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBeLessThan(550);
    expect(wait(waiting, 'ana', 1)).toHaveLength(1);
  });

  it('accepts further ones when earlier ones are served, each of which ends once', () => {
    const waiting = new WaitingRequests(2_000);
    const ends = wait(waiting, 'eve', 600);
    expect(ends).toHaveLength(375);
    expect(waiting.begin('eve')).toBeNull();
    for (const end of ends.slice(0, 2)) end();
    ends[0]?.();
    expect(wait(waiting, 'eve', 10)).toHaveLength(2);
  });

  it('refuses at once what is too much, and closes its connection', async () => {
    using _ = jest.spyOn(WaitingRequests.prototype, 'begin').mockReturnValue(null);
    const turn = { of: 'strangers', part: 'site of eve' } as const;
    const parts = turnParts({ clientOf: () => ({ id: 'eve', turn }) });
    const request = { method: 'GET', url: '/pay/bill_1', headers: {} } as unknown as IncomingMessage;
    const response = new ServerResponse(request);
    await inTurns(parts, () => new Promise(() => undefined))(request, response);
    expect([response.statusCode, response.getHeader('connection')]).toEqual([429, 'close']);
  });
});
