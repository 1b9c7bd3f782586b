import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { loadConfig } from '../../../src/config.ts';
import { ChargeEntity } from '../../../src/database/entities/charge.ts';
import { UserEntity } from '../../../src/database/entities/user.ts';
import { fillYear } from '../../../src/demo/fill-year.ts';
import type { ChargeStatus } from '../../../src/domain/charge.ts';
import type { ChargeId } from '../../../src/domain/ids.ts';
import { EVENTS } from '../../../src/events/events.ts';
import { writeEvent } from '../../../src/events/record.ts';
import { hashPassword } from '../../../src/identity/password.ts';
import { dataOf } from '../../support/api/api-client.ts';
import { createTestApp, type TestApp } from '../../support/api/app.ts';
import { signedIn } from '../../support/dashboard/dashboard-user.ts';
import { faultsOf, openTab, SCREENS } from '../../support/dashboard/tab.ts';
import { launchBrowser } from '../../support/web/browser.ts';

const PASSWORD = 'uma frase bem comprida';

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

it('keeps the head of a list in view, and opens a row from any of its cells', async () => {
  const { page, home } = await openTab(browser, app, 'owner', { width: 1440, colorScheme: 'light' });
  await page.goto(`${home}/payments`);
  await page.evaluate('scrollTo(0, 700)');
  const bottomOf = (selector: string) =>
    page.evaluate(`document.querySelector('${selector}').getBoundingClientRect().bottom`);
  const topOfHead = await page.evaluate('document.querySelector("thead th").getBoundingClientRect().top');
  expect(topOfHead).toBe(await bottomOf('.bar'));
  await page.evaluate('scrollTo(0, 0)');
  const row = page.locator('.row--linked').first();
  const path = await row.locator('.row__link').getAttribute('href');
  const cell = await row.locator('td').last().boundingBox();
  await page.mouse.click((cell?.x ?? 0) + 20, (cell?.y ?? 0) + 20);
  await page.waitForURL(`${app.api.url}${path}`);
});

describe.each(SCREENS)('on a screen of $width pixels in the $colorScheme theme', (screen) => {
  it('passes axe-core from the first page to one payment with a year of data', async () => {
    const { page, home, complaints } = await openTab(browser, app, 'owner', screen);
    const wrong: string[] = [];
    const look = async () => wrong.push(...(await faultsOf(page, screen)));
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
      await look();
      for (const opener of await page.locator('[data-opens]').all()) {
        await opener.click();
        await look();
        await page.keyboard.press('Escape');
      }
    }
    expect(wrong).toEqual([]);
    expect(complaints).toEqual([]);
  });
});

it.each(SCREENS)(
  'sends money to a Pix key at $width pixels, and keeps the form if it is wrong',
  async (screen) => {
    const em = app.database.em.fork();
    await em.nativeUpdate(UserEntity, {}, { passwordHash: await hashPassword(PASSWORD) });
    const { page, home, complaints } = await openTab(browser, app, 'owner', screen);
    await page.goto(`${home}/payouts?kind=transfers`);
    await page.getByRole('link', { name: 'Nova transferência' }).click();
    await page.getByLabel('Valor').fill('12,34');
    await page.getByLabel('Tipo da chave').selectOption('CPF');
    await page.getByLabel('Chave Pix').fill('123');
    await page.getByLabel('Sua senha').fill(PASSWORD);
    await page.getByRole('button', { name: 'Enviar o dinheiro' }).click();
    await page.getByText('Não é uma chave deste tipo.').waitFor();
    const wrong = await faultsOf(page, screen);
    expect(await page.getByLabel('Valor').inputValue()).toBe('12,34');
    await page.getByLabel('Chave Pix').fill('529.982.247-25');
    await page.getByLabel('Sua senha').fill(PASSWORD);
    await page.getByRole('button', { name: 'Enviar o dinheiro' }).click();
    await page.getByText('O dinheiro está a caminho.').waitFor();
    await page.getByText('R$ 12,34').first().waitFor();
    expect([...wrong, ...(await faultsOf(page, screen))]).toEqual([]);
    // A refused form gets a 422, which the browser logs.
    expect(complaints.filter((text) => !text.includes('422'))).toEqual([]);
    await page.context().close();
  },
);

it('opens a dialog, gives the focus back, and reopens it with what was refused', async () => {
  const { page, home } = await openTab(browser, app, 'owner', SCREENS[0]);
  await page.goto(`${home}/payments?status=PAID&method=PIX`);
  await page.locator('.row__link').first().click();
  const opener = page.getByRole('button', { name: 'Reembolsar' });
  const dialog = page.locator('#refund:modal');
  const opened = page.url();
  const isFocused = () => opener.and(page.locator(':focus')).waitFor();
  await opener.press(' ');
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  await isFocused();
  await opener.click();
  await page.mouse.click(5, 5);
  await dialog.waitFor({ state: 'hidden' });
  await isFocused();
  await opener.press('Enter');
  await page.getByLabel('Valor').fill('metade');
  await page.getByLabel('Motivo').fill('troca');
  await page.getByRole('button', { name: 'Devolver' }).click();
  await dialog.getByText('Escreva um valor em reais').waitFor();
  expect(await page.getByLabel('Motivo').inputValue()).toBe('troca');
  expect(page.url()).toBe(opened);
  await page.getByRole('button', { name: 'Fechar' }).click();
  await isFocused();
  await page.context().close();
});

it('updates an open payment when it is paid and keeps what is being typed', async () => {
  const em = app.database.em.fork();
  const body = { method: 'PIX', data: { amount: 2500 } };
  const { id } = dataOf<{ id: ChargeId }>(await app.api.post('/v2/transparents/create', body));
  const { page, home, complaints } = await openTab(browser, app, 'owner', SCREENS[0]);
  const happen = async (status: ChargeStatus, name: 'transparent.completed' | 'transparent.disputed') => {
    const now = new Date();
    const paid = { paidAt: now, settlesAt: now, paidAmountCents: 2_500 };
    await em.nativeUpdate(ChargeEntity, { id }, { status, ...paid });
    const store = { storeId: app.storeId, devMode: true, customerId: null };
    await writeEvent(em, store, name, id, EVENTS[name].example as never, now);
  };
  await page.goto(`${home}/payments/${id}`);
  await page.locator('#status', { hasText: 'Em aberto' }).waitFor();
  await happen('PAID', 'transparent.completed');
  await page.locator('#status', { hasText: 'Pago' }).waitFor();
  await page.getByRole('button', { name: 'Reembolsar' }).click();
  await page.getByLabel('Motivo').fill('troca');
  await happen('UNDER_DISPUTE', 'transparent.disputed');
  await page.locator('#status', { hasText: 'Em disputa' }).waitFor();
  expect(await page.getByLabel('Motivo').inputValue()).toBe('troca');
  expect(complaints).toEqual([]);
  await page.context().close();
});
