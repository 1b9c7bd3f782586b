import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ChargeEntity } from '../../../src/database/entities/charge.ts';
import { WebhookEntity } from '../../../src/database/entities/webhook.ts';
import type { ChargeId } from '../../../src/domain/ids.ts';
import type { ChargeUpdates } from '../../../src/temporal/charge.ts';
import { dataOf } from '../../support/api/api-client.ts';
import { createTestApp, type TestApp } from '../../support/api/app.ts';
import {
  type DashboardUser,
  givePassword,
  PASSWORD,
  signedIn,
} from '../../support/dashboard/dashboard-user.ts';

let app: TestApp;
let owner: DashboardUser;
beforeAll(async () => {
  const cancel = async ({ id }: { readonly id: ChargeId }) => {
    await app.database.em.fork().nativeUpdate(ChargeEntity, { id }, { status: 'CANCELLED' });
    return 'CANCELLED' as const;
  };
  app = await createTestApp({
    starter: { startSoon: () => undefined },
    chargeUpdates: { cancel } as Partial<ChargeUpdates> as ChargeUpdates,
  });
  owner = await signedIn({ url: app.api.url, database: app.database }, app.storeId, 'owner');
  await givePassword(app.database);
});
afterAll(() => app.close());

const at = (path: string) => `/dashboard/${app.storeId}/dev${path}`;
const inProduction = (path: string) => `/dashboard/${app.storeId}/prod${path}`;
const webhookIn = async (devMode: boolean) => {
  const endpoint = 'https://example.com/hooks';
  const body = { name: 'Loja', endpoint, secret: 'x'.repeat(32), events: ['transparent.completed'] };
  const api = devMode ? app.api : await app.clientWith({ devMode });
  return dataOf<{ id: string }>(await api.post('/v2/webhooks/create', body)).id;
};

const MAKE = {
  'a charge to cancel': async () => {
    const body = { method: 'PIX', data: { amount: 2_500 } };
    const { id } = dataOf<{ id: string }>(await app.api.post('/v2/transparents/create', body));
    return { path: at(`/payments/${id}`), dialog: 'cancel', action: at(`/payments/${id}/cancel`) };
  },
  'a webhook to disable': async () => {
    const path = at(`/webhooks/${await webhookIn(true)}`);
    return { path, dialog: 'disable', action: `${path}/disable` };
  },
  'a webhook to delete': async () => {
    const path = at(`/webhooks/${await webhookIn(true)}`);
    return { path, dialog: 'delete', action: `${path}/delete` };
  },
  'an invitation to revoke': async () => {
    const invited = { email: 'bia@example.com', role: 'viewer', by: 'link', password: PASSWORD };
    await owner.submit(at('/team'), at('/team/invite'), invited);
    const { html } = await owner.get(at('/team'));
    const [, id = ''] = /\/team\/(invt_\w+)\/revoke-invitation"/.exec(html) ?? [];
    return { path: at('/team'), dialog: `revoke-${id}`, action: at(`/team/${id}/revoke-invitation`) };
  },
};

it.each(Object.entries(MAKE))('asks before %s is ended, also without JavaScript', async (_, make) => {
  const { path, dialog, action } = await make();
  const closed = await owner.get(path);
  expect(closed.html).toContain(`data-opens="${dialog}" href="?dialog=${dialog}"`);
  const formsOf = (html: string) => html.split(`action="${action}"`).length - 1;
  expect(formsOf(closed.html.replaceAll(/<dialog[\s\S]*?<\/dialog>/g, ''))).toBe(0);
  const { html } = await owner.get(`${path}?dialog=${dialog}`);
  expect(html).toMatch(new RegExp(`<dialog [^>]* id="${dialog}" [^>]*\\bopen>`));
  expect(await owner.submit(`${path}?dialog=${dialog}`, action)).toMatchObject({ status: 303 });
});

it('keeps the dialog open after a wrong password, and deletes after the right one', async () => {
  const id = await webhookIn(false);
  const path = inProduction(`/webhooks/${id}`);
  const deletedAt = async () =>
    (await app.database.em.fork().findOneOrFail(WebhookEntity, { id: id as never })).deletedAt;
  const wrong = await owner.submit(path, `${path}/delete`, { password: 'outra frase comprida' });
  expect(wrong.status).toBe(422);
  expect(wrong.html).toMatch(/<dialog [^>]* id="delete" [^>]*\bopen>/);
  expect(wrong.html).toMatch(/<input id="delete-password"[^>]* aria-invalid="true"/);
  expect(await deletedAt()).toBeNull();
  expect(await owner.submit(path, `${path}/delete`, { password: PASSWORD })).toMatchObject({ status: 303 });
  expect(await deletedAt()).not.toBeNull();
});
