import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';
import { createMoneyApp, type MoneyApp } from '../../support/api/money-app.ts';
import { givePassword, PASSWORD, signedIn } from '../../support/dashboard/dashboard-user.ts';
import { openTab } from '../../support/dashboard/tab.ts';
import { insertCharge, insertCheckout } from '../../support/rows/checkout-rows.ts';
import { buildPaidPix } from '../../support/rows/payments.ts';
import { launchBrowser } from '../../support/web/browser.ts';

let app: MoneyApp;
let browser: Browser;
beforeAll(async () => {
  [app, browser] = await Promise.all([createMoneyApp(), launchBrowser()]);
  await signedIn({ url: app.api.url, database: app.database }, app.storeId, 'owner');
  await givePassword(app.database);
});
afterAll(async () => {
  await browser.close();
  await app.close();
});

interface CountedTab {
  readonly page: Page;
  readonly press: (name: string | RegExp, role?: 'link' | 'button') => Promise<void>;
  /** Clicks a field and replaces its text. */
  readonly type: (field: Locator, text: string) => Promise<void>;
  /** How often the pointer was pressed since the first page. */
  readonly clicks: () => number;
}

/**
 * A person on the first page of the dashboard, who works with a mouse. Common tasks take at most three clicks, and those that replace a key
 * or return money four.
 */
async function countedTab(): Promise<CountedTab> {
  const { page } = await openTab(browser, app, 'owner', { width: 1280, colorScheme: 'light' });
  let clicks = 0;
  await page.exposeFunction('countClick', () => {
    clicks += 1;
  });
  const counting = `addEventListener('pointerdown', () => countClick(), true)`;
  await page.addInitScript(counting);
  await page.evaluate(counting);
  return {
    page,
    press: (name, role = 'link') => page.getByRole(role, { name }).filter({ visible: true }).first().click(),
    async type(field, text) {
      await field.click();
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type(text);
    },
    clicks: () => clicks,
  };
}

it('finds why a payment was not charged in two clicks', async () => {
  const shop = { database: app.database, storeId: app.storeId };
  const failure = { status: 'FAILED', failureReason: 'insufficient_funds' } as const;
  const { id } = await insertCharge(shop, await insertCheckout(shop), 'CARD', failure);
  const { page, press, type, clicks } = await countedTab();
  await press('Pagamentos');
  await type(page.getByLabel(/^Procurar por id/), id);
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/payments\/card_/);
  expect(await page.locator('.answer').first().textContent()).toContain('saldo');
  expect(clicks()).toBe(2);
});

it('downloads October for an accountant in two clicks', async () => {
  const { page, press, clicks } = await countedTab();
  await press('Exportar');
  const [download] = await Promise.all([page.waitForEvent('download'), press(/^outubro/i)]);
  expect(download.suggestedFilename()).toMatch(/^pagamentos-\d{4}-10-01_\d{4}-10-31\.csv$/);
  expect(clicks()).toBe(2);
});

it('invites a read-only colleague in three clicks', async () => {
  const { page, press, type, clicks } = await countedTab();
  await press('Equipe');
  await type(page.getByLabel('E-mail'), 'ana@example.com');
  await page.getByLabel('Sua senha, de novo').fill(PASSWORD);
  expect(await page.getByLabel('Papel').inputValue()).toBe('viewer');
  await press(/convite/i, 'button');
  await page.getByText('ana@example.com').first().waitFor();
  expect(await page.locator('.field__problem, .flash--refused').count()).toBe(0);
  expect(clicks()).toBe(3);
});

it('rotates a key with an overlap in three clicks', async () => {
  const { page, press, clicks } = await countedTab();
  await press('Chaves de API');
  await press('Trocar');
  expect(await page.locator('[name=overlap]').inputValue()).toBe('24');
  await press('Trocar a chave', 'button');
  expect(await page.locator('main').textContent()).toMatch(/abc_dev_.*vale até/s);
  expect(clicks()).toBe(3);
});

it('refunds half of a payment in four clicks, with its confirmation', async () => {
  const id = await buildPaidPix(app.api);
  const { page, press, clicks } = await countedTab();
  await press('Pagamentos');
  await page.locator(`.row__link[href$="${id}"]`).click();
  await press('Reembolsar', 'button');
  const confirmation = page.getByRole('dialog');
  // The amount has the focus and is selected, so that typing replaces it.
  await page.keyboard.type('12,50');
  expect(await confirmation.getByLabel('Valor').inputValue()).toBe('12,50');
  await confirmation.getByRole('button', { name: 'Devolver' }).click();
  await page.locator('.detail').getByText('12,50').first().waitFor();
  expect(await page.locator('.head .badge').textContent()).toBe('Reembolsado em parte');
  expect(clicks()).toBe(4);
});
