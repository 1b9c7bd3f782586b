import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { linkOfUser } from '../../src/cli/users.ts';
import { loadConfig } from '../../src/config.ts';
import { fillYear } from '../../src/demo/fill-year.ts';
import { createTestApp, type TestApp } from '../support/api/app.ts';
import { signedIn } from '../support/dashboard/visitor.ts';
import { axeViolations } from '../support/pages/axe.ts';
import { launchBrowser } from '../support/pages/browser.ts';

const SCREENS = [
  { width: 1280, colorScheme: 'light' },
  { width: 390, colorScheme: 'dark' },
] as const;

let app: TestApp;
let browser: Browser;
beforeAll(async () => {
  [app, browser] = await Promise.all([
    createTestApp({ starter: { startSoon: () => undefined } }),
    launchBrowser(),
  ]);
  const { platformFee: platformFees } = loadConfig({ DATABASE_URL: 'postgres://unused' });
  await fillYear(app.database.em.fork(), { storeId: app.storeId, platformFees, now: new Date() });
  await signedIn({ url: app.api.url, database: app.database }, app.storeId, 'owner');
});
afterAll(async () => {
  await browser.close();
  await app.close();
});

describe.each(SCREENS)('on a screen of $width pixels in the $colorScheme theme', ({ width, colorScheme }) => {
  it('a year of business is walked through from the first page to one payment, and axe-core finds nothing wrong', async () => {
    const context = await browser.newContext({
      viewport: { width, height: 900 },
      colorScheme,
      locale: 'pt-BR',
    });
    const page = await context.newPage();
    const refused: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') refused.push(message.text());
    });
    await page.goto(
      app.api.url + (await linkOfUser(app.database.em.fork(), 'owner@example.com', 'SIGN_IN', new Date())),
    );
    await page.getByRole('button', { name: 'Entrar' }).click();
    const home = `${app.api.url}/dashboard/${app.storeId}/dev`;
    await page.waitForURL(home);
    const wrong: string[] = [];
    const look = async () => {
      for (const violation of await axeViolations(page)) wrong.push(`${page.url()}: ${violation}`);
      const scrolled = await page.evaluate('document.documentElement.scrollWidth');
      if (scrolled !== width) wrong.push(`${page.url()}: is ${scrolled} wide`);
    };
    await page.getByText('Ver como tabela').first().click();
    await look();
    await page.goto(`${home}/payments?status=FAILED`);
    await look();
    await page.locator('td a').first().click();
    await page.getByRole('heading', { name: 'O que aconteceu' }).waitFor();
    await look();
    for (const list of ['subscriptions', 'checkouts?kind=links', 'customers']) {
      await page.goto(`${home}/${list}`);
      await look();
      await page.locator('td a').first().click();
      await page.waitForURL(/_[0-9A-Z]{26}$/);
      for (const summary of await page.locator('main summary').all()) await summary.click();
      await look();
    }
    expect(wrong).toEqual([]);
    expect(refused).toEqual([]);
  });
});
