import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { createTestApp, type TestApp } from '../../support/api/app.ts';
import { signedIn } from '../../support/dashboard/dashboard-user.ts';
import { openTab, type Tab } from '../../support/dashboard/tab.ts';
import { launchBrowser } from '../../support/web/browser.ts';

let app: TestApp;
let browser: Browser;
let tab: Tab;
beforeAll(async () => {
  [app, browser] = await Promise.all([
    createTestApp({ starter: { startSoon: () => undefined } }),
    launchBrowser(),
  ]);
  await signedIn({ url: app.api.url, database: app.database }, app.storeId, 'owner');
  tab = await openTab(browser, app, 'owner', { width: 1280, colorScheme: 'light' });
});
afterAll(async () => {
  await browser.close();
  await app.close();
});

it('shows only the terms that the cycle of a new product needs', async () => {
  const { page, home } = tab;
  await page.goto(`${home}/new-product`);
  const usage = page.locator('summary', { hasText: 'Cobrança por consumo' });
  const trial = page.locator('[name="trialDays"]');
  expect([await trial.isVisible(), await usage.isVisible()]).toEqual([false, true]);
  await page.selectOption('[name="cycle"]', 'MONTHLY');
  expect([await trial.isVisible(), await usage.isVisible()]).toEqual([true, false]);
});

it('shows prices of usage when someone opens them, and the fields of the chosen kind', async () => {
  const { page, home } = tab;
  await page.goto(`${home}/new-product`);
  const [units, size, tiers] = ['includedUnits', 'packageSize', 'tiers'].map((name) =>
    page.locator(`[name="usagePrice.${name}"]`),
  );
  const shown = () => Promise.all([units, size, tiers].map((field) => field?.isVisible()));
  expect(await shown()).toEqual([false, false, false]);
  await page.locator('summary', { hasText: 'Cobrança por consumo' }).click();
  expect(await shown()).toEqual([true, false, false]);
  await page.selectOption('[name="usagePrice.model"]', 'PACKAGE');
  expect(await shown()).toEqual([true, true, false]);
  await page.selectOption('[name="usagePrice.model"]', 'GRADUATED');
  expect(await shown()).toEqual([true, false, true]);
  await page.goto(`${home}/new-product?usagePrice.model=PACKAGE&usagePrice.packageSize=10`);
  expect(await shown()).toEqual([true, true, false]);
});

it('keeps terms with a problem visible when the cycle does not need them', async () => {
  const { page, home } = tab;
  await page.goto(`${home}/new-product`);
  await page.fill('[name="name"]', 'Café');
  await page.fill('[name="price"]', '10');
  await page.selectOption('[name="cycle"]', 'MONTHLY');
  await page.fill('[name="trialDays"]', '7');
  await page.selectOption('[name="cycle"]', '');
  await page.getByRole('button', { name: 'Criar produto' }).click();
  await page.waitForSelector('[name="trialDays"][aria-invalid="true"]');
  expect(await page.locator('[name="trialDays"]').isVisible()).toBe(true);
});

it('asks how many payments a coupon counts only if it counts them', async () => {
  const { page, home } = tab;
  await page.goto(`${home}/new-coupon`);
  const count = page.locator('[name="durationInCycles"]');
  expect(await count.isVisible()).toBe(false);
  await page.selectOption('[name="duration"]', 'REPEATING');
  expect(await count.isVisible()).toBe(true);
});

it('gives buttons beside a title one height', async () => {
  const { page, home } = tab;
  await page.goto(`${home}/keys`);
  const heights = await page
    .locator('.head__actions .button')
    .evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect().height));
  expect(heights.length).toBeGreaterThan(1);
  const row = page.locator('tbody .actions .button--danger');
  expect(await row.first().textContent()).toBe('Revogar');
  expect(new Set(heights).size).toBe(1);
});

it('shows all actions of a webhook beside its title, and only what destroys in red', async () => {
  const { page, home } = tab;
  const created = await app.api.post('/v2/webhooks/create', {
    name: 'Pedidos',
    endpoint: 'https://example.com/hooks',
    secret: 'b9f1c7e2a4d84f6d8c3b5a7e9d1f2c4b',
    events: ['transparent.completed'],
  });
  await page.goto(`${home}/webhooks/${(created.json as { data: { id: string } }).data.id}`);
  const actions = page.locator('.head__actions > .button');
  expect(await actions.count()).toBeGreaterThan(4);
  expect(await page.locator('.detail__main > .buttons, .head__actions .badge').count()).toBe(0);
  expect(await page.locator('.head__title > .badge').textContent()).toBe('Nada enviado');
  const rows = await actions.evaluateAll((buttons) =>
    buttons.map((button) => button.getBoundingClientRect().y),
  );
  expect(new Set(rows).size).toBe(1);
  expect(await page.locator('.head__actions > .button--danger').allTextContents()).toEqual([
    'Apagar o webhook',
  ]);
});

it('draws the letters of ids and not a multiplication sign', async () => {
  const { page, home } = tab;
  await page.goto(`${home}/products`);
  const ligatures = 'getComputedStyle(document.querySelector("main")).fontVariantLigatures';
  expect(await page.evaluate(ligatures)).toBe('no-contextual');
});

it('keeps the way out in the header of a phone in one row', async () => {
  const { page, home } = tab;
  await page.setViewportSize({ width: 390, height: 844 });
  for (const language of ['pt-BR', 'en']) {
    await page.goto(`${home}/products?lang=${language}`);
    const tops = await page
      .locator('.bar__env, .bar .button--link')
      .evaluateAll((parts) => parts.map((part) => Math.round(part.getBoundingClientRect().top / 20)));
    expect([language, new Set(tops).size]).toEqual([language, 1]);
  }
});

it('marks the open page in the tabs of settings and of payouts', async () => {
  const { page, home } = tab;
  const tabsOf = async (path: string) => {
    await page.goto(`${home}${path}`);
    const links = page.locator('nav.tabs a');
    return [await links.count(), await links.and(page.locator('[aria-current]')).getAttribute('href')];
  };
  const { pathname } = new URL(home);
  for (const path of ['', '/billing', '/reminders', '/portal', '/nfse'])
    expect(await tabsOf(`/settings${path}`)).toEqual([5, `${pathname}/settings${path}`]);
  expect(await tabsOf('/payouts?kind=transfers')).toEqual([2, `${pathname}/payouts?kind=transfers`]);
});
