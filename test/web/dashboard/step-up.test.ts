import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addAccount } from '../../../src/accounts/accounts.ts';
import { createKey } from '../../../src/api/keys/api-keys.ts';
import { AuditLineEntity } from '../../../src/database/entities/audit-line.ts';
import { ChargeEntity, NEW_CHARGE } from '../../../src/database/entities/charge.ts';
import { DisputeEntity } from '../../../src/database/entities/dispute.ts';
import { MembershipEntity } from '../../../src/database/entities/membership.ts';
import { PayoutEntity } from '../../../src/database/entities/payout.ts';
import { SessionEntity } from '../../../src/database/entities/session.ts';
import { UserEntity } from '../../../src/database/entities/user.ts';
import { WebhookEntity } from '../../../src/database/entities/webhook.ts';
import type { ChargeId, DisputeId } from '../../../src/domain/ids.ts';
import { NO_PAYOUT_CONTROLS } from '../../../src/domain/payout-controls.ts';
import { PERMISSIONS } from '../../../src/domain/permission.ts';
import { mintId } from '../../../src/ids.ts';
import { PROVIDER_KINDS } from '../../../src/providers/kinds.ts';
import { SecretsKeys } from '../../../src/secrets/secrets-keys.ts';
import { DASHBOARD_ROUTES } from '../../../src/web/dashboard/routes.ts';
import { createTestApp, type TestApp } from '../../support/api/app.ts';
import {
  codeFor,
  type DashboardUser,
  givePassword,
  PASSWORD,
  secondFactorOf,
  signedIn,
} from '../../support/dashboard/dashboard-user.ts';
import { insertWebhook } from '../../support/rows/build.ts';
import { insertCustomer } from '../../support/rows/checkout-rows.ts';
import { credit } from '../../support/rows/credit.ts';
import { setControls } from '../../support/rows/payout-controls.ts';
import { insertSubAccount } from '../../support/rows/sub-accounts.ts';

const KEYS = new SecretsKeys([Buffer.alloc(32, 7).toString('base64')]);

interface Form {
  /** What the form requires from someone with a second factor. */
  readonly asks: 'password' | 'password and code';
  /** Where that is so. */
  readonly in: 'dev and prod' | 'prod' | 'dev';
  /** The page that has the form; `:id` is of what the test has made. */
  readonly page: string;
  readonly fields?: Readonly<Record<string, string | readonly string[]>>;
  /** The test sends the form as someone without a second factor. */
  readonly byPlainOwner?: true;
}

const both = { asks: 'password and code', in: 'dev and prod' } as const;
const real = { asks: 'password and code', in: 'prod' } as const;
const controls = Object.fromEntries(Object.entries(NO_PAYOUT_CONTROLS).map(([name]) => [name, '']));
const transfer = { amount: '10,00', type: 'EMAIL', key: 'ana@example.com', externalId: 't-1' };
const webhook = { name: 'Pedidos', endpoint: 'https://example.com/hook', events: ['checkout.completed'] };

/**
 * Every form of the dashboard: what it asks for again, or why it asks for nothing. A new form needs a line here. It asks
 * if somebody with a session that was stolen, and no password, could get at money by it, lock its owner out, or destroy what cannot
 * come back.
 */
const FORMS: Readonly<Record<string, Form | string>> = {
  '/team/invite': { ...both, page: '/team', fields: { email: 'new@example.com', role: 'finance' } },
  '/team/:userId/role': { ...both, page: '/team/:id', fields: { role: 'owner' } },
  '/team/:userId/remove': { ...both, page: '/team/:id/remove' },
  '/team/:userId/confirm': { ...both, page: '/team/:id/confirm' },
  '/team/:inviteeId/revoke-invitation': 'takes authority away that nobody has yet',
  '/keys/new': { ...real, page: '/keys/new', fields: { description: 'x', permissions: PERMISSIONS } },
  '/keys/new-public': { ...real, page: '/keys/new-public', fields: { description: 'x' } },
  '/keys/:id/limits': { ...real, page: '/keys/:id/limits', fields: { allowedNetworks: '192.0.2.7' } },
  '/keys/:id/rotate': { ...real, page: '/keys/:id/rotate', fields: { overlap: '24' } },
  '/keys/:id/revoke': 'takes authority away',
  '/webhooks/new': { ...real, page: '/webhooks/new', fields: { ...webhook, secret: 'um segredo' } },
  '/webhooks/:id/edit': { ...real, page: '/webhooks/:id/edit', fields: webhook },
  '/webhooks/:id/rotate-secret': { ...real, page: '/webhooks/:id', fields: { secret: 'outro segredo' } },
  '/webhooks/:id/enable': { ...real, page: '/webhooks/:id/enable' },
  '/webhooks/:id/disable': 'stops sending, and can be undone',
  '/webhooks/:id/test': 'sends an example to where an endpoint was set up with the password',
  '/webhooks/:id/delete': { ...real, page: '/webhooks/:id' },
  '/webhooks/:id/resend': 'sends to where an endpoint was set up with the password',
  '/deliveries/:id/resend': 'sends to where an endpoint was set up with the password',
  '/accounts/new/:institution': {
    ...real,
    page: '/accounts/new/stripe.stripe',
    fields: {
      ...{ stripeMode: 'test', publishableKey: 'pk_test_1', secretKey: 'rk_test_1' },
      methods: ['BOLETO'],
    },
  },
  '/accounts/:id/edit': { ...real, page: '/accounts/:id/edit', fields: { publishableKey: 'pk_test_2' } },
  '/accounts/:id/methods': { ...real, page: '/accounts/:id/methods', fields: { methods: ['CARD'] } },
  '/accounts/:id/disable': { ...real, page: '/accounts/:id/disable' },
  '/accounts/:id/test': 'asks the provider, and changes nothing there',
  '/accounts/:id/register': 'has the provider notify the configured address of this service',
  '/payouts': {
    asks: 'password',
    in: 'dev and prod',
    page: '/new-payout',
    fields: { amount: '10,00', externalId: 'p-1' },
  },
  '/transfers': { asks: 'password', in: 'dev and prod', page: '/new-transfer', fields: transfer },
  '/sub-accounts/new': {
    ...real,
    page: '/sub-accounts',
    fields: { name: 'Ana', taxId: '111.444.777-35', externalId: 'seller-42' },
  },
  '/sub-accounts/:id/change': {
    ...real,
    page: '/sub-accounts/:id',
    fields: { name: 'Ana', externalId: 'seller-42' },
  },
  '/sub-accounts/:id/withdraw': {
    ...real,
    page: '/sub-accounts/:id',
    fields: { amount: '10,00', externalId: 'w-1' },
  },
  '/approvals/:id': { asks: 'password', in: 'dev', page: '/approvals/:id', fields: { decision: 'approve' } },
  '/controls': { ...both, page: '/controls', fields: controls },
  '/controls/second-factor': { ...both, page: '/controls/second-factor' },
  '/account/password': { ...both, page: '/account', fields: { newPassword: 'outra frase bem comprida' } },
  '/account/second-factor/begin': {
    asks: 'password',
    in: 'dev and prod',
    page: '/account/second-factor',
    byPlainOwner: true,
  },
  '/account/second-factor/confirm': 'asks for the password too: the page before it has its form (see below)',
  '/account/second-factor/end': { ...both, page: '/account/second-factor' },
  '/account/sessions/:id/end': 'ends a session, as anyone who finds a strange one must be able to',
  '/sign-out': 'ends a session',
  '/settings': 'is what payers read',
  '/subscriptions/:id/trial': 'moves the end of a trial; no money leaves the store',
  '/subscriptions/:id/pay': 'charges a cycle that is owed; no money leaves the store',
  '/settings/billing': 'decides what follows failed attempts; no money leaves the store',
  '/settings/reminders': 'mails payers of the store; no money leaves it',
  '/settings/portal': 'lets payers change their own subscriptions; no money leaves the store',
  '/settings/nfse': 'is what the store declares to the tax authority; no money leaves the store',
  '/invoices/:id/nfse': 'declares a service to the tax authority; no money leaves the store',
  '/invoices/:id/nfse/:nfseId/cancel': 'asks to cancel a declaration; no money leaves the store',
  '/settings/logo': 'is what payers see',
  '/settings/preview': 'changes nothing',
  '/settings/logo/remove': 'is what payers see',
  '/payments/:id/decline-refund': 'moves no money, and the payer can be refunded all the same',
  '/payments/:id/refund': 'sends money back to who paid it, and to nobody else',
  '/payments/:id/evidence': 'saves a draft that nobody gets',
  '/payments/:id/evidence/remove-file': 'changes a draft that nobody gets',
  '/payments/:id/evidence/retry': 'sends what was submitted with the password',
  '/payments/:id/evidence/submit': { ...real, page: '/payments/:id/evidence' },
  '/payments/:id/evidence/accept': { ...real, page: '/payments/:id/evidence' },
  '/payments/:id/cancel': 'ends what nobody has paid',
  '/payments/:id/simulate': 'has the sandbox pay',
  '/coupons': 'sells for less',
  '/coupons/:code/edit': 'sells for less',
  '/coupons/:code/toggle': 'sells for less',
  '/coupons/:code/delete': 'sells for less no more',
  '/products': 'sells',
  '/products/:id/edit': 'is what payers read',
  '/products/:id/archive': 'sells no more',
  '/products/:id/restore': 'sells',
  '/products/:id/delete': 'sells no more',
  '/customers/:id/erase': { ...real, page: '/customers/:id' },
  '/customers/:id/cards/:cardId/remove': 'charges a card no more',
  '/checkouts': 'asks somebody for money',
  '/checkouts/:id/cancel': 'ends what nobody has paid',
  '/subscriptions/:id/authorize': 'asks a payer for an authorization; no money leaves the store',
  '/subscriptions/:id/authorizations/:mandateId/end': 'takes an authority away; codes follow',
  '/subscriptions/:id/plan': 'asks a payer for other money',
  '/subscriptions/:id/plan/preview': 'changes nothing',
  '/subscriptions/:id/quantity': 'asks a payer for other money',
  '/subscriptions/:id/quantity/preview': 'changes nothing',
  '/subscriptions/:id/cancel': 'asks a payer for no more money',
  '/subscriptions/:id/cancel/preview': 'changes nothing',
  '/subscriptions/:id/pause': 'asks a payer for no more money for a while',
  '/subscriptions/:id/resume': 'asks a payer for money as before',
  '/subscriptions/:id/usage': 'asks a payer for other money',
  '/sandbox/pay/:id': 'has the sandbox pay',
  '/sandbox/dispute': 'has the sandbox dispute',
  '/sandbox/clock/advance': 'moves simulated time',
  '/sandbox/clock/cancel': 'stops simulated time',
  '/sandbox/clock/reset': 'ends simulated time',
};

const isForm = (form: Form | string): form is Form => typeof form !== 'string';
const forms = Object.entries(FORMS).flatMap(([path, form]) =>
  isForm(form) ? form.in.split(' and ').map((environment) => ({ path, environment, ...form })) : [],
);

let app: TestApp;
let owner: DashboardUser;
let plainOwner: DashboardUser;
let ids: Record<string, string>;
beforeAll(async () => {
  app = await createTestApp({ secretsKeys: KEYS, starter: { startSoon: () => undefined } });
  const fixture = { url: app.api.url, database: app.database };
  owner = await signedIn(fixture, app.storeId, 'owner');
  plainOwner = await signedIn(fixture, app.storeId, 'owner', 'plain@example.com');
  await signedIn(fixture, app.storeId, 'finance');
  await givePassword(app.database);
  await secondFactorOf(app.database, 'owner@example.com', KEYS);
  const { storeId } = app;
  const { key } = await createKey(
    em(),
    { storeId, devMode: false, description: 'Loja', permissions: PERMISSIONS },
    new Date(),
  );
  await credit(app.database, { storeId, devMode: true }, 100_000);
  await setControls(app.database, { storeId, devMode: true }, { approvalAboveCents: 100 });
  await app.api.post('/v2/payouts/create', { amount: 1_000, externalId: 'waits' });
  const { id: userId } = await em().findOneOrFail(UserEntity, { email: 'finance@example.com' });
  const { id: moneyGiverId } = await em().findOneOrFail(UserEntity, { email: 'plain@example.com' });
  await em().nativeUpdate(MembershipEntity, { userId }, { moneySince: new Date(), moneyGiverId });
  const { id: webhookId } = await insertWebhook(app.database, { storeId, devMode: false });
  await em().nativeUpdate(WebhookEntity, { id: webhookId }, { disabledAt: new Date() });
  const added = await addAccount(
    { em: em(), keys: KEYS, kinds: PROVIDER_KINDS },
    {
      ...{ storeId, kind: 'stripe', profile: 'stripe', uses: ['CARD'] },
      settings: { stripeMode: 'test', publishableKey: 'pk_test_1' },
      secrets: { secretKey: 'rk_test_1' },
    },
    new Date(),
  );
  ids = {
    '/accounts': added.account.id,
    '/team': userId,
    '/keys': key.id,
    '/webhooks': webhookId,
    '/sub-accounts': await insertSubAccount(app.database, { storeId, devMode: false }),
    '/customers': (await insertCustomer(app, { devMode: false })).id,
    '/payments': await disputedCard(added.account.id),
    '/approvals': (await em().findOneOrFail(PayoutEntity, { externalId: 'waits' })).id,
  };
});
afterAll(() => app.close());

const em = () => app.database.em.fork();
const at = (path: string, environment: string) => {
  const [, folder = ''] = /^(\/[\w-]+)/.exec(path) ?? [];
  return `/dashboard/${app.storeId}/${environment}${path.replace(':institution', 'stripe.stripe').replace(/:\w+/, ids[folder] ?? '')}`;
};
const send = (form: (typeof forms)[number], proof: Record<string, string>) =>
  (form.byPlainOwner ? plainOwner : owner).submit(
    at(form.page, form.environment),
    at(form.path, form.environment),
    { ...form.fields, ...proof },
  );
/** Actions in the audit log. A wrong password or code also leaves a line. */
const lines = () => em().count(AuditLineEntity, { action: { $ne: 'step-up/refused' } });

it('lists every form of the dashboard', () => {
  const posted = DASHBOARD_ROUTES.filter(({ method }) => method === 'POST').map(({ path }) => path);
  expect(new Set(Object.keys(FORMS))).toEqual(new Set(posted));
});

describe('forms that require the password', () => {
  it.each(forms)('refuses the form without the password: $path in $environment', async (form) => {
    const before = await lines();
    const answer = await send(form, { password: '' });
    expect([answer.status, answer.text]).toEqual([422, expect.stringContaining('A senha não está certa')]);
    expect(answer.html).toContain('name="password"');
    expect(await lines()).toBe(before);
    await em().execute('delete from anonymous_traffic');
  });

  it.each(forms.filter(({ asks }) => asks === 'password and code'))(
    'refuses the form without a valid code: $path in $environment',
    async (form) => {
      const before = await lines();
      const answer = await send(form, { password: PASSWORD, code: '000000' });
      expect([answer.status, answer.text]).toEqual([422, expect.stringContaining('O código não está certo')]);
      expect(await lines()).toBe(before);
      await em().execute('delete from anonymous_traffic');
    },
  );

  it.each(forms.filter((form) => form.in === 'prod' && form.page.endsWith('/new')))(
    'asks for no password in dev mode: $path',
    async ({ page }) => {
      expect((await owner.get(at(page, 'dev'))).html).not.toContain('name="password"');
    },
  );
});

describe('a second factor', () => {
  const begin = { page: '/account/second-factor', path: '/account/second-factor/begin' };

  it('shows the secret of a second factor only after the password', async () => {
    const page = await plainOwner.submit(at(begin.page, 'dev'), at(begin.path, 'dev'), {
      password: PASSWORD,
    });
    const [, secret = ''] = /<code>([A-Z2-7]{32})<\/code>/.exec(page.html) ?? [];
    expect(secret).not.toBe('');
    for (const path of ['/account', '/account/second-factor'])
      expect((await plainOwner.get(at(path, 'dev'))).html).not.toContain(secret);
    const confirm = (fields: Record<string, string>) =>
      plainOwner.post(at('/account/second-factor/confirm', 'dev'), { ...hiddenOf(page.html), ...fields });
    const wrong = await confirm({ password: '', code: '000000' });
    expect([wrong.status, wrong.html.includes(secret)]).toEqual([422, false]);
    const late = await confirm({ password: PASSWORD, code: '000000' });
    expect([late.status, late.html.includes(secret)]).toEqual([422, true]);
  });

  it('hides the secret of a second factor that is on', async () => {
    const page = await owner.get(at('/account/second-factor', 'dev'));
    const answer = await owner.post(at('/account/second-factor/confirm', 'dev'), {
      ...hiddenOf(page.html),
      password: PASSWORD,
      code: '000000',
    });
    expect(answer).toMatchObject({ status: 303, location: at('/account/second-factor', 'dev') });
  });
});

it('takes a code for a new password, and uses none up for an unfit one', async () => {
  const email = 'two-factors@example.com';
  const person = await signedIn({ url: app.api.url, database: app.database }, app.storeId, 'owner', email);
  await givePassword(app.database);
  await secondFactorOf(app.database, email, KEYS);
  const before = await em().findOneOrFail(UserEntity, { email });
  const code = await codeFor(app.database, email, KEYS);
  const change = (newPassword: string) =>
    person.submit(at('/account', 'dev'), at('/account/password', 'dev'), {
      password: PASSWORD,
      newPassword,
      code,
    });
  expect(await change('curta')).toMatchObject({ status: 422 });
  expect(await change('outra frase bem comprida')).toMatchObject({ location: at('/account', 'dev') });
  const after = await em().findOneOrFail(UserEntity, { email });
  expect(after.passwordHash).not.toBe(before.passwordHash);
  expect(after.totpConfirmedAt).not.toBeNull();
});

it('makes a person wait who switches their second factor off', async () => {
  const email = 'off@example.com';
  const person = await signedIn({ url: app.api.url, database: app.database }, app.storeId, 'owner', email);
  await givePassword(app.database);
  await secondFactorOf(app.database, email, KEYS);
  const code = await codeFor(app.database, email, KEYS);
  const page = at('/account/second-factor', 'prod');
  expect((await person.get(page)).text).toContain('vai esperar como um membro novo');
  expect(await person.submit(page, `${page}/end`, { password: PASSWORD, code })).toMatchObject({
    status: 303,
  });
  const key = { description: 'x', permissions: PERMISSIONS, password: PASSWORD };
  const keys = at('/keys/new', 'prod');
  expect(await person.submit(keys, keys, key)).toMatchObject({
    status: 403,
    text: expect.stringContaining('Você é novo neste papel'),
  });
});

it('chooses a first password only soon after a link has let in', async () => {
  const fixture = { url: app.api.url, database: app.database };
  const dashboardUser = await signedIn(fixture, app.storeId, 'support', 'late@example.com');
  const { id: userId } = await em().findOneOrFail(UserEntity, { email: 'late@example.com' });
  const page = await dashboardUser.get(at('/account', 'dev'));
  const createdAt = new Date(Date.now() - 16 * 60_000);
  await em().nativeUpdate(SessionEntity, { userId }, { createdAt });
  const fields = { ...hiddenOf(page.html), newPassword: 'outra frase bem comprida' };
  expect(await dashboardUser.post(at('/account/password', 'dev'), fields)).toMatchObject({ status: 422 });
  expect((await dashboardUser.get(at('/account', 'dev'))).text).toContain('entre de novo com um link novo');
  expect((await em().findOneOrFail(UserEntity, { id: userId })).passwordHash).toBeNull();
});

/** A disputed card payment in production. @returns its id. */
async function disputedCard(provider: string): Promise<string> {
  const now = new Date();
  const id = mintId<ChargeId>('cardCharge', now);
  const paid = { status: 'UNDER_DISPUTE', paidAmountCents: 5_000, paidAt: now, settlesAt: now } as const;
  const money = { amountCents: 5_000, platformFeeCents: 80, createdAt: now, updatedAt: now };
  const place = { storeId: app.storeId, devMode: false, provider, providerReference: id };
  const times = { expiresAt: now, closesAt: now, workflowStartedAt: now };
  const card = {
    cardBrand: 'visa',
    cardLastFour: '4242',
    cardExpiryMonth: '2049-12',
    cardToken: 'token',
    installmentsCount: 1,
  };
  await em().insert(ChargeEntity, {
    ...NEW_CHARGE,
    id,
    method: 'CARD',
    ...place,
    ...money,
    ...times,
    ...paid,
    ...card,
  });
  await em().insert(DisputeEntity, {
    ...{ id: mintId<DisputeId>('dispute', now), chargeId: id, provider, providerDisputeId: 'du_1' },
    ...{
      status: 'OPEN',
      reason: null,
      amountCents: 5_000,
      platformFeeCents: 80,
      openedAt: now,
      closedAt: null,
    },
    ...{ respondBy: null, stage: 'NEEDS_RESPONSE', evidenceSubmittedAt: null },
  });
  return id;
}

function hiddenOf(html: string): Record<string, string> {
  const [, csrf = ''] = /name="csrf" value="([^"]*)"/.exec(html) ?? [];
  return { csrf, submission: crypto.randomUUID() };
}
