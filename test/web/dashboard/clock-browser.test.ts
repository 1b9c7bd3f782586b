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
  await page.getByRole('link', { name: 'Avançar' }).click();
  await look();
  await page.getByRole('link', { name: '+ 1 mês' }).click();
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

it('shows the time of a clock that is ahead on every page, and moves it to a day', async () => {
  const { page, home } = await openTab(browser, app, 'developer', SCREENS[0]);
  const bar = () => page.getByRole('complementary', { name: 'Relógio de teste' });
  const day = (days: number) => new Date(Date.now() + days * 86_400_000);
  const shown = day(401).toLocaleDateString('pt-BR', { timeZone: 'UTC' });
  await page.goto(`${home}/sandbox/clock?to=2020-01-01`);
  await page.getByText('O relógio só anda para a frente.').waitFor();
  expect(await bar().count()).toBe(0);
  await page.getByLabel('Até o fim do dia').fill(day(400).toISOString().slice(0, 10));
  await page.getByRole('button', { name: 'Ver o que vai acontecer' }).last().click();
  await page.getByText(`${shown}, 00:00`).waitFor();
  expect((await clock())?.target ?? null).toBeNull();
  await app.database.em
    .fork()
    .execute('update store_clocks set ahead_ms = 34560000000, stands_at = null, target = null');
  for (const path of ['', '/payments', '/products', '/account']) {
    await page.goto(home + path);
    await bar().getByText('O relógio de teste está adiantado').waitFor();
    expect(await faultsOf(page, SCREENS[0])).toEqual([]);
  }
  await page.goto(home.replace(/dev$/, 'prod'));
  expect(await bar().count()).toBe(0);
  await page.goto(`${home}/sandbox/clock`);
  await page.getByRole('button', { name: 'Voltar à hora real' }).first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Voltar à hora real' }).click();
  await page.getByText('não pode voltar: algo em aberto').waitFor();
});
