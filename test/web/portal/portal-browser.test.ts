import { mkdirSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { DEFAULT_PORTAL_SETTINGS } from '../../../src/domain/portal-settings.ts';
import { DEFAULT_REMINDER_SETTINGS } from '../../../src/domain/reminders.ts';
import { savePortalSettings } from '../../../src/stores/portal-settings.ts';
import { saveReminderSettings } from '../../../src/stores/reminder-settings.ts';
import { dataOf } from '../../support/api/api-client.ts';
import { createTestApp, type TestApp } from '../../support/api/app.ts';
import {
  insertCharge,
  insertCheckout,
  insertCustomer,
  NOON,
  paid,
} from '../../support/rows/checkout-rows.ts';
import { insertRenewal, insertSubscribed } from '../../support/rows/subscriber-rows.ts';
import { axeViolations } from '../../support/web/axe.ts';
import { launchBrowser } from '../../support/web/browser.ts';

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

/** A customer with payments of every kind and two subscriptions. @returns the portal's address. */
async function portalOfAna(): Promise<string> {
  const customer = await insertCustomer(app);
  const settings = { ...DEFAULT_REMINDER_SETTINGS, channel: 'EMAIL' } as const;
  const owner = { storeId: customer.storeId, devMode: customer.devMode };
  await app.database.em.fork().transactional(async (em) => {
    await saveReminderSettings(em, owner, settings, NOON);
    await savePortalSettings(em, owner, { ...DEFAULT_PORTAL_SETTINGS, changesDetails: true }, NOON);
  });
  const own = { customerId: customer.id, payerEmail: 'ana@example.com' };
  const checkout = await insertCheckout(app, { customerId: customer.id });
  await insertCharge(app, checkout, 'PIX', { ...own, ...paid(10_000) });
  await insertCharge(app, await insertCheckout(app), 'PIX', own);
  await insertCharge(app, await insertCheckout(app), 'CARD', { ...own, status: 'FAILED' });
  for (const method of ['CARD', 'PIX'] as const) {
    const named = { checkout: { customerId: customer.id }, subscription: { customerId: customer.id } };
    const subscribed = await insertSubscribed(app, method, named);
    if (method === 'PIX') await insertRenewal(app, subscribed, own);
  }
  const body = { customerId: customer.id, checkoutId: checkout.id };
  return dataOf<{ url: string }>(await app.api.post('/v2/customer-portal/create', body)).url;
}

it.each([
  { width: 390, language: 'pt-BR', javaScriptEnabled: false, colorScheme: 'light' },
  { width: 390, language: 'es', javaScriptEnabled: true, colorScheme: 'dark' },
  { width: 1280, language: 'en', javaScriptEnabled: true, colorScheme: 'light' },
] as const)('signs in at $width pixels in $language and passes axe-core', async (given) => {
  const { width, language, javaScriptEnabled, colorScheme } = given;
  const url = await portalOfAna();
  const context = await browser.newContext({
    viewport: { width, height: 844 },
    locale: language,
    javaScriptEnabled,
    colorScheme,
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  const leftEdge = async (selector: string) => (await page.locator(selector).first().boundingBox())?.x;
  const look = async (name: string) => {
    expect(await page.locator('html').getAttribute('lang')).toBe(language);
    if (javaScriptEnabled) expect(await axeViolations(page)).toEqual([]);
    expect(await leftEdge('.head__merchant')).toBe(await leftEdge('main > *'));
    const pictures = process.env.PORTAL_PICTURES;
    if (pictures) {
      mkdirSync(pictures, { recursive: true });
      await page.screenshot({ path: `${pictures}/${name}-${width}-${language}.png`, fullPage: true });
    }
  };
  await page.goto(url);
  await look('door');
  await page.locator('#email').fill('ana@example.com');
  await page.locator('main .button').click();
  await look('code');
  await page.locator('#code').fill('123');
  await page.locator('main .button').click();
  await look('wrong');
  const code = (await page.locator('.portal__code').textContent()) ?? '';
  await page.locator('#code').fill(code);
  await page.locator('main .button').click();
  await look('home');
  expect(await page.locator('.portal__row').count()).toBe(6);
  expect(await page.locator('main > section').count()).toBe(5);
  await page.locator('form[action$="/reminders"] .button').click();
  await page.locator('[role=status]').waitFor();
  await look('reminders-ended');
  await page.locator('form[action$="/reminders"] .button').click();
  await page.locator('[role=status]').waitFor();
  await page.locator('.portal__actions a').first().click();
  await look('cancel');
  await page.locator('.portal__back a').last().click();
  await page.locator('a[href$="/details"]').click();
  await page.locator('#zipCode').fill('123');
  await page.locator('main .button').click();
  await look('details-wrong');
  await page.locator('#zipCode').fill('01310-100');
  await page.locator('main .button').click();
  await page.locator('[role=status]').waitFor();
  await look('details-done');
  expect(await page.locator('.portal__actions').count()).toBe(2);
  // Browsers note the 422 of a refused form.
  expect(complaints.filter((text) => !text.includes('422'))).toEqual([]);
  await context.close();
});
