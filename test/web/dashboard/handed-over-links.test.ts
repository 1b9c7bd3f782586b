import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { inviteUser } from '../../../src/cli/users.ts';
import { UserEntity } from '../../../src/database/entities/user.ts';
import type { StoreId } from '../../../src/domain/ids.ts';
import { inviteByLink } from '../../../src/identity/invitations.ts';
import { inviteeOf } from '../../../src/identity/users.ts';
import { createTestApp, createTestStore, TEST_CONFIG, type TestApp } from '../../support/api/app.ts';
import {
  DashboardUser,
  enterBy,
  givePassword,
  PASSWORD,
  signedIn,
} from '../../support/dashboard/dashboard-user.ts';

const WRONG = 'outra frase bem comprida';

let app: TestApp;
/** A store that has links for people who did not ask for them. */
let mallory: StoreId;
beforeAll(async () => {
  app = await createTestApp({ config: { ...TEST_CONFIG, limitAnonymousTraffic: true } });
});
afterAll(() => app.close());
beforeEach(async () => {
  await em().execute('delete from anonymous_traffic');
  mallory = (await createTestStore(app.database)).id;
  await signedIn({ ...app, url: app.api.url }, mallory, 'owner', mailOf('owner', mallory));
  await givePassword(app.database);
});

const em = () => app.database.em.fork();
const mailOf = (name: string, storeId: StoreId) => `${name}-${storeId}@example.com`.toLowerCase();
const browser = () => new DashboardUser(app.api.url);

/** A link for an address, which the store does not mail. */
async function linkOf(storeId: StoreId, email: string): Promise<string> {
  const { id: inviterId } = await em().findOneOrFail(UserEntity, { email: mailOf('owner', storeId) });
  return em().transactional(async (tx) => {
    const now = new Date();
    const { id: userId } = await inviteeOf(tx, { email, storeId, isProven: false }, now);
    return inviteByLink(tx, { userId, storeId, role: 'viewer', inviterId }, now);
  });
}

/** @returns how many guesses were compared, of eight at each of so many links for different addresses. */
async function compared(storeId: StoreId, links: number): Promise<number> {
  let statuses: number[] = [];
  for (let link = 0; link < links; link += 1) {
    const path = await linkOf(storeId, mailOf(`victim-${link}`, storeId));
    for (let sent = 0; sent < 8; sent += 1) {
      const { status } = await browser().post(path, { account: 'own', ownPassword: WRONG });
      statuses = [...statuses, status];
    }
  }
  return statuses.filter((status) => status === 422).length;
}

it('compares thirty wrong passwords of all addresses that a store has links for', async () => {
  expect(await compared(mallory, 5)).toBe(30);
  const { id: other } = await createTestStore(app.database);
  await signedIn({ ...app, url: app.api.url }, other, 'owner', mailOf('owner', other));
  expect(await compared(other, 1)).toBe(8);
});

it('lets a member join another store while their own store guesses at their password', async () => {
  const vera = mailOf('vera', mallory);
  const first = await inviteUser(em(), { store: mallory, email: vera, role: 'viewer' }, new Date());
  await enterBy(browser(), first, { name: 'Vera', password: PASSWORD });
  const link = await linkOf(mallory, vera);
  for (let sent = 0; sent < 10; sent += 1) await browser().post(link, { password: WRONG });
  expect((await browser().post(link, { password: WRONG })).status).toBe(429);
  const { id: other } = await createTestStore(app.database);
  const invitation = await inviteUser(em(), { store: other, email: vera, role: 'finance' }, new Date());
  expect((await enterBy(browser(), invitation, { password: PASSWORD })).status).toBe(303);
});
