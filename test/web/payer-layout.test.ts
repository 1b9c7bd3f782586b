import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { StoreEntity } from '../../src/database/entities/store.ts';
import { createTestApp, type TestApp } from '../support/api/app.ts';
import { openCheckoutPage } from '../support/fixtures/open-checkout-page.ts';
import {
  insertCheckout,
  insertCustomer,
  insertProduct,
  itemOf,
  NOON,
} from '../support/rows/checkout-rows.ts';
import { launchBrowser } from '../support/web/browser.ts';
import { CHECKOUT_PAGES } from '../support/web/checkout-states.ts';
import { brokenWordsOf } from '../support/web/layout.ts';
import { SUBSCRIBER_PAGES } from '../support/web/subscriber-states.ts';

const PAGES = { ...CHECKOUT_PAGES, ...SUBSCRIBER_PAGES };
/** A small phone as a browser shows it, with its address bar. */
const PHONE = { width: 390, height: 664 };

let app: TestApp;
let browser: Browser;
beforeAll(async () => {
  app = await createTestApp({ clock: () => NOON, starter: { startSoon: () => undefined } });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await app.close();
});

/** A checkout with two different products, its own names as long as shops' names are. */
async function twoItems(): Promise<string> {
  const mug = await insertProduct(app, { name: 'Caneca de cerâmica azul, 350 ml', priceCents: 3_490 });
  const book = await insertProduct(app, { name: 'Livro de receitas da fazenda', priceCents: 8_990 });
  const items = [itemOf(mug), itemOf(book)];
  const { id } = await insertCheckout(app, { items, methods: ['PIX', 'CARD', 'BOLETO'] });
  return `/pay/${id}`;
}

describe('the first screen of a phone', () => {
  it.each([true, false])(
    'shows the first method within 400 pixels, with script: %s',
    async (javaScriptEnabled) => {
      const page = await browser.newPage({ viewport: PHONE, javaScriptEnabled });
      await page.goto(app.api.url + (await twoItems()));
      const method = await page.locator('.method').first().boundingBox();
      expect(method?.y).toBeLessThanOrEqual(400);
      expect(await page.locator('.order__glance').innerText()).toContain('124,80');
      expect(await page.getByText('Livro de receitas').isVisible()).toBe(false);
      await page.getByText('Resumo do pedido').click();
      expect(await page.getByText('Livro de receitas').isVisible()).toBe(true);
      await page.close();
    },
  );
});

it('gives a phone its full width in spite of long words and large amounts', async () => {
  const word = 'Eletromecanicoshidraulicosepneumaticosxyz';
  const fork = app.database.em.fork();
  const { name } = await fork.findOneOrFail(StoreEntity, { id: app.storeId });
  await fork.nativeUpdate(StoreEntity, { id: app.storeId }, { name: word });
  const { id: customerId } = await insertCustomer(app, { name: `Ana ${word}` });
  const product = itemOf(await insertProduct(app, { name: word, priceCents: 9_999_999_999 }));
  const { id } = await insertCheckout(app, { items: [product], methods: ['PIX', 'BOLETO'], customerId });
  const page = await browser.newPage({ viewport: PHONE });
  await page.goto(`${app.api.url}/pay/${id}`);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width);
  const [order, form] = await Promise.all(
    ['.order', '.pay-form'].map((part) => page.locator(part).boundingBox()),
  );
  expect([form?.x, form?.width]).toEqual([order?.x, order?.width]);
  await page.close();
  await fork.nativeUpdate(StoreEntity, { id: app.storeId }, { name });
});

describe('the first screen of a laptop', () => {
  it.each([true, false])('shows every item at once, with script: %s', async (javaScriptEnabled) => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, javaScriptEnabled });
    await page.goto(app.api.url + (await twoItems()));
    expect(await page.getByText('Livro de receitas').isVisible()).toBe(true);
    await page.close();
  });
});

describe.each([320, 390, 1600])('a width of %d pixels', (width) => {
  it('breaks no word on any page of a payer', async () => {
    const page = await browser.newPage({ viewport: { width, height: 800 } });
    const found: Record<string, unknown> = {};
    for (const [name, make] of Object.entries(PAGES)) {
      await openCheckoutPage(page, app.api.url, await make(app));
      const words = await brokenWordsOf(page);
      if (String(words) !== '') found[name] = words;
    }
    await page.close();
    expect(found).toEqual({});
  });

  it('reports a word that a stylesheet breaks', async () => {
    const page = await browser.newPage({ viewport: { width, height: 800 } });
    await page.goto(app.api.url + (await twoItems()));
    await page.evaluate(`document.querySelector('h1').style.cssText = 'width: 3ch; overflow-wrap: anywhere'`);
    expect(await brokenWordsOf(page)).not.toEqual([]);
    await page.close();
  });
});

describe('facts on a phone', () => {
  it.each(['authorization accepted', 'subscription active'])(
    'begins each value below its name: %s',
    async (name) => {
      const page = await browser.newPage({ viewport: PHONE });
      await openCheckoutPage(page, app.api.url, await (PAGES[name] ?? fail)(app));
      const starts = await page.locator('.facts :is(dt, dd)').evaluateAll((parts) =>
        parts.map((part) => {
          const text = part.ownerDocument.createRange();
          text.selectNodeContents(part);
          return Math.round(text.getBoundingClientRect().x);
        }),
      );
      expect(starts.length).toBeGreaterThan(5);
      expect(new Set(starts).size).toBe(1);
      await page.close();
    },
  );
});

function fail(): never {
  throw new Error('no such page');
}

it('keeps the discount of a long coupon inside of the order', async () => {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await openCheckoutPage(page, app.api.url, await (PAGES['subscription with coupon'] ?? fail)(app));
  const order = await page.locator('.totals').boundingBox();
  const discount = await page.locator('.totals__discount dd').boundingBox();
  expect((discount?.x ?? 0) + (discount?.width ?? 0)).toBeLessThanOrEqual(
    (order?.x ?? 0) + (order?.width ?? 0),
  );
  await page.close();
});
