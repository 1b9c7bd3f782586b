import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { loadConfig } from '../../../src/config.ts';
import { DeliveryEntity } from '../../../src/database/entities/delivery.ts';
import { fillYear } from '../../../src/demo/fill-year.ts';
import { NAVIGATION } from '../../../src/web/dashboard/frame/navigation.ts';
import { createTestApp, type TestApp } from '../../support/api/app.ts';
import { signedIn } from '../../support/dashboard/dashboard-user.ts';
import { openTab } from '../../support/dashboard/tab.ts';
import { detailsOf, idsOfYear, LISTS } from '../../support/dashboard/year-pages.ts';
import { insertDelivery, insertWebhook } from '../../support/rows/build.ts';
import { axeViolations } from '../../support/web/axe.ts';
import { launchBrowser } from '../../support/web/browser.ts';
import { brokenWordsOf, delayScripts, shiftsOf } from '../../support/web/layout.ts';

/** What a page may send, compressed (docs/performance.md). */
const MOST_BYTES = 15_000;

let app: TestApp;
let browser: Browser;
let paths: readonly string[];
beforeAll(async () => {
  [app, browser] = await Promise.all([
    createTestApp({ starter: { startSoon: () => undefined } }),
    launchBrowser(),
  ]);
  const em = app.database.em.fork();
  const { storeId } = app;
  const { platformFee: platformFees } = loadConfig({ DATABASE_URL: 'postgres://unused' });
  await fillYear(em, { storeId, platformFees, now: new Date() });
  await signedIn({ url: app.api.url, database: app.database }, storeId, 'owner');
  const webhook = await insertWebhook(app.database, { storeId, name: 'Estoque' });
  const { id: deliveryId } = await insertDelivery(app.database, webhook);
  const { eventId } = await em.findOneOrFail(DeliveryEntity, { id: deliveryId });
  const own = [`/webhooks/${webhook.id}`, `/deliveries/${deliveryId}`, `/events/${eventId}`];
  const menu = NAVIGATION.flat().map(({ path }) => (path === '/' ? '' : path));
  const others = ['/?period=12m', '/search?q=jo', '/account', ...own];
  paths = [...new Set([...menu, ...LISTS, ...others, ...detailsOf(await idsOfYear(em, storeId))])];
});
afterAll(async () => {
  await browser.close();
  await app.close();
});

/** What moves each time: a busy machine may draw a page before all of it has arrived. */
async function lastingShiftsOf(page: Page): Promise<readonly unknown[]> {
  let shifts = await shiftsOf(page);
  for (let again = 0; again < 3 && shifts.length > 0; again += 1) {
    await page.reload();
    shifts = await shiftsOf(page);
  }
  return shifts;
}

/** What is wrong with the page that is open, in both themes. */
async function faultsOf(page: Page, width: number, shifts: readonly unknown[]): Promise<readonly unknown[]> {
  const scrolled = await page.evaluate('document.documentElement.scrollWidth');
  const sent = await page.evaluate<number>('performance.getEntriesByType("navigation")[0].encodedBodySize');
  const light = await axeViolations(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  // The themes differ in nothing but colours.
  const dark = await axeViolations(page, ['color-contrast']);
  await page.emulateMedia({ colorScheme: 'light' });
  return [
    ...shifts.map((shift) => `moves: ${JSON.stringify(shift)}`),
    ...(scrolled === width ? [] : [`is ${scrolled} wide`]),
    ...(await brokenWordsOf(page)).map((word) => `breaks ${word}`),
    ...(sent <= MOST_BYTES ? [] : [`sends ${sent} bytes`]),
    ...light,
    ...dark.map((fault) => `dark: ${fault}`),
  ];
}

/** The faults of every page by its path, and what the console complained of. */
async function faultsAt(width: number) {
  const { page, home, complaints } = await openTab(browser, app, 'owner', { width, colorScheme: 'light' });
  await delayScripts(page);
  const faults: Record<string, readonly unknown[]> = {};
  for (const path of paths) {
    const response = await page.goto(home + path);
    const found =
      response?.status() === 200
        ? await faultsOf(page, width, await lastingShiftsOf(page))
        : [response?.status()];
    if (found.length > 0) faults[path] = found;
  }
  await page.context().close();
  // Previews of pages are framed without scripts.
  return { faults, complaints: complaints.filter((text) => !text.includes('/settings/preview?')) };
}

it('finds no fault on any page of a phone or a laptop, in both themes', async () => {
  const found = await Promise.all([390, 1440].map(faultsAt));
  expect(found).toEqual([
    { faults: {}, complaints: [] },
    { faults: {}, complaints: [] },
  ]);
}, 240_000);

it('reports text that moves, sticks out, breaks and cannot be read', async () => {
  const { page, home } = await openTab(browser, app, 'owner', { width: 390, colorScheme: 'light' });
  await page.goto(`${home}/payments`);
  await page.evaluate(`new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => {
    document.querySelector('main').style.marginTop = '200px';
    document.querySelector('h1').style.cssText = 'width: 3ch; overflow-wrap: anywhere; color: #eee; background: #fff';
    document.querySelector('.tabs, .filters').style.width = '900px';
    resolve();
  })))`);
  const faults = (await faultsOf(page, 390, await shiftsOf(page))).join('\n');
  for (const part of ['moves: ', 'is 9', 'breaks Pagamentos', 'color-contrast: <h1', 'dark: color-contrast'])
    expect(faults).toContain(part);
  await page.context().close();
});
