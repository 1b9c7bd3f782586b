import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { addAccount } from '../../src/accounts/accounts.ts';
import type { ShownCharge } from '../../src/api/transparents/schema.ts';
import { CardTokenEntity } from '../../src/database/entities/card-token.ts';
import { PROVIDER_KINDS } from '../../src/providers/kinds.ts';
import { SecretsKeys } from '../../src/secrets/secrets-keys.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { createMoneyApp, type MoneyApp } from '../support/api/money-app.ts';
import { createCardRecorder } from '../support/outside/card-recorder.ts';
import { StripeStandIn } from '../support/outside/stripe-stand-in.ts';
import { launchBrowser } from '../support/web/browser.ts';

type CardCharge = Extract<ShownCharge, { method: 'CARD' }>;

const CREATE = '/v2/transparents/create';
const ANA = { name: 'Ana Souza', taxId: '529.982.247-25' };
const NUMBER = '4242424242424242';

const stripe = new StripeStandIn();
let app: MoneyApp;
let browser: Browser;
let api: ApiClient;
let publicKey: string;

/** The page of a shop. Its policy allows Recebe and not Stripe, whose fields are inside Recebe's frame. */
const shop = createServer((request, response) => {
  const policy = `default-src 'none'; script-src 'unsafe-inline' ${app.api.url}; frame-src ${app.api.url}`;
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy });
  return response.end(`<!doctype html><html lang="en"><title>Shop${request.url}</title><div id="card"></div>
<script src="${app.api.url}/js/v1/recebe.js"></script>
<script>globalThis.card = Recebe('${publicKey}').create({ amount: 4700 }); globalThis.shown = card.mount('#card');</script></html>`);
});

beforeAll(async () => {
  const key = randomBytes(32).toString('base64');
  await stripe.open();
  app = await createMoneyApp({ secretsKeys: [key] });
  const { storeId } = await app.anotherStore();
  const settings = { stripeMode: 'test', publishableKey: 'pk_test_1', apiUrl: stripe.url };
  const secrets = { secretKey: 'rk_test_1' };
  const given = { storeId, kind: 'stripe', profile: 'stripe', uses: null, settings, secrets };
  const em = app.database.em.fork();
  await addAccount({ em, keys: new SecretsKeys([key]), kinds: PROVIDER_KINDS }, given, new Date());
  api = await app.clientWith({ storeId, devMode: false });
  publicKey = (await app.clientWith({ storeId, devMode: false, isPublic: true })).key;
  browser = await launchBrowser();
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  await browser.close();
  shop.closeAllConnections();
  await new Promise((resolve) => shop.close(resolve));
  await app.close();
  await stripe.close();
});

it('charges and saves a card typed into the fields of Stripe on the page of a shop', async () => {
  const recorder = createCardRecorder(app.api.url, stripe);
  const context = await browser.newContext();
  await recorder.record(context);
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  await page.goto(`http://127.0.0.1:${(shop.address() as AddressInfo).port}/`);
  await page.evaluate('shown');
  const fields = page.frameLocator('#card iframe').frameLocator('iframe[title="card"]');
  await fields.getByLabel('number').fill(NUMBER);
  await fields.getByLabel('cvc').fill('123');
  const token = await page.evaluate<string>('card.tokenize()');
  expect(token).toMatch(/^ctok_/);
  await context.close();
  expect(recorder.toProvider.join()).toContain(NUMBER);
  expect(recorder.toService.join()).not.toContain(NUMBER);

  const created = await api.post(CREATE, { method: 'CARD', data: { amount: 4_700, token, customer: ANA } });
  const charge = dataOf<CardCharge>(created);
  expect(charge).toMatchObject({ status: 'PAID', devMode: false, lastFour: '4242' });
  const { cardToken } = charge;
  const again = await api.post(CREATE, { method: 'CARD', data: { amount: 900, cardToken, customer: ANA } });
  expect(dataOf<CardCharge>(again)).toMatchObject({ status: 'PAID', amount: 900, cardToken });
  const tokens = await app.database.em.fork().find(CardTokenEntity, { usedAt: { $ne: null } });
  expect(tokens.map(({ token: stored }) => stored)).toEqual([expect.stringMatching(/^pm_/)]);
});

it('refuses a card number in production, and stores nothing', async () => {
  const browserOfShop = app.api.as(publicKey);
  const card = { number: NUMBER, holderName: 'ANA SOUZA', expiry: '12/40', cvv: '123' };
  const refused = await browserOfShop.post('/v2/card-tokens/create', { card });
  expect(refused).toMatchObject({ status: 403, json: { code: 'WRONG_ENVIRONMENT' } });
  expect(refused.text).not.toContain(NUMBER);
  expect(JSON.stringify(app.logged)).not.toContain(NUMBER);
});
