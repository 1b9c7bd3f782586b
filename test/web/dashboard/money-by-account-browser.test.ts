import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { createTestApp, type TestApp } from '../../support/api/app.ts';
import { signedIn } from '../../support/dashboard/dashboard-user.ts';
import { faultsOf, openTab, SCREENS, type Tab } from '../../support/dashboard/tab.ts';
import { credit } from '../../support/rows/credit.ts';
import { testAccounts } from '../../support/rows/two-accounts.ts';
import { launchBrowser } from '../../support/web/browser.ts';

let app: TestApp;
let browser: Browser;
let tabs: Tab[];
beforeAll(async () => {
  [app, browser] = await Promise.all([createTestApp(), launchBrowser()]);
  const { storeId, database } = app;
  await signedIn({ url: app.api.url, database }, storeId, 'owner');
  // Before there is money in production, where people land then.
  tabs = [];
  for (const screen of SCREENS) tabs.push(await openTab(browser, app, 'owner', screen));
  const accounts = testAccounts(database);
  const paidAt = await accounts.add(storeId, 'PIX');
  const sendsFrom = await accounts.add(storeId, 'PAYOUT');
  await credit(database, { storeId, devMode: false, provider: paidAt }, 123_456_789);
  await credit(database, { storeId, devMode: false, provider: sendsFrom }, -5_000);
});
afterAll(async () => {
  await browser.close();
  await app.close();
});

it.each(SCREENS)('shows money at each account at $width pixels, also below zero', async (screen) => {
  const { page, home } = tabs[SCREENS.indexOf(screen)] as Tab;
  await page.goto(`${home.replace(/\/dev$/, '/prod')}/balance`);
  const accounts = await page.getByRole('table').first().textContent();
  expect(accounts).toContain('R$\u00a01.234.567,89');
  expect(accounts).toContain('-R$\u00a050,00');
  expect(await faultsOf(page, screen)).toEqual([]);
});
