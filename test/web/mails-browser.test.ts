import { expect, it } from '@jest/globals';
import { renderMail } from '../../src/web/frame/mail-layout.ts';
import { launchBrowser } from '../support/web/browser.ts';

const LONG = 'umapalavrasemespacoquenaocabeemnenhumalinhadeumtelefoneestreito';

it('fits the longest words into the narrowest phone', async () => {
  const { html } = renderMail({
    locale: 'pt-BR',
    store: { name: LONG, logoFile: null, accentColor: null },
    heading: LONG,
    amount: 'R$ 1.234.567,89',
    lines: [LONG],
    facts: [[LONG, LONG]],
    links: [
      { text: LONG, url: 'https://pay.example.com' },
      { text: LONG, url: 'https://pay.example.com' },
    ],
    notes: [`${LONG}@example.com`],
  });
  const browser = await launchBrowser();
  const page = await browser.newPage({ viewport: { width: 320, height: 600 } });
  await page.setContent(html);
  const width = await page.evaluate('document.documentElement.scrollWidth');
  await browser.close();
  expect(width).toBe(320);
});
