import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Psp, startPsp } from '../../../scripts/psp/start-psp.ts';
import { addAccount, type NewAccount } from '../../../src/accounts/accounts.ts';
import { inputOf } from '../../../src/accounts/open-account.ts';
import { requireAccount } from '../../../src/accounts/provider-accounts.ts';
import { AuditLineEntity } from '../../../src/database/entities/audit-line.ts';
import { ProviderAccountEntity } from '../../../src/database/entities/provider-account.ts';
import { UserEntity } from '../../../src/database/entities/user.ts';
import { addDays, saoPauloDateOf } from '../../../src/domain/civil-date.ts';
import type { ProviderUse } from '../../../src/domain/provider-use.ts';
import { saveStatementDay } from '../../../src/notifications/statement-rows.ts';
import { PROVIDER_KINDS } from '../../../src/providers/kinds.ts';
import { SecretsKeys } from '../../../src/secrets/secrets-keys.ts';
import { createTestApp, createTestStore, type TestApp } from '../../support/api/app.ts';
import {
  codeFor,
  type DashboardUser,
  givePassword,
  PASSWORD,
  secondFactorOf,
  signedIn,
} from '../../support/dashboard/dashboard-user.ts';
import { StripeStandIn } from '../../support/outside/stripe-stand-in.ts';

const keys = new SecretsKeys([Buffer.alloc(32, 9).toString('base64')]);
const SECRET = 'rk_test_nobodyseesthis';
const STRIPE = { stripeMode: 'test', publishableKey: 'pk_test_1', secretKey: SECRET };

let app: TestApp;
let stripe: StripeStandIn;
let psp: Psp;
let owner: DashboardUser;

beforeAll(async () => {
  stripe = new StripeStandIn();
  [psp] = await Promise.all([startPsp({ profile: 'efi' }), stripe.open()]);
  app = await createTestApp({ secretsKeys: keys, starter: { startSoon: () => undefined } });
  owner = await member('owner');
});
afterAll(async () => {
  await app.close();
  await Promise.all([stripe.close(), psp.close()]);
});

const em = () => app.database.em.fork();

/** The owner of a new store, so that tests do not share its accounts. */
async function member(role: 'owner' | 'developer' | 'finance', storeId = app.storeId) {
  const email = `${role}.${storeId.slice(-6).toLowerCase()}@example.com`;
  const user = await signedIn({ url: app.api.url, database: app.database }, storeId, role, email);
  await givePassword(app.database);
  return user;
}
async function newShop() {
  const { id: storeId } = await createTestStore(app.database);
  const path = (of: string) => `/dashboard/${storeId}/prod/accounts${of}`;
  return { storeId, path, user: await member('owner', storeId) };
}
type Shop = Awaited<ReturnType<typeof newShop>>;

const accountsOf = ({ storeId }: Shop) => em().find(ProviderAccountEntity, { storeId });
const lines = (storeId: Shop['storeId'], action: string) => em().find(AuditLineEntity, { storeId, action });
const addByForm = ({ user, path }: Shop, fields: Record<string, string | readonly string[]>) =>
  user.submit(path('/new/stripe.stripe'), path('/new/stripe.stripe'), {
    ...STRIPE,
    methods: ['CARD', 'BOLETO'],
    password: PASSWORD,
    ...fields,
  });
async function stripeAccount({ storeId }: Shop, uses: readonly ProviderUse[] | null = null) {
  const given: NewAccount = {
    ...{ storeId, kind: 'stripe', profile: 'stripe', uses },
    settings: { stripeMode: 'test', publishableKey: 'pk_test_1', apiUrl: stripe.url },
    secrets: { secretKey: SECRET },
  };
  const keeping = { em: em(), keys, kinds: PROVIDER_KINDS };
  return (await addAccount(keeping, given, new Date())).account.id;
}

describe('adding an account', () => {
  it('stores it encrypted, records and announces it, and never shows its secrets', async () => {
    const shop = await newShop();
    const made = await addByForm(shop, {});
    expect(made.status).toBe(303);
    const [account] = await accountsOf(shop);
    expect(made.location).toBe(shop.path(`/${account?.id}`));
    expect(account).toMatchObject({ kind: 'stripe', settings: { stripeMode: 'test' }, testedAt: null });
    expect(account?.secret).not.toContain(SECRET);
    const page = await shop.user.get(made.location ?? '');
    const list = await shop.user.get(shop.path(''));
    expect(page.text).toContain('pk_test_1');
    expect([page.html, list.html].join()).not.toContain(SECRET);
    const [line, ...others] = await lines(shop.storeId, 'accounts/add');
    expect(others).toEqual([]);
    expect(line).toMatchObject({ subjectId: account?.id, devMode: false, actorKind: 'PERSON' });
    const home = await shop.user.get(`/dashboard/${shop.storeId}/prod`);
    expect(home.text).toContain('Uma conta em um provedor');
  });

  it('offers every bank and provider as a tile that opens its form', async () => {
    const shop = await newShop();
    const { html } = await shop.user.get(shop.path('/new'));
    const tiles = [...html.matchAll(/<a class="tiles__link" href="([^"]+)">/g)].map(([, href = '']) => href);
    expect(tiles).toContain(shop.path('/new/bacen.itau'));
    for (const href of tiles) expect([href, (await shop.user.get(href)).status]).toEqual([href, 200]);
  });

  it('reads certificate and key of one PEM file, and dates its end', async () => {
    const shop = await newShop();
    const { certificate = '', privateKey = '', clientSecret = '' } = psp.account.secrets;
    const { pixKey = '', clientId = '' } = psp.account.settings;
    const form = shop.path('/new/bacen.efi');
    const fields = {
      ...{ bankEnvironment: 'sandbox', pixKey, clientId, clientSecret, notificationProof: 'token' },
      ...{ methods: ['PIX'], password: PASSWORD },
    };
    const files = { certificate: Buffer.from(`${privateKey}\n${certificate}`) };
    expect(await shop.user.upload(form, form, files, fields)).toMatchObject({ status: 303 });
    const [account] = await accountsOf(shop);
    expect(account?.certificateEndsAt).toBeInstanceOf(Date);
    if (account === undefined) throw new Error('there is no account');
    expect(inputOf(account, keys).secrets.privateKey).toContain('PRIVATE KEY');
  });

  it('names every wrong field at once, keeps what was typed, and stores nothing', async () => {
    const shop = await newShop();
    const refused = await addByForm(shop, { publishableKey: 'wrong', secretKey: 'sk_wrong', password: 'no' });
    expect(refused.status).toBe(422);
    for (const name of ['publishableKey', 'secretKey'])
      expect(refused.html).toContain(`id="${name}-problem"`);
    expect(refused.html).toContain('value="wrong"');
    expect(refused.html).not.toContain('sk_wrong');
    // The password is compared only once everything else is right: a code can be used only once.
    expect(await lines(shop.storeId, 'step-up/refused')).toEqual([]);
    expect(await accountsOf(shop)).toEqual([]);
  });

  it('requires the password, and the code of a second factor', async () => {
    const shop = await newShop();
    expect((await addByForm(shop, { password: 'wrong' })).status).toBe(422);
    const email = `owner.${shop.storeId.slice(-6).toLowerCase()}@example.com`;
    await secondFactorOf(app.database, email, keys);
    const withoutCode = await addByForm(shop, {});
    expect([withoutCode.status, withoutCode.html]).toEqual([422, expect.stringContaining('code-problem')]);
    expect(await accountsOf(shop)).toEqual([]);
    const code = await codeFor(app.database, email, keys);
    expect((await addByForm(shop, { code })).status).toBe(303);
  });

  it('adds one of two accounts for the same method sent at once', async () => {
    const shop = await newShop();
    const both = await Promise.all([addByForm(shop, {}), addByForm(shop, {})]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([303, 422]);
    expect(await accountsOf(shop)).toHaveLength(1);
  });

  it('takes no address from a browser', async () => {
    const shop = await newShop();
    expect(
      (await addByForm(shop, { apiUrl: 'http://169.254.169.254', tokenUrl: 'http://10.0.0.1' })).status,
    ).toBe(303);
    const [account] = await accountsOf(shop);
    expect(Object.keys(account?.settings ?? {})).toEqual(['stripeMode', 'publishableKey']);
    for (const profile of ['bacen.generic', 'bacen.constructor', 'toString.x'])
      expect((await shop.user.get(shop.path(`/new/${profile}`))).status).toBe(404);
  });

  it('asks a new owner to wait', async () => {
    const shop = await newShop();
    const { id: userId } = await em().findOneOrFail(UserEntity, {
      email: `owner.${shop.storeId.slice(-6).toLowerCase()}@example.com`,
    });
    await em().execute(
      'update memberships set money_since = now() where user_id = :userId',
      { userId },
      'run',
    );
    expect((await addByForm(shop, {})).status).toBe(403);
    expect(await accountsOf(shop)).toEqual([]);
  });
});

describe('changing an account', () => {
  const edit = ({ user, path }: Shop, id: string, fields: Record<string, string>) =>
    user.submit(path(`/${id}/edit`), path(`/${id}/edit`), {
      ...{ stripeMode: 'test', publishableKey: 'pk_test_1', password: PASSWORD },
      ...fields,
    });

  it('keeps secrets of empty fields and settings that the form does not show', async () => {
    const shop = await newShop();
    const id = await stripeAccount(shop);
    expect(await edit(shop, id, { publishableKey: 'pk_test_2' })).toMatchObject({ status: 303 });
    const account = await requireAccount(em(), id);
    expect(account.settings).toEqual({ stripeMode: 'test', publishableKey: 'pk_test_2', apiUrl: stripe.url });
    expect(inputOf(account, keys).secrets.secretKey).toBe(SECRET);
    const [line] = await lines(shop.storeId, 'accounts/rotate');
    expect(JSON.parse(line?.details ?? '{}')).toEqual({ changed: ['publishableKey'] });
  });

  it('replaces a secret, and refuses a key of the other mode', async () => {
    const shop = await newShop();
    const id = await stripeAccount(shop);
    expect((await edit(shop, id, { secretKey: 'rk_live_other' })).html).toContain('id="secretKey-problem"');
    expect(await edit(shop, id, { secretKey: 'rk_test_other' })).toMatchObject({ status: 303 });
    expect(inputOf(await requireAccount(em(), id), keys).secrets.secretKey).toBe('rk_test_other');
  });

  it('stays registered if only the card fees change, and refuses unreadable ones', async () => {
    const shop = await newShop();
    const id = await stripeAccount(shop);
    await shop.user.submit(shop.path(`/${id}`), shop.path(`/${id}/register`));
    const wrong = await edit(shop, id, { cardFees: 'três por cento' });
    expect([wrong.status, wrong.html.includes('id="cardFees-problem"')]).toEqual([422, true]);
    expect((await edit(shop, id, { cardFees: '3,99+0,39' })).status).toBe(303);
    const { registeredAt, settings } = await requireAccount(em(), id);
    expect([registeredAt === null, settings.cardFees]).toEqual([false, '3,99+0,39']);
    expect((await edit(shop, id, { publishableKey: 'pk_test_2' })).status).toBe(303);
    expect((await requireAccount(em(), id)).registeredAt).toBeNull();
  });

  it('refuses a form that was opened before another change', async () => {
    const shop = await newShop();
    const id = await stripeAccount(shop);
    const late = await edit(shop, id, { version: '7', publishableKey: 'pk_test_3' });
    expect(late.location).toBe(shop.path(`/${id}/edit`));
    expect((await requireAccount(em(), id)).settings.publishableKey).toBe('pk_test_1');
  });

  it('adds a method, and refuses one that another account serves', async () => {
    const shop = await newShop();
    const id = await stripeAccount(shop, ['CARD']);
    const path = shop.path(`/${id}/methods`);
    const to = (methods: readonly string[]) => shop.user.submit(path, path, { methods, password: PASSWORD });
    expect(await to(['CARD', 'BOLETO'])).toMatchObject({ status: 303 });
    const served = await em().execute('select use from provider_account_uses where account_id = :id', { id });
    expect(served).toHaveLength(2);
    expect(await to([])).toMatchObject({ status: 422 });
    expect(await to(['CARD'])).toMatchObject({ status: 303 });
    const other = await stripeAccount(shop, ['BOLETO']);
    expect(await to(['CARD', 'BOLETO'])).toMatchObject({ status: 422 });
    expect(other).not.toBe(id);
  });

  it('disables an account, whose pages then offer nothing', async () => {
    const shop = await newShop();
    const id = await stripeAccount(shop);
    const path = shop.path(`/${id}/disable`);
    expect(await shop.user.submit(path, path, { password: 'wrong' })).toMatchObject({ status: 422 });
    expect(await shop.user.submit(path, path, { password: PASSWORD })).toMatchObject({ status: 303 });
    expect((await requireAccount(em(), id)).removedAt).not.toBeNull();
    for (const page of ['/edit', '/methods', '/disable'])
      expect((await shop.user.get(shop.path(`/${id}${page}`))).status).toBe(404);
    const page = await shop.user.get(shop.path(`/${id}`));
    expect([page.status, page.text]).toEqual([200, expect.stringContaining('Desativada')]);
  });
});

describe('the connection', () => {
  it('shows in words every permission that the key lacks', async () => {
    const shop = await newShop();
    const id = await stripeAccount(shop);
    stripe.fault = ({ path }) =>
      path.includes('/payment_methods/') || path.includes('/disputes')
        ? { kind: 'STATUS', status: 403 }
        : null;
    const tested = await shop.user.submit(shop.path(`/${id}`), shop.path(`/${id}/test`));
    stripe.fault = () => null;
    expect(tested).toMatchObject({ status: 303 });
    const page = await shop.user.get(shop.path(`/${id}`));
    for (const text of ['PaymentMethods (write)', 'apaga cartões salvos', 'Disputes (write)', 'contestações'])
      expect(page.text).toContain(text);
    expect((await shop.user.get(shop.path(''))).text).toContain('Faltam 2 permissões');
  });

  it('shows why a test failed, and forgets it after a change', async () => {
    const shop = await newShop();
    const id = await stripeAccount(shop);
    stripe.fault = () => ({ kind: 'STATUS', status: 401 });
    await shop.user.submit(shop.path(`/${id}`), shop.path(`/${id}/test`));
    stripe.fault = () => null;
    expect((await shop.user.get(shop.path(`/${id}`))).text).toContain('recusa as credenciais');
    expect((await requireAccount(em(), id)).lastTest).toMatchObject({ failure: 'UNAUTHORIZED' });
    const path = shop.path(`/${id}/edit`);
    await shop.user.submit(path, path, { ...STRIPE, publishableKey: 'pk_test_9', password: PASSWORD });
    expect(await requireAccount(em(), id)).toMatchObject({ testedAt: null, lastTest: null });
  });

  it('registers for notifications once, and stores the secret that signs them', async () => {
    const shop = await newShop();
    const id = await stripeAccount(shop);
    const before = stripe.endpoints.size;
    for (let repeat = 0; repeat < 2; repeat += 1) {
      const done = await shop.user.submit(shop.path(`/${id}`), shop.path(`/${id}/register`));
      expect(done).toMatchObject({ status: 303 });
    }
    expect(stripe.endpoints.size).toBe(before + 1);
    const account = await requireAccount(em(), id);
    expect(account.registeredAt).toBeInstanceOf(Date);
    expect(inputOf(account, keys).secrets.webhookSecret).toMatch(/^whsec_/);
    expect(await lines(shop.storeId, 'accounts/register')).toHaveLength(2);
    expect(await lines(shop.storeId, 'accounts/rotate')).toHaveLength(1);
  });

  it('says why a provider refused the registration', async () => {
    const shop = await newShop();
    const id = await stripeAccount(shop);
    stripe.fault = ({ method }) => (method === 'POST' ? { kind: 'STATUS', status: 403 } : null);
    await shop.user.submit(shop.path(`/${id}`), shop.path(`/${id}/register`));
    stripe.fault = () => null;
    expect((await shop.user.get(shop.path(`/${id}`))).text).toContain('recusa as credenciais');
    expect((await requireAccount(em(), id)).registeredAt).toBeNull();
  });
});

describe('who may see accounts', () => {
  it('returns 403 for other roles, and 404 for another store and for dev mode', async () => {
    const shop = await newShop();
    const id = await stripeAccount(shop);
    for (const role of ['developer', 'finance'] as const) {
      const user = await member(role, shop.storeId);
      for (const path of ['', '/new', `/${id}`]) expect((await user.get(shop.path(path))).status).toBe(403);
    }
    for (const path of [`/${id}`, `/${id}/edit`, `/${id}/methods`])
      expect((await owner.get(`/dashboard/${app.storeId}/prod/accounts${path}`)).status).toBe(404);
    const dev = (path: string) => shop.user.get(shop.path(path).replace('/prod/', '/dev/'));
    expect([(await dev('')).status, (await dev(`/${id}`)).status, (await dev('/new')).status]).toEqual([
      200, 404, 404,
    ]);
  });

  it('leads from the first steps of production to the form', async () => {
    const shop = await newShop();
    const home = await shop.user.get(`/dashboard/${shop.storeId}/prod`);
    expect(home.html).toContain(`href="${shop.path('/new')}"`);
    const user = await member('finance', shop.storeId);
    expect((await user.get(`/dashboard/${shop.storeId}/prod`)).html).not.toContain(shop.path('/new'));
  });
});

describe("a provider's own books", () => {
  it('shows each day, its differences and the payouts to the bank', async () => {
    const shop = await newShop();
    const id = await stripeAccount(shop, ['CARD']);
    const page = () => shop.user.get(shop.path(`/${id}`));
    expect((await page()).text).not.toContain('Livros do provedor');
    const today = saoPauloDateOf(new Date());
    const sums = {
      refundCents: 0,
      disputeCents: -1_000,
      adjustmentCents: 0,
      feeCents: 375,
      payoutCents: -4_000,
    };
    const read = { provider: id, entries: 3, foreignPayments: 0, isComplete: true, readAt: new Date() };
    await saveStatementDay(em(), {
      ...read,
      day: today,
      totals: { ...sums, grossCents: 9_900, netCents: 8_525, balanceCents: null },
      differences: [
        {
          ...{ problem: 'OTHER_FEE', entryId: 'txn_1', providerPaymentId: 'pi_disputed' },
          ...{ providerCents: 1_500, hereCents: null },
        },
      ],
      payouts: [{ id: 'po_1', amountCents: 4_000, status: 'UNDER_WAY', arrivesOn: addDays(today, 2) }],
    });
    const { text } = await page();
    for (const shown of [
      'Livros do provedor',
      '99,00',
      '1 diferença',
      'pi_disputed',
      '15,00',
      'po_1',
      'A caminho',
    ])
      expect(text).toContain(shown);
  });
});
