import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
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

let app: TestApp;
let browser: DashboardUser;
beforeAll(async () => {
  const config = { ...TEST_CONFIG, limitAnonymousTraffic: true };
  app = await createTestApp({ config, secretsKeys: KEYS });
});
afterAll(() => app.close());
beforeEach(async () => {
  await em().execute('delete from anonymous_traffic');
  browser = await signedIn({ ...app, url: app.api.url }, app.storeId, 'owner', ANA);
  await givePassword(app.database);
  const { id } = await em().findOneOrFail(UserEntity, { email: ANA, localStoreId: null });
  await endSecondFactor(em(), id, new Date());
});

const em = () => app.database.em.fork();
const signIn = (who: DashboardUser, password: string, to = '/dashboard') =>
  who.post(SIGN_IN, { email: ANA, password, to });
const stranger = () => new DashboardUser(app.api.url);
const refusals = () => em().count(AuditLineEntity, { storeId: app.storeId, action: 'sign-in/refused' });
/** Strangers use up the attempts of the account. */
async function guess(): Promise<void> {
  const guesses = await Promise.all(Array.from({ length: 12 }, () => signIn(stranger(), WRONG)));
  expect(guesses.map(({ status }) => status)).toContain(429);
}

describe('while strangers guess the password of an account', () => {
  it('lets its owner sign in with a browser that was signed in', async () => {
    await guess();
    await em().execute("update sessions set last_seen_at = last_seen_at - interval '13 hours'");
    expect(await browser.get(`/dashboard/${app.storeId}/dev`)).toMatchObject({ status: 303 });
    const before = await refusals();
    expect(await signIn(stranger(), PASSWORD)).toMatchObject({ status: 429 });
    expect(await signIn(browser, WRONG)).toMatchObject({ status: 422 });
    expect(await signIn(browser, PASSWORD)).toMatchObject({ status: 303 });
    expect(await browser.get(`/dashboard/${app.storeId}/dev`)).toMatchObject({ status: 200 });
    await eventually(async () => expect(await refusals()).toBe(before + 1));
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
});

it('compares ten wrong passwords of a browser that was signed in', async () => {
  const statuses = [];
  for (let guess = 0; guess < 22; guess += 1) statuses.push((await signIn(browser, WRONG)).status);
  // Ten count towards the browser and the account at once.
  expect(statuses.slice(0, 10)).toEqual(Array(10).fill(422));
  expect(statuses.slice(10)).toEqual(Array(12).fill(429));
  expect(await signIn(browser, PASSWORD)).toMatchObject({ status: 429 });
});

it('compares ten wrong codes of a person, in whichever browsers they are entered', async () => {
  await secondFactorOf(app.database, ANA, KEYS);
  const statuses = [];
  for (let guess = 0; guess < 12; guess += 1) {
    const who = stranger();
    await signIn(who, PASSWORD);
    statuses.push((await who.post(`${SIGN_IN}/code`, { code: '000000', to: '' })).status);
  }
  expect(statuses).toEqual([...Array(10).fill(422), 429, 429]);
});

it('gives a session no attempts at another account of its address', async () => {
  const other = await createTestStore(app.database);
  // The store's own account of the address, which someone else may have opened.
  const local = await signedIn({ ...app, url: app.api.url }, other.id, 'support', 'eve@example.com');
  const passwordHash = await hashPassword('outra frase bem comprida');
  const change = { email: ANA, localStoreId: other.id, passwordHash };
  await em().nativeUpdate(UserEntity, { email: 'eve@example.com' }, change);
  await guess();
  expect(await signIn(local, PASSWORD)).toMatchObject({ status: 422 });
  expect(await signIn(local, 'outra frase bem comprida')).toMatchObject({ status: 303 });
});
