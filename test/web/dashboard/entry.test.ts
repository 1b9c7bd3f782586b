import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { inviteUser, linkOfUser } from '../../../src/cli/users.ts';
import { AuditLineEntity } from '../../../src/database/entities/audit-line.ts';
import { MembershipEntity } from '../../../src/database/entities/membership.ts';
import { SessionEntity } from '../../../src/database/entities/session.ts';
import { type User, UserEntity } from '../../../src/database/entities/user.ts';
import { endSecondFactor } from '../../../src/identity/second-factor.ts';
import { SecretsKeys } from '../../../src/secrets/secrets-keys.ts';
import { MemberQueue } from '../../../src/web/dashboard/frame/member-queue.ts';
import { ownPath } from '../../../src/web/dashboard/frame/own-path.ts';
import { createTestApp, createTestStore, TEST_CONFIG, type TestApp } from '../../support/api/app.ts';
import {
  DashboardUser,
  enterBy,
  hiddenFields,
  secondFactorOf,
  signedIn,
} from '../../support/dashboard/dashboard-user.ts';

const PASSWORD = 'uma frase bem comprida';
const KEYS = new SecretsKeys([Buffer.alloc(32, 7).toString('base64')]);
const HOUR_MS = 60 * 60 * 1_000;

let app: TestApp;
let passedMs = 0;
beforeAll(async () => {
  app = await createTestApp({
    clock: () => new Date(Date.now() + passedMs),
    secretsKeys: KEYS,
    config: { ...TEST_CONFIG, limitAnonymousTraffic: true },
  });
});
afterAll(() => app.close());
beforeEach(async () => {
  passedMs = 0;
  await app.database.em.fork().execute('delete from anonymous_traffic');
});

const em = () => app.database.em.fork();
const dashboardUser = () => new DashboardUser(app.api.url);
const home = () => `/dashboard/${app.storeId}/dev`;
const signIn = (who: DashboardUser, email: string, password: string, to = '/dashboard') =>
  who.post('/dashboard/sign-in', { email, password, to });
const userOf = (email: string) => em().findOneOrFail(UserEntity, { email }) as Promise<User>;

/** Somebody who has accepted an invitation, and so has a password. */
async function member(email: string): Promise<DashboardUser> {
  const invited = dashboardUser();
  const link = await inviteUser(em(), { store: app.storeId, email, role: 'support' }, new Date());
  await enterBy(invited, link, { name: 'Ana', password: PASSWORD });
  return invited;
}

describe('a one-time link', () => {
  it('makes an invited person a member with their own password and signs them in', async () => {
    const ana = dashboardUser();
    const link = await inviteUser(
      em(),
      { store: app.storeId, email: 'Ana@Example.com', role: 'finance' },
      new Date(),
    );
    expect(await enterBy(ana, link, { name: 'Ana', password: 'curta' })).toMatchObject({ status: 422 });
    expect(await enterBy(ana, link, { name: 'Ana', password: PASSWORD })).toMatchObject({
      status: 303,
      location: home(),
    });
    expect((await ana.get(home())).text).toContain('Loja Teste');
    const { id: userId } = await userOf('ana@example.com');
    expect(await em().findOne(MembershipEntity, { userId })).toMatchObject({ role: 'finance' });
    const lines = await em().find(AuditLineEntity, { userId }, { orderBy: { id: 'asc' } });
    expect(lines.map(({ action }) => action).sort()).toEqual(['sign-in', 'team/join']);
    expect(await signIn(dashboardUser(), 'ana@example.com', PASSWORD)).toMatchObject({
      status: 303,
      location: '/dashboard',
    });
  });

  it('admits once, however many use the link in parallel, and never after it expires', async () => {
    await member('bia@example.com');
    const link = await linkOfUser(em(), { email: 'bia@example.com' }, 'SIGN_IN', new Date());
    const entries = await Promise.all(Array.from({ length: 5 }, () => dashboardUser().post(link, {})));
    expect(entries.map(({ status }) => status).sort()).toEqual([303, 404, 404, 404, 404]);
    const gone = await dashboardUser().get(`${link}?lang=en`);
    expect([gone.status, gone.text]).toEqual([404, expect.stringContaining('This link no longer works')]);
    const late = await linkOfUser(em(), { email: 'bia@example.com' }, 'SIGN_IN', new Date());
    // A program that only loads the link does not use it up.
    expect((await dashboardUser().get(late)).status).toBe(200);
    passedMs = HOUR_MS;
    expect((await dashboardUser().post(late, {})).status).toBe(404);
  });

  it('hashes passwords of invited people in turn, with those of members', async () => {
    const invitation = { store: app.storeId, email: 'gabi@example.com', role: 'support' } as const;
    const link = await inviteUser(em(), invitation, new Date());
    using compare = jest.spyOn(MemberQueue.prototype, 'compare');
    const sent = Array.from({ length: 3 }, () => dashboardUser().post(link, { password: PASSWORD }));
    const statuses = (await Promise.all(sent)).map(({ status }) => status).sort();
    expect(statuses).toEqual([303, 404, 404]);
    expect(compare.mock.calls.map(([owner]) => owner)).toContain(app.storeId);
  });

  it('requires the existing password from an invited person who has one', async () => {
    await member('caio@example.com');
    const other = await createTestStore(app.database);
    const link = await inviteUser(
      em(),
      { store: other.id, email: 'caio@example.com', role: 'owner' },
      new Date(),
    );
    const caio = dashboardUser();
    expect(await enterBy(caio, link, { password: 'uma senha qualquer' })).toMatchObject({ status: 422 });
    expect(await enterBy(caio, link, { password: PASSWORD })).toMatchObject({ status: 303 });
    expect((await caio.get('/dashboard')).text).toContain('Loja Teste dono');
  });

  it('ends every session and removes the second factor when a link resets a password', async () => {
    const duda = await member('duda@example.com');
    const user = await userOf('duda@example.com');
    await em().nativeUpdate(UserEntity, { id: user.id }, { totpConfirmedAt: new Date() });
    const link = await linkOfUser(em(), { email: 'duda@example.com' }, 'RESET', new Date());
    expect(await enterBy(dashboardUser(), link, { password: 'outra frase bem comprida' })).toMatchObject({
      status: 303,
    });
    expect((await duda.get(home())).status).toBe(303);
    expect(await userOf('duda@example.com')).toMatchObject({ totpConfirmedAt: null });
    expect((await signIn(dashboardUser(), 'duda@example.com', PASSWORD)).status).toBe(422);
  });
});

describe('signing in', () => {
  it('shows the same page for an unknown address and a wrong password', async () => {
    await member('eva@example.com');
    const [unknown, wrong] = await Promise.all([
      signIn(dashboardUser(), 'nobody@example.com', PASSWORD),
      signIn(dashboardUser(), 'eva@example.com', 'uma senha qualquer'),
    ]);
    expect([unknown.status, wrong.status]).toEqual([422, 422]);
    expect(unknown.text.replace('nobody@', 'eva@')).toBe(wrong.text);
  });

  it('blocks an account after ten wrong passwords until the time is over', async () => {
    await member('fabio@example.com');
    for (let tried = 0; tried < 10; tried++)
      await signIn(dashboardUser(), 'fabio@example.com', 'uma senha qualquer');
    expect(await signIn(dashboardUser(), 'fabio@example.com', PASSWORD)).toMatchObject({ status: 429 });
    await app.database.em.fork().execute('update anonymous_traffic set expire = 0');
    expect(await signIn(dashboardUser(), 'fabio@example.com', PASSWORD)).toMatchObject({ status: 303 });
  });

  it('never counts a correct password as a failure', async () => {
    await member('gil@example.com');
    for (let tried = 0; tried < 12; tried++)
      expect(await signIn(dashboardUser(), 'gil@example.com', PASSWORD)).toMatchObject({ status: 303 });
  });

  it('starts a new session at sign-in and ignores a planted session cookie', async () => {
    await member('hugo@example.com');
    const hugo = dashboardUser();
    const planted = 'A'.repeat(43);
    hugo.setCookie('recebe_session', planted);
    await signIn(hugo, 'hugo@example.com', PASSWORD);
    expect(hugo.cookie('recebe_session')).not.toBe(planted);
    const thief = dashboardUser();
    thief.setCookie('recebe_session', planted);
    expect(await thief.get(home())).toMatchObject({
      status: 303,
      location: expect.stringContaining('/sign-in'),
    });
    // Stored hashes cannot be used as cookies.
    const kept = await em().find(SessionEntity, {});
    for (const { tokenHash } of kept) expect(tokenHash).not.toBe(hugo.cookie('recebe_session'));
  });

  it('redirects to the requested page, and never to another site', async () => {
    expect((await dashboardUser().get(`${home()}?after=x`)).location).toBe(
      `/dashboard/sign-in?to=${encodeURIComponent(`${home()}?after=x`)}`,
    );
    await member('ivo@example.com');
    expect(await signIn(dashboardUser(), 'ivo@example.com', PASSWORD, `${home()}/keys`)).toMatchObject({
      location: `${home()}/keys`,
    });
    for (const to of [
      'https://evil.example',
      '//evil.example',
      '/\\evil.example',
      '/dashboard//evil',
      'javascript:1',
    ])
      expect(['/dashboard', '/dashboard//evil']).toContain(ownPath(to));
  });

  it('returns 403 for a form sent from another site', async () => {
    await member('jo@example.com');
    const form = { email: 'jo@example.com', password: PASSWORD, to: '/dashboard' };
    for (const headers of [{ Origin: 'https://evil.example' }, { 'Sec-Fetch-Site': 'cross-site' }])
      expect((await dashboardUser().post('/dashboard/sign-in', form, headers)).status).toBe(403);
  });
});

describe('the second factor', () => {
  it('asks for a code after the password, and accepts each code only once', async () => {
    await member('lia@example.com');
    const { codeAt, recoveryCodes } = await secondFactorOf(app.database, 'lia@example.com', KEYS);
    expect(await userOf('lia@example.com')).toMatchObject({ totpSecretKeyId: KEYS.currentId });
    expect(recoveryCodes).toHaveLength(10);

    const lia = dashboardUser();
    expect(await signIn(lia, 'lia@example.com', PASSWORD)).toMatchObject({
      location: expect.stringMatching(/^\/dashboard\/sign-in\/code/),
    });
    // The password alone opens no page.
    expect((await lia.get(home())).status).toBe(303);
    const give = (code: string) => lia.post('/dashboard/sign-in/code', { code, to: '/dashboard' });
    expect((await give('000000')).status).toBe(422);
    // The confirmation used up this code.
    expect((await give(codeAt(-30_000))).status).toBe(422);
    const code = codeAt(0);
    expect((await give(code)).status).toBe(303);
    expect((await lia.get(home())).status).toBe(200);

    const again = dashboardUser();
    await signIn(again, 'lia@example.com', PASSWORD);
    expect((await again.post('/dashboard/sign-in/code', { code, to: '' })).status).toBe(422);
    const [first = ''] = recoveryCodes;
    expect((await again.post('/dashboard/sign-in/code', { code: first.toUpperCase(), to: '' })).status).toBe(
      303,
    );
    const third = dashboardUser();
    await signIn(third, 'lia@example.com', PASSWORD);
    expect((await third.post('/dashboard/sign-in/code', { code: first, to: '' })).status).toBe(422);
  });
});

describe('recovery codes', () => {
  /** Signs in as far as the code in so many browsers, and gives a code in all of them at once. @returns the statuses. */
  async function together(email: string, codes: readonly string[]): Promise<number[]> {
    const browsers = codes.map(() => dashboardUser());
    for (const browser of browsers) await signIn(browser, email, PASSWORD);
    const answers = await Promise.all(
      browsers.map((browser, index) =>
        browser.post('/dashboard/sign-in/code', { code: codes[index] ?? '', to: '' }),
      ),
    );
    return answers.map(({ status }) => status).sort();
  }

  it('lets one of eight browsers in that give the same code at once', async () => {
    await member('rui@example.com');
    const { recoveryCodes } = await secondFactorOf(app.database, 'rui@example.com', KEYS);
    expect(await together('rui@example.com', Array(8).fill(recoveryCodes[0]))).toEqual([
      303,
      ...Array(7).fill(422),
    ]);
  });

  it('compares ten of twenty wrong codes at once, and then no right one', async () => {
    await member('zoe@example.com');
    const { recoveryCodes } = await secondFactorOf(app.database, 'zoe@example.com', KEYS);
    const wrong = Array.from({ length: 20 }, (_, index) => `wrng0000${String(index).padStart(2, '0')}`);
    expect(await together('zoe@example.com', wrong)).toEqual([
      ...Array(10).fill(422),
      ...Array(10).fill(429),
    ]);
    const zoe = dashboardUser();
    await em().execute("delete from anonymous_traffic where key like 'wrongPasswordsOfAddress%'");
    expect((await signIn(zoe, 'zoe@example.com', PASSWORD)).status).toBe(303);
    const right = { code: recoveryCodes[0] ?? '', to: '' };
    expect((await zoe.post('/dashboard/sign-in/code', right)).status).toBe(429);
  });

  it('refuses the codes of a second factor that was switched off and on again', async () => {
    await member('ivo@example.com');
    const { recoveryCodes: old } = await secondFactorOf(app.database, 'ivo@example.com', KEYS);
    const { id } = await userOf('ivo@example.com');
    await endSecondFactor(em(), id, new Date());
    const { recoveryCodes } = await secondFactorOf(app.database, 'ivo@example.com', KEYS);
    expect(await together('ivo@example.com', [old[0] ?? '', old[1] ?? ''])).toEqual([422, 422]);
    expect(await together('ivo@example.com', [recoveryCodes[0] ?? ''])).toEqual([303]);
  });
});

describe('dashboard sessions', () => {
  it('ends a session after twelve idle hours and after fourteen days in any case', async () => {
    const max = await signedIn({ ...app, url: app.api.url }, app.storeId, 'owner');
    for (let hours = 0; hours < 14 * 24 - 11; hours += 11) {
      passedMs = hours * HOUR_MS;
      expect((await max.get(home())).status).toBe(200);
    }
    passedMs = 14 * 24 * HOUR_MS + 1_000;
    expect((await max.get(home())).status).toBe(303);
    passedMs = 0;
    const nina = await signedIn({ ...app, url: app.api.url }, app.storeId, 'owner');
    passedMs = 12 * HOUR_MS + 60_000;
    expect((await nina.get(home())).status).toBe(303);
  });

  it('accepts forms with the token of the session only, and ends at sign-out', async () => {
    const [olga, other] = await Promise.all([
      signedIn({ ...app, url: app.api.url }, app.storeId, 'owner', 'olga@example.com'),
      signedIn({ ...app, url: app.api.url }, app.storeId, 'owner', 'other@example.com'),
    ]);
    const action = `${home()}/sign-out`;
    const theirs = hiddenFields(await other.get(home()), action);
    const own = hiddenFields(await olga.get(home()), action);
    for (const form of [{}, { ...own, csrf: '' }, { ...own, csrf: theirs.csrf as string }])
      expect((await olga.post(action, form)).status).toBe(403);
    expect((await olga.post(action, own, { Origin: 'https://evil.example' })).status).toBe(403);
    expect((await olga.get(home())).status).toBe(200);
    const token = olga.cookie('recebe_session') ?? '';
    expect(await olga.post(action, own)).toMatchObject({ status: 303, location: '/dashboard/sign-in' });
    olga.setCookie('recebe_session', token);
    expect((await olga.get(home())).status).toBe(303);
  });
});

it('sets frame-ancestors, CSP and no-store on sign-in, and returns 404 elsewhere', async () => {
  const page = await dashboardUser().get('/dashboard/sign-in');
  expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  expect(page.headers.get('content-security-policy')).not.toContain('unsafe');
  expect(page.headers.get('x-frame-options')).toBe('DENY');
  expect(page.headers.get('cache-control')).toBe('no-store');
  expect((await dashboardUser().get('/dashboard/nowhere/at/all')).status).toBe(404);
});

it("shows the same 404 for another store's pages and for unknown stores", async () => {
  const pia = await signedIn({ ...app, url: app.api.url }, app.storeId, 'owner', 'pia@example.com');
  const { id } = await createTestStore(app.database);
  const pages = await Promise.all(
    [id, 'store_00000000000000000000000000', 'store_x'].map((store) => pia.get(`/dashboard/${store}/dev`)),
  );
  expect(pages.map(({ status }) => status)).toEqual([404, 404, 404]);
  expect(new Set(pages.map(({ text }) => text)).size).toBe(1);
  expect((await pia.get(`/dashboard/${app.storeId}/test`)).status).toBe(404);
});
