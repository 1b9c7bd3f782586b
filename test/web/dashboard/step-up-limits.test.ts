import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createKey, findKey } from '../../../src/api/keys/api-keys.ts';
import type { ApiKey } from '../../../src/database/entities/api-key.ts';
import { UserEntity } from '../../../src/database/entities/user.ts';
import { MemberQueue } from '../../../src/web/dashboard/frame/member-queue.ts';
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
afterEach(() => {
  jest.restoreAllMocks();
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

it('compares right passwords that a person sends at once one by one, and accepts all', async () => {
  const compare = MemberQueue.prototype.compare;
  let running = 0;
  let most = 0;
  jest.spyOn(MemberQueue.prototype, 'compare').mockImplementation(async function (this: MemberQueue, ...of) {
    running += 1;
    most = Math.max(most, running);
    try {
      return await compare.apply(this, of);
    } finally {
      running -= 1;
    }
  });
  const sessions = [owner, await signIn(), await signIn()];
  const sent = sessions.flatMap((session) => Array.from({ length: 5 }, () => limitKey(session, PASSWORD)));
  const statuses = (await Promise.all(sent)).map(({ status }) => status);
  expect(statuses).toEqual(Array(15).fill(303));
  expect(most).toBe(1);
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

describe('right passwords of a person', () => {
  /** A browser that has signed in with the password. */
  const ownBrowser = async () => {
    const browser = new DashboardUser(app.api.url);
    await browser.post('/dashboard/sign-in', { email: 'owner@example.com', password: PASSWORD, to: '' });
    return browser;
  };
  const use = async (points: number) => {
    const { id } = await em().findOneOrFail(UserEntity, { email: 'owner@example.com' });
    const expire = Date.now() + 10 * 60_000;
    await em().execute('insert into anonymous_traffic (key, points, expire) values (?, ?, ?)', [
      `rightStepUpsOfUser:${id}`,
      points,
      expire,
    ]);
  };

  it('accepts a hundred, over all sessions that have no limit of their own', async () => {
    await use(96);
    const other = await signIn();
    const statuses = [];
    for (let time = 0; time < 3; time += 1)
      for (const who of [owner, other]) statuses.push((await limitKey(who, PASSWORD)).status);
    expect(statuses).toEqual([...Array(4).fill(303), 429, 429]);
  });

  it('counts a wrong password as a wrong one only, and a refused one as neither', async () => {
    expect(await limitKey(owner, WRONG)).toMatchObject({ status: 422 });
    const points = () =>
      em().execute(
        "select split_part(key, ':', 1) as limit, points from anonymous_traffic where key ~ 'StepUps' order by 1",
      );
    const wrongOnly = [
      { limit: 'rightStepUpsOfUser', points: 0 },
      { limit: 'wrongStepUpsOfSession', points: 1 },
      { limit: 'wrongStepUpsOfUser', points: 1 },
    ];
    expect(await points()).toEqual(wrongOnly);
    await em().execute("update anonymous_traffic set points = 100 where key like 'rightStepUpsOfUser:%'");
    expect(await limitKey(owner, PASSWORD)).toMatchObject({ status: 429 });
    expect(await points()).toEqual([{ limit: 'rightStepUpsOfUser', points: 100 }, ...wrongOnly.slice(1)]);
  });

  it("says when to try again, and leaves the person's own browsers their attempts", async () => {
    const browser = await ownBrowser();
    await use(100);
    const refused = await limitKey(owner, PASSWORD);
    expect([refused.status, refused.text]).toEqual([
      429,
      expect.stringContaining('Tente de novo em 10 minutos.'),
    ]);
    expect(await limitKey(browser, PASSWORD)).toMatchObject({ status: 303 });
  });

  it('revokes a key and ends a session after too many', async () => {
    await signIn();
    await use(100);
    const path = at(`/keys/${key.id}/revoke`);
    expect(await owner.submit(path, path)).toMatchObject({ status: 303 });
    const [, end = ''] =
      /action="([^"]*\/sessions\/[^"]*\/end)"/.exec((await owner.get(at('/account'))).html) ?? [];
    expect(await owner.submit(at('/account'), end)).toMatchObject({ status: 303 });
    expect(await owner.submit(at('/account'), at('/sign-out'))).toMatchObject({ status: 303 });
  });
});

it('revokes a key of production while no password is compared any more', async () => {
  await guess(owner, 20);
  const path = at(`/keys/${key.id}/revoke`);
  expect(await owner.submit(path, path)).toMatchObject({ status: 303 });
  expect((await findKey(em(), key.id, {}))?.revokedAt).not.toBeNull();
});

it('refuses an unfit new password before comparing, and names empty fields', async () => {
  const compare = jest.spyOn(MemberQueue.prototype, 'compare');
  const change = async (password: string) => {
    const fields = { password, newPassword: 'curta' };
    const { status, text } = await owner.submit(at('/account'), at('/account/password'), fields);
    return { status, isPasswordNamed: text.includes('A senha não está certa') };
  };
  expect(await change(WRONG)).toEqual({ status: 422, isPasswordNamed: false });
  expect(await change(PASSWORD)).toEqual({ status: 422, isPasswordNamed: false });
  expect(await change('')).toEqual({ status: 422, isPasswordNamed: true });
  expect(compare).not.toHaveBeenCalled();
});
