import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import type { Charge } from '../../../src/database/entities/charge.ts';
import { createTestApp, type TestApp } from '../../support/api/app.ts';
import { signedIn } from '../../support/dashboard/dashboard-user.ts';
import { faultsOf, openTab, SCREENS, type Tab } from '../../support/dashboard/tab.ts';
import { insertWebhook } from '../../support/rows/build.ts';
import { insertCharge, insertCheckout, paid } from '../../support/rows/checkout-rows.ts';
import { insertSubscription } from '../../support/rows/subscribed-rows.ts';
import { launchBrowser } from '../../support/web/browser.ts';

let app: TestApp;
let browser: Browser;
let tabs: Tab[];
let webhookId: string;
let charge: Charge;
beforeAll(async () => {
  [app, browser] = await Promise.all([createTestApp(), launchBrowser()]);
  const { storeId, database } = app;
  const shop = { database, storeId };
  await signedIn({ url: app.api.url, database }, storeId, 'owner');
  tabs = [];
  for (const screen of SCREENS) tabs.push(await openTab(browser, app, 'owner', screen));
  webhookId = (await insertWebhook(database, { storeId, secret: 'x' })).id;
  charge = await insertCharge(shop, await insertCheckout(shop), 'CARD', {
    ...paid(10_000),
    reversedCents: 5_000,
    refundedCents: 5_000,
  });
  await insertSubscription(shop);
  const trialEndsAt = new Date(Date.now() + 86_400_000);
  await insertSubscription(shop, { trialEndsAt, trialDays: 7, cycleNumber: 0 });
});
afterAll(async () => {
  await browser.close();
  await app.close();
});

it.each(SCREENS)(
  'shows weak secrets, partial refunds and trials at $width pixels without a fault',
  async (screen) => {
    const { page, home } = tabs[SCREENS.indexOf(screen)] as Tab;
    const shows = async (path: string, text: string) => {
      await page.goto(`${home}${path}`);
      expect(await page.textContent('main')).toContain(text);
      expect(await faultsOf(page, screen)).toEqual([]);
    };
    await shows('/webhooks', 'Segredo fraco');
    await shows(`/webhooks/${webhookId}`, 'O segredo deste webhook é curto demais');
    await shows('/payments', 'Reembolsado em parte');
    await shows(`/payments/${charge.id}`, 'Reembolsado em parte');
    await shows('', 'de 1 assinatura, e 1 em teste');
  },
);
