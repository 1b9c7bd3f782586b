import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { ChargeEntity } from '../../src/database/entities/charge.ts';
import { PayerSessionEntity } from '../../src/database/entities/payer-session.ts';
import { SessionEntity } from '../../src/database/entities/session.ts';
import { UserEntity } from '../../src/database/entities/user.ts';
import type { CustomerId, UserId } from '../../src/domain/ids.ts';
import { issueLink } from '../../src/identity/one-time-links.ts';
import { SecretsKeys } from '../../src/secrets/secrets-keys.ts';
import { dataOf } from '../support/api/api-client.ts';
import { createTestApp, createTestStore, TEST_CONFIG, type TestApp } from '../support/api/app.ts';
import {
  DashboardUser,
  givePassword,
  PASSWORD,
  secondFactorOf,
  signedIn,
} from '../support/dashboard/dashboard-user.ts';
import { payForm } from '../support/web/pay-form.ts';
import { PortalReader } from '../support/web/portal-reader.ts';

const KEYS = new SecretsKeys([Buffer.alloc(32, 7).toString('base64')]);

let apps: readonly [TestApp, TestApp];
let email: string;
let userId: UserId;
beforeAll(async () => {
  const given = { config: { ...TEST_CONFIG, limitAnonymousTraffic: true }, secretsKeys: KEYS };
  const app = await createTestApp(given);
  apps = [app, await createTestApp(given, { database: app.database })];
});
afterAll(async () => {
  await apps[1].close();
  await apps[0].close();
});
beforeEach(async () => {
  await em().execute('delete from anonymous_traffic');
  email = `ana-${crypto.randomUUID()}@example.com`;
  await signedIn({ url: apps[0].api.url, database: apps[0].database }, apps[0].storeId, 'owner', email);
  await givePassword(apps[0].database);
  userId = (await em().findOneOrFail(UserEntity, { email })).id;
  await em().nativeDelete(SessionEntity, { userId });
});

it('reserves as many uses of a coupon as it has', async () => {
  const [{ api }] = apps;
  const coupon = { code: 'TRES', discount: 10, discountKind: 'PERCENTAGE', maxRedeems: 3 };
  dataOf(await api.post('/v2/coupons/create', coupon));
  const product = { name: 'Curso', price: 5_000, currency: 'BRL', externalId: 'curso' };
  const { id } = dataOf<{ id: string }>(await api.post('/v2/products/create', product));
  const checkouts = await Promise.all(
    Array.from({ length: 20 }, async () =>
      dataOf<{ id: string }>(
        await api.post('/v2/checkouts/create', {
          items: [{ id, quantity: 1 }],
          coupons: ['TRES'],
          methods: ['PIX'],
        }),
      ),
    ),
  );
  await em().execute('delete from anonymous_traffic');
  const answers = await atBoth(20, (app, index) => payWithCoupon(app, checkouts[index]?.id ?? ''));
  expect(answers.filter((answer) => answer === 'PAID')).toHaveLength(3);
  expect(await em().count(ChargeEntity, { couponId: { $ne: null } })).toBe(3);
});

const payWithCoupon = ({ api }: TestApp, checkoutId: string) =>
  payForm(api.url, checkoutId, {
    method: 'PIX',
    coupon: 'TRES',
    payerName: 'Ana',
    payerTaxId: '529.982.247-25',
  })
    .then(() => 'PAID')
    .catch(() => 'REFUSED');

const em = () => apps[0].database.em.fork();
/** Runs work at both processes in turns, all at once. */
const atBoth = <Answer>(times: number, work: (app: TestApp, index: number) => Promise<Answer>) =>
  Promise.all(Array.from({ length: times }, (_, index) => work(apps[(index % 2) as 0 | 1], index)));
function browserAt(browsers: readonly DashboardUser[], index: number): DashboardUser {
  return browsers[index % browsers.length] as DashboardUser;
}
const countOf = (answers: readonly { readonly status: number }[], status: number) =>
  answers.filter((answer) => answer.status === status).length;

it('resets a password once with one link', async () => {
  const link = await issueLink(em(), { kind: 'RESET', userId }, new Date());
  const answers = await atBoth(12, ({ api }, index) =>
    new DashboardUser(api.url).post(link, { password: `uma frase bem comprida ${index}` }),
  );
  expect([countOf(answers, 303), countOf(answers, 404)]).toEqual([1, 11]);
  expect(await em().count(SessionEntity, { userId })).toBe(1);
});

it('signs in once with one code', async () => {
  const { codeAt } = await secondFactorOf(apps[0].database, email, KEYS);
  const browsers = await atBoth(8, async ({ api }) => {
    const browser = new DashboardUser(api.url);
    await browser.post('/dashboard/sign-in', { email, password: PASSWORD, to: '' });
    return browser;
  });
  await Promise.all(
    browsers.map((browser) => browser.post('/dashboard/sign-in/code', { code: codeAt(0), to: '' })),
  );
  expect(await em().count(SessionEntity, { userId, awaitsCode: false })).toBe(1);
});

it('compares ten wrong codes of a person and no more', async () => {
  const { codeAt } = await secondFactorOf(apps[0].database, email, KEYS);
  const browsers = await atBoth(4, async ({ api }) => {
    const browser = new DashboardUser(api.url);
    await browser.post('/dashboard/sign-in', { email, password: PASSWORD, to: '' });
    return browser;
  });
  const guesses = await atBoth(40, (_, index) =>
    browserAt(browsers, index).post('/dashboard/sign-in/code', { code: 'aaaaaaaaaa', to: '' }),
  );
  expect([countOf(guesses, 422), countOf(guesses, 429)]).toEqual([10, 30]);
  await browserAt(browsers, 0).post('/dashboard/sign-in/code', { code: codeAt(0), to: '' });
  expect(await em().count(SessionEntity, { userId, awaitsCode: false })).toBe(0);
});

it('compares ten wrong passwords of an account and no more', async () => {
  const answers = await atBoth(40, ({ api }) =>
    new DashboardUser(api.url).post('/dashboard/sign-in', { email, password: 'wrong password', to: '' }),
  );
  expect([countOf(answers, 422), countOf(answers, 429)]).toEqual([10, 30]);
  await new DashboardUser(apps[1].api.url).post('/dashboard/sign-in', { email, password: PASSWORD, to: '' });
  expect(await em().count(SessionEntity, { userId })).toBe(0);
});

it('compares five codes of the portal, and starts one session with the right one', async () => {
  const customer = {
    name: 'Bia',
    email: 'bia@example.com',
    taxId: '529.982.247-25',
    cellphone: '11999999999',
  };
  const { id } = dataOf<{ id: string }>(await apps[0].api.post('/v2/customers/create', customer));
  const first = new PortalReader(apps[0]);
  await first.post(`/portal/${id}`, { email: 'bia@example.com' });
  const code = /portal__code">(\d{6})</.exec((await first.get(`/portal/${id}/code`)).text)?.[1] ?? '';
  expect(code).toMatch(/^\d{6}$/);
  const second = new PortalReader(apps[1]);
  for (const [name, value] of first.cookies) second.cookies.set(name, value);
  const right = await atBoth(5, (_, index) =>
    (index % 2 === 0 ? first : second).post(`/portal/${id}/code`, { code }),
  );
  expect(countOf(right, 303)).toBe(1);
  expect(await em().count(PayerSessionEntity, { customerId: id as CustomerId })).toBe(1);
});

it('carries out one of the requests with an Idempotency-Key for each store', async () => {
  const { id: other } = await createTestStore(apps[0].database);
  const clients = [
    apps[0].api,
    await apps[0].clientWith(),
    await apps[0].clientWith({ storeId: other }),
    apps[1].api.as(apps[0].api.key),
  ];
  const options = { headers: { 'Idempotency-Key': 'order-1' } };
  const body = { method: 'PIX', data: { amount: 1_234 } };
  const answers = await Promise.all(
    clients.flatMap((client) =>
      Array.from({ length: 5 }, () => client.post('/v2/transparents/create', body, options)),
    ),
  );
  expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
  expect(await em().count(ChargeEntity, { amountCents: 1_234 })).toBe(2);
});
