import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AuditLineEntity } from '../../../src/database/entities/audit-line.ts';
import { createTestApp, TEST_CONFIG, type TestApp } from '../../support/api/app.ts';
import { DashboardUser, givePassword, PASSWORD, signedIn } from '../../support/dashboard/dashboard-user.ts';
import { countQueries } from '../../support/rows/counted-queries.ts';
import { eventually } from '../../support/waiting/eventually.ts';

/** As many strangers' requests of one address a minute as are looked up. */
const MOST = 300;
const SIGN_IN = '/dashboard/sign-in';

let app: TestApp;
let queries: () => number;
beforeAll(async () => {
  const config = { ...TEST_CONFIG, limitAnonymousTraffic: true, trustedProxies: ['127.0.0.0/8'] };
  app = await createTestApp({ config });
  queries = await countQueries(app.database);
});
afterAll(() => app.close());

let test = 0;
beforeEach(() => {
  test += 1;
});
const from = (host = 1) => ({ 'X-Forwarded-For': `198.51.${test}.${host}` });
const secret = () => randomBytes(32).toString('base64url');

/** Somebody who sends what nobody was given. */
function stranger(): DashboardUser {
  const user = new DashboardUser(app.api.url);
  user.setCookie('recebe_session', secret());
  return user;
}
const home = () => `/dashboard/${app.storeId}/dev`;
const visit = (host?: number) => stranger().get(home(), from(host));
const useLink = () => stranger().get(`/dashboard/enter/${secret()}`, from());

async function statusesOf(count: number, ask: () => Promise<{ status: number }>): Promise<Set<number>> {
  const statuses = new Set<number>();
  for (let done = 0; done < count; done += 50) {
    const some = Array.from({ length: Math.min(50, count - done) }, ask);
    for (const { status } of await Promise.all(some)) statuses.add(status);
  }
  return statuses;
}

/** The address has had so many counted, a moment ago. */
async function counted(limit: string, times: number): Promise<void> {
  const row = [`${limit}:198.51.${test}.1`, times, Date.now() + 60_000];
  await app.database.em.fork().execute('insert into anonymous_traffic values (?, ?, ?)', row);
}

describe('strangers at the dashboard', () => {
  it.each([
    ['sessions', visit, 303],
    ['links', useLink, 404],
  ])('refuses from memory an address that has made up many %s', async (_, ask, looked) => {
    await counted('strangersOfAddress', MOST - 50);
    expect(await statusesOf(50, ask)).toEqual(new Set([looked]));
    expect((await ask()).status).toBe(429);
    const before = queries();
    expect(await statusesOf(50, ask)).toEqual(new Set([429]));
    expect(queries()).toBe(before);
    expect((await visit(2)).status).toBe(303);
  });

  it('locks nobody out who is signed in at the same address', async () => {
    const owner = await signedIn({ ...app, url: app.api.url }, app.storeId, 'owner');
    expect((await owner.get(home(), from())).status).toBe(200);
    await counted('strangersOfAddress', MOST);
    expect(await statusesOf(20, visit)).toEqual(new Set([429]));
    expect((await owner.get(home(), from())).status).toBe(200);
  });

  it('opens the page to sign in all the same', async () => {
    await counted('strangersOfAddress', MOST);
    expect(await statusesOf(2, visit)).toEqual(new Set([429]));
    expect((await stranger().get(SIGN_IN, from())).status).toBe(200);
  });
});

describe('a flood with public keys from one address', () => {
  it('refuses it from memory', async () => {
    const ask = () =>
      app.api.post('/v2/card-tokens/create', {}, { key: `pk_dev_${secret()}`, headers: from() });
    await counted('cardTokensOfAddress', 60);
    expect((await ask()).status).toBe(429);
    const before = queries();
    expect(await statusesOf(50, ask)).toEqual(new Set([429]));
    expect(queries()).toBe(before);
  });
});

describe('a flood of sign-ins from one address', () => {
  const signIn = () =>
    stranger().post(SIGN_IN, { email: 'owner@example.com', password: 'guess guess guess' }, from());
  const locks = () => app.database.em.fork().count(AuditLineEntity, { action: 'sign-in/locked' });

  it('refuses it from memory, after recording its lock once', async () => {
    await signedIn({ ...app, url: app.api.url }, app.storeId, 'owner');
    await givePassword(app.database);
    await counted('wrongPasswordsOfAddress', 300);
    const before = await locks();
    expect((await signIn()).status).toBe(429);
    await eventually(async () => expect(await locks()).toBe(before + 1));
    const asked = queries();
    expect(await statusesOf(50, signIn)).toEqual(new Set([429]));
    expect(queries()).toBe(asked);
    expect(await locks()).toBe(before + 1);
  });
});

describe('a flood of sign-ins from many addresses', () => {
  const signIn = (email: string, host: string) =>
    stranger().post(SIGN_IN, { email, password: 'guess guess guess' }, { 'X-Forwarded-For': host });

  it('refuses those beyond the line, and delays no password of a signed-in person', async () => {
    const owner = await signedIn({ ...app, url: app.api.url }, app.storeId, 'owner');
    await givePassword(app.database);
    const locks = () => app.database.em.fork().count(AuditLineEntity, { action: 'sign-in/locked' });
    const before = await locks();
    const hosts = Array.from({ length: 400 }, (_, host) => `203.0.${test}.${host % 250}`);
    let compared = 0;
    const flood = hosts.map(async (host, time) => {
      const answer = await signIn(`guess-${time}@example.com`, host);
      if (answer.status === 422) compared += 1;
      return answer.status;
    });
    const form = `${home()}/account/password`;
    const fields = { password: PASSWORD, newPassword: 'outra frase bem comprida' };
    const answer = await owner.submit(`${home()}/account`, form, fields);
    // The old password was compared while guesses still wait.
    expect(answer.status).toBe(303);
    const comparedBefore = compared;
    const statuses = new Set(await Promise.all(flood));
    expect(statuses).toEqual(new Set([422, 429]));
    expect(comparedBefore).toBeLessThan(compared);
    // A busy service is no lock of anybody's account.
    expect(await locks()).toBe(before);
  });
});
