import { readdirSync, readFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { fontAsset, pageAssets } from '../../src/web/frame/asset-files.ts';
import { cardFrameScript, cardReturnScript, recebeScript } from '../../src/web/frame/assets.ts';
import { ICONS, iconSprite } from '../../src/web/frame/icons.ts';
import { createTestApp, type TestApp } from '../support/api/app.ts';
import { launchBrowser } from '../support/web/browser.ts';

const WEB = new URL('../../src/web/', import.meta.url);

function sources(): string {
  const files = readdirSync(WEB, { recursive: true, encoding: 'utf8' });
  const own = files.filter((file) => file.endsWith('.ts') && !file.endsWith('icons.ts'));
  return own.map((file) => readFileSync(new URL(file.replaceAll('\\', '/'), WEB), 'utf8')).join('');
}

describe('icons', () => {
  it('contains exactly the listed icons', () => {
    const drawn = [...iconSprite.body.toString().matchAll(/<symbol id="([\w-]+)"/g)].map(([, id]) => id);
    expect(drawn).toEqual([...ICONS]);
  });

  it('contains no icon that no page uses', () => {
    const all = sources();
    expect(ICONS.filter((name) => !all.includes(`'${name}'`))).toEqual([]);
  });
});

describe('the font', () => {
  let app: TestApp;
  let browser: Browser;
  beforeAll(async () => {
    [app, browser] = await Promise.all([createTestApp(), launchBrowser()]);
  });
  afterAll(async () => {
    await browser.close();
    await app.close();
  });

  it.each(['/dashboard/sign-in', '/docs/guides/README', '/pay/none'])(
    'loads Inter on %s from this service, without CSP errors or layout shifts',
    async (path) => {
      const page = await browser.newPage();
      const complaints: string[] = [];
      page.on('console', (message) => {
        if (message.text().includes('Content Security Policy')) complaints.push(message.text());
      });
      await page.goto(app.api.url + path, { waitUntil: 'networkidle' });
      expect(await page.evaluate(`document.fonts.check('16px "Inter Variable"')`)).toBe(true);
      const [afterLoad, inAll] = (await page.evaluate(`new Promise((done) => {
        const parsedAt = performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd;
        const sumOf = (entries) => entries.reduce((sum, { value }) => sum + value, 0);
        const observer = new PerformanceObserver((list) => {
          const entries = list.getEntries();
          done([sumOf(entries.filter(({ startTime }) => startTime > parsedAt)), sumOf(entries)]);
        });
        observer.observe({ type: 'layout-shift', buffered: true });
        requestAnimationFrame(() => requestAnimationFrame(() => done([0, 0])));
      })`)) as [number, number];
      expect([complaints, afterLoad]).toEqual([[], 0]);
      // While a busy browser still reads a long page, it paints parts of it, whose table columns may move.
      expect(inAll).toBeLessThan(0.01);
      await page.close();
    },
  );

  it('leaves half of the 100 kB of a first load to everything else', () => {
    expect(fontAsset.body.length).toBeLessThan(50_000);
    const ofShops = [recebeScript, cardFrameScript, cardReturnScript].map(({ body }) => body);
    const texts = [...pageAssets.values()].filter(
      ({ contentType, body }) => !contentType.startsWith('font/') && !ofShops.includes(body),
    );
    const bytes = texts.reduce((sum, { body }) => sum + brotliCompressSync(body).length, 0);
    expect(bytes).toBeLessThan(40_000);
  });
});
