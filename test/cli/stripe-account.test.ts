import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import Stripe from 'stripe';
import { inputOf, openAccount } from '../../src/accounts/open-account.ts';
import { requireAccount } from '../../src/accounts/provider-accounts.ts';
import { createStore } from '../../src/cli/stores.ts';
import { PROVIDER_KINDS } from '../../src/providers/kinds.ts';
import { SecretsKeys } from '../../src/secrets/secrets-keys.ts';
import { run } from '../support/cli/command.ts';
import { type BareFixture, createBareFixture } from '../support/fixtures/bare-fixture.ts';
import { StripeStandIn } from '../support/outside/stripe-stand-in.ts';

const KEY = randomBytes(32).toString('base64');
const keys = new SecretsKeys([KEY]);

let fixture: BareFixture;
let stripe: StripeStandIn;
let folder: string;

beforeAll(async () => {
  stripe = new StripeStandIn();
  await stripe.open();
  [fixture, folder] = await Promise.all([createBareFixture(), mkdtemp(join(tmpdir(), 'recebe-stripe-'))]);
  await writeFile(join(folder, 'key'), 'rk_test_secret\n');
});
afterAll(async () => {
  await Promise.all([fixture.close(), stripe.close(), rm(folder, { recursive: true })]);
});

const accounts = (args: string) => run(`accounts ${args}`, { DATABASE_URL: fixture.url, SECRETS_KEY: KEY });
const rowOf = (id: string) => requireAccount(fixture.database.em.fork(), id);

async function added(more = '--setting stripeMode=test') {
  const store = { name: 'Loja Azul', city: 'SAO PAULO' };
  const { id } = await createStore(fixture.database.em.fork(), store, new Date());
  return accounts(
    `add --store ${id} --provider stripe --profile stripe --publishable-key pk_test_1 ` +
      `--secret-key-file '${join(folder, 'key')}' --setting apiUrl=${stripe.url} ${more} --json`,
  );
}

it('adds an account for cards and boletos and tests it without a change', async () => {
  const { out } = await added();
  expect(JSON.parse(out)).toMatchObject({ methods: ['CARD', 'BOLETO'] });
  stripe.seen.length = 0;
  expect(await accounts(`test ${JSON.parse(out).id}`)).toMatchObject({ code: 0 });
  const written = stripe.seen.filter(({ method }) => method !== 'GET').map(({ path }) => path);
  expect(written).toHaveLength(7);
  expect(written.filter((path) => !path.includes('_recebepermissionprobe'))).toEqual([]);
});

it('names every permission that a restricted key lacks, and stores the result', async () => {
  const { id } = JSON.parse((await added()).out);
  stripe.fault = ({ method, path }) =>
    (method === 'POST' && path.includes('/payment_methods/')) || path.includes('/disputes')
      ? { kind: 'STATUS', status: 403 }
      : null;
  const tested = await accounts(`test ${id} --json`);
  stripe.fault = () => null;
  const missingPermissions = ['PaymentMethods (write)', 'Disputes (write)'];
  expect(JSON.parse(tested.out)).toMatchObject({ missingPermissions });
  expect(await rowOf(id)).toMatchObject({
    testedAt: expect.any(Date),
    lastTest: { failure: null, missingPermissions },
  });
});

it('adds boletos to an account that serves cards, and stops them again', async () => {
  const { id } = JSON.parse((await added('--setting stripeMode=test --methods CARD')).out);
  const both = await accounts(`methods ${id} --methods CARD,BOLETO --yes --json`);
  expect(JSON.parse(both.out)).toMatchObject({ methods: ['CARD', 'BOLETO'] });
  const one = await accounts(`methods ${id} --methods BOLETO --yes --json`);
  expect(JSON.parse(one.out)).toMatchObject({ methods: ['BOLETO'] });
  expect(await accounts(`methods ${id} --methods PIX --yes`)).toMatchObject({
    code: 2,
    errors: expect.stringContaining('PIX is not possible there'),
  });
});

it('names every wrong option at once', async () => {
  const ended = await added('--setting stripeMode=play --setting colour=blue');
  expect(ended).toMatchObject({ code: 2 });
  expect(ended.errors).toContain('stripeMode: must be one of live, test');
  expect(ended.errors).toContain('colour: is not known to this provider');
});

it('refuses keys of the other mode, naming the option', async () => {
  expect(await added('')).toMatchObject({
    code: 2,
    errors: expect.stringContaining('--publishable-key: must be a key of live mode'),
  });
});

it('registers once and stores the secret that signs notifications', async () => {
  const { id } = JSON.parse((await added()).out);
  const service = createServer((_, response) => response.end()).listen(0, '127.0.0.1');
  await once(service, 'listening');
  const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  for (let repeat = 0; repeat < 2; repeat++) {
    const ended = await accounts(`register ${id} --url ${url}`);
    expect(ended).toMatchObject({ code: 0 });
    expect(ended.out).not.toContain('whsec_');
  }
  await new Promise((resolve) => service.close(resolve).closeAllConnections());
  const row = await rowOf(id);
  const [endpoint, ...others] = [...stripe.endpoints.values()];
  expect(others).toEqual([]);
  const { webhookSecret: secret = '', notificationSecret = null } = inputOf(row, keys).secrets;
  expect(endpoint).toMatchObject({ secret, url: `${url}/notifications/${id}/${notificationSecret}` });
  const payload = '{"object":"event"}';
  const { notifications } = openAccount(row, { keys, kinds: PROVIDER_KINDS });
  const isAuthentic = notifications?.authenticate({
    rawBody: Buffer.from(payload),
    headers: { 'stripe-signature': Stripe.webhooks.generateTestHeaderString({ payload, secret }) },
    clientAddress: '127.0.0.1',
    peerCertificate: null,
    pathSecret: notificationSecret,
  });
  expect(isAuthentic).toBe(true);
});
