import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createKey, findKey } from '../../../src/api/keys/api-keys.ts';
import type { ApiKey } from '../../../src/database/entities/api-key.ts';
import { createTestApp, TEST_CONFIG, type TestApp } from '../../support/api/app.ts';
import {
  DashboardUser,
  givePassword,
  hiddenFields,
  PASSWORD,
  signedIn,
} from '../../support/dashboard/dashboard-user.ts';

const WRONG = 'uma senha qualquer';

let app: TestApp;
/** Another process of the same service. */
let otherApp: TestApp;
let owner: DashboardUser;
let key: ApiKey;
beforeAll(async () => {
  const config = { ...TEST_CONFIG, limitAnonymousTraffic: true };
  app = await createTestApp({ config });
  otherApp = await createTestApp({ config }, { database: app.database });
});
afterAll(async () => {
  await otherApp.close();
  await app.close();
});
beforeEach(async () => {
  await em().execute('delete from anonymous_traffic');
  owner = await signIn();
  await givePassword(app.database);
  const given = { storeId: app.storeId, devMode: false, description: 'Loja', permissions: ['STORE:READ'] };
  ({ key } = await createKey(em(), given as Parameters<typeof createKey>[1], new Date()));
});

const em = () => app.database.em.fork();
const signIn = () => signedIn({ url: app.api.url, database: app.database }, app.storeId, 'owner');
const at = (path: string) => `/dashboard/${app.storeId}/prod${path}`;
/** A form that asks for the password again. */
const limitKey = (who: DashboardUser, password: string) =>
  who.submit(at(`/keys/${key.id}/limits`), at(`/keys/${key.id}/limits`), {
    allowedNetworks: '192.0.2.7',
    password,
  });
/** Wrong passwords at once, at both processes. */
async function guess(who: DashboardUser, times: number): Promise<number[]> {
  const form = hiddenFields(await who.get(at(`/keys/${key.id}/limits`)), at(`/keys/${key.id}/limits`));
  const answers = await Promise.all(
    Array.from({ length: times }, (_, index) =>
      who
        .at([app, otherApp][index % 2]?.api.url ?? '')
        .post(at(`/keys/${key.id}/limits`), { ...form, allowedNetworks: '', password: WRONG }),
    ),
  );
  return answers.map(({ status }) => status).sort();
}

it('lets a signed-in person pass while strangers guess their password', async () => {
  const stranger = new DashboardUser(app.api.url);
  const fields = { email: 'owner@example.com', password: WRONG, to: '' };
  const guesses = await Promise.all(
    Array.from({ length: 12 }, () => stranger.post('/dashboard/sign-in', fields)),
  );
  expect(guesses.map(({ status }) => status)).toContain(429);
  expect(await limitKey(owner, PASSWORD)).toMatchObject({ status: 303 });
});

describe('wrong passwords of a session', () => {
  it('compares ten wrong passwords, also in parallel over two processes', async () => {
    expect(await guess(owner, 24)).toEqual([...Array(10).fill(422), ...Array(14).fill(429)]);
    expect(await limitKey(owner, PASSWORD)).toMatchObject({ status: 429 });
  });

  it("blocks neither the person's other sessions nor their next sign-in", async () => {
    await guess(owner, 20);
    const fields = { email: 'owner@example.com', password: PASSWORD, to: '' };
    const elsewhere = new DashboardUser(app.api.url);
    expect(await elsewhere.post('/dashboard/sign-in', fields)).toMatchObject({ status: 303 });
    expect(await limitKey(elsewhere, PASSWORD)).toMatchObject({ status: 303 });
  });

  it('compares thirty wrong passwords over all sessions of a person', async () => {
    const sessions = await Promise.all(Array.from({ length: 4 }, () => signIn()));
    const statuses = [];
    for (const session of sessions) statuses.push(...(await guess(session, 10)));
    expect(statuses.filter((status) => status === 422)).toHaveLength(30);
  });
});

it('revokes a key of production while no password is compared any more', async () => {
  await guess(owner, 20);
  const path = at(`/keys/${key.id}/revoke`);
  expect(await owner.submit(path, path)).toMatchObject({ status: 303 });
  expect((await findKey(em(), key.id, {}))?.revokedAt).not.toBeNull();
});
