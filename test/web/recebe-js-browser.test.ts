import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import type { ShownCharge } from '../../src/api/transparents/schema.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { createMoneyApp, type MoneyApp } from '../support/api/money-app.ts';
import { launchBrowser } from '../support/web/browser.ts';

type CardCharge = Extract<ShownCharge, { method: 'CARD' }>;

const ANA = { name: 'Ana Souza', taxId: '529.982.247-25' };

let app: MoneyApp;
let api: ApiClient;
let browser: Browser;
let page: Page;
let publicKey: string;

/** A shop: a page with the fields, and a server that charges what its page sends. */
const shop = createServer(async (request, response) => {
  if (request.method === 'POST') {
    const { token } = (await json(request)) as { token: string };
    const data = { amount: 4_700, token, customer: ANA };
    const { json: answer } = await api.post('/v2/transparents/create', { method: 'CARD', data });
    return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  }
  const isScript = request.url === '/shop.js';
  response.writeHead(200, {
    'content-type': `${isScript ? 'text/javascript' : 'text/html'}; charset=utf-8`,
    'content-security-policy': `default-src 'none'; script-src 'self' ${app.api.url}; frame-src ${app.api.url}; connect-src 'self'`,
  });
  return response.end(isScript ? shopScript() : shopPage());
});

const shopPage = () => `<!doctype html><html lang="en"><title>Shop</title>
<div id="card"></div><button id="pay" disabled>Pay</button><p id="result"></p>
<script src="${app.api.url}/js/v1/recebe.js"></script><script src="/shop.js" type="module"></script></html>`;

const shopScript = () => `
const recebe = Recebe('${publicKey}');
const card = recebe.create({ amount: 4700 });
const result = document.querySelector('#result');
await card.mount('#card');
const pay = document.querySelector('#pay');
pay.disabled = false;
pay.addEventListener('click', async () => {
  try {
    const token = await card.tokenize();
    const { data, code } = await (await fetch('/pay', { method: 'POST', body: JSON.stringify({ token }) })).json();
    if (data?.actionUrl) await recebe.confirm(data.actionUrl);
    result.textContent = data ? data.status + ' ' + data.id : code;
  } catch (error) { result.textContent = error.name + ' ' + error.code + ' ' + error.issues.map(({ path }) => path); }
});`;

beforeAll(async () => {
  app = await createMoneyApp();
  const store = await app.anotherStore();
  api = store.api;
  publicKey = (await app.clientWith({ storeId: store.storeId, isPublic: true })).key;
  browser = await launchBrowser();
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  await browser.close();
  shop.closeAllConnections();
  await new Promise((resolve) => shop.close(resolve));
  await app.close();
});
beforeEach(async () => {
  await page?.close();
  page = await browser.newPage();
  page.setDefaultTimeout(15_000);
  await page.goto(`http://127.0.0.1:${(shop.address() as AddressInfo).port}/`);
  await page.locator('#pay:enabled').waitFor();
});

const fields = () => page.frameLocator('#card iframe');

async function pay(number: string): Promise<void> {
  const card = { cardNumber: number, cardHolder: 'ANA SOUZA', cardExpiry: '12/40', cardCvv: '123' };
  for (const [name, value] of Object.entries(card)) await fields().locator(`[name=${name}]`).fill(value);
  await page.click('#pay');
}

async function result(): Promise<string> {
  await page.locator('#result:not(:empty)').waitFor();
  return (await page.textContent('#result')) ?? '';
}

it('charges a card that a payer types on the page of a shop', async () => {
  await pay('4242 4242 4242 4242');
  const [status, id = ''] = (await result()).split(' ');
  expect(status).toBe('PAID');
  const charge = dataOf<CardCharge>(await api.get(`/v2/transparents/get?id=${id}`));
  expect(charge).toMatchObject({
    amount: 4_700,
    lastFour: '4242',
    cardToken: expect.stringMatching(/^scrd_/),
  });
});

it('shows the bank of the payer in a window, and closes it on the way back', async () => {
  await pay('4000 0025 0000 3155');
  await page.frameLocator('dialog iframe').locator('button[value=confirm]').click();
  expect(await result()).toMatch(/^PENDING card_/);
  expect(await page.locator('dialog').count()).toBe(0);
});

it('rejects a card with the names of the wrong fields, and takes it corrected', async () => {
  await page.click('#pay');
  expect(await result()).toBe(
    'RecebeError CARD_NOT_ACCEPTED card.number,card.holderName,card.expiry,card.cvv',
  );
  await page.evaluate(`document.querySelector('#result').textContent = ''`);
  await pay('4242424242424242');
  expect(await result()).toMatch(/^PAID /);
});

it('serves a small script that any page may load and browsers keep for a day', async () => {
  const script = await fetch(`${app.api.url}/js/v1/recebe.js`);
  expect(script.headers.get('cache-control')).toContain('max-age=86400');
  expect(script.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
  expect((await script.arrayBuffer()).byteLength).toBeLessThan(8_000);
});

it('refuses a frame without a public key in use, or without an amount', async () => {
  const status = async (query: string) => (await fetch(`${app.api.url}/js/v1/card?${query}`)).status;
  expect(await status(`key=${publicKey}&amount=4700`)).toBe(200);
  expect(await status(`key=${publicKey}&amount=1`)).toBe(404);
  expect(await status(`key=${api.key}&amount=4700`)).toBe(404);
});

it('lets any page frame the fields, under a policy without other origins in dev mode', async () => {
  const { headers } = await fetch(`${app.api.url}/js/v1/card?key=${publicKey}&amount=4700`);
  const policy = headers.get('content-security-policy') ?? '';
  expect(policy).not.toContain('frame-ancestors');
  expect(policy).toContain("script-src 'self';");
  expect(policy).toContain("connect-src 'self';");
});
