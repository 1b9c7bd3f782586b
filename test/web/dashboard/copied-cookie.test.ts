import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { SecretsKeys } from '../../../src/secrets/secrets-keys.ts';
import { createTestApp, type TestApp } from '../../support/api/app.ts';
import {
  codeFor,
  type DashboardUser,
  givePassword,
  hiddenFields,
  PASSWORD,
  signedIn,
} from '../../support/dashboard/dashboard-user.ts';

const KEYS = new SecretsKeys([Buffer.alloc(32, 7).toString('base64')]);

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ secretsKeys: KEYS });
});
afterAll(() => app.close());

let email: string;
let owner: DashboardUser;
/** Somebody with a copy of the owner's cookie. */
let thief: DashboardUser;
beforeEach(async () => {
  email = `ana-${crypto.randomUUID()}@example.com`;
  owner = await signedIn({ ...app, url: app.api.url }, app.storeId, 'owner', email);
  await givePassword(app.database);
  thief = owner.at(app.api.url);
  expect((await thief.get(at('/account'))).status).toBe(200);
});

const at = (path: string) => `/dashboard/${app.storeId}/dev${path}`;
const toSignIn = expect.stringContaining('/dashboard/sign-in');

it('ends copies of the cookie with a new password, and keeps its owner signed in', async () => {
  const fields = { password: PASSWORD, newPassword: 'outra frase bem comprida' };
  const done = await owner.submit(at('/account'), at('/account/password'), fields);
  expect(done.location).toBe(at('/account'));
  expect(await thief.get(at('/account'))).toMatchObject({ status: 303, location: toSignIn });
  const account = await owner.get(at('/account'));
  expect(account.status).toBe(200);
  const out = await owner.post(at('/sign-out'), hiddenFields(account, at('/sign-out')));
  expect(out.location).toBe('/dashboard/sign-in');
});

it('ends copies of the cookie with a second factor, and keeps its owner signed in', async () => {
  const second = at('/account/second-factor');
  const begun = await owner.submit(second, `${second}/begin`, { password: PASSWORD });
  const code = await codeFor(app.database, email, KEYS);
  const hidden = hiddenFields(begun, `${second}/confirm`);
  const codes = await owner.post(`${second}/confirm`, { ...hidden, code, password: PASSWORD });
  expect(codes.status).toBe(200);
  expect(await thief.get(at('/account'))).toMatchObject({ status: 303, location: toSignIn });
  const out = await owner.post(at('/sign-out'), hiddenFields(codes, at('/sign-out')));
  expect(out.location).toBe('/dashboard/sign-in');
});

it('lets one of ten simultaneous new passwords win, and its browser continue', async () => {
  const page = await owner.get(at('/account'));
  const hidden = hiddenFields(page, at('/account/password'));
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, time) => {
      const browser = owner.at(app.api.url);
      const fields = { ...hidden, submission: crypto.randomUUID(), password: PASSWORD };
      const newPassword = `outra frase bem comprida ${time}`;
      const sent = browser.post(at('/account/password'), { ...fields, newPassword });
      return sent.then((answer) => ({ ...answer, browser }));
    }),
  );
  const won = answers.filter(({ location }) => location === at('/account'));
  expect(won).toHaveLength(1);
  expect((await won[0]?.browser.get(at('/account')))?.status).toBe(200);
  expect(await owner.get(at('/account'))).toMatchObject({ status: 303, location: toSignIn });
});
