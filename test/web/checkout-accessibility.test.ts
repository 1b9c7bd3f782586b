import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { LANGUAGES } from '../../src/domain/language.ts';
import { createTestApp, type TestApp } from '../support/api/app.ts';
import { openCheckoutPage } from '../support/fixtures/open-checkout-page.ts';
import { NOON } from '../support/rows/checkout-rows.ts';
import { axeViolations } from '../support/web/axe.ts';
import { launchBrowser } from '../support/web/browser.ts';
import { CHECKOUT_PAGES, type CheckoutPageFixture } from '../support/web/checkout-states.ts';
import { SUBSCRIBER_PAGES } from '../support/web/subscriber-states.ts';

/** Of a common phone and a common laptop. */
const WIDTHS = [390, 1280];
const PAGES = { ...CHECKOUT_PAGES, ...SUBSCRIBER_PAGES };

let app: TestApp;
let browser: Browser;
/** One tab for each width: each is a process, and pages leave nothing behind in theirs, such as cookies. */
const tabs = new Map<number, Page>();
beforeAll(async () => {
  app = await createTestApp({ clock: () => NOON, starter: { startSoon: () => undefined } });
  browser = await launchBrowser();
  for (const width of WIDTHS) {
    // The phone uses the dark theme, so that both themes are checked.
    const colorScheme = width < 600 ? 'dark' : 'light';
    tabs.set(width, await browser.newPage({ viewport: { width, height: 800 }, colorScheme }));
  }
});
afterAll(async () => {
  await browser.close();
  await app.close();
});

async function fixtureOf(name: string): Promise<CheckoutPageFixture> {
  const make = Object.entries(PAGES).find(([known]) => known === name)?.[1];
  if (make === undefined) throw new Error(`there is no page "${name}"`);
  return make(app);
}

async function opened(fixture: CheckoutPageFixture, width: number, language = 'pt'): Promise<Page> {
  const page = tabs.get(width);
  if (page === undefined) throw new Error(`there is no tab of ${width} pixels`);
  await page.setExtraHTTPHeaders({ 'Accept-Language': language });
  await openCheckoutPage(page, app.api.url, fixture);
  return page;
}

describe.each([...Object.keys(PAGES).entries()])('page %d, of "%s"', (index, name) => {
  it.each(WIDTHS)('passes axe-core at %d pixels without sideways scroll, in each language', async (width) => {
    const fixture = await fixtureOf(name);
    // The test finds fields by their Portuguese labels.
    const language = fixture.form ? 'pt' : LANGUAGES[(index + WIDTHS.indexOf(width)) % LANGUAGES.length];
    const page = await opened(fixture, width, language);
    expect(await page.locator('html').getAttribute('lang')).toMatch(new RegExp(`^${language}`));
    expect(await axeViolations(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
  });
});

describe('the accessibility check', () => {
  it('finds an input without a label', async () => {
    const page = await opened(await fixtureOf('open, card chosen'), 1280);
    await page.evaluate(`document.querySelector('label[for="cardHolder"]').remove()`);
    expect((await axeViolations(page)).join()).toContain('label');
  });
});
