import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { inviteUser } from '../../../src/cli/users.ts';
import { ApiKeyEntity } from '../../../src/database/entities/api-key.ts';
import { AuditLineEntity } from '../../../src/database/entities/audit-line.ts';
import { MembershipEntity } from '../../../src/database/entities/membership.ts';
import { PayoutEntity } from '../../../src/database/entities/payout.ts';
import { SubAccountEntity } from '../../../src/database/entities/sub-account.ts';
import { UserEntity } from '../../../src/database/entities/user.ts';
import type { StoreId, UserId } from '../../../src/domain/ids.ts';
import { PERMISSIONS } from '../../../src/domain/permission.ts';
import type { Role } from '../../../src/domain/role.ts';
import { waitWithNewFactor } from '../../../src/identity/new-second-factor.ts';
import { payoutControlsOf } from '../../../src/payouts/payout-controls.ts';
import { createTestApp, createTestStore, type TestApp } from '../../support/api/app.ts';
import {
  DashboardUser,
  enterBy,
  givePassword,
  hiddenFields,
  PASSWORD,
  signedIn,
} from '../../support/dashboard/dashboard-user.ts';
import { credit } from '../../support/rows/credit.ts';
import { setControls } from '../../support/rows/payout-controls.ts';
import { insertSubAccount } from '../../support/rows/sub-accounts.ts';

const HOUR_MS = 60 * 60 * 1_000;
const WAITS = 'Você é novo neste papel';

let app: TestApp;
let passedMs = 0;
let storeId: StoreId;
let owner: DashboardUser;
beforeAll(async () => {
  const starter = { startSoon: () => undefined };
  app = await createTestApp({ clock: () => new Date(Date.now() + passedMs), starter });
});
afterAll(() => app.close());
/** A store whose test environment has the wait too, so that the sandbox can send. */
beforeEach(async () => {
  passedMs = 0;
  storeId = (await createTestStore(app.database)).id;
  owner = await signedInAs('owner', email('owner'));
  await setControls(app.database, { storeId, devMode: true }, { newMemberWaitHours: 24 });
  await credit(app.database, { storeId, devMode: true }, 100_000);
});

const em = () => app.database.em.fork();
const email = (name: string) => `${name}-${storeId}@example.com`.toLowerCase();
const at = (path: string, environment = 'dev') => `/dashboard/${storeId}/${environment}${path}`;
const idOf = async (name: string): Promise<UserId> =>
  (await em().findOneOrFail(UserEntity, { email: email(name) })).id;
async function signedInAs(role: Role, address: string): Promise<DashboardUser> {
  const dashboardUser = await signedIn({ ...app, url: app.api.url }, storeId, role, address);
  await givePassword(app.database);
  return dashboardUser;
}
/** Somebody who was invited in the dashboard, and has joined. */
async function join(name: string, role: Role, by = owner): Promise<DashboardUser> {
  const invitation = { email: email(name), role, password: PASSWORD };
  const { html } = await by.submit(at('/team'), at('/team/invite'), invitation);
  const [link = ''] = /\/dashboard\/enter\/[\w-]+/.exec(html) ?? [];
  const dashboardUser = new DashboardUser(app.api.url);
  await enterBy(dashboardUser, link, { name, password: PASSWORD });
  return dashboardUser;
}
const give = async (name: string, role: Role, by = owner) => {
  const id = await idOf(name);
  return by.submit(at(`/team/${id}`), at(`/team/${id}/role`), { role, password: PASSWORD });
};
/** Sends a form that was shown to the owner, as somebody's own was before the wait began. */
async function submitAs(
  who: DashboardUser,
  page: string,
  action: string,
  fields: Record<string, string | string[]>,
) {
  const csrf = /name="csrf" value="([^"]*)"/.exec((await who.get(at('/account'))).html)?.[1] ?? '';
  const shown = hiddenFields(await owner.get(page), action);
  return who.post(action, { ...shown, csrf, password: PASSWORD, ...fields });
}
let transfers = 0;
const transfer = (who: DashboardUser) => {
  transfers += 1;
  const order = { amount: '1,00', type: 'EMAIL', key: 'ana@example.com', externalId: `t-${transfers}` };
  return submitAs(who, at('/new-transfer'), at('/transfers'), order);
};
const sent = () => em().count(PayoutEntity, { storeId });
const confirm = async (who: DashboardUser, name: string) => {
  const path = at(`/team/${await idOf(name)}/confirm`);
  const csrf = /name="csrf" value="([^"]*)"/.exec((await who.get(path)).html)?.[1] ?? '';
  return who.post(path, { csrf, submission: crypto.randomUUID(), password: PASSWORD });
};

describe('a new member who may send money', () => {
  it('refuses payouts by a new member for 24 hours', async () => {
    const fin = await join('fin', 'finance');
    expect((await fin.get(at('/new-transfer'))).text).toContain(WAITS);
    expect((await fin.get(at('/new-payout', 'prod'))).text).toContain(WAITS);
    const refused = await transfer(fin);
    expect(refused).toMatchObject({ status: 403, text: expect.stringContaining(WAITS) });
    expect(await sent()).toBe(0);

    passedMs = 24 * HOUR_MS + 60_000;
    const [later, again] = [new DashboardUser(app.api.url), new DashboardUser(app.api.url)];
    await later.post('/dashboard/sign-in', { email: email('fin'), password: PASSWORD, to: '' });
    await again.post('/dashboard/sign-in', { email: email('owner'), password: PASSWORD, to: '' });
    owner = again;
    expect(await transfer(later)).toMatchObject({ status: 303 });
    expect(await sent()).toBe(1);
  });

  it('refuses approval by a new member during the wait, but lets them reject', async () => {
    const waits = { approvalAboveCents: 0, newMemberWaitHours: 24 };
    await setControls(app.database, { storeId, devMode: true }, waits);
    await transfer(owner);
    const [payout] = await em().find(PayoutEntity, { storeId });
    const fin = await join('fin', 'finance');
    const path = at(`/approvals/${payout?.id}`);
    const decide = (decision: string) => fin.submit(path, path, { decision, password: PASSWORD });
    expect(await decide('approve')).toMatchObject({ status: 403, text: expect.stringContaining(WAITS) });
    expect(await em().findOneOrFail(PayoutEntity, { storeId })).toMatchObject({ approval: 'WAITING' });
    expect(await decide('reject')).toMatchObject({ status: 303 });
  });

  it('refuses to create or change sub-accounts during the wait', async () => {
    const seller = await insertSubAccount(app.database, { storeId, devMode: true });
    const fin = await join('fin', 'finance');
    const [list, page] = [at('/sub-accounts'), at(`/sub-accounts/${seller}`)];
    const own = { name: 'Eve', taxId: '390.533.447-05', externalId: 'seller-42' };
    const refused = { status: 403, text: expect.stringContaining(WAITS) };
    expect(await submitAs(fin, list, at('/sub-accounts/new'), own)).toMatchObject(refused);
    const moved = { name: 'Eve', externalId: 'seller-42' };
    expect(await submitAs(fin, page, at(`/sub-accounts/${seller}/change`), moved)).toMatchObject(refused);
    expect(await em().find(SubAccountEntity, { storeId })).toMatchObject([{ id: seller, externalId: null }]);
    expect((await fin.get(list)).text).toContain(WAITS);
  });

  it('starts the wait when a member gets a role that sends money', async () => {
    const sup = await join('sup', 'support');
    passedMs = 11 * HOUR_MS;
    await give('sup', 'finance');
    expect(await transfer(sup)).toMatchObject({ status: 403 });
    const { moneySince } = await em().findOneOrFail(MembershipEntity, { userId: await idOf('sup') });
    expect(moneySince?.getTime()).toBeGreaterThan(Date.now() + 10 * HOUR_MS);
  });

  it('requires no wait of members invited by command line, or of later owners', async () => {
    const link = await inviteUser(em(), { store: storeId, email: email('cli'), role: 'finance' }, new Date());
    const cli = new DashboardUser(app.api.url);
    await enterBy(cli, link, { name: 'Cli', password: PASSWORD });
    expect(await transfer(cli)).toMatchObject({ status: 303 });
    await give('cli', 'owner');
    expect(await transfer(cli)).toMatchObject({ status: 303 });
  });

  it('refuses acts of an owner by a member who sent money before, and lets them send', async () => {
    const link = await inviteUser(em(), { store: storeId, email: email('cli'), role: 'finance' }, new Date());
    const cli = new DashboardUser(app.api.url);
    await enterBy(cli, link, { name: 'Cli', password: PASSWORD });
    await give('cli', 'owner');
    await join('fin', 'finance');
    expect(await confirm(cli, 'fin')).toMatchObject({ status: 403 });
    const key = { description: 'x', permissions: 'WITHDRAW:CREATE' };
    const keys = at('/keys/new', 'prod');
    expect(await submitAs(cli, keys, keys, key)).toMatchObject({ status: 403 });
    const removal = at(`/team/${await idOf('owner')}/remove`);
    expect(await submitAs(cli, removal, removal, {})).toMatchObject({ status: 403 });
    expect(await em().count(ApiKeyEntity, { storeId })).toBe(0);
    expect(await transfer(cli)).toMatchObject({ status: 303 });
    expect((await owner.get(at('/team'))).text).toContain('age como dono a partir de');
    const third = await signedInAs('owner', email('third'));
    expect(await confirm(third, 'cli')).toMatchObject({ status: 303 });
    expect(await submitAs(cli, keys, keys, key)).toMatchObject({ status: 200 });
  });

  it('keeps a waiting member from sending money as an owner too', async () => {
    const fin = await join('fin', 'finance');
    await give('fin', 'owner');
    expect(await transfer(fin)).toMatchObject({ status: 403 });
  });

  it('extends the wait of a promoted member to money with a new second factor', async () => {
    const link = await inviteUser(em(), { store: storeId, email: email('cli'), role: 'finance' }, new Date());
    await enterBy(new DashboardUser(app.api.url), link, { name: 'Cli', password: PASSWORD });
    await give('cli', 'owner');
    const controls = { requiresSecondFactor: true, newMemberWaitHours: 24 };
    await setControls(app.database, { storeId, devMode: false }, controls);
    const userId = await idOf('cli');
    await waitWithNewFactor(em(), userId, new Date());
    const waiting = await em().findOneOrFail(MembershipEntity, { storeId, userId });
    expect(waiting).toMatchObject({ mayAlreadySend: false, moneyGiverId: await idOf('owner') });
  });

  it('requires no wait in dev mode unless the store enables it', async () => {
    const fin = await join('fin', 'finance');
    await setControls(app.database, { storeId, devMode: true }, {});
    expect(await transfer(fin)).toMatchObject({ status: 303 });
    expect(await payoutControlsOf(em(), { storeId, devMode: false })).toMatchObject({
      newMemberWaitHours: 24,
    });
  });
});

describe('a new owner who waits', () => {
  it('refuses production keys, weaker controls and removals by a waiting owner', async () => {
    const eve = await join('eve', 'owner');
    const key = { description: 'x', permissions: [...PERMISSIONS] };
    const path = at('/keys/new', 'prod');
    expect(await submitAs(eve, path, path, key)).toMatchObject({ status: 403 });
    expect(await em().count(ApiKeyEntity, { storeId, devMode: false })).toBe(0);
    const controls = at('/controls', 'prod');
    expect(await submitAs(eve, controls, controls, { newMemberWaitHours: '' })).toMatchObject({
      status: 403,
    });
    expect(await payoutControlsOf(em(), { storeId, devMode: false })).toMatchObject({
      newMemberWaitHours: 24,
    });
    const ownerId = await idOf('owner');
    const remove = at(`/team/${ownerId}/remove`);
    expect(await submitAs(eve, remove, remove, {})).toMatchObject({ status: 403 });
    expect(await give('owner', 'support', eve)).toMatchObject({ status: 403 });
    expect(await em().findOne(MembershipEntity, { userId: ownerId, storeId })).toMatchObject({
      role: 'owner',
    });
  });
});

describe('a confirmation', () => {
  it('ends the wait when another owner confirms, and records it in the audit log', async () => {
    const fin = await join('fin', 'finance');
    const second = await signedInAs('owner', email('second'));
    expect((await second.get(at('/team'))).text).toContain('envia dinheiro a partir de');
    expect(await confirm(second, 'fin')).toMatchObject({ status: 303 });
    expect((await second.get(at('/team'))).text).not.toContain('envia dinheiro a partir de');
    expect(await transfer(fin)).toMatchObject({ status: 303 });
    const line = { storeId, action: 'team/confirm', subjectId: await idOf('fin') };
    expect(await em().count(AuditLineEntity, line)).toBe(1);
  });

  it('refuses confirmation by the inviter, the member and a waiting owner', async () => {
    await join('fin', 'finance');
    const eve = await join('eve', 'owner');
    expect((await owner.get(at(`/team/${await idOf('fin')}`))).text).toContain('não o confirma');
    expect(await confirm(owner, 'fin')).toMatchObject({ status: 422 });
    expect(await confirm(eve, 'eve')).toMatchObject({ status: 403 });
    expect(await confirm(eve, 'fin')).toMatchObject({ status: 403 });
    expect(await em().count(MembershipEntity, { storeId, moneySince: { $ne: null } })).toBe(2);
  });

  it("refuses to confirm an invitee of a waiting owner until that owner's wait ends", async () => {
    const eve = await join('eve', 'owner');
    passedMs = 11 * HOUR_MS;
    await join('fin', 'finance', eve);
    const page = at(`/team/${await idOf('fin')}`);
    expect((await owner.get(page)).html).not.toContain(`${page}/confirm`);
    expect(await confirm(owner, 'fin')).toMatchObject({ status: 422 });
    passedMs = 22 * HOUR_MS;
    expect((await owner.get(page)).status).toBe(200);
    passedMs = 25 * HOUR_MS;
    expect(await confirm(owner, 'fin')).toMatchObject({ status: 303 });
  });

  it('refuses confirmation once the inviter is no longer an owner', async () => {
    const eve = await join('eve', 'owner');
    await join('fin', 'finance', eve);
    await give('eve', 'support');
    expect(await confirm(owner, 'fin')).toMatchObject({ status: 422 });
  });
});
