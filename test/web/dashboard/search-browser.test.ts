import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { createTestApp, type TestApp } from '../../support/api/app.ts';
import { type DashboardUser, signedIn } from '../../support/dashboard/dashboard-user.ts';
import { faultsOf, openTab, SCREENS } from '../../support/dashboard/tab.ts';
import { buildCustomer, buildProduct } from '../../support/rows/catalog.ts';
import { insertCustomer } from '../../support/rows/checkout-rows.ts';
import { insertSubscription } from '../../support/rows/subscribed-rows.ts';
import { launchBrowser } from '../../support/web/browser.ts';

let app: TestApp;
let browser: Browser;
let owner: DashboardUser;
let support: DashboardUser;
let developer: DashboardUser;
beforeAll(async () => {
  [app, browser] = await Promise.all([createTestApp(), launchBrowser()]);
  const place = { url: app.api.url, database: app.database };
  owner = await signedIn(place, app.storeId, 'owner');
  support = await signedIn(place, app.storeId, 'support');
  developer = await signedIn(place, app.storeId, 'developer');
});
afterAll(async () => {
  await browser.close();
  await app.close();
});

const at = (path: string) => `/dashboard/${app.storeId}/dev${path}`;
const search = async (user: DashboardUser, text: string) => {
  const { html } = await user.get(at(`/search?${new URLSearchParams({ q: text })}`));
  const results = html.slice(html.indexOf('id="search-results"'), html.indexOf('</main>'));
  return [...results.matchAll(/<a href="([^"]*)"/g)].map(([, href = '']) => href.replace(at(''), ''));
};

it('finds objects of this store by id, own id and a part of their name', async () => {
  const product = await buildProduct(app.api, { name: 'Bule de ágata', externalId: 'bule-1' });
  const customer = await buildCustomer(app.api, { name: 'Zilda Prado', email: 'zilda@example.com' });
  const foreign = await buildProduct(await app.clientWith({ devMode: false }), { name: 'Bule de produção' });
  for (const text of [product.id, 'bule-1', 'BULE', 'de ágata'])
    expect([text, await search(owner, text)]).toEqual([text, [`/products/${product.id}`]]);
  for (const text of [customer.id, 'zild', 'ZILDA@example.com'])
    expect([text, await search(owner, text)]).toEqual([text, [`/customers/${customer.id}`]]);
  expect(await search(owner, 'de produção')).not.toContain(`/products/${foreign.id}`);
  expect(await search(owner, 'R$ 10')).toEqual(['/payments?q=R%24+10']);
});

it("opens a customer's subscription and shows its state", async () => {
  const customer = await insertCustomer(app, { name: 'Quitéria Nunes' });
  const { id } = await insertSubscription(app, { customerId: customer.id, failedAttempts: 1 });
  expect(await search(owner, 'quitéria')).toEqual([`/customers/${customer.id}`, `/subscriptions/${id}`]);
  expect((await owner.get(at('/search?q=quit%C3%A9ria&lang=en'))).text).toContain('Past due');
  expect((await owner.get(at(`/subscriptions/${id}`))).status).toBe(200);
});

it('offers each role only the pages and actions that it may open', async () => {
  expect(await search(owner, 'novo')).toEqual(
    expect.arrayContaining(['/new-product', '/new-coupon', '/webhooks/new']),
  );
  for (const [text, path] of [
    ['nova chave', '/keys/new'],
    ['convidar', '/team#email'],
    ['planilha', '/exports'],
  ] as const)
    expect([text, await search(owner, text)]).toEqual([text, [path]]);
  const seen = await search(support, '');
  expect(seen).toContain('/payments');
  for (const path of seen) expect([path, (await support.get(at(path))).status]).toEqual([path, 200]);
  expect(await search(support, 'novo')).toEqual([]);
  const inProduction = async (user: DashboardUser) =>
    (await user.get(`/dashboard/${app.storeId}/prod/search?q=nova+chave`)).html.includes('/keys/new"');
  expect([await inProduction(owner), await inProduction(developer)]).toEqual([true, false]);
  expect(await search(developer, 'nova chave')).toEqual(['/keys/new']);
});

it('closes the palette when it opens a part of the same page', async () => {
  const { page, home } = await openTab(browser, app, 'owner', SCREENS[0]);
  await page.goto(`${home}/team`);
  await page.keyboard.press('Control+k');
  const dialog = page.getByRole('dialog', { name: 'Busca' });
  await page.keyboard.type('convidar');
  await dialog.getByRole('link', { name: 'Convidar uma pessoa' }).click();
  await dialog.waitFor({ state: 'hidden' });
  expect(page.url()).toBe(`${app.api.url}${at('/team#email')}`);
});

it.each(SCREENS)('opens what was found by keyboard on a screen of $width pixels', async (screen) => {
  const { id } = await buildProduct(app.api, { name: `Xícara ${screen.width}` });
  const { page, home, complaints } = await openTab(browser, app, 'owner', screen);
  await page.keyboard.press('Control+k');
  const dialog = page.getByRole('dialog', { name: 'Busca' });
  await dialog.getByRole('link', { name: 'Produtos' }).waitFor();
  expect(await faultsOf(page, screen)).toEqual([]);
  await page.keyboard.type(`xícara ${screen.width}`);
  await dialog.getByRole('link', { name: `Xícara ${screen.width}` }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL(`${home}/products/${id}`);
  await page.keyboard.press('Meta+k');
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  expect(complaints).toEqual([]);
});
