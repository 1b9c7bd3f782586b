import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { createKey } from '../../../src/api/keys/api-keys.ts';
import { PERMISSIONS } from '../../../src/domain/permission.ts';
import { ROLES } from '../../../src/domain/role.ts';
import { NAVIGATION, type NavigationEntry } from '../../../src/web/dashboard/frame/navigation.ts';
import { createTestApp, type TestApp } from '../../support/api/app.ts';
import { signedIn } from '../../support/dashboard/dashboard-user.ts';
import { faultsOf, openTab, SCREENS } from '../../support/dashboard/tab.ts';
import { buildWebhook, insertDelivery, insertWebhook } from '../../support/rows/build.ts';
import { axeViolations } from '../../support/web/axe.ts';
import { launchBrowser } from '../../support/web/browser.ts';

let app: TestApp;
let browser: Browser;
let limitedKey: string;
beforeAll(async () => {
  [app, browser] = await Promise.all([
    createTestApp({ starter: { startSoon: () => undefined } }),
    launchBrowser(),
  ]);
  await buildWebhook(app.api, { endpoint: 'https://example.com/hooks' });
  await app.api.post('/v2/transparents/create', { method: 'PIX', data: { amount: 2500 } });
  const webhook = await insertWebhook(app.database, { storeId: app.storeId });
  for (let count = 0; count < 3; count++) await insertDelivery(app.database, webhook);
  const limits = {
    description: 'Contabilidade',
    permissions: PERMISSIONS,
    readOnly: true,
    expiresAt: new Date(Date.now() + 86_400_000),
    allowedNetworks: ['192.0.2.0/24', '2001:db8:1234:5678::/64'],
  };
  const owner = { storeId: app.storeId, devMode: true };
  const { key } = await createKey(app.database.em.fork(), { ...owner, ...limits }, new Date());
  limitedKey = key.id;
  for (const role of ROLES) await signedIn({ url: app.api.url, database: app.database }, app.storeId, role);
});
afterAll(async () => {
  await browser.close();
  await app.close();
});

const at = (path: string, environment = 'dev') =>
  `${app.api.url}/dashboard/${app.storeId}/${environment}${path}`;

describe.each(SCREENS)('on a screen of $width pixels in the $colorScheme theme', (screen) => {
  it('passes axe-core on every page, without sideways scroll or policy violations', async () => {
    const { page, complaints } = await openTab(browser, app, 'owner', screen);
    await page.goto(at('/webhooks'));
    const webhook = await page.locator('td a').first().getAttribute('href');
    const entries = (NAVIGATION as readonly (readonly NavigationEntry[])[]).flat();
    const paths = [...entries.map(({ path }) => path), '/keys/new', '/webhooks/new', '/account'].map((path) =>
      at(path === '/' ? '' : path),
    );
    const wrong: string[] = [];
    for (const url of [
      ...paths,
      app.api.url + webhook,
      at(`/keys/${limitedKey}/limits`),
      at('/keys/new', 'prod'),
      at('/nowhere'),
    ]) {
      await page.goto(url);
      wrong.push(...(await faultsOf(page, screen)));
    }
    await page.context().clearCookies();
    await page.goto(at('/keys'));
    expect(await page.title()).toContain('Entrar');
    for (const violation of await axeViolations(page)) wrong.push(`sign-in: ${violation}`);
    expect(wrong).toEqual([]);
    // The browser logs the 404 of the missing page, and the scripts that previews are not allowed to run.
    const isExpected = (text: string) =>
      text.includes('404') || /^Blocked script execution in '[^']*\/settings\/preview\?/.test(text);
    expect(complaints.filter((text) => !isExpected(text))).toEqual([]);
  });
});

describe('without a mouse', () => {
  it('creates and copies a key by keyboard, and shows its environment in words', async () => {
    const { page } = await openTab(browser, app, 'developer', SCREENS[0]);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(at('/keys/new'));
    await page.keyboard.press('Tab');
    // The first tab stop skips the menu.
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Ir para o conteúdo');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Loja virtual');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#key');
    const keyText = await page.locator('#key').textContent();
    await page.getByRole('button', { name: 'Copiar' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Copiado' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(keyText);
    const barOf = (environment: string) =>
      page.goto(at('/webhooks', environment)).then(async () => ({
        text: await page.locator('.bar__env').textContent(),
        color: await page.evaluate('getComputedStyle(document.querySelector(".bar__env")).backgroundColor'),
      }));
    const [test, production] = [await barOf('dev'), await barOf('prod')];
    expect([test.text, production.text]).toEqual([
      expect.stringContaining('TESTE'),
      expect.stringContaining('PRODUÇÃO'),
    ]);
    expect(test.color).not.toBe(production.color);
  });

  it.each([
    ['support', ['Webhooks', 'Eventos'], ['Chaves de API', 'Equipe']],
    ['finance', ['Webhooks'], ['Banco de teste', 'Auditoria']],
    ['viewer', ['Pagamentos', 'Extrato'], ['Chaves de API', 'Banco de teste', 'Loja', 'Equipe', 'Auditoria']],
  ] as const)('shows the role %s only permitted entries in the menu', async (role, shown, hidden) => {
    const { page } = await openTab(browser, app, role, SCREENS[0]);
    const names = await page.locator('.side__nav a').allTextContents();
    expect(names).toEqual(expect.arrayContaining([...shown]));
    for (const name of hidden) expect(names).not.toContain(name);
  });
});
