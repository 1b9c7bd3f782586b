import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { AccountProviders } from '../../src/accounts/account-providers.ts';
import { addAccount, removeAccount } from '../../src/accounts/accounts.ts';
import { ChargeEntity } from '../../src/database/entities/charge.ts';
import type { StoreId } from '../../src/domain/ids.ts';
import type { ProviderUse } from '../../src/domain/provider-use.ts';
import { STRIPE } from '../../src/providers/stripe/kind.ts';
import { SecretsKeys } from '../../src/secrets/secrets-keys.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { createTestApp, createTestStore, type TestApp } from '../support/api/app.ts';
import { StripeStandIn } from '../support/outside/stripe-stand-in.ts';
import { TestBank } from '../support/outside/test-bank.ts';
import { createTestDatabase, type TestDatabase } from '../support/rows/database.ts';
import { SILENT_LOG } from '../support/servers/silent-temporal.ts';

const CUSTOMER = {
  ...{ name: 'Ana Souza', taxId: '529.982.247-25', email: 'ana@example.com' },
  address: { street: 'Avenida Paulista 1000', city: 'São Paulo', state: 'SP', zipCode: '01310-100' },
};
const secretsKeys = new SecretsKeys([randomBytes(32).toString('base64')]);
const kinds = { bank: new TestBank(), stripe: STRIPE };
const stripe = new StripeStandIn();
let db: TestDatabase;
let app: TestApp;
let storeId: StoreId;
let api: ApiClient;

beforeAll(async () => {
  await stripe.open();
  db = await createTestDatabase();
  const { database } = db;
  const secrets = { clientSecret: 'secret' };
  const sandbox = kinds.bank.create({
    id: 'sandbox',
    profile: 'north',
    settings: { clientId: 'sandbox' },
    secrets,
  });
  const providers = new AccountProviders({ database, secretsKeys, kinds, sandbox, log: SILENT_LOG });
  app = await createTestApp(
    { providers, secretsKeys, starter: { startSoon: () => undefined } },
    { database },
  );
});
afterAll(async () => {
  await app.close();
  await db.drop();
  await stripe.close();
});
beforeEach(async () => {
  ({ id: storeId } = await createTestStore(db.database));
  await db.database.em.fork().execute(`update stores set tax_id = '11222333000181'`);
  api = await app.clientWith({ storeId, devMode: false });
});

const keeping = () => ({ em: db.database.em.fork(), keys: secretsKeys, kinds });
async function add(kind: 'bank' | 'stripe', uses: readonly ProviderUse[] | null): Promise<string> {
  const given = {
    bank: { profile: 'north', settings: { clientId: 'shop' }, secrets: { clientSecret: 'secret' } },
    stripe: {
      profile: 'stripe',
      settings: { stripeMode: 'test', publishableKey: 'pk_test_1', apiUrl: stripe.url },
      secrets: { secretKey: 'rk_test_1' },
    },
  }[kind];
  return (await addAccount(keeping(), { storeId, kind, uses, ...given }, new Date())).account.id;
}
const create = (method: 'PIX' | 'BOLETO') =>
  api.post('/v2/transparents/create', { method, data: { amount: 2_500, customer: CUSTOMER } });
async function issuerOf(method: 'PIX' | 'BOLETO'): Promise<string> {
  const data = method === 'PIX' ? { amount: 2_500 } : { amount: 2_500, customer: CUSTOMER };
  const { id } = dataOf<{ id: string }>(await api.post('/v2/transparents/create', { method, data }));
  return (await db.database.em.fork().findOneOrFail(ChargeEntity, { id: id as never })).provider;
}

it('routes each method to the account that serves it', async () => {
  const [bank, cards, boletos] = [
    await add('bank', ['PIX', 'PAYOUT']),
    await add('stripe', ['CARD']),
    await add('stripe', ['BOLETO']),
  ];
  expect(await issuerOf('PIX')).toBe(bank);
  expect(await issuerOf('BOLETO')).toBe(boletos);
  const serving = await app.deps.providers.providersOf({ storeId, devMode: false });
  expect(serving.get('CARD')?.name).toBe(cards);
});

it('refuses a second account for a method, and uses it once the first is removed', async () => {
  const first = await add('stripe', null);
  await expect(add('stripe', null)).rejects.toMatchObject({
    problems: [expect.objectContaining({ setting: 'methods' })],
    message: expect.stringContaining(`${first} serves`),
  });
  await expect(add('stripe', ['BOLETO'])).rejects.toThrow('must leave out BOLETO');
  expect(await issuerOf('BOLETO')).toBe(first);
  await removeAccount(db.database.em.fork(), first, new Date());
  const second = await add('stripe', ['BOLETO']);
  expect(await issuerOf('BOLETO')).toBe(second);
});

it('names the methods that the accounts serve if one is missing', async () => {
  await add('stripe', ['CARD']);
  const refused = await create('BOLETO');
  expect(refused).toMatchObject({ status: 422, json: { rule: 'METHOD_NOT_POSSIBLE' } });
  expect((refused.json as { error: string }).error).toContain('which serve CARD');
});
