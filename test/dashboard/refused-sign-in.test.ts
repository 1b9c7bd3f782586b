import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { type AuditLine, AuditLineEntity } from '../../src/database/entities/audit-line.ts';
import { UserEntity } from '../../src/database/entities/user.ts';
import { SecretsKeys } from '../../src/secrets/secrets-keys.ts';
import { createTestApp, createTestStore, TEST_CONFIG, type TestApp } from '../support/api/app.ts';
import { givePassword, PASSWORD, secondFactorOf, signedIn, Visitor } from '../support/dashboard/visitor.ts';
import { eventually } from '../support/waiting/eventually.ts';

const ANA = 'ana@example.com';
const KEYS = new SecretsKeys([Buffer.alloc(32, 7).toString('base64')]);

let app: TestApp;
let owner: Visitor;
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
const signIn = (password: string, email = ANA) => {
  const who = new Visitor(app.api.url);
  return who
    .post('/dashboard/sign-in', { email, password, to: '/dashboard' })
    .then((page) => ({ ...page, who }));
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

it('records a wrong code', async () => {
  await secondFactorOf(app.database, ANA, KEYS);
  const { who } = await signIn(PASSWORD);
  await who.post('/dashboard/sign-in/code', { code: '000000', to: '/dashboard' });
  await expectLines('sign-in/refused', [{ details: '{"factor":"code"}' }]);
  await em().nativeUpdate(UserEntity, { email: ANA }, { totpConfirmedAt: null });
});

it('records once that an account is locked, and each guess before', async () => {
  for (let guess = 0; guess < 14; guess += 1) await signIn('uma senha qualquer');
  await expectLines('sign-in/locked', [{ subjectId: expect.stringMatching(/^user_/) }]);
  expect(await linesOf('sign-in/refused')).toHaveLength(10);
});

it('records nothing of an address that nobody has', async () => {
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
