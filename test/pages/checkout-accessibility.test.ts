import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AxeResults } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { createTestApp, type TestApp } from '../support/api/app.ts';
import { openScene } from '../support/lives/open-scene.ts';
import { launchBrowser } from '../support/pages/browser.ts';
import { CHECKOUT_SCENES, type CheckoutScene } from '../support/pages/checkout-states.ts';
import { SUBSCRIBER_SCENES } from '../support/pages/subscriber-states.ts';
import { NOON } from '../support/rows/checkout-rows.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Of a common phone and a common laptop. */
const WIDTHS = [390, 1280];
const SCENES = { ...CHECKOUT_SCENES, ...SUBSCRIBER_SCENES };

let app: TestApp;
let browser: Browser;
beforeAll(async () => {
  app = await createTestApp({ clock: () => NOON, starter: { startSoon: () => undefined } });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await app.close();
});

/** What axe-core finds wrong, in words that lead to it. */
async function violations(page: Page): Promise<string[]> {
  // Evaluated by the debugger, to which the page's policy against foreign scripts does not apply.
  await page.evaluate(AXE);
  const found = await page.evaluate<AxeResults>('axe.run(document, { resultTypes: ["violations"] })');
  return found.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

async function sceneOf(name: string): Promise<CheckoutScene> {
  const make = Object.entries(SCENES).find(([known]) => known === name)?.[1];
  if (make === undefined) throw new Error(`there is no scene "${name}"`);
  return make(app);
}

async function opened<Result>(scene: CheckoutScene, width: number, look: (page: Page) => Promise<Result>) {
  const page = await browser.newPage({ viewport: { width, height: 800 } });
  try {
    await openScene(page, app.api.url, scene);
    return await look(page);
  } finally {
    await page.close();
  }
}

describe.each(Object.keys(SCENES))('the page of "%s"', (name) => {
  it.each(WIDTHS)(
    'has nothing that axe-core finds wrong at %d pixels, nor scrolls sideways',
    async (width) => {
      const scene = await sceneOf(name);
      const found = await opened(scene, width, async (page) => ({
        violations: await violations(page),
        scrollWidth: await page.evaluate('document.documentElement.scrollWidth'),
      }));
      expect(found).toEqual({ violations: [], scrollWidth: width });
    },
  );
});

describe('the accessibility check', () => {
  it('finds an input without a label', async () => {
    const scene = await sceneOf('open, card chosen');
    const found = await opened(scene, 1280, async (page) => {
      await page.evaluate(`document.querySelector('label[for="cardHolder"]').remove()`);
      return violations(page);
    });
    expect(found.join()).toContain('label');
  });
});
