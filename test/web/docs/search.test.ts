import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { createTestApp, type TestApp } from '../../support/api/app.ts';
import { eventually } from '../../support/waiting/eventually.ts';
import { axeViolations } from '../../support/web/axe.ts';
import { launchBrowser } from '../../support/web/browser.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

async function search(query: string, lang = 'en', more = ''): Promise<string> {
  const asked = new URLSearchParams({ q: query, lang });
  return (await app.api.get(`/docs/search?${asked}${more}`, { key: null })).text;
}

const addressesIn = (text: string) =>
  [...text.matchAll(/<li><a href="([^"]+)"/g)].map(([, address = '']) => address);

describe('the search of the documentation', () => {
  it.each([
    ['webhook signature', 'en', '/docs/guides/webhooks#signatures'],
    ['webook signture', 'en', '/docs/guides/webhooks#signatures'],
    [
      'transparents/create',
      'en',
      '/docs/reference/transparents#create-a-pix-charge-a-boleto-or-a-card-charge',
    ],
    ['cobranca', 'pt-BR', '/docs/pt/guides/charges#uma-cobrança-pix'],
    ['clock advance', 'en', '/docs/guides/testing-with-the-clock'],
  ])('finds %s (%s)', async (query, language, address) => {
    expect(
      addressesIn(await search(query, language))
        .slice(0, 10)
        .map(decodeURI),
    ).toContainEqual(expect.stringContaining(address));
  });

  it('links to parts that exist, of pages in the language of the reader', async () => {
    const addresses = addressesIn(await search('refund'));
    expect(addresses.length).toBeGreaterThan(5);
    for (const address of addresses) {
      const { pathname, hash } = new URL(address, app.api.url);
      const { text } = await app.api.get(pathname, { key: null });
      expect(pathname).not.toContain('/pt/');
      expect(text).toContain(hash === '' ? '<h1' : `id="${decodeURIComponent(hash.slice(1))}"`);
    }
  });

  it('marks the words that matched, also with other accents', async () => {
    expect(await search('cobranca', 'pt-BR')).toContain('<mark>cobrança</mark>');
  });

  it('leaves the link to the translation out of the excerpts', async () => {
    const text = await search('Pix Automático authorizes debits');
    expect(text).toContain('<span class="results__text">With <mark>Pix</mark>');
    expect(text).not.toContain('>Português <');
    expect(text).not.toMatch(/results__text">(?:<mark>)?Português/);
  });

  it('shows a query as text and says that nothing was found', async () => {
    const text = await search('<b>zzzzqqqq</b>');
    expect(text).not.toContain('<b>zzzz');
    expect(text).toContain('Nothing found for “&lt;b&gt;zzzzqqqq&lt;/b&gt;”');
    expect(text).toContain('<a href="/docs/guides/README">All guides</a>');
  });

  it('cuts a query after 100 characters', async () => {
    const text = await search(`${'x'.repeat(100)} refund`);
    expect(text).toContain(`value="${'x'.repeat(100)}"`);
    expect(addressesIn(text)).toEqual([]);
  });

  it('sends only the results to the script', async () => {
    const text = await search('refund', 'en', '&part=results');
    expect(text).not.toContain('<html');
    expect(addressesIn(text).length).toBeGreaterThan(5);
  });
});

describe('the search field', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  it('opens with a slash, shows results while typing, and follows one by keyboard', async () => {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.goto(`${app.api.url}/docs/guides/charges`);
    await page.keyboard.press('/');
    await page.keyboard.type('webhook signature');
    await page.locator('.search__results mark').first().waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => !url.pathname.endsWith('/guides/charges'));
    expect(new URL(page.url()).pathname).toMatch(/^\/docs\/(?:guides|reference)\//);
    await page.close();
  });

  it('keeps its results while searches are refused, and tries again by itself', async () => {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.clock.install();
    await page.goto(`${app.api.url}/docs/guides/charges`);
    const [input, results] = [page.getByRole('searchbox'), page.locator('.search__results')];
    await input.fill('webhook signature');
    await results.locator('mark').first().waitFor();
    const before = await results.innerHTML();
    await page.route('**/docs/search?**', (route) =>
      route.fulfill({ status: 429, headers: { 'Retry-After': '60' } }),
    );
    const refused = page.waitForResponse((response) => response.status() === 429);
    await input.fill('refund');
    await refused;
    expect(await results.innerHTML()).toBe(before);
    await page.unroute('**/docs/search?**');
    await eventually(async () => {
      await page.clock.fastForward(60_000);
      expect(await results.locator('mark', { hasText: /refund/i }).count()).toBeGreaterThan(0);
    });
    await page.close();
  });

  it('works without a script on a phone', async () => {
    const context = await browser.newContext({
      javaScriptEnabled: false,
      viewport: { width: 390, height: 844 },
    });
    const page = await context.newPage();
    await page.goto(`${app.api.url}/docs/pt/guides/charges`);
    await page.locator('.top__search').click();
    await page.getByRole('searchbox').fill('estorno parcial');
    await page.keyboard.press('Enter');
    await page.locator('.results a').first().click();
    expect(page.url()).toContain('/docs/pt/guides/amounts-and-time');
    await context.close();
  });
});
