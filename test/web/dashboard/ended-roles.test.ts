import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AuditLineEntity } from '../../../src/database/entities/audit-line.ts';
import { MembershipEntity } from '../../../src/database/entities/membership.ts';
import { StoreEntity } from '../../../src/database/entities/store.ts';
import { UserEntity } from '../../../src/database/entities/user.ts';
import { WebhookEntity } from '../../../src/database/entities/webhook.ts';
import type { StoreId, UserId } from '../../../src/domain/ids.ts';
import type { Role } from '../../../src/domain/role.ts';
import { changeMember } from '../../../src/identity/members.ts';
import { createTestApp, createTestStore, type TestApp } from '../../support/api/app.ts';
import {
  type DashboardUser,
  givePassword,
  hiddenFields,
  PASSWORD,
  signedIn,
} from '../../support/dashboard/dashboard-user.ts';
import { untilWaiting } from '../../support/waiting/hold.ts';
import { postSlowly } from '../../support/web/slow-form.ts';

let app: TestApp;
let storeId: StoreId;
let userId: UserId;
let developer: DashboardUser;
beforeAll(async () => {
  app = await createTestApp({ starter: { startSoon: () => undefined } });
});
afterAll(() => app.close());
beforeEach(async () => {
  storeId = (await createTestStore(app.database)).id;
  const email = `eve-${crypto.randomUUID()}@example.com`;
  const fixture = { ...app, url: app.api.url };
  await signedIn(fixture, storeId, 'owner', `ana-${crypto.randomUUID()}@example.com`);
  developer = await signedIn(fixture, storeId, 'owner', email);
  await givePassword(app.database);
  userId = (await em().findOneOrFail(UserEntity, { email })).id;
});

const em = () => app.database.em.fork();
const at = (path: string) => `/dashboard/${storeId}/prod${path}`;
const become = (role: Role | null) =>
  em().transactional((tx) => changeMember(tx, storeId, userId, role, null));

/** Opens the page of a form and sends it slowly. */
async function sendSlowly(page: string, form: string, fields: Record<string, string>, role: Role | null) {
  const hidden = hiddenFields(await developer.get(at(page)), at(form));
  const cookie = developer.cookieHeader;
  return postSlowly(
    { url: new URL(at(form), app.api.url).href, cookie, fields: { ...hidden, ...fields } },
    () => become(role),
  );
}

const FORMS = [
  [
    'an endpoint',
    '/webhooks/new',
    '/webhooks/new',
    {
      name: 'Pedidos',
      endpoint: 'https://example.com/hook',
      events: 'checkout.completed',
      secret: 'um segredo bem comprido',
      password: PASSWORD,
    },
  ],
  ['the name of the store', '/settings', '/settings', { name: 'Loja da Eve', city: 'Recife' }],
] as const;

describe.each([
  ['is removed', null],
  ['gets a lower role', 'viewer'],
] as const)('a member who %s while a form is being sent', (_, role) => {
  it.each(FORMS)('does nothing with %s', async (_name, page, form, fields) => {
    const { name } = await em().findOneOrFail(StoreEntity, { id: storeId });
    expect((await sendSlowly(page, form, fields, role)).status).toBe(403);
    expect(await em().count(WebhookEntity, { storeId })).toBe(0);
    expect((await em().findOneOrFail(StoreEntity, { id: storeId })).name).toBe(name);
    expect(await em().count(AuditLineEntity, { storeId, action: { $ne: 'sign-in' } })).toBe(0);
  });
});

it('does what a slow form asks for while its member stays', async () => {
  const [, page, form, fields] = FORMS[0];
  expect((await sendSlowly(page, form, fields, 'owner')).status).toBe(303);
  expect(await em().count(WebhookEntity, { storeId })).toBe(1);
});

it("refuses a member's own form that waits while their role ends", async () => {
  const page = at(`/team/${userId}`);
  const hidden = hiddenFields(await developer.get(page), `${page}/role`);
  const ending = em();
  await ending.begin();
  await changeMember(ending, storeId, userId, 'viewer', null);
  const answer = developer.post(`${page}/role`, { ...hidden, role: 'owner', password: PASSWORD });
  await untilWaiting(app.database, 1);
  await ending.commit();
  expect((await answer).status).toBe(403);
  expect(await em().findOneOrFail(MembershipEntity, { storeId, userId })).toMatchObject({ role: 'viewer' });
});
