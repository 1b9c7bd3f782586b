import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { StoreEntity } from '../../../src/database/entities/store.ts';
import { createTestApp, type TestApp } from '../../support/api/app.ts';
import { signedIn } from '../../support/dashboard/dashboard-user.ts';
import { openTab } from '../../support/dashboard/tab.ts';
import { insertCheckout, insertCustomer, insertProduct, itemOf } from '../../support/rows/checkout-rows.ts';
import { launchBrowser } from '../../support/web/browser.ts';

const WORD = 'Eletromecanicoshidraulicosepneumaticosxyz';

let app: TestApp;
let browser: Browser;
beforeAll(async () => {
  app = await createTestApp({ starter: { startSoon: () => undefined } });
  browser = await launchBrowser();
  await signedIn({ url: app.api.url, database: app.database }, app.storeId, 'owner');
  await app.database.em.fork().nativeUpdate(StoreEntity, { id: app.storeId }, { name: WORD });
  const { id: customerId } = await insertCustomer(app, { name: `Ana ${WORD}` });
  const product = itemOf(await insertProduct(app, { name: WORD, priceCents: 333_333_333 }));
  const items = Array.from({ length: 30 }, () => product);
  await insertCheckout(app, { items, customerId, externalId: `pedido-${WORD}` });
});
afterAll(async () => {
  await browser.close();
  await app.close();
});

it.each([390, 1280, 1440])('fits long words into lists and results, at %i pixels', async (width) => {
  const { page, home } = await openTab(browser, app, 'owner', { width, colorScheme: 'light' });
  for (const path of ['/checkouts', '/customers', '/products', `/search?q=${WORD}`]) {
    await page.goto(home + path);
    expect(await page.getByText(WORD).count()).toBeGreaterThan(0);
    expect([path, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([path, width]);
  }
  await page.goto(`${app.api.url}/dashboard/stores`);
  const store = page.getByRole('link', { name: WORD });
  expect(await store.evaluate((link) => link.scrollWidth - link.clientWidth)).toBe(0);
  await page.goto(`${home}/checkouts`);
  const row = await page.locator('tbody tr').first().boundingBox();
  // Thirty products would fill a screen.
  expect(row?.height).toBeLessThan(400);
  await page.context().close();
});
