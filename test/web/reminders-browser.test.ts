import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { ReminderRecipientEntity } from '../../src/database/entities/reminder-recipient.ts';
import type { CustomerId } from '../../src/domain/ids.ts';
import { recipientOf } from '../../src/reminders/unsubscribe.ts';
import { createTestApp, type TestApp } from '../support/api/app.ts';
import { signedIn } from '../support/dashboard/dashboard-user.ts';
import { faultsOf, openTab, SCREENS } from '../support/dashboard/tab.ts';
import { buildCustomer } from '../support/rows/catalog.ts';
import { launchBrowser } from '../support/web/browser.ts';

let app: TestApp;
let browser: Browser;
beforeAll(async () => {
  [app, browser] = await Promise.all([createTestApp(), launchBrowser()]);
  await signedIn({ url: app.api.url, database: app.database }, app.storeId, 'owner');
});
afterAll(async () => {
  await browser.close();
  await app.close();
});

it.each(SCREENS)('passes axe-core on $width pixels, and ends reminders without a script', async (screen) => {
  const { page, home, complaints } = await openTab(browser, app, 'owner', screen);
  const look = async (name: string) => {
    expect(await faultsOf(page, screen)).toEqual([]);
    const pictures = process.env.REMINDER_PICTURES;
    if (pictures) await page.screenshot({ path: `${pictures}/${name}-${screen.width}.png`, fullPage: true });
  };
  await page.goto(`${home}/settings/reminders`);
  await look('settings');
  const email = `ana-${screen.width}@example.com`;
  const { id } = await buildCustomer(app.api, {
    email,
    taxId: screen.width === 390 ? '111.444.777-35' : undefined,
  });
  const customerId = id as CustomerId;
  const { token } = await recipientOf(app.database.em.fork(), customerId, email, new Date());
  const context = await browser.newContext({
    viewport: { width: screen.width, height: 900 },
    javaScriptEnabled: false,
  });
  const payer = await context.newPage();
  await payer.goto(`${app.api.url}/unsubscribe/${token}`);
  const before = await app.database.em.fork().findOneOrFail(ReminderRecipientEntity, { customerId });
  expect(before.unsubscribedAt).toBeNull();
  await payer.locator('.button').click();
  await payer.locator('[role=status]').waitFor();
  const after = await app.database.em.fork().findOneOrFail(ReminderRecipientEntity, { customerId });
  expect(after.unsubscribedAt).toBeInstanceOf(Date);
  await page.goto(`${app.api.url}/unsubscribe/${token}`);
  await look('unsubscribe');
  await page.locator('.button').click();
  await page.locator('[role=status]').waitFor();
  await look('unsubscribed');
  expect(complaints).toEqual([]);
});
