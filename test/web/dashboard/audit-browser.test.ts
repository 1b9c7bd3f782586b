import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { recordAction } from '../../../src/audit-log/record-action.ts';
import { createTestApp, type TestApp } from '../../support/api/app.ts';
import { signedIn } from '../../support/dashboard/dashboard-user.ts';
import { faultsOf, openTab, SCREENS } from '../../support/dashboard/tab.ts';
import { buildWebhook } from '../../support/rows/build.ts';
import { launchBrowser } from '../../support/web/browser.ts';

let app: TestApp;
let browser: Browser;
beforeAll(async () => {
  [app, browser] = await Promise.all([
    createTestApp({ starter: { startSoon: () => undefined } }),
    launchBrowser(),
  ]);
  await signedIn({ url: app.api.url, database: app.database }, app.storeId, 'owner');
  await buildWebhook(app.api, { endpoint: 'https://example.com/hooks' });
  const done = { action: 'stores/update', subjectId: app.storeId, devMode: null, now: new Date() };
  const actors = [
    { kind: 'CLI', operator: 'ana-do-servidor', storeId: app.storeId },
    { kind: 'SYSTEM', storeId: app.storeId },
  ] as const;
  for (const actor of actors)
    await app.database.em
      .fork()
      .transactional((em) => recordAction(em, actor, { ...done, details: { fields: ['name', 'city'] } }));
});
afterAll(async () => {
  await browser.close();
  await app.close();
});

it.each(SCREENS)('names every kind of actor at $width pixels, and lists one kind alone', async (screen) => {
  const { page, home } = await openTab(browser, app, 'owner', screen);
  await page.goto(`${home}/audit`);
  const table = page.getByRole('table');
  for (const actor of ['owner@example.com', 'chave de API', 'ana-do-servidor', 'o próprio serviço'])
    expect(await table.textContent()).toContain(actor);
  expect(await table.textContent()).toContain('Alterado: Nome, Cidade');
  expect(await faultsOf(page, screen)).toEqual([]);
  await page.goto(`${home}/audit?actor=API_KEY`);
  expect(await table.textContent()).toContain('webhooks/create');
  expect(await table.textContent()).not.toContain('ana-do-servidor');
});
