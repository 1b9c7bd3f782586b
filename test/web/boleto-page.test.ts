import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import jsqr from 'jsqr';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { digitableLine, formatDigitableLine } from '../../src/domain/boleto.ts';
import type { ChargeStatus } from '../../src/domain/charge.ts';
import { civilDate } from '../../src/domain/civil-date.ts';
import { type BoletoPageView, renderBoletoPage } from '../../src/web/boleto/boleto-page.ts';
import { dashboardHeaders } from '../../src/web/dashboard/frame/security-headers.ts';
import { pageAssets } from '../../src/web/frame/asset-files.ts';
import { PAY_PAGE_HEADERS, pageSecurityHeaders } from '../../src/web/frame/security-headers.ts';
import { BOLETO_TERMS, buildBoletoPageView } from '../support/web/boleto-page-view.ts';
import { launchBrowser, stopClock } from '../support/web/browser.ts';
import { readInterleaved2of5 } from '../support/web/interleaved-2-of-5.ts';

const MILLIMETRES_PER_INCH = 25.4;
const CSS_PIXELS_PER_INCH = 96;
const DESKTOP = { width: 1280, height: 900 };
const PHONE = { width: 390, height: 844 };
const LATE_DAY = civilDate('2026-11-22');
const LONG_NAME = 'Associação dos Moradores e Amigos do Bairro Jardim das Palmeiras '.repeat(4).trim();

let view: BoletoPageView;
let server: Server;
let url: string;
let browser: Browser;
let context: BrowserContext;
let page: Page;
/** What the browser complained about: blocked by the policy, missing files, errors in scripts. */
let complaints: string[];

beforeAll(async () => {
  browser = await launchBrowser();
  server = createServer((request, response) => {
    const asset = pageAssets.get(request.url ?? '');
    if (asset) return response.writeHead(200, { 'Content-Type': asset.contentType }).end(asset.body);
    if (request.url !== '/') return response.writeHead(404).end();
    response.writeHead(200, {
      'Content-Type': 'text/html; charset=utf-8',
      ...pageSecurityHeaders({ https: false }),
    });
    return response.end(renderBoletoPage(view));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});

afterAll(async () => {
  await browser.close();
  await new Promise((resolve) => server.close(resolve));
});

beforeEach(async () => {
  context = await browser.newContext({
    viewport: DESKTOP,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  page = await context.newPage();
  complaints = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('requestfailed', (request) => complaints.push(request.url()));
});

afterEach(async () => {
  await context.close();
  expect(complaints).toEqual([]);
});

async function open(overrides?: Parameters<typeof buildBoletoPageView>[0]): Promise<void> {
  view = buildBoletoPageView(overrides);
  await page.goto(url);
}

async function pagesInPrint(): Promise<number> {
  const pdf = await page.pdf({ preferCSSPageSize: true });
  return pdf.toString('latin1').match(/\/Type\s*\/Page\b(?!s)/g)?.length ?? 0;
}

describe('the codes', () => {
  it.each([1, 3])(
    'shows a bar code that a scanner reads at %d device pixels per pixel',
    async (deviceScaleFactor) => {
      const screen = await browser.newPage({ viewport: DESKTOP, deviceScaleFactor });
      view = buildBoletoPageView();
      await screen.goto(url);
      const png = await screen.getByRole('img', { name: 'Código de barras' }).screenshot();
      await screen.close();
      expect(readInterleaved2of5(png)).toBe(view.barCode44);
    },
  );

  it('prints the bar code at 103 by 13 millimetres', async () => {
    await open();
    await page.emulateMedia({ media: 'print' });
    const size = await page.getByRole('img', { name: 'Código de barras' }).boundingBox();
    const millimetres = (pixels = 0) => (pixels / CSS_PIXELS_PER_INCH) * MILLIMETRES_PER_INCH;
    expect(millimetres(size?.width)).toBeCloseTo(103, 1);
    expect(millimetres(size?.height)).toBeCloseTo(13, 1);
  });

  it.each(['screen', 'print'] as const)('shows a QR code with the PIX code on %s', async (media) => {
    await open({ today: LATE_DAY });
    await page.emulateMedia({ media });
    const qrCode = page.getByRole('img', { name: 'QR Code do Pix' }).filter({ visible: true }).first();
    const { data, width, height } = PNG.sync.read(await qrCode.screenshot());
    expect(jsqr.default(new Uint8ClampedArray(data), width, height)?.data).toBe(view.pix?.brCode);
  });

  it('copies the digitable line and the PIX code by their buttons', async () => {
    await stopClock(page);
    await open();
    const copied = () => page.evaluate('navigator.clipboard.readText()');
    await page.getByRole('button', { name: 'Copiar linha digitável' }).click();
    await page.getByRole('status').filter({ hasText: 'Linha digitável copiada' }).waitFor();
    expect(await copied()).toBe(digitableLine(view.barCode44));
    await page.getByRole('button', { name: 'Copiar código Pix' }).click();
    await page.getByRole('status').filter({ hasText: 'Código Pix copiado' }).waitFor();
    expect(await copied()).toBe(view.pix?.brCode);
  });

  it('shows both codes as text and no buttons without JavaScript', async () => {
    const plain = await browser.newPage({ javaScriptEnabled: false });
    view = buildBoletoPageView();
    await plain.goto(url);
    expect(await plain.locator('#line').innerText()).toBe(formatDigitableLine(digitableLine(view.barCode44)));
    expect(await plain.locator('#pix-code').innerText()).toBe(view.pix?.brCode);
    expect(await plain.getByRole('button').count()).toBe(0);
    await plain.close();
  });

  it('shows only the bar code if the boleto has no PIX', async () => {
    await open({ pix: null });
    expect(await page.getByText('PIX').count()).toBe(0);
    expect(await page.getByRole('img', { name: 'Código de barras' }).isVisible()).toBe(true);
  });
});

describe('on paper', () => {
  it.each<[string, Parameters<typeof buildBoletoPageView>[0]]>([
    ['an ordinary boleto', {}],
    [
      'a late test boleto with the longest names',
      {
        today: LATE_DAY,
        devMode: true,
        merchantName: LONG_NAME,
        payerName: LONG_NAME,
        description: LONG_NAME.repeat(3),
      },
    ],
    ['a paid boleto', { status: 'PAID', paid: { on: civilDate('2026-11-09'), amountCents: 128_990 } }],
  ])('%s is one A4 page', async (_, overrides) => {
    await open(overrides);
    expect(await pagesInPrint()).toBe(1);
  });

  it('prints the receipt and the compensation part without the summary', async () => {
    await open();
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('heading', { level: 2 }).allInnerTexts()).toEqual([
      'Recibo do Pagador',
      'Ficha de Compensação',
    ]);
    expect(await page.locator('.slip__bank-code').allInnerTexts()).toEqual(
      Array(2).fill(expect.stringMatching(/001-9$/)),
    );
  });

  it('keeps the tax id on the page beside a long name', async () => {
    await open({ payerName: LONG_NAME });
    await page.emulateMedia({ media: 'print' });
    const taxId = page.getByText('CPF 123.456.789-09').last();
    const box = await taxId.boundingBox();
    expect(await taxId.evaluate((element) => element.getClientRects().length)).toBe(1);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThan(DESKTOP.width);
  });
});

describe('amount and dates', () => {
  it('shows the amount without additions and the late terms before the due date', async () => {
    await open();
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('R$\u00a01.289,90');
    expect(await page.getByText('terça-feira, 10/11/2026').isVisible()).toBe(true);
    expect(
      await page.getByText('Após 10/11/2026, cobrar multa de 2,00% e juros de 1,00% ao mês').isVisible(),
    ).toBe(true);
    expect(await page.getByRole('table').count()).toBe(0);
  });

  it("shows today's total of a late boleto and how it adds up", async () => {
    await open({ today: LATE_DAY });
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('R$\u00a01.320,86');
    expect(await page.getByRole('row').allInnerTexts()).toEqual([
      'Valor do boleto\tR$\u00a01.289,90',
      'Multa\tR$\u00a025,80',
      'Juros de 12 dias\tR$\u00a05,16',
      'Total hoje\tR$\u00a01.320,86',
    ]);
    const charged = page.locator('.box').filter({ hasText: '(=) Valor Cobrado' });
    expect(await charged.innerText()).toContain('R$\u00a01.320,86');
  });

  it('shows the last day without additions of a boleto due on a Sunday', async () => {
    await open({ terms: { ...BOLETO_TERMS, dueDate: civilDate('2026-11-08') } });
    expect(await page.getByText('pague até segunda-feira, 09/11/2026, sem acréscimos').isVisible()).toBe(
      true,
    );
    expect(await page.getByText('Após 09/11/2026, cobrar').isVisible()).toBe(true);
  });

  it('offers no payment after the due date if there are no late terms', async () => {
    await open({ terms: { ...BOLETO_TERMS, interest: null, fine: null } });
    expect(await page.getByText('Pagável em qualquer banco até o vencimento').isVisible()).toBe(true);
    expect(await page.getByText('Não receber após 10/11/2026.').isVisible()).toBe(true);
  });
});

describe('a boleto that cannot be paid', () => {
  it.each<[ChargeStatus, string, Parameters<typeof buildBoletoPageView>[0]]>([
    ['PAID', 'Pago em 09/11/2026', { paid: { on: civilDate('2026-11-09'), amountCents: 128_990 } }],
    ['EXPIRED', 'Boleto vencido', { today: civilDate('2027-01-10') }],
    ['PENDING', 'Boleto vencido', { today: civilDate('2027-01-10') }],
    ['CANCELLED', 'Boleto cancelado', {}],
    ['UNDER_DISPUTE', 'Pagamento em contestação', {}],
    ['REFUNDED', 'Pagamento devolvido', {}],
    ['FAILED', 'Boleto não registrado', {}],
  ])('%s says "%s" and gives no code away, be it drawn or written', async (status, title, overrides) => {
    await open({ ...overrides, status });
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(title);
    expect(await page.getByRole('img').count()).toBe(0);
    const source = await page.content();
    const line = digitableLine(view.barCode44);
    expect(source).not.toContain(line);
    expect(source).not.toContain(formatDigitableLine(line));
    expect(source).not.toContain(view.barCode44);
    expect(source).not.toContain(view.pix?.brCode);
  });
});

describe('safety', () => {
  it('shows names and descriptions as text and never runs them', async () => {
    const hostile = `"><script>document.title='owned'</script><img src=x onerror="document.title='owned'">'&amp;`;
    await open({ merchantName: hostile, payerName: hostile, description: hostile, documentNumber: hostile });
    expect(await page.locator('.summary__description').innerText()).toBe(hostile);
    expect(await page.title()).toContain(hostile);
    expect(await page.locator('main script, main img').count()).toBe(0);
  });

  it('blocks inline scripts and styles by its policy', async () => {
    await open();
    await page.evaluate(`(() => {
      const script = document.createElement('script');
      script.textContent = 'document.title = "owned"';
      document.body.append(script);
    })()`);
    expect(await page.title()).not.toBe('owned');
    expect(complaints.splice(0)).toEqual([expect.stringContaining('Content Security Policy')]);
    expect(pageSecurityHeaders({ https: true })['Content-Security-Policy']).not.toContain('unsafe');
  });

  it.each([
    ['boletos and receipts', pageSecurityHeaders({ https: true })['Content-Security-Policy']],
    ['checkouts', PAY_PAGE_HEADERS['Content-Security-Policy']],
    ['the dashboard', dashboardHeaders('https://pay.example.com')['Content-Security-Policy']],
  ])('allows fonts, scripts and styles of %s from this service only', (_, policy = '') => {
    const directives = policy.split('; ').filter((directive) => !directive.startsWith('img-src '));
    expect(directives).toContain("default-src 'none'");
    for (const directive of directives) expect(directive).toMatch(/^[a-z-]+ '(none|self)'$/);
  });

  it('sets Strict-Transport-Security on https pages only', () => {
    expect(pageSecurityHeaders({ https: true })).toHaveProperty('Strict-Transport-Security');
    expect(pageSecurityHeaders({ https: false })).not.toHaveProperty('Strict-Transport-Security');
  });

  it('marks a test boleto on screen and on paper', async () => {
    await open({ devMode: true });
    const notice = page.getByText('Ambiente de teste — não pague este boleto');
    expect(await notice.isVisible()).toBe(true);
    await page.emulateMedia({ media: 'print' });
    expect(await notice.isVisible()).toBe(true);
    await open();
    expect(await notice.count()).toBe(0);
  });
});

describe('on a phone', () => {
  it.each([320, PHONE.width])('scrolls nothing sideways at %d pixels', async (width) => {
    await page.setViewportSize({ ...PHONE, width });
    await open({
      today: LATE_DAY,
      devMode: true,
      merchantName: 'A'.repeat(100),
      description: 'B'.repeat(200),
    });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
  });
});
