import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';
import { createMoneyApp, type MoneyApp } from '../../support/api/money-app.ts';
import { axeViolations } from '../../support/web/axe.ts';
import { launchBrowser } from '../../support/web/browser.ts';

let app: MoneyApp;
let browser: Browser;
beforeAll(async () => {
  app = await createMoneyApp();
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await app.close();
});

interface Reference {
  readonly page: Page;
  /** The API requests that the page has sent. */
  readonly sent: string[];
  form(operation: string): Promise<Locator>;
}

async function openReference(section: string): Promise<Reference> {
  const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
  const sent: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/v')) sent.push(`${request.method()} ${pathname}`);
  });
  await page.goto(`${app.api.url}/docs/reference/${section}`);
  const form = async (operation: string) => {
    const [method, path] = operation.split(' ');
    const found = page.locator(`form[data-method="${method}"][data-path="${path}"]`);
    if (!(await found.isVisible()))
      await page.locator('details.try', { has: found }).locator('summary').first().click();
    return found;
  };
  return { page, sent, form };
}

const CREATE = 'POST /v2/transparents/create';
const status = (form: Locator) => form.locator('[data-status]');
const send = (form: Locator) => form.getByRole('button', { name: 'Send' }).click();

describe('the form of an operation', () => {
  it('creates a PIX charge, and pays and finds it with its id', async () => {
    const { page, form } = await openReference('transparents');
    const create = await form(CREATE);
    await create.locator('[name=key]').fill(app.api.key);
    await create.locator('[name=body]').fill('{ "method": "PIX", "data": { "amount": 2500 } }');
    await send(create);
    await status(create).getByText('200 OK').waitFor();
    const { data } = JSON.parse((await create.locator('pre').first().textContent()) ?? '');
    expect(data).toMatchObject({ id: expect.stringMatching(/^pix_char_/), status: 'PENDING', devMode: true });
    expect(await status(create).locator('code').textContent()).toMatch(/^[0-9a-f-]{36}$/);

    const get = await form('GET /v2/transparents/check');
    const pay = await form('POST /v2/transparents/simulate-payment');
    expect(await pay.locator('[name="query.id"]').inputValue()).toBe(data.id);
    await send(pay);
    await status(pay).getByText('200 OK').waitFor();
    await send(get);
    await get.locator('pre').first().getByText('"PAID"').waitFor();
    await page.close();
  });

  it('passes the id of a created object on, and keeps the key for the next page', async () => {
    const { page, form } = await openReference('coupons');
    const create = await form('POST /v2/coupons/create');
    await create.locator('[name=key]').fill(app.api.key);
    await send(create);
    await status(create).getByText('200 OK').waitFor();
    const { data } = JSON.parse((await create.locator('pre').first().textContent()) ?? '');
    const get = await form('GET /v2/coupons/get');
    expect(await get.locator('[name="query.id"]').inputValue()).toBe(data.id);
    await page.goto(`${app.api.url}/docs/reference/products`);
    expect(await page.locator('form[data-try] [name=key]').first().inputValue()).toBe(app.api.key);
    expect(await page.evaluate('localStorage.length')).toBe(0);
    await page.close();
  });

  it('names each wrong field and passes axe', async () => {
    const { page, form } = await openReference('transparents');
    const create = await form(CREATE);
    await create.locator('[name=key]').fill(app.api.key);
    await create
      .locator('[name=body]')
      .fill('{ "method": "PIX", "data": { "amount": "25,00", "expiresIn": -1 } }');
    await send(create);
    await status(create).getByText('400').waitFor();
    const fields = await create.getByRole('list', { name: 'Wrong fields' }).locator('code').allTextContents();
    expect(fields).toEqual(['data.amount', 'data.expiresIn']);
    expect(await create.locator('[name=body]').getAttribute('aria-invalid')).toBe('true');
    expect(await axeViolations(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await page.close();
  });

  it.each([
    ['a production key', `abc_prod_${'x'.repeat(43)}`, 'production key'],
    ['another secret', 'a password', 'no dev key'],
    ['an empty field', '', 'Enter the key'],
  ])('refuses %s in words, sends nothing and stores nothing', async (_, key, words) => {
    const { page, sent, form } = await openReference('coupons');
    const create = await form('POST /v2/coupons/create');
    await create.locator('[name=key]').fill(key);
    await send(create);
    await status(create).getByText(words).waitFor();
    expect(await create.locator('[name=key]').inputValue()).toBe('');
    expect(sent).toEqual([]);
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
    await page.close();
  });

  it('asks for a public key where an operation takes one, and offers it no secret key', async () => {
    const { page, sent, form } = await openReference('products');
    const create = await form('POST /v2/products/create');
    await create.locator('[name=key]').fill(app.api.key);
    await send(create);
    await status(create).getByText('200 OK').waitFor();
    await page.goto(`${app.api.url}/docs/reference/card-tokens`);
    const token = await form('POST /v2/card-tokens/create');
    const key = token.locator('[name=key]');
    expect(await key.inputValue()).toBe('');
    expect(await key.getAttribute('placeholder')).toBe('pk_dev_…');
    await key.fill(app.api.key);
    await send(token);
    await status(token).getByText('begin with pk_dev_').waitFor();
    expect(sent.filter((request) => request.includes('card-tokens'))).toEqual([]);
    await page.close();
  });

  it('sends an operation that needs no key without one', async () => {
    const { page, form } = await openReference('operations');
    const health = await form('GET /healthz');
    expect(await health.locator('[name=key]').count()).toBe(0);
    const request = page.waitForRequest('**/healthz');
    await send(health);
    expect(await (await request).headerValue('Authorization')).toBeNull();
    await status(health).getByText('200 OK').waitFor();
    await page.close();
  });

  it('says that the request may have been carried out if no answer arrives', async () => {
    const { page, form } = await openReference('coupons');
    await page.route('**/v2/coupons/create', (route) => route.abort());
    const create = await form('POST /v2/coupons/create');
    await create.locator('[name=key]').fill(app.api.key);
    await send(create);
    await status(create).getByText('may have been carried out').waitFor();
    await page.close();
  });

  it('shows no form without a script', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${app.api.url}/docs/reference/coupons`);
    expect(await page.locator('form[data-try]').count()).toBe(6);
    expect(await page.locator('details.try:visible').count()).toBe(0);
    await context.close();
  });
});
