import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { request } from 'undici';
import { FORM_RULES, RULES } from '../../../src/api/frame/rules.ts';
import type { ApiAnswer } from '../../support/api/api-client.ts';
import { createTestApp, type TestApp } from '../../support/api/app.ts';
import { type OpenApi, operationsOf, readOpenApi } from '../../support/api/openapi.ts';
import { eventually } from '../../support/waiting/eventually.ts';
import { axeViolations } from '../../support/web/axe.ts';
import { launchBrowser } from '../../support/web/browser.ts';

let app: TestApp;
let document: OpenApi;
beforeAll(async () => {
  app = await createTestApp();
  document = await readOpenApi(app.api);
});
afterAll(() => app.close());

const read = (path: string): Promise<ApiAnswer> => app.api.get(path, { key: null });

/** Every page, found as a reader finds it: by the links of those that are known. */
async function pages(): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const toRead = ['/docs/guides/README'];
  for (const path of toRead) {
    if (found.has(path)) continue;
    const { status, text } = await read(path);
    expect([path, status]).toEqual([path, 200]);
    found.set(path, text);
    toRead.push(...linksOf(path, text).map(({ pathname }) => pathname));
  }
  return found;
}

/** Links that stay within the documentation. */
function linksOf(path: string, text: string): URL[] {
  return [...text.matchAll(/href="([^"]+)"/g)]
    .map(([, href = '']) => new URL(href, `${app.api.url}${path}`))
    .filter(({ origin, pathname }) => origin === app.api.url && /^\/docs\/[^.]*$/.test(pathname));
}

describe('the documentation', () => {
  it('leads from its first page to all others, and every link to a part that is there', async () => {
    const all = await pages();
    expect(all.size).toBeGreaterThan(document.tags.length);
    for (const [path, text] of all) {
      for (const { pathname, hash } of linksOf(path, text)) {
        if (hash === '') continue;
        expect([
          path,
          hash,
          all.get(pathname)?.includes(`id="${decodeURIComponent(hash.slice(1))}"`),
        ]).toEqual([path, hash, true]);
      }
    }
  });

  it('documents every operation, event and error of the API', async () => {
    const all = [...(await pages()).values()].join('');
    for (const [method, path] of operationsOf(document))
      expect(all).toContain(`<code>${method.toUpperCase()} ${path}</code>`);
    for (const event of Object.keys(document.webhooks)) expect(all).toContain(`>${event}</h2>`);
    const { text: errors } = await read('/docs/reference/errors.md');
    for (const rule of [...Object.keys(RULES), ...Object.keys(FORM_RULES)])
      expect(errors).toContain(`\`${rule}\``);
    for (const [, , { responses }] of operationsOf(document)) {
      for (const { content } of Object.values(responses)) {
        for (const code of Object.keys(content?.['application/json']?.examples ?? {}))
          expect(errors).toContain(`\`${code}\``);
      }
    }
  });

  it('serves guides in Portuguese and English that link to each other', async () => {
    const { text } = await read('/docs/pt/guides/charges');
    expect(text).toContain('<html lang="pt-BR">');
    expect(text).toContain('hreflang="en" href="/docs/guides/charges"');
    expect(text).toContain('<a class="logo" href="/docs/pt/guides/README">');
    const { text: english } = await read('/docs/guides/charges');
    expect(english).toContain('<html lang="en">');
    expect(english).toContain('hreflang="pt-BR" href="/docs/pt/guides/charges"');
  });

  it('names the other language once on each page, also where the document does', async () => {
    const { text } = await read('/docs/guides/README');
    expect(text.match(/>Português</g)).toHaveLength(1);
    const { text: portuguese } = await read('/docs/pt/guides/README');
    expect(portuguese.match(/>English</g)).toHaveLength(1);
    expect((await read('/docs/guides/README.md')).text).toContain('*[Português](');
  });

  it.each([
    ['', {}, 'guides/README'],
    ['', { 'accept-language': 'pt-BR,pt;q=0.9,en;q=0.8' }, 'pt/guides/README'],
    ['', { 'accept-language': 'pt' }, 'pt/guides/README'],
    ['', { 'accept-language': 'es,fr;q=0.5' }, 'guides/README'],
    ['', { 'accept-language': 'pt-BR', cookie: 'recebe_lang=en' }, 'guides/README'],
    ['', { 'accept-language': 'en', cookie: 'recebe_lang=pt-BR' }, 'pt/guides/README'],
    ['?lang=pt-BR', { 'accept-language': 'en', cookie: 'recebe_lang=en' }, 'pt/guides/README'],
  ])('opens /docs%s with %j at %s', async (query, headers, path) => {
    const response = await request(`${app.api.url}/docs${query}`, { headers });
    await response.body.dump();
    expect(response.statusCode).toBe(302);
    expect(response.headers.location).toBe(`/docs/${path}`);
    expect(response.headers.vary).toMatch(/Accept-Language.*Cookie/);
  });

  it('remembers the language that the header of a page chooses', async () => {
    const { text } = await read('/docs/guides/charges');
    const [, link = ''] = /<a href="([^"]+)" hreflang="pt-BR"/.exec(text) ?? [];
    const chosen = await request(app.api.url + link);
    expect(await chosen.body.text()).toContain('<html lang="pt-BR">');
    expect(chosen.headers['cache-control']).toBe('no-store');
    const cookie = String(chosen.headers['set-cookie']).split(';')[0] ?? '';
    const { headers, body } = await request(`${app.api.url}/docs`, { headers: { cookie } });
    await body.dump();
    expect(headers.location).toBe('/docs/pt/guides/README');
    const plain = await read('/docs/pt/guides/charges');
    expect(plain.headers.get('Set-Cookie')).toBeNull();
  });

  it('serves Markdown to programs and lists every page in llms.txt', async () => {
    const { text } = await read('/llms.txt');
    const addresses = [...text.matchAll(/\((http[^)]+\.md)\)/g)].map(([, address = '']) => new URL(address));
    expect(addresses.length).toBeGreaterThan(document.tags.length);
    for (const { pathname } of addresses) {
      const { status, headers, text: page } = await read(pathname);
      expect([pathname, status, headers.get('Content-Type')]).toEqual([
        pathname,
        200,
        'text/markdown; charset=utf-8',
      ]);
      expect(page).toMatch(/^# /m);
    }
  });

  it('runs nothing and shows nothing from elsewhere', async () => {
    const { headers } = await read('/docs/reference/transparents');
    expect(headers.get('Content-Security-Policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    );
  });

  it.each(['/docs/nowhere', '/docs/../package', '/docs/%2e%2e/package.md'])(
    'returns 404 for %s',
    async (path) => {
      const { statusCode } = await request(`${app.api.url}${path}`);
      expect(statusCode).toBe(404);
    },
  );

  it('offers the search, the guides and the nearest parts at an address without a page', async () => {
    const wrong = (await app.api.get('/docs/pt/guides/webhook-assinaturas', { key: null })).text;
    expect(wrong).toContain('<h1>Esta página não existe</h1>');
    expect(wrong).toContain('action="/docs/search"');
    expect(wrong).toContain('href="/docs/pt/guides/README">Todos os guias');
    expect(wrong).toMatch(/<ol class="results"><li><a href="\/docs\/pt\/guides\/webhooks/);
    const nothing = (await app.api.get('/docs/zzzzqqqq', { key: null })).text;
    expect(nothing).toContain('<h1>This page does not exist</h1>');
    expect(nothing).not.toContain('class="results"');
  });

  it('passes axe-core on a phone and a desktop in both colour schemes', async () => {
    const browser = await launchBrowser();
    try {
      for (const colorScheme of ['light', 'dark'] as const) {
        for (const width of [390, 1280]) {
          const page = await browser.newPage({ colorScheme, viewport: { width, height: 800 } });
          await page.goto(`${app.api.url}/docs/reference/coupons`);
          const violations = await axeViolations(page);
          expect({ colorScheme, width, violations }).toEqual({ colorScheme, width, violations: [] });
          expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
          await page.close();
        }
      }
    } finally {
      await browser.close();
    }
  });
});

it('fits tables into phones and keeps them tables for screen readers', async () => {
  const browser = await launchBrowser();
  for (const width of [320, 390]) {
    const page = await browser.newPage({ viewport: { width, height: 800 } });
    for (const path of ['guides/test-data', 'guides/providers', 'performance', 'reference/transparents']) {
      await page.goto(`${app.api.url}/docs/${path}`);
      const boxes = page.locator('.wide');
      const widths = await boxes.evaluateAll((each) => each.map((box) => box.scrollWidth - box.clientWidth));
      expect(widths.length).toBeGreaterThan(0);
      expect([path, width, Math.max(...widths)]).toEqual([path, width, 0]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      expect(await page.getByRole('columnheader').count()).toBeGreaterThan(1);
    }
    await page.close();
  }
  await browser.close();
});

describe('a page of the documentation', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  it('opens the list of pages on a phone without a script', async () => {
    const context = await browser.newContext({
      javaScriptEnabled: false,
      viewport: { width: 390, height: 800 },
    });
    const page = await context.newPage();
    await page.goto(`${app.api.url}/docs/guides/charges`);
    expect(await page.locator('.nav').isVisible()).toBe(false);
    await page.locator('.top__menu-label').click();
    await page.locator('.nav').getByRole('link', { name: 'Webhooks', exact: true }).click();
    expect(page.url()).toBe(`${app.api.url}/docs/guides/webhooks`);
    await context.close();
  });

  it.each([true, false])(
    'shows its place in the list of pages, with script: %s',
    async (javaScriptEnabled) => {
      const context = await browser.newContext({ javaScriptEnabled, viewport: { width: 1440, height: 900 } });
      const page = await context.newPage();
      for (const path of ['reference/webhooks', 'reference/saved-cards', 'guides/charges', 'architecture']) {
        await page.goto(`${app.api.url}/docs/${path}`);
        const place = await page.locator('.nav [aria-current]').boundingBox();
        expect([path, (place?.y ?? 900) < 900, (place?.y ?? 0) > 0]).toEqual([path, true, true]);
      }
      if (javaScriptEnabled) {
        await page.goto(`${app.api.url}/docs/reference/errors`);
        expect((await page.locator('.nav [aria-current]').boundingBox())?.y).toBeLessThan(900);
      }
      await context.close();
    },
  );

  it('titles pages of the reference with words and a capital', async () => {
    const { text } = await read('/docs/reference/payment-links');
    expect(text).toContain('<title>Payment links · Recebe</title>');
    expect(text).toMatch(/<h1[^>]*>Payment links/);
    expect(text).toContain('aria-current="page">Payment links</a>');
  });

  it('copies code, and links to the pages before and after it', async () => {
    const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
    const page = await context.newPage();
    await page.goto(`${app.api.url}/docs/guides/charges`);
    const code = await page.locator('pre code').first().textContent();
    await page.getByRole('button', { name: 'Copy' }).first().click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(code);
    const turns = page.locator('.turn a');
    const targets = await turns.evaluateAll((links) => links.map((each) => each.getAttribute('href')));
    expect(targets).toEqual(['/docs/guides/quick-start', '/docs/guides/cards']);
    await context.close();
  });
});

it('names the address of the service in the examples of guides', async () => {
  for (const path of ['/docs/guides/charges.md', '/docs/pt/guides/charges.md']) {
    const { text } = await read(path);
    expect(text).toContain(`${app.api.url}/receipt/`);
    expect(text).not.toContain('http://localhost:3000');
  }
});

it('colours code with classes and no style attribute', async () => {
  for (const path of ['/docs/guides/quick-start', '/docs/reference/coupons']) {
    await eventually(async () => {
      const { text } = await read(path);
      expect(text).toContain('<span class="k">');
      expect(text).not.toContain('style=');
    });
  }
});

describe('an answer', () => {
  const encodingOf = async (path: string, accepted: string) =>
    (await request(`${app.api.url}${path}`, { headers: { 'Accept-Encoding': accepted } })).headers[
      'content-encoding'
    ];

  it.each(['br', 'gzip'])('compresses with %s if the client accepts it', async (encoding) => {
    const { statusCode, headers, body } = await request(`${app.api.url}/docs/guides/README`, {
      headers: { 'Accept-Encoding': encoding },
    });
    expect([statusCode, headers['content-encoding'], headers.vary]).toEqual([
      200,
      encoding,
      'Accept-Encoding',
    ]);
    await body.dump();
  });

  it('sends small or unaccepted content uncompressed', async () => {
    expect(await encodingOf('/openapi.json', 'identity')).toBeUndefined();
    expect(await encodingOf('/healthz', 'br')).toBeUndefined();
  });
});
