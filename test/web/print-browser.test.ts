import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { createTestApp, type TestApp } from '../support/api/app.ts';
import { signedIn } from '../support/dashboard/dashboard-user.ts';
import { openTab } from '../support/dashboard/tab.ts';
import { fill } from '../support/rows/fill.ts';
import { launchBrowser } from '../support/web/browser.ts';

/** A sheet of A4 without the margins that the pages ask for. */
const SHEET = { width: 688, height: 1_000 };

let app: TestApp;
let browser: Browser;
let page: Page;
let home: string;
beforeAll(async () => {
  [app, browser] = await Promise.all([createTestApp(), launchBrowser()]);
  await fill(app.database, [{ storeId: app.storeId, charges: 20 }]);
  await signedIn({ url: app.api.url, database: app.database }, app.storeId, 'owner');
  ({ page, home } = await openTab(browser, app, 'owner', { width: 1280, colorScheme: 'dark' }));
  await page.setViewportSize(SHEET);
  await page.emulateMedia({ media: 'print' });
});
afterAll(async () => {
  await browser.close();
  await app.close();
});

/** What of a printed page sticks out, and what nobody can press on paper. */
async function faultsOf(url: string): Promise<unknown> {
  await page.goto(url);
  return page.evaluate(`(() => {
    const isShown = (each) => each.checkVisibility({ visibilityProperty: true });
    const shown = [...document.querySelectorAll('.button, .copy-icon, nav, dialog, .filters, .try')].filter(isShown);
    const cut = [...document.querySelectorAll('td, th, pre')].filter((each) =>
      isShown(each) && (each.getBoundingClientRect().right > ${SHEET.width} || each.scrollHeight > each.clientHeight + 2));
    return { shown: shown.map((each) => each.outerHTML.slice(0, 80)), cut: cut.map((each) => each.textContent.slice(0, 40)) };
  })()`);
}

it.each(['', '/payments', '/audit', '/events', '/balance', '/team'])(
  'prints %s of the dashboard whole, without what is pressed',
  async (path) => {
    expect(await faultsOf(home + path)).toEqual({ shown: [], cut: [] });
    expect(await page.locator('.bar__env').isVisible()).toBe(true);
  },
);

it.each(['guides/subscriptions', 'reference/transparents'])(
  'prints %s of the documentation whole',
  async (path) => {
    expect(await faultsOf(`${app.api.url}/docs/${path}`)).toEqual({ shown: [], cut: [] });
  },
);
