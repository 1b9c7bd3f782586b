import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { AuditLineEntity } from '../../../src/database/entities/audit-line.ts';
import { findClock } from '../../../src/database/store-clock.ts';
import { createTestApp, type TestApp } from '../../support/api/app.ts';
import { signedIn } from '../../support/dashboard/dashboard-user.ts';
import { faultsOf, openTab, SCREENS } from '../../support/dashboard/tab.ts';
import { launchBrowser } from '../../support/web/browser.ts';

let app: TestApp;
let browser: Browser;
beforeAll(async () => {
  // No worker: a clock that is advanced stays where it stands.
  [app, browser] = await Promise.all([createTestApp(), launchBrowser()]);
  await signedIn({ url: app.api.url, database: app.database }, app.storeId, 'developer');
});
afterAll(async () => {
  await browser.close();
  await app.close();
});

const clock = () => findClock(app.database, app.storeId);

it.each(SCREENS)('previews, advances and stops the clock on a screen of $width pixels', async (screen) => {
  const { page, home, complaints } = await openTab(browser, app, 'developer', screen);
  const wrong: string[] = [];
  const look = async () => wrong.push(...(await faultsOf(page, screen)));
  await app.api.post('/v2/transparents/create', { method: 'PIX', data: { amount: 2500 } });
  await page.goto(`${home}/sandbox`);
  await look();
  await page.getByRole('link', { name: 'Avançar…' }).click();
  await look();
  await page.getByLabel('Quanto tempo').selectOption('1 mês');
  await page.getByRole('button', { name: 'Ver o que vai acontecer' }).click();
  await page.getByText('Cobranças e checkouts que expiram').waitFor();
  await look();
  const before = await clock();
  expect(before?.target ?? null).toBeNull();

  await page.getByRole('button', { name: 'Avançar', exact: true }).click();
  await page.getByText('O relógio está avançando.').waitFor();
  await look();
  const sent = await clock();
  expect(sent?.target?.getTime()).toBeGreaterThan(Date.now() + 27 * 86_400_000);

  await page.getByRole('button', { name: 'Parar onde está' }).click();
  await page.getByText('O relógio parou onde estava.').waitFor();
  await look();
  expect(await clock()).toMatchObject({ target: null, standsAt: null });
  expect([...complaints, ...wrong]).toEqual([]);
  const lines = await app.database.em.fork().find(AuditLineEntity, {}, { orderBy: { id: 'asc' } });
  expect(lines.map(({ action }) => action).slice(-2)).toEqual(['dev/clock/advance', 'dev/clock/cancel']);
});

it('says that a span is too long in the language of the reader', async () => {
  const { page, home } = await openTab(browser, app, 'developer', SCREENS[0]);
  await page.goto(`${home}/sandbox/clock?by=P6Y`);
  await page.getByText('O relógio avança no máximo 5 anos de cada vez.').waitFor();
  await page.goto(`${home}/sandbox/clock?by=P6Y&lang=en`);
  await page.getByText('The clock advances at most 5 years at a time.').waitFor();
});
