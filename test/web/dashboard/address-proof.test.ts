import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { inviteUser, linkOfUser, mailInvitation, removeUser } from '../../../src/cli/users.ts';
import { MembershipEntity } from '../../../src/database/entities/membership.ts';
import { UserEntity } from '../../../src/database/entities/user.ts';
import type { StoreId } from '../../../src/domain/ids.ts';
import type { Role } from '../../../src/domain/role.ts';
import { hashPassword } from '../../../src/identity/password.ts';
import { inviteeOf, userBy } from '../../../src/identity/users.ts';
import { createTestApp, createTestStore, type TestApp } from '../../support/api/app.ts';
import {
  DashboardUser,
  enterBy,
  givePassword,
  PASSWORD,
  signedIn,
} from '../../support/dashboard/dashboard-user.ts';

const OTHER_PASSWORD = 'outra frase bem comprida';

let app: TestApp;
let stores: StoreId[];
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  await app.database.em.fork().execute('delete from anonymous_traffic');
  stores = [(await createTestStore(app.database)).id, (await createTestStore(app.database)).id];
});

const em = () => app.database.em.fork();
const [first, second] = [() => stores[0] as StoreId, () => stores[1] as StoreId];
/** Of this test alone. */
const ana = () => `ana-${first()}@example.com`.toLowerCase();
const dashboardUser = () => new DashboardUser(app.api.url);
const signIn = (email: string, password: string, to = '/dashboard') => {
  const who = dashboardUser();
  return who.post('/dashboard/sign-in', { email, password, to }).then((page) => ({ ...page, who }));
};
const mayOpen = async (who: DashboardUser, storeId: StoreId) =>
  (await who.get(`/dashboard/${storeId}/dev`)).status === 200;

/** An owner of the store who is signed in and has a password. */
async function ownerOf(storeId: StoreId): Promise<DashboardUser> {
  const email = `owner@${storeId}.example`.toLowerCase();
  const owner = await signedIn({ ...app, url: app.api.url }, storeId, 'owner', email);
  await givePassword(app.database);
  return owner;
}

/** A link that this owner of the store hands over. */
async function handOverBy(owner: DashboardUser, storeId: StoreId, email: string, role: Role = 'finance') {
  const at = `/dashboard/${storeId}/dev/team`;
  const { html } = await owner.submit(at, `${at}/invite`, { email, role, by: 'link', password: PASSWORD });
  const [link = ''] = /\/dashboard\/enter\/[\w-]+/.exec(html) ?? [];
  expect(link).not.toBe('');
  return link;
}

/** A link that an owner of the store hands over. */
const handOver = async (storeId: StoreId, email: string, role?: Role) =>
  handOverBy(await ownerOf(storeId), storeId, email, role);

/** The account of the whole service that an operator made for Ana in a store. */
async function operatorInvites(storeId: StoreId): Promise<void> {
  const link = await inviteUser(em(), { store: storeId, email: ana(), role: 'owner' }, new Date());
  expect(await enterBy(dashboardUser(), link, { name: 'Ana', password: PASSWORD })).toMatchObject({
    status: 303,
  });
}

describe('invitation links that are not mailed', () => {
  it('signs in to the account of the store among those of 20 older stores', async () => {
    const passwordHash = await hashPassword('outra frase qualquer');
    for (let index = 0; index < 20; index += 1) {
      const { id: localStoreId } = await createTestStore(app.database);
      const { id } = await inviteeOf(
        em(),
        { email: ana(), storeId: localStoreId, isProven: false },
        new Date(),
      );
      await em().nativeUpdate(UserEntity, { id }, { passwordHash });
    }
    const { id: newest } = await createTestStore(app.database);
    await enterBy(dashboardUser(), await handOver(newest, ana()), { name: 'Ana', password: PASSWORD });
    const entered = await signIn(ana(), PASSWORD, `/dashboard/${newest}/dev`);
    expect(entered.status).toBe(303);
    expect(await mayOpen(entered.who, newest)).toBe(true);
  });

  it('sets a password for that store only, no matter who opens the link', async () => {
    const link = await handOver(first(), ana());
    expect(await enterBy(dashboardUser(), link, { name: 'Eve', password: PASSWORD })).toMatchObject({
      status: 303,
    });
    const { who } = await signIn(ana(), PASSWORD);
    expect(await mayOpen(who, first())).toBe(true);
    // Another store can still invite Ana herself: her address is not taken.
    const her = await handOver(second(), ana());
    const entered = dashboardUser();
    expect(await enterBy(entered, her, { name: 'Ana', password: OTHER_PASSWORD })).toMatchObject({
      status: 303,
    });
    expect(await mayOpen(entered, second())).toBe(true);
    expect(await mayOpen(entered, first())).toBe(false);
    expect(await mayOpen(who, second())).toBe(false);
  });

  it('gives no password to a member who signs in by links only', async () => {
    const at = `/dashboard/${first()}/dev/team`;
    const owner = await ownerOf(first());
    await signedIn({ ...app, url: app.api.url }, first(), 'support', ana());
    const given = { email: ana(), role: 'owner', by: 'link', password: PASSWORD };
    const answer = await owner.submit(at, `${at}/invite`, given);
    expect([answer.status, answer.text]).toEqual([422, expect.stringContaining('Já faz parte da equipe')]);
    expect(answer.html).not.toContain('/dashboard/enter/');
  });

  it('shows the same page whether the address has an account or not', async () => {
    await operatorInvites(second());
    const known = await dashboardUser().get(await handOver(first(), ana()));
    const unknown = await dashboardUser().get(await handOver(first(), `bia-${ana()}`));
    const text = ({ html }: { html: string }) => html.replaceAll(/enter\/[\w-]+|bia-/g, '');
    expect(text(known)).toBe(text(unknown));
  });

  it('lets the account of the whole service join with its password', async () => {
    await operatorInvites(second());
    const link = await handOver(first(), ana());
    const her = dashboardUser();
    const wrong = await her.post(link, { account: 'own', ownPassword: OTHER_PASSWORD });
    expect(wrong.status).toBe(422);
    expect(await her.post(link, { account: 'own', ownPassword: PASSWORD })).toMatchObject({ status: 303 });
    expect(await mayOpen(her, first())).toBe(true);
    expect(await mayOpen(her, second())).toBe(true);
    const account = await em().findOneOrFail(UserEntity, { email: ana(), localStoreId: null });
    expect(await em().count(MembershipEntity, { userId: account.id })).toBe(2);
    expect((await dashboardUser().get(link)).status).toBe(404);
  });

  it('shows the same message for a wrong password and an unknown account', async () => {
    const link = await handOver(first(), ana());
    const without = await dashboardUser().post(link, { account: 'own', ownPassword: OTHER_PASSWORD });
    await operatorInvites(second());
    const wrong = await dashboardUser().post(link, { account: 'own', ownPassword: OTHER_PASSWORD });
    expect([without.status, wrong.status]).toEqual([422, 422]);
    expect(without.html).toBe(wrong.html);
  });

  it('replaces a mailed invitation to the same address, and the other way round', async () => {
    const invitation = { store: first(), email: ana(), role: 'owner' } as const;
    const mails = () => em().execute('select 1 from invitation_mails where store_id = ?', [first()]);
    await mailInvitation(em(), invitation, new Date());
    const link = await handOver(first(), ana());
    expect(await mails()).toEqual([]);
    await mailInvitation(em(), invitation, new Date());
    expect(await mails()).toHaveLength(1);
    expect((await dashboardUser().get(link)).status).toBe(404);
  });

  it('keeps the password of an account that the store already has', async () => {
    await enterBy(dashboardUser(), await handOver(first(), ana()), { name: 'Ana', password: PASSWORD });
    const link = await handOver(first(), ana(), 'owner');
    expect(await enterBy(dashboardUser(), link, { password: OTHER_PASSWORD })).toMatchObject({ status: 422 });
    expect(await enterBy(dashboardUser(), link, { password: PASSWORD })).toMatchObject({ status: 303 });
  });
});

it('compares two passwords of an address, whichever of two accounts it has', async () => {
  const comparedFor = async (email: string) => {
    let compared = 0;
    const compare = async () => {
      compared += 1;
      return false;
    };
    await userBy(em(), email, PASSWORD, null, compare);
    return compared;
  };
  const join = async (email: string) =>
    enterBy(dashboardUser(), await handOver(first(), email), { name: 'Ana', password: PASSWORD });
  const [unknown, local] = [`dan-${ana()}`, `bia-${ana()}`];
  await operatorInvites(second());
  const ofService = await comparedFor(ana());
  await join(ana());
  await join(local);
  const counts = await Promise.all([unknown, local, ana()].map(comparedFor));
  expect([ofService, ...counts]).toEqual([2, 2, 2, 2]);
});

describe('an address with two accounts', () => {
  beforeEach(async () => {
    await operatorInvites(second());
    await enterBy(dashboardUser(), await handOver(first(), ana()), { name: 'Ana', password: PASSWORD });
  });

  it('signs in to the store of the requested page when both passwords are equal', async () => {
    for (const [storeId, other] of [stores, stores.toReversed()] as [StoreId, StoreId][]) {
      const { who } = await signIn(ana(), PASSWORD, `/dashboard/${storeId}/dev`);
      expect([await mayOpen(who, storeId), await mayOpen(who, other)]).toEqual([true, false]);
    }
  });

  it('changes and resets the password of one of two accounts', async () => {
    const reset = await linkOfUser(em(), { email: ana(), store: first() }, 'RESET', new Date());
    expect(await enterBy(dashboardUser(), reset, { password: OTHER_PASSWORD })).toMatchObject({
      status: 303,
    });
    expect(await mayOpen((await signIn(ana(), OTHER_PASSWORD)).who, first())).toBe(true);
    expect(await mayOpen((await signIn(ana(), PASSWORD)).who, second())).toBe(true);
  });

  it('removes only the member of the store that an operator names', async () => {
    await removeUser(em(), first(), ana());
    expect(await mayOpen((await signIn(ana(), PASSWORD, `/dashboard/${second()}/dev`)).who, second())).toBe(
      true,
    );
    await expect(removeUser(em(), first(), ana())).rejects.toThrow('is not a member of this store');
  });
});

it('asks an operator for the store if an address has only single-store accounts', async () => {
  for (const storeId of stores)
    await enterBy(dashboardUser(), await handOver(storeId, ana()), { name: 'Ana', password: PASSWORD });
  await expect(linkOfUser(em(), { email: ana() }, 'RESET', new Date())).rejects.toThrow('--store');
  expect(await linkOfUser(em(), { email: ana(), store: second() }, 'SIGN_IN', new Date())).toMatch(/enter/);
});

it('creates one account per store, however many people invite in parallel', async () => {
  const owner = await ownerOf(first());
  const links = await Promise.all(Array.from({ length: 4 }, () => handOverBy(owner, first(), ana())));
  expect(await em().count(UserEntity, { email: ana() })).toBe(1);
  const pages = await Promise.all(links.map((link) => dashboardUser().get(link)));
  expect(pages.filter(({ status }) => status === 200)).toHaveLength(1);
});
