import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ApiKeyEntity } from '../../../src/database/entities/api-key.ts';
import { AuditLineEntity } from '../../../src/database/entities/audit-line.ts';
import { OneTimeLinkEntity } from '../../../src/database/entities/one-time-link.ts';
import { PayoutEntity } from '../../../src/database/entities/payout.ts';
import { SessionEntity } from '../../../src/database/entities/session.ts';
import { UserEntity } from '../../../src/database/entities/user.ts';
import type { StoreId, UserId } from '../../../src/domain/ids.ts';
import { hashPassword } from '../../../src/identity/password.ts';
import { createTestApp, createTestStore, type TestApp } from '../../support/api/app.ts';
import {
  type DashboardUser,
  givePassword,
  hiddenFields,
  PASSWORD,
  type Page,
  signedIn,
} from '../../support/dashboard/dashboard-user.ts';
import { credit } from '../../support/rows/credit.ts';
import { hold, untilWaiting } from '../../support/waiting/hold.ts';

const NEW_PASSWORD = 'outra frase bem comprida';

let app: TestApp;
let newHash: string;
let storeId: StoreId;
let userId: UserId;
let owner: DashboardUser;
/** Somebody who knows the owner's password, and has a session of their own. */
let thief: DashboardUser;
beforeAll(async () => {
  app = await createTestApp({ starter: { startSoon: () => undefined } });
  newHash = await hashPassword(NEW_PASSWORD);
});
afterAll(() => app.close());
beforeEach(async () => {
  storeId = (await createTestStore(app.database)).id;
  const email = `ana-${crypto.randomUUID()}@example.com`;
  const fixture = { ...app, url: app.api.url };
  owner = await signedIn(fixture, storeId, 'owner', email);
  thief = await signedIn(fixture, storeId, 'owner', email);
  await givePassword(app.database);
  userId = (await em().findOneOrFail(UserEntity, { email })).id;
  await credit(app.database, { storeId, devMode: true }, 100_000);
});

const em = () => app.database.em.fork();
const at = (path: string) => `/dashboard/${storeId}/dev${path}`;
const invitations = () => em().count(OneTimeLinkEntity, { storeId, kind: 'INVITE' });
const invite = (who: DashboardUser) =>
  who.submit(at('/team'), at('/team/invite'), {
    email: `eve-${storeId}@example.com`.toLowerCase(),
    role: 'owner',
    password: PASSWORD,
  });

const ACTIONS: readonly (readonly [name: string, act: (who: DashboardUser) => Promise<Page>])[] = [
  ['an invitation', invite],
  [
    'a transfer',
    (who) =>
      who.submit(at('/new-transfer'), at('/transfers'), {
        amount: '10,00',
        type: 'EMAIL',
        key: 'eve@example.com',
        externalId: 'one',
        password: PASSWORD,
      }),
  ],
  [
    'a key',
    (who) => who.submit(at('/keys/new'), at('/keys/new'), { description: 'x', permissions: 'STORE:READ' }),
  ],
];

describe('a session that ends while its form is carried out', () => {
  it.each(ACTIONS)('refuses %s if the password was changed meanwhile', async (_, act) => {
    const changing = em();
    await changing.begin();
    await changing.nativeUpdate(UserEntity, { id: userId }, { passwordHash: newHash });
    await changing.nativeDelete(SessionEntity, { userId });
    // The session is still there for the page and for the password.
    const answer = act(thief);
    await Promise.race([answer, untilWaiting(app.database, 1)]);
    await changing.commit();
    expect(await answer).toMatchObject({ status: 303, location: '/dashboard/sign-in' });
    expect(await invitations()).toBe(0);
    expect(await em().count(PayoutEntity, { storeId })).toBe(0);
    expect(await em().count(ApiKeyEntity, { storeId })).toBe(0);
    expect(await em().count(AuditLineEntity, { storeId, action: { $ne: 'sign-in' } })).toBe(0);
  });

  it('ends an invitation that the new password had to wait for', async () => {
    const members = 'select 1 from memberships where store_id = ? for update';
    await using held = await hold(app.database, members, [storeId]);
    const invited = invite(thief);
    await untilWaiting(app.database, 1);
    const fields = { password: PASSWORD, newPassword: NEW_PASSWORD };
    const changed = owner.submit(at('/account'), at('/account/password'), fields);
    await untilWaiting(app.database, 2);
    await held.release();
    expect((await invited).html).toContain('/dashboard/enter/');
    expect((await changed).location).toBe(at('/account'));
    expect(await invitations()).toBe(0);
  });

  it('lets two sessions end each other at the same time', async () => {
    const page = await owner.get(at('/account'));
    const ids = (await em().find(SessionEntity, { userId })).map(({ id }) => id);
    const ends = ids.map((id) => at(`/account/sessions/${id}/end`));
    const others = (html: string) => ends.filter((end) => html.includes(end));
    expect(others(page.html)).toHaveLength(1);
    // Both have their form before one of them ends the other.
    const forms = await Promise.all(
      [owner, thief].map(async (who) => {
        const own = await who.get(at('/account'));
        const [end = ''] = others(own.html);
        return () => who.post(end, hiddenFields(own, end));
      }),
    );
    const answers = await Promise.all(forms.map((send) => send()));
    for (const { status } of answers) expect(status).toBe(303);
  });
});
