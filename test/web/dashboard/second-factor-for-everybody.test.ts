import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { inviteUser } from '../../../src/cli/users.ts';
import { AuditLineEntity } from '../../../src/database/entities/audit-line.ts';
import { MembershipEntity } from '../../../src/database/entities/membership.ts';
import { SessionEntity } from '../../../src/database/entities/session.ts';
import { type User, UserEntity } from '../../../src/database/entities/user.ts';
import { hashPassword } from '../../../src/identity/password.ts';
import { activeSessions, sessionAtStore } from '../../../src/identity/sessions.ts';
import { SecretsKeys } from '../../../src/secrets/secrets-keys.ts';
import { createTestApp, createTestStore, type TestApp } from '../../support/api/app.ts';
import {
  codeFor,
  DashboardUser,
  enterBy,
  hiddenFields,
  secondFactorOf,
  signedIn,
} from '../../support/dashboard/dashboard-user.ts';

const PASSWORD = 'uma frase bem comprida';
const KEYS = new SecretsKeys([Buffer.alloc(32, 7).toString('base64')]);

let app: TestApp;
let owner: DashboardUser;
let finance: DashboardUser;
/** Who joins by an invitation. */
let nova: DashboardUser;
/** Codes of the owner's second factor that are still good. */
let codes: string[];
beforeAll(async () => {
  app = await createTestApp({ secretsKeys: KEYS });
  owner = await signedIn(fixture(), app.storeId, 'owner');
  finance = await signedIn(fixture(), app.storeId, 'finance');
  await em().nativeUpdate(UserEntity, {}, { passwordHash: await hashPassword(PASSWORD) });
});
afterAll(() => app.close());

const fixture = () => ({ url: app.api.url, database: app.database });
const em = () => app.database.em.fork();
const at = (path: string, environment = 'dev') => `/dashboard/${app.storeId}/${environment}${path}`;
const require = (who: DashboardUser, code: string) => {
  const path = at('/controls/second-factor');
  return who.submit(path, path, { password: PASSWORD, code });
};
const ledToAccount = () => ({ status: 303, location: at('/account') });

it('refuses to require a second factor from an owner who has none', async () => {
  const page = await owner.get(at('/controls/second-factor'));
  expect(page.text).toContain('ligue primeiro o seu');
  const csrf = /name="csrf" value="([^"]*)"/.exec(page.html)?.[1] ?? '';
  const fields = { csrf, submission: 'forced', required: 'yes', password: PASSWORD };
  const forced = await owner.post(at('/controls/second-factor'), fields);
  expect(forced).toMatchObject({ status: 422 });
  expect((await finance.get(at('/payments'))).status).toBe(200);
});

it('leads members without one to set it up before they see anything else', async () => {
  codes = [...(await secondFactorOf(app.database, 'owner@example.com', KEYS)).recoveryCodes];
  expect(await require(owner, '000000')).toMatchObject({ status: 422 });
  expect(await require(owner, codes.pop() ?? '')).toMatchObject({ status: 303, location: at('/controls') });
  const [line] = await em().find(AuditLineEntity, { action: 'stores/second-factor' });
  expect(line).toMatchObject({ role: 'owner', devMode: null, details: '{"isRequired":true}' });
  expect((await owner.get(at('/payments'))).status).toBe(200);

  for (const path of ['', '/payments', '/payouts', '/live?after=x', '/team'])
    for (const environment of ['dev', 'prod'])
      expect(await finance.get(at(path, environment))).toMatchObject({
        status: 303,
        location: at('/account', environment),
      });
  const account = await finance.get(at('/account'));
  expect(account.text).toContain('só abre para quem tem um segundo fator');
  expect(account.html).not.toContain(`href="${at('/payments')}"`);
  const csrf = /name="csrf" value="([^"]*)"/.exec(account.html)?.[1] ?? '';
  expect(await finance.post(at('/payouts'), { csrf, amount: '10,00' })).toMatchObject(ledToAccount());
});

it('ends live streams of members without one, and lets other stores be', async () => {
  const { id: userId } = (await em().findOneOrFail(UserEntity, { email: 'finance@example.com' })) as User;
  const { id } = await em().findOneOrFail(SessionEntity, { userId });
  const ids = [sessionAtStore(id, app.storeId)];
  expect([...(await activeSessions(app.database, ids, new Date()))]).toEqual([]);
  const store = await createTestStore(app.database);
  const dashboardUser = await signedIn(fixture(), store.id, 'finance');
  expect((await dashboardUser.get(`/dashboard/${store.id}/dev/payments`)).status).toBe(200);
});

it('lets an invited person join, set up a second factor and continue', async () => {
  nova = new DashboardUser(app.api.url);
  const invitation = { store: app.storeId, email: 'nova@example.com', role: 'finance' as const };
  const link = await inviteUser(em(), invitation, new Date());
  const entered = await enterBy(nova, link, { name: 'Nova', password: PASSWORD });
  expect(await nova.get(entered.location ?? '')).toMatchObject(ledToAccount());
  const elsewhere = await signedIn(fixture(), app.storeId, 'finance', 'nova@example.com');
  const begin = at('/account/second-factor/begin');
  const page = await nova.submit(at('/account/second-factor'), begin, { password: PASSWORD });
  const confirm = at('/account/second-factor/confirm');
  const code = await codeFor(app.database, 'nova@example.com', KEYS);
  const confirmed = await nova.post(confirm, { ...hiddenFields(page, confirm), code, password: PASSWORD });
  expect(confirmed.text).toContain('Códigos de recuperação');
  expect((await nova.get(at('/payments'))).status).toBe(200);
  // A session that was begun with the password alone.
  expect((await elsewhere.get(at('/payments'))).location).toMatch(/sign-in/);
});

it('makes a member with a new second factor wait for another owner to confirm', async () => {
  const { id } = (await em().findOneOrFail(UserEntity, { email: 'nova@example.com' })) as User;
  const waits = async () =>
    (await nova.get(at('/new-transfer', 'prod'))).text.includes('segundo fator é novo');
  expect(await waits()).toBe(true);
  const path = at(`/team/${id}/confirm`);
  expect((await nova.get(path)).status).toBe(403);
  expect(await owner.submit(path, path, { password: PASSWORD, code: codes.pop() ?? '' })).toMatchObject({
    status: 303,
  });
  expect(await waits()).toBe(false);
});

it('asks members with a second factor for a code even if it is not required', async () => {
  const store = await createTestStore(app.database);
  const dashboardUser = await signedIn(fixture(), store.id, 'finance', 'sozinha@example.com');
  await secondFactorOf(app.database, 'sozinha@example.com', KEYS);
  const form = async (environment: string) =>
    (await dashboardUser.get(`/dashboard/${store.id}/${environment}/new-transfer`)).html;
  expect(await form('prod')).toContain('name="code"');
  expect(await form('dev')).not.toContain('name="code"');
});

it('asks for a code to send money in production', async () => {
  expect((await owner.get(at('/new-transfer', 'prod'))).html).toContain('name="code"');
  expect((await owner.get(at('/new-transfer'))).html).not.toContain('name="code"');
});

it('requires a code to end a second factor, then leads back to setting it up', async () => {
  const end = (code: string) =>
    owner.submit(at('/account/second-factor'), at('/account/second-factor/end'), {
      password: PASSWORD,
      code,
    });
  expect(await end('')).toMatchObject({ status: 422 });
  expect((await owner.get(at('/payments'))).status).toBe(200);
  expect(await end(codes.pop() ?? '')).toMatchObject({ status: 303 });
  expect(await owner.get(at('/payments'))).toMatchObject(ledToAccount());
  codes = [...(await secondFactorOf(app.database, 'owner@example.com', KEYS)).recoveryCodes];
  expect((await owner.get(at('/payments'))).status).toBe(200);
});

it('stops requiring a second factor once an owner says so', async () => {
  // The owner has waited since their second factor was off.
  await em().nativeUpdate(MembershipEntity, {}, { moneySince: null });
  expect(await require(owner, codes.pop() ?? '')).toMatchObject({ status: 303 });
  expect((await finance.get(at('/payments'))).status).toBe(200);
});
