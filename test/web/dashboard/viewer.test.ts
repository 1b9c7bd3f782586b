import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createKey } from '../../../src/api/keys/api-keys.ts';
import { ACTIONS, can } from '../../../src/domain/role.ts';
import { createTestApp, type TestApp } from '../../support/api/app.ts';
import {
  type DashboardUser,
  givePassword,
  PASSWORD,
  signedIn,
} from '../../support/dashboard/dashboard-user.ts';
import { insertWebhook } from '../../support/rows/build.ts';
import { insertCustomer } from '../../support/rows/checkout-rows.ts';

let app: TestApp;
let home: string;
const as = (role: 'owner' | 'viewer'): Promise<DashboardUser> =>
  signedIn({ url: app.api.url, database: app.database }, app.storeId, role);
beforeAll(async () => {
  app = await createTestApp();
  home = `/dashboard/${app.storeId}/dev`;
});
afterAll(() => app.close());

it('lets a viewer do nothing but read', () => {
  expect(ACTIONS.filter((action) => can('viewer', action))).toEqual(['read']);
});

it('shows a viewer no secret, and no form that changes something', async () => {
  const viewer = await as('viewer');
  const { key } = await createKey(
    app.database.em.fork(),
    { storeId: app.storeId, devMode: true, description: 'Shop', permissions: [] },
    new Date(),
  );
  expect((await viewer.get(`${home}/keys/${key.id}`)).status).toBe(403);
  const webhook = await insertWebhook(app.database, { storeId: app.storeId });
  for (const path of ['', '/payments', '/balance', `/webhooks/${webhook.id}`]) {
    const { status, html } = await viewer.get(`${home}${path}`);
    expect(status).toBe(200);
    expect(html).not.toContain(webhook.secret);
    const posted = [...html.matchAll(/<form[^>]* method="post" action="([^"]*)"/g)].map(([, to]) => to);
    expect(posted).toEqual([`${home}/sign-out`]);
  }
});

it("masks customers' tax ids for a viewer", async () => {
  const { id } = await insertCustomer(app, { taxId: '529.982.247-25' });
  const seen = async (role: 'owner' | 'viewer') =>
    (await (await as(role)).get(`${home}/customers/${id}`)).text;
  expect(await seen('owner')).toContain('529.982.247-25');
  expect(await seen('viewer')).not.toContain('529.982');
});

it('invites a viewer by default, and lists the invitation until it is revoked', async () => {
  const owner = await as('owner');
  await givePassword(app.database);
  const fields = { email: 'nova@example.com', password: PASSWORD };
  const made = await owner.submit(`${home}/team`, `${home}/team/invite`, fields);
  expect(made.text).toContain('/enter/');
  const team = await owner.get(`${home}/team?lang=en`);
  expect(team.text).toMatch(/nova@example\.com viewer .*Can be used/);
  const [, revoke = ''] = /action="([^"]*revoke-invitation)"/.exec(team.html) ?? [];
  expect(await owner.submit(`${home}/team`, revoke)).toMatchObject({ status: 303 });
  expect((await owner.get(`${home}/team`)).text).not.toContain('nova@example.com');
});
