import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createTestApp, type TestApp } from '../../support/api/app.ts';
import { type DashboardUser, signedIn } from '../../support/dashboard/dashboard-user.ts';

let app: TestApp;
let owner: DashboardUser;
beforeAll(async () => {
  app = await createTestApp();
  owner = await signedIn({ ...app, url: app.api.url }, app.storeId, 'owner');
});
afterAll(() => app.close());

it.each(['/audit?action=%00', '/audit.csv?user=%00', '/payments?q=%00', '/payments?status=%00'])(
  'refuses a character that Postgres cannot hold: %s',
  async (page) => {
    expect((await owner.get(`/dashboard/${app.storeId}/dev${page}`)).status).toBe(400);
  },
);

it('returns 404 for a notification with an invalid account id', async () => {
  const post = (path: string) => fetch(new URL(path, app.api.url), { method: 'POST', body: '{}' });
  for (const account of ['pacc_x', '%00', 'pacc_%00'])
    expect((await post(`/notifications/${account}/secret`)).status).toBe(404);
});
