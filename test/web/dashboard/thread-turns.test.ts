import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { ThreadShares } from '../../../src/api/limits/thread-shares.ts';
import { createTestApp, type TestApp } from '../../support/api/app.ts';
import { DashboardUser, givePassword, PASSWORD, signedIn } from '../../support/dashboard/dashboard-user.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

/** Who a page or form of a new session counts for, and the part that takes turns. */
async function turnOf(role: 'owner' | 'support', kind: 'page' | 'form') {
  using inTurn = jest.spyOn(ThreadShares.prototype, 'inTurn');
  const member = await signedIn({ ...app, url: app.api.url }, app.storeId, role);
  const at = (path: string) => `/dashboard/${app.storeId}/dev${path}`;
  if (kind === 'page') await member.get(at('/payments'));
  else await member.submit(at('/account'), at('/sign-out'));
  const calls = inTurn.mock.calls.filter((call) => call[1] === kind);
  expect(calls).toHaveLength(1);
  const [storeId, , , part] = calls[0] ?? [];
  return { storeId, part };
}

it("takes turns with a member's other sessions in a browser of theirs", async () => {
  const email = 'ana@example.com';
  const stolen = await signedIn({ ...app, url: app.api.url }, app.storeId, 'owner', email);
  await givePassword(app.database);
  const own = new DashboardUser(app.api.url);
  await own.post('/dashboard/sign-in', { email, password: PASSWORD, to: '/dashboard' });
  using inTurn = jest.spyOn(ThreadShares.prototype, 'inTurn');
  for (const each of [stolen, own]) await each.get(`/dashboard/${app.storeId}/dev/keys`);
  const parts = inTurn.mock.calls.map(([, , , part]) => part);
  expect(new Set(parts).size).toBe(2);
});

it.each(['page', 'form'] as const)('counts a %s of any member for the store', async (kind) => {
  const [owner, support] = [await turnOf('owner', kind), await turnOf('support', kind)];
  expect([owner.storeId, support.storeId]).toEqual([app.storeId, app.storeId]);
  expect(owner.part).not.toBe(support.part);
});
