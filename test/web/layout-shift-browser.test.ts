import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { createTestApp, type TestApp } from '../support/api/app.ts';
import { openCheckoutPage } from '../support/fixtures/open-checkout-page.ts';
import { NOON } from '../support/rows/checkout-rows.ts';
import { launchBrowser } from '../support/web/browser.ts';
import { CHECKOUT_PAGES } from '../support/web/checkout-states.ts';
import { delayScripts, shiftsOf } from '../support/web/layout.ts';
import { SUBSCRIBER_PAGES } from '../support/web/subscriber-states.ts';

const PAGES = { ...CHECKOUT_PAGES, ...SUBSCRIBER_PAGES };
/** A common phone. */
const PHONE = { width: 390, height: 844 };

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

/** A phone on a slow line: every script arrives after the first paint. */
async function slowPhone(): Promise<Page> {
  const page = await browser.newPage({ viewport: PHONE });
  await delayScripts(page);
  return page;
}

describe('the payer’s pages on a phone', () => {
  it('moves nothing while a page loads', async () => {
    const page = await slowPhone();
    const found: Record<string, unknown> = {};
    for (const [name, make] of Object.entries(PAGES)) {
      const fixture = await make(app);
      // A payer's own steps move the page: problems appear below fields.
      if (fixture.form !== undefined) continue;
      await openCheckoutPage(page, app.api.url, fixture);
      const shifts = await shiftsOf(page);
      if (JSON.stringify(shifts) !== '[]') found[name] = shifts;
    }
    await page.close();
    expect(found).toEqual({});
  });

  it('reports text that moves down after it was drawn', async () => {
    const page = await slowPhone();
    const make = Object.values(PAGES)[0];
    if (make === undefined) throw new Error('there is no page');
    await openCheckoutPage(page, app.api.url, await make(app));
    await page.evaluate(`new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => {
      document.querySelector('main').style.marginTop = '200px';
      resolve();
    })))`);
    expect(await shiftsOf(page)).not.toEqual([]);
    await page.close();
  });
});
