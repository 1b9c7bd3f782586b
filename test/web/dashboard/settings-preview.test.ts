import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { AuditLineEntity } from '../../../src/database/entities/audit-line.ts';
import { CheckoutEntity } from '../../../src/database/entities/checkout.ts';
import { StoreEntity } from '../../../src/database/entities/store.ts';
import { createTestApp, type TestApp } from '../../support/api/app.ts';
import { type DashboardUser, signedIn } from '../../support/dashboard/dashboard-user.ts';
import { faultsOf, openTab, SCREENS } from '../../support/dashboard/tab.ts';
import { launchBrowser } from '../../support/web/browser.ts';

let app: TestApp;
let browser: Browser;
let owner: DashboardUser;
let viewer: DashboardUser;
beforeAll(async () => {
  [app, browser] = await Promise.all([createTestApp(), launchBrowser()]);
  const shop = { url: app.api.url, database: app.database };
  owner = await signedIn(shop, app.storeId, 'owner');
  viewer = await signedIn(shop, app.storeId, 'viewer');
});
afterAll(async () => {
  await browser.close();
  await app.close();
});

const settings = () => `/dashboard/${app.storeId}/dev/settings`;
const preview = (page: 'checkout' | 'boleto') => `${settings()}/preview?page=${page}`;
const stored = () => app.database.em.fork().findOneOrFail(StoreEntity, { id: app.storeId });

/** Sends the page's form to the preview, as its button does. */
async function typed(page: 'checkout' | 'boleto', fields: Record<string, string>) {
  const { html } = await owner.get(settings());
  const [, hidden = ''] = /id="store-profile"([\s\S]*?)<div/.exec(html) ?? [];
  const own = [...hidden.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]);
  return owner.post(preview(page), { ...Object.fromEntries(own), ...fields });
}

it.each(['checkout', 'boleto'] as const)(
  'renders the %s with sample data and the typed profile',
  async (page) => {
    const before = await stored();
    expect((await owner.get(preview(page))).text).toContain(before.name);
    const answer = await typed(page, { name: 'Nome <novo>', city: 'Recife', accentColor: '#aa0033' });
    expect(answer.status).toBe(200);
    expect(answer.html).toContain('Nome &lt;novo&gt;');
    expect(answer.html).toContain('/assets/accent-aa0033.');
    expect(answer.text).toContain('Produto de exemplo');
  },
);

it('stores nothing, and records nothing in the audit log', async () => {
  const em = app.database.em.fork();
  const count = () => Promise.all([em.count(CheckoutEntity), em.count(AuditLineEntity)]);
  const [before, counts] = [await stored(), await count()];
  await typed('checkout', { name: 'Outra loja', city: 'Natal', accentColor: '#123456' });
  expect(await stored()).toEqual(before);
  expect(await count()).toEqual(counts);
});

it('keeps the stored value of an invalid field and applies the others', async () => {
  const { id } = await stored();
  await app.database.em.fork().nativeUpdate(StoreEntity, { id }, { accentColor: '#0055aa' });
  const answer = await typed('checkout', { name: 'Loja Nova', city: '', accentColor: '#12' });
  expect(answer.html).toContain('/assets/accent-0055aa.');
  expect(answer.text).toContain('Loja Nova');
});

it('allows frames of this origin only, without scripts or forms', async () => {
  const { headers } = await owner.get(preview('boleto'));
  const policy = headers.get('content-security-policy');
  for (const part of ["frame-ancestors 'self'", 'sandbox allow-same-origin', "form-action 'none'"])
    expect(policy).toContain(part);
  expect(policy).not.toMatch(/script-src|allow-scripts|allow-forms/);
  expect(headers.get('x-frame-options')).toBe('SAMEORIGIN');
  const page = await owner.get(settings());
  expect(page.headers.get('content-security-policy')).toContain("frame-src 'self'");
  expect(page.headers.get('x-frame-options')).toBe('DENY');
});

it('refuses other roles, and forms without the token of the session', async () => {
  expect((await viewer.get(preview('checkout'))).status).toBe(403);
  expect((await owner.post(preview('checkout'), { submission: 'x', name: 'Loja' })).status).toBe(403);
});

it.each(SCREENS)('shows a typed colour at $width pixels, and keeps the last valid one', async (screen) => {
  const before = await stored();
  const { page, home } = await openTab(browser, app, 'owner', screen);
  await page.goto(`${home}/settings`);
  const frame = page.frameLocator('iframe[name=preview-checkout]');
  await page.fill('#accentColor', '#aa0033');
  await frame.locator('link[href*="accent-aa0033"]').waitFor({ state: 'attached' });
  await page.fill('#accentColor', '#aa');
  await page.fill('#name', 'Nome digitado');
  await frame.getByText('Nome digitado').first().waitFor();
  expect(await frame.locator('link[href*="accent-aa0033"]').count()).toBe(1);
  expect(await faultsOf(page, screen)).toEqual([]);
  expect(await stored()).toEqual(before);
});
