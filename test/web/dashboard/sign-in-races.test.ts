import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { inviteUser } from '../../../src/cli/users.ts';
import { SessionEntity } from '../../../src/database/entities/session.ts';
import { UserEntity } from '../../../src/database/entities/user.ts';
import type { Em } from '../../../src/database/orm.ts';
import type { UserId } from '../../../src/domain/ids.ts';
import { hashPassword } from '../../../src/identity/password.ts';
import { SecretsKeys } from '../../../src/secrets/secrets-keys.ts';
import { createTestApp, createTestStore, type TestApp } from '../../support/api/app.ts';
import {
  DashboardUser,
  givePassword,
  PASSWORD,
  secondFactorOf,
  signedIn,
} from '../../support/dashboard/dashboard-user.ts';
import { holdRows, untilWaiting } from '../../support/waiting/hold.ts';

const KEYS = new SecretsKeys([Buffer.alloc(32, 7).toString('base64')]);

let app: TestApp;
let otherHash: string;
let userId: UserId;
let email: string;
beforeAll(async () => {
  app = await createTestApp({ secretsKeys: KEYS });
  otherHash = await hashPassword('outra frase bem comprida');
});
afterAll(() => app.close());
beforeEach(async () => {
  email = `ana-${crypto.randomUUID()}@example.com`;
  await member();
  userId = (await em().findOneOrFail(UserEntity, { email })).id;
  await em().nativeDelete(SessionEntity, { userId });
});

const em = () => app.database.em.fork();
const sessions = () => em().count(SessionEntity, { userId });
async function member(): Promise<DashboardUser> {
  const dashboardUser = await signedIn({ ...app, url: app.api.url }, app.storeId, 'owner', email);
  await givePassword(app.database);
  return dashboardUser;
}
const signIn = (who: DashboardUser) =>
  who.post('/dashboard/sign-in', { email, password: PASSWORD, to: '/dashboard' });

/** Changes Ana's password, which ends her sessions, and commits once `request` waits for it or has its response. */
async function withNewPassword<Answer>(request: () => Promise<Answer>): Promise<Answer> {
  const changing: Em = em();
  await changing.begin();
  const change = { userId, otherHash };
  await changing.execute('update users set password_hash = :otherHash where id = :userId', change, 'run');
  await changing.nativeDelete(SessionEntity, { userId });
  const answer = request();
  await Promise.race([answer, untilWaiting(app.database, 1)]);
  await changing.commit();
  return answer;
}

describe('no session begins', () => {
  it('refuses a sign-in if the password changes while it is compared', async () => {
    expect(await withNewPassword(() => signIn(new DashboardUser(app.api.url)))).toMatchObject({
      status: 409,
    });
    expect(await sessions()).toBe(0);
  });

  it('refuses a sign-in code if the password changes while it is compared', async () => {
    const { recoveryCodes } = await secondFactorOf(app.database, email, KEYS);
    const ana = new DashboardUser(app.api.url);
    expect(await signIn(ana)).toMatchObject({ location: expect.stringContaining('/sign-in/code') });
    const code = recoveryCodes[0] ?? '';
    const answer = await withNewPassword(() => ana.post('/dashboard/sign-in/code', { code, to: '' }));
    expect(answer).toMatchObject({ status: 303, location: '/dashboard/sign-in' });
    expect(await sessions()).toBe(0);
  });

  it('refuses an invitation if the password changes while it is compared', async () => {
    const { id: store } = await createTestStore(app.database);
    const link = await inviteUser(em(), { store, email, role: 'owner' }, new Date());
    const enter = () => new DashboardUser(app.api.url).post(link, { password: PASSWORD });
    expect(await withNewPassword(enter)).toMatchObject({ status: 409 });
    expect(await sessions()).toBe(0);
  });
});

it('asks for the second factor that is switched on while the password is compared', async () => {
  const setUp = await secondFactorOf(app.database, email, KEYS);
  expect(setUp.recoveryCodes).toHaveLength(10);
  await em().nativeUpdate(UserEntity, { id: userId }, { totpConfirmedAt: null });
  const switching = em();
  await switching.begin();
  await switching.nativeUpdate(UserEntity, { id: userId }, { totpConfirmedAt: new Date() });
  const answer = signIn(new DashboardUser(app.api.url));
  await Promise.race([answer, untilWaiting(app.database, 1)]);
  await switching.commit();
  expect(await answer).toMatchObject({ location: expect.stringContaining('/sign-in/code') });
  expect(await em().count(SessionEntity, { userId, awaitsCode: false })).toBe(0);
});

it('changes a password once where two sessions do with the same old one', async () => {
  const path = `/dashboard/${app.storeId}/dev/account`;
  const browsers = [new DashboardUser(app.api.url), new DashboardUser(app.api.url)];
  for (const browser of browsers) await signIn(browser);
  await using held = await holdRows(app.database, 'users', [userId]);
  const changes = browsers.map((browser, at) =>
    browser.submit(path, `${path}/password`, { password: PASSWORD, newPassword: `frase comprida ${at}` }),
  );
  await untilWaiting(app.database, 2);
  await held.release();
  const answers = await Promise.all(changes);
  expect(answers.map(({ status }) => status).sort()).toEqual([303, 409]);
});
