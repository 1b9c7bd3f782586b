import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { inviteUser } from '../../../src/cli/users.ts';
import { AuditLineEntity } from '../../../src/database/entities/audit-line.ts';
import { UserEntity } from '../../../src/database/entities/user.ts';
import { hashPassword } from '../../../src/identity/password.ts';
import { endSecondFactor } from '../../../src/identity/second-factor.ts';
import { SecretsKeys } from '../../../src/secrets/secrets-keys.ts';
import { createTestApp, createTestStore, TEST_CONFIG, type TestApp } from '../../support/api/app.ts';
import {
  DashboardUser,
  givePassword,
  PASSWORD,
  secondFactorOf,
  signedIn,
} from '../../support/dashboard/dashboard-user.ts';
import { eventually } from '../../support/waiting/eventually.ts';

const KEYS = new SecretsKeys([Buffer.alloc(32, 7).toString('base64')]);
const WRONG = 'uma senha qualquer';
const ANA = 'ana@example.com';
const SIGN_IN = '/dashboard/sign-in';
const DEVICE = 'recebe_device';

let app: TestApp;
/** Another process of the same service. */
let otherApp: TestApp;
let browser: DashboardUser;
beforeAll(async () => {
  const config = { ...TEST_CONFIG, limitAnonymousTraffic: true };
  app = await createTestApp({ config, secretsKeys: KEYS });
  otherApp = await createTestApp({ config, secretsKeys: KEYS }, { database: app.database });
});
afterAll(async () => {
  await otherApp.close();
  await app.close();
});
beforeEach(async () => {
  await em().execute('delete from anonymous_traffic');
  await signedIn({ ...app, url: app.api.url }, app.storeId, 'owner', ANA);
  const { id } = await em().findOneOrFail(UserEntity, { email: ANA, localStoreId: null });
  const passwordHash = await hashPassword(PASSWORD);
  await em().nativeUpdate(UserEntity, { id }, { passwordHash });
  await endSecondFactor(em(), id, new Date());
  browser = await knownBrowser();
});

const em = () => app.database.em.fork();
const home = () => `/dashboard/${app.storeId}/dev`;
const signIn = (who: DashboardUser, password: string, to = '/dashboard') =>
  who.post(SIGN_IN, { email: ANA, password, to });
const stranger = () => new DashboardUser(app.api.url);
/** A browser in which the owner has signed in with the password, and signed out. */
async function knownBrowser(): Promise<DashboardUser> {
  const who = stranger();
  expect(await signIn(who, PASSWORD)).toMatchObject({ status: 303 });
  expect(await who.submit(home(), `${home()}/sign-out`)).toMatchObject({ status: 303 });
  return who;
}
/** Somebody who has only a copy of the device cookie. */
function thiefOf(who: DashboardUser): DashboardUser {
  const thief = stranger();
  thief.setCookie(DEVICE, who.cookie(DEVICE) ?? '');
  return thief;
}
const refusals = () => em().count(AuditLineEntity, { storeId: app.storeId, action: 'sign-in/refused' });
/** Strangers use up the attempts of the account. */
async function guess(): Promise<void> {
  const guesses = await Promise.all(Array.from({ length: 12 }, () => signIn(stranger(), WRONG)));
  expect(guesses.map(({ status }) => status)).toContain(429);
}
const statusesOf = async (times: number, ask: (time: number) => Promise<{ status: number }>) => {
  const statuses = [];
  for (let time = 0; time < times; time += 1) statuses.push((await ask(time)).status);
  return statuses;
};

describe('while strangers guess the password of an account', () => {
  it('lets its owner sign in with a browser that has signed out', async () => {
    const before = await refusals();
    await guess();
    expect(await signIn(stranger(), PASSWORD)).toMatchObject({ status: 429 });
    expect(await signIn(browser, WRONG)).toMatchObject({ status: 422 });
    expect(await signIn(browser.at(otherApp.api.url), PASSWORD)).toMatchObject({ status: 303 });
    expect(await signIn(browser, PASSWORD)).toMatchObject({ status: 303 });
    expect(await browser.get(home())).toMatchObject({ status: 200 });
    // Ten guesses of strangers, which are recorded after their answers, and one of the owner.
    await eventually(async () => expect(await refusals()).toBe(before + 10 + 1));
  });

  it('lets its owner join a store by an invitation, and compares ten passwords', async () => {
    const invite = async () => {
      const { id: store } = await createTestStore(app.database);
      return inviteUser(em(), { store, email: ANA, role: 'support' }, new Date());
    };
    const [joined, guessed] = [await invite(), await invite()];
    await guess();
    expect(await stranger().post(joined, { password: PASSWORD })).toMatchObject({ status: 303 });
    const statuses = await statusesOf(11, () => stranger().post(guessed, { password: WRONG }));
    expect(statuses).toEqual([...Array(10).fill(422), 429]);
    expect(await stranger().post(guessed, { password: PASSWORD })).toMatchObject({ status: 429 });
  });

  it('accepts the code of someone who has given the password', async () => {
    const { codeAt } = await secondFactorOf(app.database, ANA, KEYS);
    const elsewhere = stranger();
    expect(await signIn(elsewhere, PASSWORD)).toMatchObject({ status: 303 });
    await guess();
    const fields = { code: codeAt(0), to: '/dashboard' };
    expect(await elsewhere.post(`${SIGN_IN}/code`, fields)).toMatchObject({
      status: 303,
      location: '/dashboard',
    });
  });

  it.each([
    ['an id of their own', (parts: string[]) => ['A'.repeat(22), ...parts.slice(1)]],
    ['a later expiry', ([id, expires, ...rest]: string[]) => [id, String(Number(expires) + 1), ...rest]],
    [
      'the proof of another',
      ([id, expires, , signature]: string[]) => [id, expires, 'A'.repeat(43), signature],
    ],
    ['no signature', (parts: string[]) => parts.slice(0, 3)],
    ['another signature', (parts: string[]) => [...parts.slice(0, 3), 'A'.repeat(43)]],
  ])('refuses a device cookie with %s', async (_, forge) => {
    const forger = stranger();
    forger.setCookie(DEVICE, forge((browser.cookie(DEVICE) ?? '').split('.')).join('.'));
    await guess();
    expect(await signIn(forger, PASSWORD)).toMatchObject({ status: 429 });
  });
});

describe('a device cookie', () => {
  it('says nothing about its person, and no script or other site has it', async () => {
    const { headers } = await signIn(stranger(), PASSWORD);
    const line = headers.getSetCookie().find((each) => each.startsWith(DEVICE)) ?? '';
    expect(line).toMatch(
      /^recebe_device=[\w-]{22}\.\d+\.[\w-]{43}\.[\w-]{43}; Path=\/; Max-Age=15552000; HttpOnly; SameSite=Strict$/,
    );
    const { id } = await em().findOneOrFail(UserEntity, { email: ANA, localStoreId: null });
    expect(line).not.toContain(id);
  });

  it('signs nobody in, and gives ten guesses that keep other devices of the person in', async () => {
    const other = await knownBrowser();
    await guess();
    const thief = thiefOf(browser);
    expect(await thief.get(home())).toMatchObject({ status: 303 });
    const statuses = await statusesOf(12, (time) =>
      signIn(time % 2 === 0 ? thief : thief.at(otherApp.api.url), WRONG),
    );
    expect(statuses).toEqual([...Array(10).fill(422), 429, 429]);
    expect(await signIn(thief, PASSWORD)).toMatchObject({ status: 429 });
    expect(await signIn(other, PASSWORD)).toMatchObject({ status: 303 });
  });

  it('compares ten of thirty guesses that come at once, over two processes', async () => {
    await guess();
    const [here, there] = [thiefOf(browser), thiefOf(browser).at(otherApp.api.url)];
    const guesses = Array.from({ length: 30 }, (_, time) => signIn(time % 2 === 0 ? here : there, WRONG));
    const statuses = (await Promise.all(guesses)).map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(10).fill(422), ...Array(20).fill(429)]);
  });

  it('lets a person skip the line twenty times, whatever a thief guesses', async () => {
    const device = (await knownBrowser()).cookie(DEVICE) ?? '';
    const thief = thiefOf(browser);
    expect(await statusesOf(10, () => signIn(thief, WRONG))).toEqual(Array(10).fill(422));
    await guess();
    const enter = () => {
      const who = stranger();
      who.setCookie(DEVICE, device);
      return signIn(who, PASSWORD);
    };
    expect(await statusesOf(22, enter)).toEqual([...Array(20).fill(303), 429, 429]);
  });

  it('ends with a new password, except that of the browser that has set it', async () => {
    const setter = stranger();
    await signIn(setter, PASSWORD);
    const account = `${home()}/account`;
    const newPassword = 'outra frase bem comprida';
    const { status } = await setter.submit(account, `${account}/password`, {
      password: PASSWORD,
      newPassword,
    });
    expect(status).toBe(303);
    await guess();
    expect(await signIn(browser, newPassword)).toMatchObject({ status: 429 });
    expect(await signIn(thiefOf(setter), newPassword)).toMatchObject({ status: 303 });
  });

  it('ends when a second factor ends all sessions', async () => {
    await secondFactorOf(app.database, ANA, KEYS);
    await guess();
    expect(await signIn(browser, PASSWORD)).toMatchObject({ status: 429 });
  });

  it('stays ended after the second factor is off again', async () => {
    await secondFactorOf(app.database, ANA, KEYS);
    const { id } = await em().findOneOrFail(UserEntity, { email: ANA, localStoreId: null });
    await endSecondFactor(em(), id, new Date());
    await guess();
    expect(await signIn(browser, PASSWORD)).toMatchObject({ status: 429 });
  });

  it('leaves none for a password whose code is missing', async () => {
    await secondFactorOf(app.database, ANA, KEYS);
    const thief = stranger();
    expect(await signIn(thief, PASSWORD)).toMatchObject({ status: 303 });
    expect(thief.cookie(DEVICE)).toBeUndefined();
  });

  it('gives no attempts at the account of another address', async () => {
    await guess();
    const eve = await signedIn({ ...app, url: app.api.url }, app.storeId, 'support', 'eve@example.com');
    await givePassword(app.database);
    await eve.post(SIGN_IN, { email: 'eve@example.com', password: PASSWORD, to: '' });
    expect(eve.cookie(DEVICE)).toBeDefined();
    expect(await signIn(eve, PASSWORD)).toMatchObject({ status: 429 });
  });
});

describe('while someone has stolen more than the address', () => {
  it('accepts the code of a device after the wrong codes of a stolen password', async () => {
    const { codeAt } = await secondFactorOf(app.database, ANA, KEYS);
    const known = stranger();
    await signIn(known, PASSWORD);
    await known.post(`${SIGN_IN}/code`, { code: codeAt(0), to: '' });
    const enter = async (code: string) => {
      const who = stranger();
      await signIn(who, PASSWORD);
      return who.post(`${SIGN_IN}/code`, { code, to: '' });
    };
    expect(await statusesOf(11, () => enter('000000'))).toEqual([...Array(10).fill(422), 429]);
    await signIn(known, PASSWORD);
    expect(await known.post(`${SIGN_IN}/code`, { code: codeAt(30_000), to: '' })).toMatchObject({
      status: 303,
    });
  });

  it('compares the password of a device after the guesses of three stolen sessions', async () => {
    const newPassword = 'outra frase bem comprida';
    const change = (who: DashboardUser, password: string) =>
      who.submit(`${home()}/account`, `${home()}/account/password`, { password, newPassword });
    await signIn(browser, PASSWORD);
    for (let session = 0; session < 3; session += 1) {
      const stolen = await signedIn({ ...app, url: app.api.url }, app.storeId, 'owner', ANA);
      await statusesOf(10, () => change(stolen, WRONG));
    }
    const last = await signedIn({ ...app, url: app.api.url }, app.storeId, 'owner', ANA);
    expect(await change(last, PASSWORD)).toMatchObject({ status: 429 });
    expect(await change(browser, PASSWORD)).toMatchObject({ status: 303 });
  });
});

it('compares ten wrong passwords of a browser that was signed in', async () => {
  // Ten count towards the browser and the account at once.
  expect(await statusesOf(22, () => signIn(browser, WRONG))).toEqual([
    ...Array(10).fill(422),
    ...Array(12).fill(429),
  ]);
  expect(await signIn(browser, PASSWORD)).toMatchObject({ status: 429 });
});

it('compares ten wrong codes of a person, in whichever browsers they are entered', async () => {
  await secondFactorOf(app.database, ANA, KEYS);
  const statuses = await statusesOf(12, async () => {
    const who = stranger();
    await signIn(who, PASSWORD);
    return who.post(`${SIGN_IN}/code`, { code: '000000', to: '' });
  });
  expect(statuses).toEqual([...Array(10).fill(422), 429, 429]);
});

it('gives a device no attempts at another account of its address', async () => {
  const other = await createTestStore(app.database);
  // The store's own account of the address, which someone else may have opened.
  const local = await signedIn({ ...app, url: app.api.url }, other.id, 'support', 'eve@example.com');
  const passwordHash = await hashPassword('outra frase bem comprida');
  const change = { email: ANA, localStoreId: other.id, passwordHash };
  await em().nativeUpdate(UserEntity, { email: 'eve@example.com' }, change);
  await signIn(local, 'outra frase bem comprida');
  await guess();
  expect(await signIn(local, PASSWORD)).toMatchObject({ status: 422 });
  expect(await signIn(local, 'outra frase bem comprida')).toMatchObject({ status: 303 });
});

// Last, because the processes remember for a minute that the address of all tests is far over its limit.
it('lets a known browser sign in from the address of strangers who guess', async () => {
  const row = ['wrongPasswordsOfAddress:127.0.0.1', 400, Date.now() + 60_000];
  await em().execute('delete from anonymous_traffic');
  await em().execute('insert into anonymous_traffic values (?, ?, ?)', row);
  expect(await statusesOf(2, () => signIn(stranger(), PASSWORD))).toEqual([429, 429]);
  expect(await signIn(browser, PASSWORD)).toMatchObject({ status: 303 });
});
