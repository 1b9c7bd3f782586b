import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { READ_NOTICED_LINE } from '../../../src/audit-log/noticed-lines.ts';
import { inviteUser } from '../../../src/cli/users.ts';
import { AuditLineEntity } from '../../../src/database/entities/audit-line.ts';
import { UserEntity } from '../../../src/database/entities/user.ts';
import type { StoreId } from '../../../src/domain/ids.ts';
import type { Role } from '../../../src/domain/role.ts';
import { createTestApp, createTestStore, TEST_CONFIG, type TestApp } from '../../support/api/app.ts';
import {
  DashboardUser,
  enterBy,
  givePassword,
  PASSWORD,
  signedIn,
} from '../../support/dashboard/dashboard-user.ts';

let app: TestApp;
let storeId: StoreId;
let owner: DashboardUser;
let ana: string;
beforeAll(async () => {
  const mail = { smtpUrl: 'smtp://127.0.0.1:1', from: 'equipe@example.com' };
  app = await createTestApp({ config: { ...TEST_CONFIG, mail } });
});
afterAll(() => app.close());
beforeEach(async () => {
  storeId = (await createTestStore(app.database)).id;
  owner = await signedInAt(storeId, 'owner', `owner-${storeId}@example.com`);
  ana = `ana-${storeId}@example.com`.toLowerCase();
});

const em = () => app.database.em.fork();
const at = (path: string) => `/dashboard/${storeId}/prod${path}`;
async function signedInAt(id: StoreId, role: Role, email: string): Promise<DashboardUser> {
  const user = await signedIn({ ...app, url: app.api.url }, id, role, email.toLowerCase());
  await givePassword(app.database);
  return user;
}
const invite = () =>
  owner.submit(at('/team'), at('/team/invite'), {
    email: ana,
    role: 'support',
    by: 'mail',
    password: PASSWORD,
  });
const userId = async () => (await em().findOneOrFail(UserEntity, { email: ana })).id;
const invitationLines = () => em().find(AuditLineEntity, { storeId, action: { $like: 'team/%' } });

it('never shows the id of the account that a mailed invitation finds', async () => {
  const { id: other } = await createTestStore(app.database);
  await signedInAt(other, 'owner', ana);
  const id = await userId();
  await invite();
  const team = await owner.get(at('/team'));
  const [, revoke = ''] = /action="([^"]*revoke-invitation)"/.exec(team.html) ?? [];
  expect(await owner.submit(at('/team'), revoke)).toMatchObject({ status: 303 });
  for (const page of [team, await owner.get(at('/audit')), await owner.get(at('/audit.csv'))]) {
    expect(page.html).toContain(ana);
    expect(page.html).not.toContain(id);
  }
  const home = await owner.get(`${at('')}?lang=en`);
  expect(home.text).toContain(`${ana} was invited`);
  expect(home.html).not.toContain(id);
});

it('names the invited person in the notice to owners', async () => {
  await invite();
  const [line] = await invitationLines();
  expect(line?.subjectId).toMatch(/^invt_/);
  expect(await READ_NOTICED_LINE(em(), { id: line?.id ?? ('' as never) })).toMatchObject([
    { subjectEmail: ana },
  ]);
});

it('records repeated and revoked invitations of a person under one id', async () => {
  await invite();
  await invite();
  const { html } = await owner.get(at('/team'));
  const [, revoke = ''] = /action="([^"]*revoke-invitation)"/.exec(html) ?? [];
  await owner.submit(at('/team'), revoke);
  const subjects = (await invitationLines()).map(({ subjectId }) => subjectId);
  expect([subjects.length, new Set(subjects).size]).toEqual([3, 1]);
});

it("records the account's id once the person is a member", async () => {
  const link = await inviteUser(em(), { store: storeId, email: ana, role: 'viewer' }, new Date());
  await enterBy(new DashboardUser(app.api.url), link, { name: 'Ana', password: PASSWORD });
  await invite();
  const id = await userId();
  expect((await invitationLines()).map(({ action, subjectId }) => [action, subjectId])).toEqual([
    ['team/join', id],
    ['team/invite', id],
  ]);
});
