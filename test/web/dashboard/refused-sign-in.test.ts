import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { inviteUser } from '../../../src/cli/users.ts';
import { type AuditLine, AuditLineEntity } from '../../../src/database/entities/audit-line.ts';
import { UserEntity } from '../../../src/database/entities/user.ts';
import { SecretsKeys } from '../../../src/secrets/secrets-keys.ts';
import { createTestApp, createTestStore, TEST_CONFIG, type TestApp } from '../../support/api/app.ts';
import {
  DashboardUser,
  enterBy,
  givePassword,
  PASSWORD,
  secondFactorOf,
  signedIn,
} from '../../support/dashboard/dashboard-user.ts';
import { eventually } from '../../support/waiting/eventually.ts';

const ANA = 'ana@example.com';
const KEYS = new SecretsKeys([Buffer.alloc(32, 7).toString('base64')]);

let app: TestApp;
let owner: DashboardUser;
beforeAll(async () => {
  const config = { ...TEST_CONFIG, limitAnonymousTraffic: true };
  app = await createTestApp({ secretsKeys: KEYS, config });
});
afterAll(() => app.close());
let storeId: TestApp['storeId'];
beforeEach(async () => {
  await em().execute('delete from anonymous_traffic');
  storeId = (await createTestStore(app.database)).id;
  owner = await signedIn({ ...app, url: app.api.url }, storeId, 'owner', ANA);
  await givePassword(app.database);
});

const em = () => app.database.em.fork();
const signIn = (password: string, email = ANA, to = '/dashboard') => {
  const who = new DashboardUser(app.api.url);
  return who.post('/dashboard/sign-in', { email, password, to }).then((page) => ({ ...page, who }));
};
const linesOf = (action: string) => em().find(AuditLineEntity, { storeId, action }) as Promise<AuditLine[]>;
const expectLines = (action: string, expected: object[]) =>
  eventually(async () => expect(await linesOf(action)).toEqual(expected.map(expect.objectContaining)));

it('records a wrong password in the audit log of each store of the person', async () => {
  const { id } = await em().findOneOrFail(UserEntity, { email: ANA });
  await signIn('uma senha qualquer');
  const line = { actorKind: 'SYSTEM', subjectId: id, address: '127.0.0.x', details: '{"factor":"password"}' };
  await expectLines('sign-in/refused', [line]);
  const page = await owner.get(`/dashboard/${storeId}/dev/audit?action=sign-in/refused`);
  expect(page.text).toContain(ANA);
});

it('records a wrong code of the second factor in the audit log', async () => {
  await secondFactorOf(app.database, ANA, KEYS);
  const { who } = await signIn(PASSWORD);
  await who.post('/dashboard/sign-in/code', { code: '000000', to: '/dashboard' });
  await expectLines('sign-in/refused', [{ details: '{"factor":"code"}' }]);
  await em().nativeUpdate(UserEntity, { email: ANA }, { totpConfirmedAt: null });
});

it('locks wrong codes after a right password, and notifies person and owners once', async () => {
  const email = 'caio@example.com';
  await signedIn({ ...app, url: app.api.url }, storeId, 'finance', email);
  await givePassword(app.database);
  await secondFactorOf(app.database, email, KEYS);
  const [ana, caio] = await Promise.all(
    [ANA, email].map((each) => em().findOneOrFail(UserEntity, { email: each })),
  );
  const { who } = await signIn(PASSWORD, email);
  const guess = () => who.post('/dashboard/sign-in/code', { code: '000000', to: '/dashboard' });
  const statuses: number[] = [];
  for (let round = 0; round < 4; round += 1) {
    for (let count = 0; count < 11; count += 1) statuses.push((await guess()).status);
    // A quarter of an hour later.
    await em().execute("delete from anonymous_traffic where key like 'wrongCodesOfUser:%'");
  }
  expect(statuses.filter((status) => status === 422)).toHaveLength(30);
  await expectLines('sign-in/codes-locked', [{ subjectId: caio?.id, details: '{"factor":"code"}' }]);
  const mails = 'select user_id as "userId" from notice_mails where line_id = ?';
  const [line] = await linesOf('sign-in/codes-locked');
  const noticed = await em().execute<{ userId: string }[]>(mails, [line?.id]);
  expect(new Set(noticed.map(({ userId }) => userId))).toEqual(new Set([ana?.id, caio?.id]));
});

it('refuses sign-ins with right passwords beyond a hundred of one address', async () => {
  const rights = 'rightPasswordsOfAddress:127.0.0.1';
  const expire = Date.now() + 900_000;
  await em().execute('insert into anonymous_traffic (key, points, expire) values (?, 99, ?)', [
    rights,
    expire,
  ]);
  expect((await signIn(PASSWORD)).status).toBe(303);
  expect((await signIn(PASSWORD)).status).toBe(429);
});

it('records each wrong guess and once that the account is locked', async () => {
  for (let guess = 0; guess < 14; guess += 1) await signIn('uma senha qualquer');
  await expectLines('sign-in/locked', [{ subjectId: expect.stringMatching(/^user_/) }]);
  expect(await linesOf('sign-in/refused')).toHaveLength(10);
});

it('records no audit line for an unknown address', async () => {
  expect(await signIn(PASSWORD, 'nobody@example.com')).toMatchObject({ status: 422 });
  await signIn('uma senha qualquer');
  await expectLines('sign-in/refused', [{ actorKind: 'SYSTEM' }]);
});

it('records the role that somebody is invited to', async () => {
  const team = `/dashboard/${storeId}/dev/team`;
  const given = { email: 'bia@example.com', role: 'finance', by: 'link', password: PASSWORD };
  await owner.submit(team, `${team}/invite`, given);
  expect(await linesOf('team/invite')).toMatchObject([{ details: '{"role":"finance"}' }]);
  expect((await owner.get(`/dashboard/${storeId}/dev/audit`)).text).toContain('bia@example.com');
});

it('hides sign-in addresses from a store that invited an unproven address', async () => {
  const other = await createTestStore(app.database);
  const team = `/dashboard/${other.id}/dev/team`;
  const eve = await signedIn({ ...app, url: app.api.url }, other.id, 'owner', 'eve@example.com');
  await givePassword(app.database);
  const { html } = await eve.submit(team, `${team}/invite`, {
    email: ANA,
    role: 'support',
    by: 'link',
    password: PASSWORD,
  });
  const [link = ''] = /\/dashboard\/enter\/[\w-]+/.exec(html) ?? [];
  await enterBy(new DashboardUser(app.api.url), link, { name: 'Eve', password: 'outra frase bem comprida' });
  await signIn('uma senha qualquer');
  await expectLines('sign-in/refused', [{ address: '127.0.0.x' }]);
  const inOther = { storeId: other.id, action: 'sign-in/refused' };
  await eventually(async () =>
    expect(await em().find(AuditLineEntity, inOther)).toMatchObject([{ address: null }]),
  );
  await signIn('uma senha qualquer', ANA, `/dashboard/${other.id}/dev`);
  await eventually(async () =>
    expect((await em().find(AuditLineEntity, inOther)).map(({ address }) => address)).toContain('127.0.0.x'),
  );
});

it('shows a store nothing of other accounts of an address that it invited', async () => {
  const { id: otherId } = await createTestStore(app.database);
  const team = `/dashboard/${otherId}/dev/team`;
  const eve = await signedIn({ ...app, url: app.api.url }, otherId, 'owner', 'eve@example.com');
  await givePassword(app.database);
  for (const email of [ANA, 'nobody-else@example.com']) {
    const given = { email, role: 'support', by: 'link', password: PASSWORD };
    const { html } = await eve.submit(team, `${team}/invite`, given);
    const [link = ''] = /\/dashboard\/enter\/[\w-]+/.exec(html) ?? [];
    await enterBy(new DashboardUser(app.api.url), link, {
      name: 'Eve',
      password: 'outra frase bem comprida',
    });
    await signIn('uma senha qualquer', email);
  }
  await eventually(async () => {
    const lines = await em().find(AuditLineEntity, { storeId: otherId, action: 'sign-in/refused' });
    expect(lines.map(({ address }) => address)).toEqual([null, null]);
  });
});

it('records a wrong password that an invitation of any store is opened with', async () => {
  const { id: userId } = await em().findOneOrFail(UserEntity, { email: ANA, localStoreId: null });
  const other = await createTestStore(app.database);
  const link = await inviteUser(em(), { store: other.id, email: ANA, role: 'support' }, new Date());
  expect(
    await enterBy(new DashboardUser(app.api.url), link, { password: 'uma senha qualquer' }),
  ).toMatchObject({
    status: 422,
  });
  await expectLines('sign-in/refused', [{ subjectId: userId, details: '{"factor":"password"}' }]);
});

it('records wrong step-up passwords, and once that they are no longer compared', async () => {
  const path = `/dashboard/${storeId}/dev/account`;
  const change = () =>
    owner.submit(path, `${path}/password`, { password: 'x', newPassword: 'outra frase bem comprida' });
  for (let guess = 0; guess < 12; guess += 1) await change();
  expect(await linesOf('step-up/refused')).toHaveLength(10);
  expect(await linesOf('step-up/refused')).toContainEqual(
    expect.objectContaining({ actorKind: 'PERSON', role: 'owner', details: '{"factor":"password"}' }),
  );
  expect(await linesOf('step-up/locked')).toHaveLength(1);
});
