import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createKey } from '../../../src/api/keys/api-keys.ts';
import { inviteUser, linkOfUser, mailInvitation } from '../../../src/cli/users.ts';
import { AuditLineEntity } from '../../../src/database/entities/audit-line.ts';
import { MembershipEntity } from '../../../src/database/entities/membership.ts';
import { type User, UserEntity } from '../../../src/database/entities/user.ts';
import type { Em } from '../../../src/database/orm.ts';
import type { StoreId } from '../../../src/domain/ids.ts';
import { PERMISSIONS } from '../../../src/domain/permission.ts';
import { isHigher, ROLES, type Role } from '../../../src/domain/role.ts';
import { inviteByLink, inviteByMail, pendingInvitations } from '../../../src/identity/invitations.ts';
import { inviteeOf } from '../../../src/identity/users.ts';
import { inviteeIdOf } from '../../../src/ids.ts';
import { InvitationMailer } from '../../../src/mail/invitation-mailer.ts';
import { SecretsKeys } from '../../../src/secrets/secrets-keys.ts';
import { createTestApp, createTestStore, type TestApp } from '../../support/api/app.ts';
import {
  codeFor,
  DashboardUser,
  enterBy,
  givePassword,
  hiddenFields,
  PASSWORD,
  signedIn,
} from '../../support/dashboard/dashboard-user.ts';
import { SILENT_LOG } from '../../support/servers/silent-temporal.ts';
import { untilWaiting } from '../../support/waiting/hold.ts';

const KEYS = new SecretsKeys([Buffer.alloc(32, 7).toString('base64')]);
const OTHER_PASSWORD = 'outra frase bem comprida';

let app: TestApp;
let storeId: StoreId;
let owner: DashboardUser;
beforeAll(async () => {
  app = await createTestApp({ secretsKeys: KEYS });
});
afterAll(() => app.close());
/** A store of its own for each test: who is its only owner is part of what is tested. */
beforeEach(async () => {
  storeId = (await createTestStore(app.database)).id;
  owner = await signedInAs('owner', ownerEmail());
});

const ownerEmail = () => `owner-${storeId}@example.com`.toLowerCase();
const em = () => app.database.em.fork();
const at = (path: string) => `/dashboard/${storeId}/dev${path}`;
const dashboardUser = () => new DashboardUser(app.api.url);
async function signedInAs(role: Role, email: string): Promise<DashboardUser> {
  const dashboardUser = await signedIn({ ...app, url: app.api.url }, storeId, role, email);
  await givePassword(app.database);
  return dashboardUser;
}
const userOf = (email: string) => em().findOneOrFail(UserEntity, { email }) as Promise<User>;
const linkIn = (html: string) => /\/dashboard\/enter\/[\w-]+/.exec(html)?.[0] ?? '';
const invite = async (email: string, role: Role, by: DashboardUser = owner) =>
  linkIn(
    (await by.submit(at('/team'), at('/team/invite'), { email, role, by: 'link', password: PASSWORD })).html,
  );
const enter = (link: string, password = PASSWORD) =>
  enterBy(dashboardUser(), link, { name: 'Ana', password });
const change = async (email: string, role: Role, by: DashboardUser = owner) => {
  const { id } = await userOf(email);
  return by.submit(at(`/team/${id}`), at(`/team/${id}/role`), { role, password: PASSWORD });
};
const remove = async (email: string, by: DashboardUser = owner) => {
  const { id } = await userOf(email);
  return by.submit(at(`/team/${id}/remove`), at(`/team/${id}/remove`), { password: PASSWORD });
};
async function roleOf(email: string): Promise<Role | null> {
  const { id: userId } = await userOf(email);
  return (await em().findOne(MembershipEntity, { userId, storeId }))?.role ?? null;
}
async function expectGone(link: string): Promise<void> {
  expect(link).toMatch(/enter/);
  expect((await dashboardUser().get(link)).status).toBe(404);
  expect((await dashboardUser().post(link, { name: 'Ana', password: PASSWORD })).status).toBe(404);
}
const mailsOfStore = () =>
  em().execute('select 1 from invitation_mails where store_id = :storeId', { storeId });

describe('an invitation ends', () => {
  it('replaces an open invitation, so that the last role counts', async () => {
    const first = await invite('ana@example.com', 'owner');
    const second = await invite('ana@example.com', 'support');
    await expectGone(first);
    expect(await enter(second)).toMatchObject({ status: 303 });
    expect(await roleOf('ana@example.com')).toBe('support');
  });

  it('leaves one valid link if several are created at once', async () => {
    await inviteUser(em(), { store: storeId, email: 'bia@example.com', role: 'owner' }, new Date());
    const invitation = { store: storeId, email: 'bia@example.com', role: 'support' as const };
    const links = await Promise.all(
      Array.from({ length: 5 }, () => inviteUser(em(), invitation, new Date())),
    );
    const pages = await Promise.all(links.map((link) => dashboardUser().get(link)));
    expect(pages.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404]);
  });

  it('leaves one invitation if a mailed and a direct one are created at once', async () => {
    const [now, email] = [new Date(), 'ugo@example.com'];
    const { id: inviterId } = await userOf(ownerEmail());
    const inviteAs = async (tx: Em, isProven: boolean) => {
      const { id: userId } = await inviteeOf(tx, { email, storeId, isProven }, now);
      await inviteByLink(tx, { userId, storeId, role: 'support', inviterId }, now);
    };
    const first = em();
    await first.begin();
    await inviteAs(first, true);
    const second = em().transactional((tx) => inviteAs(tx, false));
    await Promise.race([second, untilWaiting(app.database, 1)]);
    await first.commit();
    await second;
    expect(await pendingInvitations(em(), storeId, now)).toHaveLength(1);
  });

  it('ends invitations of a member who is removed from the team', async () => {
    await signedInAs('finance', 'caio@example.com');
    const link = await invite('caio@example.com', 'owner');
    await mailInvitation(em(), { store: storeId, email: 'dan@example.com', role: 'owner' }, new Date());
    await remove('caio@example.com');
    await expectGone(link);
    expect(await roleOf('caio@example.com')).toBeNull();
    expect(await mailsOfStore()).toHaveLength(1);
  });

  it("ends an invitation when the member's role is changed", async () => {
    await signedInAs('support', 'duda@example.com');
    const link = await invite('duda@example.com', 'owner');
    expect(await change('duda@example.com', 'finance')).toMatchObject({ status: 303 });
    await expectGone(link);
    expect(await roleOf('duda@example.com')).toBe('finance');
  });

  it('ends mailed invitations too when the person joins', async () => {
    const link = await invite('eva@example.com', 'support');
    const { id: userId } = await userOf('eva@example.com');
    // A process of the previous version stored this mail beside the link.
    await em().execute(
      `insert into invitation_mails (user_id, store_id, role, language, created_at)
       values (:userId, :storeId, 'owner', 'pt-BR', now())`,
      { userId, storeId },
      'run',
    );
    expect(await enter(link)).toMatchObject({ status: 303 });
    expect(await mailsOfStore()).toEqual([]);
  });

  it('ends an invitation, and does not mail it, when the inviter loses the right', async () => {
    const second = await signedInAs('owner', 'fabio@example.com');
    const link = await invite('gil@example.com', 'owner', second);
    const fabio = await userOf('fabio@example.com');
    const ivo = await signedInAs('support', 'ivo@example.com');
    expect((await dashboardUser().get(link)).status).toBe(200);
    await change('fabio@example.com', 'support');
    await expectGone(link);
    expect((await owner.get(at('/team'))).text).not.toContain('gil@example.com');
    // A process of the previous version stored this mail.
    await em().execute(
      `insert into invitation_mails (user_id, store_id, role, inviter_id, language, created_at)
       select id, :storeId, 'owner', :inviterId, 'pt-BR', date_trunc('milliseconds', now()) from users where email = 'ivo@example.com'`,
      { storeId, inviterId: fabio.id },
      'run',
    );
    expect((await owner.get(at('/team'))).text).toContain('Quem convidou não pode mais convidar');
    const nowhere = { smtpUrl: 'smtp://127.0.0.1:1', from: 'equipe@example.com' };
    const mailer = new InvitationMailer(app.database, app.api.url, nowhere, SILENT_LOG);
    await mailer.sendDue(new Date());
    await mailer.close();
    expect(await mailsOfStore()).toEqual([]);
    expect((await ivo.get(at('/team'))).status).toBe(403);
    expect(await roleOf('ivo@example.com')).toBe('support');
  });

  it('ends an invitation for good, even if the inviter regains the right', async () => {
    const second = await signedInAs('owner', 'lara@example.com');
    const link = await invite('mel@example.com', 'owner', second);
    const { id: inviterId } = await userOf('lara@example.com');
    await em().execute(
      `insert into invitation_mails (user_id, store_id, role, inviter_id, language, created_at)
       select id, :storeId, 'owner', :inviterId, 'pt-BR', now() from users where email = 'mel@example.com'`,
      { storeId, inviterId },
      'run',
    );
    await change('lara@example.com', 'support');
    await change('lara@example.com', 'owner');
    await expectGone(link);
    expect(await mailsOfStore()).toEqual([]);
  });

  it('ends an invitation when the inviter resets their password by a link', async () => {
    const link = await invite('oto@example.com', 'owner');
    const reset = await linkOfUser(em(), { email: ownerEmail() }, 'RESET', new Date());
    expect(await enter(reset, OTHER_PASSWORD)).toMatchObject({ status: 303 });
    await expectGone(link);
  });

  it('ends invitations to all their stores when the inviter changes their password', async () => {
    const link = await invite('paz@example.com', 'owner');
    const other = await createTestStore(app.database);
    await signedIn({ ...app, url: app.api.url }, other.id, 'owner', ownerEmail());
    const { id: inviterId } = await userOf(ownerEmail());
    const { id: userId } = await userOf('paz@example.com');
    const mail = { userId, storeId: other.id, role: 'owner', inviterId, language: 'pt-BR' } as const;
    await em().transactional((tx) => inviteByMail(tx, { ...mail, createdAt: new Date() }));
    const changed = await owner.submit(at('/account'), at('/account/password'), {
      password: PASSWORD,
      newPassword: OTHER_PASSWORD,
    });
    expect(changed.status).toBe(303);
    await expectGone(link);
    expect(await pendingInvitations(em(), other.id, new Date())).toEqual([]);
  });

  it('ends an invitation when the inviter enables a second factor', async () => {
    const link = await invite('quim@example.com', 'owner');
    const page = at('/account/second-factor');
    const begun = await owner.submit(page, `${page}/begin`, { password: PASSWORD });
    const code = await codeFor(app.database, ownerEmail(), KEYS);
    const fields = { ...hiddenFields(begun, `${page}/confirm`), password: PASSWORD, code };
    expect((await owner.post(`${page}/confirm`, fields)).status).toBe(200);
    await expectGone(link);
  });

  it('refuses a person beyond 200 who are invited, also two at once', async () => {
    await em().transactional(async (tx) => {
      const [now, invitation] = [new Date(), { storeId, role: 'viewer', inviterId: null } as const];
      for (let number = 1; number < 200; number += 1) {
        const person = { email: `p${number}@example.com`, storeId, isProven: false };
        await inviteByLink(tx, { ...invitation, userId: (await inviteeOf(tx, person, now)).id }, now);
      }
    });
    const links = await Promise.all([
      invite('ravi@example.com', 'viewer'),
      invite('sol@example.com', 'viewer'),
    ]);
    expect(links.filter((link) => link !== '')).toHaveLength(1);
    const form = { email: 'tito@example.com', role: 'viewer', by: 'link', password: PASSWORD };
    const refused = await owner.submit(at('/team'), at('/team/invite'), form);
    expect(refused.status).toBe(422);
    expect(refused.html).toContain('Há convites demais ainda não aceitos');
    expect(await em().count(UserEntity, { email: 'tito@example.com' })).toBe(0);
    expect(await invite('p7@example.com', 'support')).toMatch(/enter/);
  });

  it('refuses an invitation if the inviter loses the right at the same moment', async () => {
    const second = await signedInAs('owner', 'nara@example.com');
    const { id: userId } = await userOf('nara@example.com');
    const holder = em();
    await holder.begin();
    const mine = { userId, storeId };
    await holder.execute(
      'select 1 from memberships where user_id = :userId and store_id = :storeId for update',
      mine,
    );
    const inviting = invite('olga@example.com', 'owner', second);
    await untilWaiting(app.database, 1);
    await holder.execute(
      `update memberships set role = 'support' where user_id = :userId and store_id = :storeId`,
      mine,
      'run',
    );
    await holder.commit();
    expect(await inviting).toBe('');
    expect(await em().execute('select 1 from one_time_links where store_id = :storeId', { storeId })).toEqual(
      [],
    );
  });

  it('ends an invitation if its inviter is removed before or during its use', async () => {
    const second = await signedInAs('owner', 'jo@example.com');
    const link = await invite('kim@example.com', 'owner', second);
    const answer = { name: 'Kim', password: PASSWORD };
    const [entered] = await Promise.all([dashboardUser().post(link, answer), remove('jo@example.com')]);
    const isIn = entered.status === 303;
    expect([303, 404]).toContain(entered.status);
    expect(await roleOf('kim@example.com')).toBe(isIn ? 'owner' : null);
    await expectGone(link);
  });
});

describe('a link never lowers a role', () => {
  it('keeps the role of the only owner who opens an invitation', async () => {
    const email = ownerEmail();
    const link = await invite(email, 'support');
    const { status } = await enter(link);
    expect(status).toBe(303);
    expect(await roleOf(email)).toBe('owner');
    const { id: userId } = await userOf(email);
    expect(await em().findOne(AuditLineEntity, { userId, storeId, action: 'team/join' })).toMatchObject({
      role: 'owner',
    });
  });

  it('raises a role by an invitation', async () => {
    await signedInAs('support', 'lia@example.com');
    const link = await invite('lia@example.com', 'finance');
    expect(await enter(link)).toMatchObject({ status: 303 });
    expect(await roleOf('lia@example.com')).toBe('finance');
  });

  it('orders roles: owner, then developer and finance, support, viewer', () => {
    const higher = ROLES.flatMap((role) =>
      ROLES.filter((than) => isHigher(role, than)).map((than) => `${role} > ${than}`),
    );
    expect(higher).toEqual([
      'owner > developer',
      'owner > finance',
      'owner > support',
      'owner > viewer',
      'developer > support',
      'developer > viewer',
      'finance > support',
      'finance > viewer',
      'support > viewer',
    ]);
  });
});

describe('the team page', () => {
  it('lists open invitations, and revokes one with a line in the audit log', async () => {
    const link = await invite('max@example.com', 'finance');
    await mailInvitation(em(), { store: storeId, email: 'nina@example.com', role: 'support' }, new Date());
    const { text, html } = await owner.get(at('/team'));
    expect(text).toContain('Convites em aberto');
    expect(text).toMatch(/max@example\.com\s+financeiro\s+owner-\S+@example\.com/);
    expect(text).toMatch(/nina@example\.com\s+\S+\s+linha de comando/);
    expect(html).not.toContain('/dashboard/enter/');
    const id = inviteeIdOf(storeId, (await userOf('max@example.com')).id);
    const path = at(`/team/${id}/revoke-invitation`);
    const revoked = await owner.submit(at('/team'), path);
    expect(revoked).toMatchObject({ status: 303, location: at('/team') });
    await expectGone(link);
    expect((await owner.get(at('/team'))).text).not.toContain('max@example.com');
    const line = { storeId, action: 'team/revoke-invitation' };
    expect(await em().find(AuditLineEntity, line)).toMatchObject([{ subjectId: id, role: 'owner' }]);
  });

  it('names the keys that somebody made before they are taken out', async () => {
    await signedInAs('developer', 'rita@example.com');
    const { id: creatorId } = await userOf('rita@example.com');
    const given = { storeId, devMode: false, permissions: PERMISSIONS };
    await createKey(em(), { ...given, description: 'Da Rita', creatorId }, new Date());
    await createKey(em(), { ...given, description: 'De ninguém' }, new Date());
    const page = await owner.get(at(`/team/${creatorId}/remove`));
    expect(page.text).toContain('Da Rita');
    expect(page.text).not.toContain('De ninguém');
    expect(page.html).toMatch(/href="[^"]*\/prod\/keys\/[^"]*\/revoke"/);
  });

  it("shows and revokes no other store's invitations", async () => {
    const other = await createTestStore(app.database);
    const theirs = { store: other.id, email: 'olga@example.com', role: 'owner' as const };
    const link = await inviteUser(em(), theirs, new Date());
    expect((await owner.get(at('/team'))).text).not.toContain('olga@example.com');
    await invite('pia@example.com', 'support');
    const { id: olga } = await userOf('olga@example.com');
    const own = inviteeIdOf(storeId, (await userOf('pia@example.com')).id);
    const form = await owner.submit(at('/team'), at(`/team/${own}/revoke-invitation`));
    expect(form.status).toBe(303);
    await invite('pia@example.com', 'support');
    const html = (await owner.get(at('/team'))).html;
    const csrf = /name="csrf" value="([^"]+)"/.exec(html)?.[1] ?? '';
    const submission = crypto.randomUUID();
    for (const id of [inviteeIdOf(other.id, olga), inviteeIdOf(storeId, olga), olga]) {
      const answer = await owner.post(at(`/team/${id}/revoke-invitation`), { csrf, submission });
      expect(answer.status).toBe(404);
    }
    expect((await dashboardUser().get(link)).status).toBe(200);
  });
});

describe('links that sign in or give another password end', () => {
  const linksOf = (email: string) =>
    Promise.all((['SIGN_IN', 'RESET'] as const).map((kind) => linkOfUser(em(), { email }, kind, new Date())));

  it('ends links when the password is changed while signed in', async () => {
    const email = ownerEmail();
    const links = await linksOf(email);
    const newPassword = { newPassword: OTHER_PASSWORD, password: PASSWORD };
    expect(await owner.submit(at('/account'), at('/account/password'), newPassword)).toMatchObject({
      status: 303,
    });
    for (const link of links) await expectGone(link);
  });

  it("ends links when a link resets the password, but keeps other stores' invitations", async () => {
    const email = 'rui@example.com';
    await enter(await invite(email, 'support'));
    const other = await createTestStore(app.database);
    const elsewhere = await inviteUser(em(), { store: other.id, email, role: 'support' }, new Date());
    const links = await linksOf(email);
    const reset = await linkOfUser(em(), { email }, 'RESET', new Date());
    expect(await enter(reset, OTHER_PASSWORD)).toMatchObject({ status: 303 });
    for (const link of links) await expectGone(link);
    expect((await dashboardUser().get(elsewhere)).status).toBe(200);
  });
});

it('accepts an invitation that was stored without its inviter', async () => {
  const link = await invite('sol@example.com', 'finance');
  await em().execute(
    'update one_time_links set inviter_id = null where store_id = :storeId',
    { storeId },
    'run',
  );
  expect((await owner.get(at('/team'))).text).toContain('linha de comando');
  expect(await enter(link)).toMatchObject({ status: 303 });
  expect(await roleOf('sol@example.com')).toBe('finance');
});
