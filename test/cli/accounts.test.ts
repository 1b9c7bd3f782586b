import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Psp, startPsp } from '../../scripts/psp/start-psp.ts';
import { AccountProviders } from '../../src/accounts/account-providers.ts';
import { addAccount, removeAccount } from '../../src/accounts/accounts.ts';
import { noteEndingCertificates } from '../../src/accounts/ending-certificates.ts';
import { inputOf } from '../../src/accounts/open-account.ts';
import { findAccount } from '../../src/accounts/provider-accounts.ts';
import { createStore } from '../../src/cli/stores.ts';
import { openAttention } from '../../src/database/attention.ts';
import { AuditLineEntity } from '../../src/database/entities/audit-line.ts';
import { PayoutEntity } from '../../src/database/entities/payout.ts';
import { ProviderAccountEntity } from '../../src/database/entities/provider-account.ts';
import type { ChargeId, PayoutId, ProviderAccountId, StoreId } from '../../src/domain/ids.ts';
import { mintId } from '../../src/ids.ts';
import { PROVIDER_KINDS } from '../../src/providers/kinds.ts';
import type { Providers } from '../../src/providers/providers.ts';
import { SecretsKeys } from '../../src/secrets/secrets-keys.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { createTestApp, type TestApp } from '../support/api/app.ts';
import { run } from '../support/cli/command.ts';
import { type BareFixture, createBareFixture } from '../support/fixtures/bare-fixture.ts';
import { TestBank } from '../support/outside/test-bank.ts';
import { insertCheckout, insertProduct, itemOf } from '../support/rows/checkout-rows.ts';
import { SILENT_LOG } from '../support/servers/silent-temporal.ts';

const [KEY, OTHER_KEY] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')];
const DAY_MS = 24 * 60 * 60 * 1_000;

let psp: Psp;
let fixture: BareFixture;
let app: TestApp;
let folder: string;
/** Stands for an API or a worker that keeps running. */
let providers: Providers;
const outputs: string[] = [];

beforeAll(async () => {
  [psp, fixture, folder] = await Promise.all([
    startPsp({ profile: 'efi' }),
    createBareFixture(),
    mkdtemp(join(tmpdir(), 'recebe-accounts-')),
  ]);
  const { database } = fixture;
  providers = withKey(KEY);
  app = await createTestApp({ providers }, { database });
  const { clientSecret, certificate, privateKey, ca } = psp.account.secrets;
  const files = { 'secret.txt': clientSecret, 'cert.pem': certificate, 'key.pem': privateKey, 'ca.pem': ca };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), `${text}\n`);
  await writeFile(join(folder, 'wrong.txt'), 'not-the-secret');
});
afterAll(async () => {
  await app.close();
  await Promise.all([psp.close(), fixture.close(), rm(folder, { recursive: true })]);
});

function withKey(key: string): Providers {
  const secretsKeys = new SecretsKeys([key]);
  return new AccountProviders({
    database: fixture.database,
    secretsKeys,
    kinds: PROVIDER_KINDS,
    sandbox: fixture.provider,
    log: SILENT_LOG,
  });
}

/** Runs a command of `accounts` with the service's key. */
async function accounts(args: string, env: Record<string, string> = {}) {
  const ended = await run(`accounts ${args}`, { DATABASE_URL: fixture.url, SECRETS_KEY: KEY, ...env });
  outputs.push(ended.out, ended.errors);
  return ended;
}

const file = (name: string) => `'${join(folder, name)}'`;
const credentials = () =>
  `--client-secret-file ${file('secret.txt')} --certificate ${file('cert.pem')} --key ${file('key.pem')} --ca ${file('ca.pem')}`;
const settings = () => {
  const { pixKey = '', clientId = '', ...others } = psp.account.settings;
  const more = Object.entries(others).map(([name, value]) => `--setting '${name}=${value}'`);
  return `--pix-key ${pixKey} --client-id ${clientId} ${more.join(' ')}`;
};
const addArgs = (storeId: string, more = '') =>
  `add --store ${storeId} --environment prod --provider bacen --profile efi ${settings()} ${credentials()} ${more}`;

async function newStore(): Promise<StoreId> {
  const store = { name: 'Loja Azul', city: 'SAO PAULO' };
  return (await createStore(fixture.database.em.fork(), store, new Date())).id;
}

/** A store with an account, and a production key. */
async function shop(more = ''): Promise<{ storeId: StoreId; id: string; api: ApiClient }> {
  const storeId = await newStore();
  const { out, errors } = await accounts(addArgs(storeId, `${more} --json`));
  expect(errors).toBe('');
  const api = await app.clientWith({ storeId, devMode: false });
  return { storeId, id: JSON.parse(out).id, api };
}

const rowOf = (id: string) =>
  fixture.database.em
    .fork()
    .findOneOrFail(ProviderAccountEntity, { id: id as ProviderAccountId }, { disableIdentityMap: true });
const pix = (amount = 2_500) => ({ method: 'PIX', data: { amount } });
const create = async (api: ApiClient) =>
  dataOf<{ id: ChargeId }>(await api.post('/v2/transparents/create', pix()));

it('reconciles yesterday without --day', async () => {
  const { id } = await shop();
  const day = (daysAgo: number) =>
    new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Sao_Paulo' }).format(Date.now() - daysAgo * DAY_MS);
  const before = day(1);
  const ended = await run(`reconcile --account ${id} --json`, {
    DATABASE_URL: fixture.url,
    SECRETS_KEY: KEY,
  });
  expect([ended.code, ended.errors]).toEqual([0, '']);
  const [compared] = JSON.parse(ended.out);
  expect(compared).toMatchObject({ accountId: id, bank: { payments: 0 }, differences: [] });
  expect([before, day(1)]).toContain(compared.day);
});

describe('an account', () => {
  it('sends production charges of a store to its new account from the next request on', async () => {
    const storeId = await newStore();
    const api = await app.clientWith({ storeId, devMode: false });
    const none = {
      status: 422,
      json: { code: 'NO_PAYMENT_PROVIDER', error: 'No payment provider configured' },
    };
    expect(await api.post('/v2/transparents/create', pix())).toMatchObject(none);
    expect((await accounts(addArgs(storeId))).out).toMatch(/^Added pacc_\w{26}, which serves PIX, PAYOUT\./);

    const { id } = await create(api);
    expect(psp.bank.state.charges[id.slice(-26)]).toBeDefined();
    const dev = await app.clientWith({ storeId, devMode: true });
    const inDev = await create(dev);
    expect(psp.bank.state.charges[inDev.id.slice(-26)]).toBeUndefined();
  });

  it('lists an account with its methods, and tests it without an effect', async () => {
    const { id, storeId } = await shop();
    const { out } = await accounts(`list --store ${storeId} --json`);
    expect(JSON.parse(out)).toEqual([
      expect.objectContaining({ id, storeId, provider: 'bacen', profile: 'efi', methods: ['PAYOUT', 'PIX'] }),
    ]);
    expect((await accounts('list')).out).toContain(`${id}  ${storeId}  bacen/efi`);
    const before = Object.keys(psp.bank.state.charges).length;
    expect(await accounts(`test ${id}`)).toMatchObject({
      code: 0,
      out: expect.stringContaining(`${id} works`),
    });
    expect(Object.keys(psp.bank.state.charges)).toHaveLength(before);
  });

  it('records a recovery of what a restore lost in the audit log', async () => {
    const { id, storeId } = await shop();
    const since = new Date(Date.now() - 1_000).toISOString();
    expect(await accounts(`recover ${id} --since ${since} --yes`)).toMatchObject({ code: 0 });
    const [line] = await fixture.database.em
      .fork()
      .find(AuditLineEntity, { storeId, action: 'accounts/recover' }, { disableIdentityMap: true });
    expect(line).toMatchObject({ subjectId: id, actorKind: 'CLI', devMode: false });
    expect(JSON.parse(line?.details ?? '')).toMatchObject({ since, payouts: 0 });
  });

  it('names the scopes that its application lacks for payouts when it is tested', async () => {
    const withheldScopes = ['gn.qrcodes.pay'];
    const other = await startPsp({ profile: 'efi', certificates: psp.certificates, withheldScopes });
    try {
      const { id } = await shop();
      expect((await accounts(`test ${id}`)).out).not.toContain('lack permissions');
      const { apiUrl = '', tokenUrl = '' } = other.account.settings;
      await accounts(`rotate ${id} --setting apiUrl=${apiUrl} --setting tokenUrl=${tokenUrl} --yes`);
      expect(await accounts(`test ${id}`)).toMatchObject({
        code: 0,
        out: expect.stringContaining('lack permissions: gn.qrcodes.pay'),
      });
      const { out } = await accounts(`test ${id} --json`);
      expect(JSON.parse(out)).toMatchObject({ works: true, missingPermissions: ['gn.qrcodes.pay'] });
    } finally {
      await other.close();
    }
  });

  it('reports credentials that the bank refuses, and works after they are rotated', async () => {
    const { id, api } = await shop();
    const rotated = `rotate ${id} --client-secret-file`;
    expect(await accounts(`${rotated} ${file('wrong.txt')}`)).toMatchObject({
      code: 2,
      errors: expect.stringContaining('Use --yes'),
    });
    expect(await accounts(`${rotated} ${file('wrong.txt')} --yes`)).toMatchObject({ code: 0 });
    expect(await accounts(`test ${id}`)).toMatchObject({
      code: 1,
      errors: expect.stringContaining('refuses the client id, the client secret or the certificate'),
    });
    // A process with a cached account uses the new credentials.
    expect(await api.post('/v2/transparents/create', pix())).toMatchObject({
      status: 503,
      json: { code: 'TEMPORARILY_UNAVAILABLE' },
    });
    expect(await accounts(`${rotated} ${file('secret.txt')} --yes`)).toMatchObject({ code: 0 });
    expect(await api.post('/v2/transparents/create', pix())).toMatchObject({ status: 200 });
  });

  it('refuses a second account for the same method of a store', async () => {
    const storeId = await newStore();
    const added = await Promise.all([1, 2].map(() => accounts(addArgs(storeId, '--methods PIX'))));
    expect(added.map(({ code }) => code).sort()).toEqual([0, 2]);
    expect(added.map(({ errors }) => errors).join('')).toMatch(
      /--methods: must leave out PIX, which pacc_\w{26} serves for the store/,
    );
    expect(await accounts(addArgs(storeId, '--methods PAYOUT'))).toMatchObject({ code: 0 });
    const { out } = await accounts(`list --store ${storeId} --json`);
    expect(JSON.parse(out).map(({ methods }: { methods: string[] }) => methods)).toEqual([
      ['PIX'],
      ['PAYOUT'],
    ]);
  });

  it('sends nothing new to a removed account, which still closes its own charges', async () => {
    const { id, api, storeId } = await shop();
    const charge = await create(api);
    expect(await accounts(`remove ${id} --yes`)).toMatchObject({ code: 0 });
    expect(await api.post('/v2/transparents/create', pix())).toMatchObject({
      json: { code: 'NO_PAYMENT_PROVIDER' },
    });
    expect(await accounts(addArgs(storeId))).toMatchObject({ code: 0 });
    const input = { chargeId: charge.id, nowMs: Date.now() };
    expect(await fixture.newWorker({ providers }).cancelCharge(input)).toBe('CANCELLED');
    const reference = charge.id.slice(-26);
    expect(psp.bank.state.charges[reference]?.status).toBe('REMOVIDA_PELO_USUARIO_RECEBEDOR');
  });

  it.each([
    ['--profile nowhere', '--profile: must be one of'],
    ['--methods CARD', '--methods: must be of PIX, PAYOUT: CARD is not possible there'],
    ['--setting colour=blue', 'colour: is not known to this provider, which has bankEnvironment, apiUrl'],
    ["--key 'nowhere.pem'", '--key: must be the path of a file that can be read'],
  ])('refuses an invalid account: %s', async (more, rule) => {
    const storeId = await newStore();
    expect(await accounts(addArgs(storeId, more))).toMatchObject({
      code: 2,
      errors: expect.stringContaining(rule),
    });
    expect((await accounts(`list --store ${storeId}`)).out).toContain('There is no account yet');
  });

  it("refuses a key in place of the authority's certificate", async () => {
    expect(await accounts(addArgs(await newStore(), `--ca ${file('key.pem')}`))).toMatchObject({
      code: 2,
      errors: 'error: --ca: must be the certificate of an authority, as PEM',
    });
  });

  it('names the missing payoutKey of an account that is added without one', async () => {
    const withKey = addArgs(await newStore());
    expect((await accounts(withKey)).out).not.toContain('payoutKey');
    const withoutKey = addArgs(await newStore()).replace(/--setting 'payoutKey=[^']*'/, '');
    expect(withoutKey).not.toContain('payoutKey');
    expect((await accounts(withoutKey)).out).toMatch(
      /serves PIX, PAYOUT\..*no payoutKey: payouts\/create is refused.*rotate pacc_\w{26} --setting payoutKey=/s,
    );
    expect(
      (await accounts(`${withoutKey.replace(/store_\w+/, await newStore())} --methods PIX`)).out,
    ).not.toContain('payoutKey');
  });

  it('refuses an account without a key to encrypt it', async () => {
    expect(await accounts(addArgs(fixture.storeId), { SECRETS_KEY: '' })).toMatchObject({
      code: 2,
      errors: 'error: SECRETS_KEY: must be set: the account is encrypted with it',
    });
  });
});

describe('methods that no account of a store supports', () => {
  it('refuses methods without an account before storing, in the API and on old pages', async () => {
    const { api, storeId } = await shop('--methods PIX');
    const refused = {
      status: 422,
      json: { rule: 'METHOD_NOT_POSSIBLE', error: expect.stringContaining('which serve PIX') },
    };
    const product = await insertProduct({ database: fixture.database, storeId }, { devMode: false });
    const order = { items: [{ id: product.id, quantity: 1 }], methods: ['PIX', 'CARD'] };
    const customer = { name: 'Ana Souza', taxId: '529.982.247-25' };
    const boleto = { method: 'BOLETO', data: { amount: 2_500, customer } };
    expect(await api.post('/v2/checkouts/create', order)).toMatchObject(refused);
    expect(await api.post('/v2/transparents/create', boleto)).toMatchObject(refused);
    expect(await api.post('/v2/payouts/create', { amount: 1_000, externalId: 'one' })).toMatchObject(refused);
    expect(dataOf(await api.get('/v2/checkouts/list'))).toEqual([]);

    const shopRows = { database: fixture.database, storeId };
    const methods = ['PIX', 'CARD'] as const;
    const checkout = await insertCheckout(shopRows, {
      devMode: false,
      items: [itemOf(product)],
      methods: [...methods],
      expiresAt: null,
    });
    const { text } = await app.api.call(`/pay/${checkout.id}`, { key: null });
    expect(text).toContain('value="PIX"');
    expect(text).not.toContain('value="CARD"');
  });
});

describe('a certificate that ends within thirty days', () => {
  it('opens one attention item for the certificate until the account is rotated', async () => {
    const { id } = await shop();
    const endsAt = new Date(Date.now() + 29 * DAY_MS);
    await fixture.database.em
      .fork()
      .nativeUpdate(ProviderAccountEntity, { id: id as ProviderAccountId }, { certificateEndsAt: endsAt });
    const open = async () =>
      (await openAttention(fixture.database, 100)).filter(
        ({ kind, subjectId }) => kind === 'CERTIFICATE_ENDS' && subjectId === id,
      );
    for (let times = 0; times < 2; times += 1)
      await noteEndingCertificates(fixture.database, new Date(), app.parts.log);
    expect(await open()).toHaveLength(1);
    expect(
      app.logged.filter((line) => line.attention === 'CERTIFICATE_ENDS' && line.subjectId === id),
    ).toHaveLength(1);
    const renewed = `--certificate ${file('cert.pem')} --key ${file('key.pem')} --yes`;
    expect(await accounts(`rotate ${id} ${renewed}`)).toMatchObject({ code: 0 });
    expect((await rowOf(id)).certificateEndsAt).not.toEqual(endsAt);
    expect(await open()).toEqual([]);
  });
});

describe('the secrets of an account', () => {
  it('keeps secrets out of tables, logs and output', async () => {
    const { id } = await shop();
    const {
      clientSecret = '',
      privateKey = '',
      notificationSecret = '',
    } = inputOf(await rowOf(id), new SecretsKeys([KEY])).secrets;
    const tables = await fixture.database.em
      .fork()
      .execute<{ name: string }[]>(
        `select table_name as name from information_schema.tables where table_schema = 'public'`,
      );
    const dump: string[] = [];
    for (const { name } of tables)
      dump.push(JSON.stringify(await fixture.database.em.fork().execute(`select * from ${name}`)));
    const everywhere = [...dump, JSON.stringify(app.logged), ...outputs].join('\n');
    expect(everywhere).toContain(id);
    const keyLine = privateKey.split('\n')[2] ?? '';
    for (const secret of [clientSecret, keyLine, notificationSecret]) {
      expect(secret.length).toBeGreaterThan(16);
      expect(everywhere).not.toContain(secret);
    }
  });

  it('re-encrypts accounts with `secrets rotate`, then reads them without the old key', async () => {
    const { id } = await shop();
    const before = await rowOf(id);
    const secretsRotate = async (keys: string) =>
      run('secrets rotate', { DATABASE_URL: fixture.url, SECRETS_KEY: keys });
    expect((await secretsRotate(`${OTHER_KEY},${KEY}`)).code).toBe(0);
    const after = await rowOf(id);
    expect(after.secretKeyId).not.toBe(before.secretKeyId);
    expect(inputOf(after, new SecretsKeys([OTHER_KEY]))).toEqual(inputOf(before, new SecretsKeys([KEY])));
    expect((await secretsRotate(`${KEY},${OTHER_KEY}`)).code).toBe(0);
  });

  it("leaves a charge open and notes a problem if a worker lacks the account's key", async () => {
    const { id, api } = await shop();
    const charge = await create(api);
    const worker = fixture.newWorker({ providers: withKey(OTHER_KEY) });
    const input = { chargeId: charge.id, nowMs: Date.now() };
    await expect(worker.expireCharge(input)).rejects.toMatchObject({
      type: 'NO_PROVIDER',
      nonRetryable: false,
    });
    const about = (await openAttention(fixture.database, 100)).filter(({ subjectId }) => subjectId === id);
    expect(about).toEqual([expect.objectContaining({ kind: 'NO_PROVIDER' })]);
    expect(await findAccount(fixture.database, id as ProviderAccountId)).not.toBeNull();
    const reference = charge.id.slice(-26);
    expect(psp.bank.state.charges[reference]?.status).toBe('ATIVA');
  });
});

it('retries a payout at its first account, without sending a second one', async () => {
  const bank = new TestBank();
  const kinds = { bank };
  const keys = new SecretsKeys([KEY]);
  const { database, provider: sandbox } = fixture;
  const storeId = await newStore();
  const kept = { settings: { clientId: 'shop' }, secrets: { clientSecret: 'secret' } };
  const given = { storeId, kind: 'bank', profile: 'north', uses: null, ...kept };
  const keeping = () => ({ em: database.em.fork(), keys, kinds });
  const first = (await addAccount(keeping(), given, new Date())).account.id;
  const accountProviders = new AccountProviders({
    database,
    secretsKeys: keys,
    kinds,
    sandbox,
    log: SILENT_LOG,
  });
  const worker = fixture.newWorker({ providers: accountProviders });
  const provider =
    (await accountProviders.providersOf({ storeId, devMode: false })).get('PAYOUT')?.name ?? '';
  const [now, payoutId] = [new Date(), mintId<PayoutId>('payout', new Date())];
  const dates = { createdAt: now, updatedAt: now, workflowStartedAt: now };
  await database.em.fork().insert(PayoutEntity, {
    ...{ id: payoutId, kind: 'TRANSFER', storeId, devMode: false, status: 'PENDING', provider },
    ...{ amountCents: 1_000, platformFeeCents: 0, externalId: 'one', contentHash: '', description: null },
    ...{ pixKeyType: 'EMAIL', pixKey: 'ana@example.com', endToEndIdentifier: null, failureReason: null },
    ...dates,
  });
  const advance = () => worker.advancePayout({ payoutId, nowMs: Date.now() });
  bank.accounts.get(first)?.answerTransfers({ outcome: 'PENDING' });
  expect(await advance()).toBe('PENDING');
  await removeAccount(database.em.fork(), first, new Date());
  const second = (await addAccount(keeping(), given, new Date())).account.id;
  await accountProviders.providersOf({ storeId, devMode: false });
  expect(await advance()).toBe('COMPLETE');
  const asked = [first, second].map((id) => bank.accounts.get(id)?.transfers.length);
  expect(asked).toEqual([2, 0]);
});

it('registers a notification address that ends in a secret', async () => {
  const { id } = await shop();
  const answer = { status: 404 };
  const service = createServer((_, response) => {
    response.statusCode = answer.status;
    response.end();
  }).listen(0, '127.0.0.1');
  await once(service, 'listening');
  const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  expect(await accounts(`register ${id} --url http://pay.example.com`)).toMatchObject({ code: 2 });
  const before = structuredClone(psp.bank.state.webhooks);
  expect(await accounts(`register ${id} --url ${url}`)).toMatchObject({
    code: 2,
    errors: expect.stringMatching(/does not take notifications .* \(the answer was 404\)/),
  });
  expect(
    await accounts(`register ${id} --url ${new URL(psp.account.settings.apiUrl ?? '').origin}`),
  ).toMatchObject({
    code: 2,
    errors: expect.stringContaining(
      '(this machine does not trust its certificate: SELF_SIGNED_CERT_IN_CHAIN)',
    ),
  });
  expect(psp.bank.state.webhooks).toEqual(before);
  answer.status = 200;
  expect(await accounts(`register ${id} --url ${url}/`)).toMatchObject({ code: 0 });
  await new Promise((resolve) => service.close(resolve).closeAllConnections());
  const { notificationSecret } = inputOf(await rowOf(id), new SecretsKeys([KEY])).secrets;
  const [webhook] = Object.values(psp.bank.state.webhooks);
  expect(webhook?.url).toBe(`${url}/notifications/${id}/${notificationSecret}`);
});
