import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { toBuffer } from 'qrcode';
import { type Charge, ChargeEntity } from '../../src/database/entities/charge.ts';
import type { Checkout } from '../../src/database/entities/checkout.ts';
import {
  insertCharge,
  insertCheckout,
  insertCoupon,
  insertProduct,
  itemOf,
  paid,
} from '../support/rows/checkout-rows.ts';
import { httpServer } from '../support/servers/loopback-servers.ts';
import { launchBrowser, stopClock } from '../support/web/browser.ts';
import { createPayerApp, type PayerApp } from '../support/web/payer-app.ts';

const ALL_METHODS = { methods: ['PIX' as const, 'CARD' as const, 'BOLETO' as const] };

let app: PayerApp;
let browser: Browser;
let context: BrowserContext;
let page: Page;
/** What the browser complained about: blocked by the policy, missing files, errors in scripts. */
let complaints: string[];

beforeAll(async () => {
  app = await createPayerApp({
    sandboxPayments: {
      payCharge: async ({ id }) => {
        await settle(id, paid(10_000));
        return 'PAID';
      },
    },
  });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await app.close();
});
beforeEach(() => {
  app.played.decision = paid(10_000);
  complaints = [];
});
afterEach(async () => {
  await context.close();
  expect(complaints).toEqual([]);
});

async function settle(id: Charge['id'], changes: Partial<Charge>): Promise<void> {
  await app.database.em.fork().nativeUpdate(ChargeEntity, { id }, changes);
}

async function open(
  path: string,
  options: BrowserContextOptions = {},
  prepare: (opened: Page) => Promise<void> = async () => {},
): Promise<void> {
  context = await browser.newContext({ viewport: { width: 390, height: 844 }, ...options });
  page = await context.newPage();
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  await prepare(page);
  await page.goto(app.api.url + path);
}

const openCheckout = async (changes: Partial<Checkout> = {}, options?: BrowserContextOptions) => {
  const checkout = await insertCheckout(app, changes);
  await open(`/pay/${checkout.id}`, options);
  return checkout;
};

async function typeCard(): Promise<void> {
  await page.getByLabel('Número do cartão').pressSequentially('4242424242424242');
  await page.getByLabel('Nome impresso no cartão').fill('ANA SOUZA');
  await page.getByLabel('Validade').pressSequentially('1230');
  await page.getByLabel('CVV').fill('123');
}

const heading = () => page.getByRole('heading', { level: 1 });
const chargesOf = ({ id }: Checkout) => app.database.em.fork().count(ChargeEntity, { checkoutId: id });

describe('a PIX code that a payer looks at', () => {
  it('turns into the confirmation by itself once it is paid', async () => {
    const checkout = await insertCheckout(app);
    const charge = await insertCharge(app, checkout, 'PIX');
    await open(`/pay/${checkout.id}/${charge.id}`);
    await page.getByText('Aguardando o pagamento…').waitFor();
    await settle(charge.id, paid(10_000));
    await page.getByRole('heading', { name: 'Pagamento confirmado' }).waitFor();
  });

  it('counts down the time that is left', async () => {
    const checkout = await insertCheckout(app);
    const charge = await insertCharge(app, checkout, 'PIX');
    await open(`/pay/${checkout.id}/${charge.id}`, {}, stopClock);
    const left = page.getByRole('timer');
    expect(await left.innerText()).toBe('30:00');
    await page.clock.runFor(61_000);
    expect(await left.innerText()).toBe('28:59');
  });

  it('reports a lost connection, and hides an expired code and checks its status', async () => {
    const checkout = await insertCheckout(app);
    const charge = await insertCharge(app, checkout, 'PIX');
    await open(`/pay/${checkout.id}/${charge.id}`, {}, stopClock);
    await context.setOffline(true);
    await page.getByText('Sem conexão com a internet').waitFor();
    await context.setOffline(false);
    await page.getByText('Aguardando o pagamento…').waitFor();
    await page.clock.runFor(30 * 60_000 - 2_000);
    expect(await page.getByText('Pix Copia e Cola').first().isVisible()).toBe(true);
    await page.clock.runFor(3_000);
    expect(await page.getByText('Pix Copia e Cola').first().isVisible()).toBe(false);
    expect(await page.getByRole('button', { name: 'Copiar código' }).isVisible()).toBe(false);
    await page.getByText('O prazo deste código terminou').waitFor();
    complaints = complaints.filter((text) => !text.includes('ERR_INTERNET_DISCONNECTED'));
  });

  it('offers the open PIX again on the form', async () => {
    const checkout = await openCheckout();
    await page.getByRole('button', { name: 'Gerar Pix' }).click();
    const path = new URL(page.url()).pathname;
    await page.goto(`${app.api.url}/pay/${checkout.id}`);
    await page.getByText('Você já tem um Pix de R$ 100,00 em aberto, que vale até 12:30.').waitFor();
    await page.getByRole('link', { name: 'Continuar o pagamento' }).click();
    await heading().getByText('Pague R$ 100,00').waitFor();
    expect(new URL(page.url()).pathname).toBe(path);
  });

  it('copies the code with one tap', async () => {
    const checkout = await insertCheckout(app);
    const charge = await insertCharge(app, checkout, 'PIX');
    const permissions = ['clipboard-read', 'clipboard-write'];
    await open(`/pay/${checkout.id}/${charge.id}`, { permissions }, stopClock);
    await page.getByRole('button', { name: 'Copiar código' }).click();
    await page.getByRole('button', { name: 'Copiado!' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(charge.brCode);
  });

  it("confirms the payment when dev mode's button is pressed", async () => {
    const checkout = await insertCheckout(app);
    const charge = await insertCharge(app, checkout, 'PIX');
    await open(`/pay/${checkout.id}/${charge.id}`);
    await page.getByRole('button', { name: 'Simular pagamento' }).click();
    await page.getByRole('heading', { name: 'Pagamento confirmado' }).waitFor();
  });
});

/**
 * How many pixels a person would see as different: edges of letters differ a little from drawing to drawing.
 */
function differentPixels(one: Buffer, other: Buffer): number {
  const [{ data }, { data: otherData }] = [PNG.sync.read(one), PNG.sync.read(other)];
  expect(data).toHaveLength(otherData.length);
  return data.filter((channel, at) => Math.abs(channel - (otherData[at] ?? 0)) > 64).length / 3;
}

describe("a product's picture", () => {
  /** The tile of a product with this picture, once the page has done all it can for it. */
  async function tileOf(imageUrl: string | null, options?: BrowserContextOptions) {
    await openCheckout({ items: [itemOf(await insertProduct(app, { imageUrl }))] }, options);
    await page.getByText('Resumo do pedido').click();
    await page.waitForLoadState('networkidle');
    return page.locator('.picture').first();
  }

  it('shows a picture, even from an address without TLS', async () => {
    const png = await toBuffer('a picture');
    await using shop = await httpServer((_request, response) => void response.end(png));
    const tile = await tileOf(`http://127.0.0.1:${shop.port}/shirt.png`);
    await tile.locator('.picture__image--loaded').waitFor();
    expect(shop.connectionCount).toBeGreaterThan(0);
  });

  it.each([true, false])(
    'shows the letter instead of a picture that does not load, with script: %s',
    async (javaScriptEnabled) => {
      const letter = await (await tileOf(null, { javaScriptEnabled })).screenshot();
      await context.close();
      await using shop = await httpServer((_request, response) => void response.writeHead(404).end('gone'));
      const tile = await tileOf(`http://127.0.0.1:${shop.port}/shirt.png`, { javaScriptEnabled });
      expect(shop.connectionCount).toBeGreaterThan(0);
      expect(differentPixels(letter, await tile.screenshot())).toBeLessThan(10);
      expect(complaints.splice(0)).toEqual([expect.stringContaining('404')]);
    },
  );
});

describe('the form in a browser', () => {
  it('asks only for what the chosen method needs', async () => {
    await openCheckout(ALL_METHODS);
    expect(await page.getByLabel('Número do cartão').isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Gerar Pix de R$ 100,00' }).waitFor();
    await page.getByRole('radio', { name: 'Cartão de crédito' }).check();
    expect(await page.getByLabel('Número do cartão').isVisible()).toBe(true);
    await page.getByRole('button', { name: 'Pagar R$ 100,00' }).waitFor();
    await page.getByRole('radio', { name: 'Boleto' }).check();
    expect(await page.getByLabel('Número do cartão').isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Gerar boleto de R$ 100,00' }).waitFor();
  });

  it('groups the digits of a card while they are typed', async () => {
    await openCheckout({ methods: ['CARD'] });
    await typeCard();
    expect(await page.getByLabel('Número do cartão').inputValue()).toBe('4242 4242 4242 4242');
    expect(await page.getByLabel('Validade').inputValue()).toBe('12/30');
  });

  it("explains card errors while a payer types, and shows the card's brand", async () => {
    const checkout = await openCheckout({ methods: ['CARD', 'BOLETO'] });
    const problem = (name: string) => page.locator(`#${name}-problem`);
    await page.getByRole('button', { name: 'Pagar R$ 100,00' }).click();
    await problem('cardNumber').getByText('Informe os dados do cartão.').waitFor();
    await problem('cardCvv').getByText('Informe o código de segurança.').waitFor();
    expect(await page.evaluate('document.activeElement.id')).toBe('cardNumber');
    const number = page.getByLabel('Número do cartão');
    await number.pressSequentially('4242424242424241');
    await problem('cardNumber').getByText('falta ou sobra algum número').waitFor();
    await page.locator('[data-card-brand]').getByText('Visa').waitFor();
    await number.press('Backspace');
    await number.press('2');
    expect(await problem('cardNumber').innerText()).toBe('');
    await page.getByLabel('Validade').fill('13/40');
    await page.getByLabel('CVV').fill('12');
    await page.getByLabel('Nome impresso no cartão').fill('ANA SOUZA');
    await problem('cardExpiry').getByText('Confira a validade').waitFor();
    await problem('cardCvv').getByText('Confira o código').waitFor();
    // The form hides fields of a boleto only, and card errors do not block a boleto.
    expect(await page.getByLabel('Nome completo').isVisible()).toBe(false);
    await page.getByRole('radio', { name: 'Boleto' }).check();
    await page.getByRole('button', { name: 'Gerar boleto' }).click();
    await problem('payerName').getByText('informe o nome').waitFor();
    await page.getByLabel('Nome completo').fill('Ana Souza');
    await page.getByLabel('CPF ou CNPJ').fill('529.982.247-25');
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Gerar boleto' }).click();
    await page.getByText('Nada foi enviado').waitFor();
    await context.setOffline(false);
    await page.getByRole('button', { name: 'Gerar boleto' }).click();
    await page.getByText('Linha digitável', { exact: true }).waitFor();
    expect(await chargesOf(checkout)).toBe(1);
    // Going back and forward sends nothing.
    await page.goBack();
    await page.getByText('Você já tem um boleto de R$ 100,00').waitFor();
    await page.reload();
    expect(await chargesOf(checkout)).toBe(1);
  });

  it("leads a payer to the store's page after payment, unless they stay", async () => {
    await using shop = await httpServer((_request, response) => void response.end('Obrigado!'));
    const completionUrl = `http://127.0.0.1:${shop.port}/obrigado`;
    const paidNow = async () => {
      const checkout = await insertCheckout(app, { completionUrl });
      const charge = await insertCharge(app, checkout, 'PIX', paid(10_000));
      await open(`/pay/${checkout.id}/${charge.id}`, {}, stopClock);
    };
    await paidNow();
    await page.getByRole('button', { name: 'Ficar nesta página' }).click();
    await page.clock.runFor(11_000);
    await heading().getByText('Pagamento confirmado').waitFor();
    await context.close();
    await paidNow();
    await page.clock.runFor(10_500);
    await page.waitForURL(completionUrl);
  });

  it('pays once if the button is pressed twice', async () => {
    const checkout = await openCheckout({ methods: ['CARD'] });
    await typeCard();
    await page.getByRole('button', { name: 'Pagar R$ 100,00' }).dblclick();
    await page.getByRole('heading', { name: 'Pagamento confirmado' }).waitFor();
    expect(await chargesOf(checkout)).toBe(1);
  });

  it('works with the keyboard: Enter pays, or applies the coupon in its field', async () => {
    await insertCoupon(app, { code: 'TECLADO' });
    await openCheckout({ methods: ['CARD'], coupons: ['TECLADO'] });
    await page.getByText('Tenho um cupom').click();
    await page.getByLabel('Cupom de desconto').fill('TECLADO');
    await page.keyboard.press('Enter');
    await page.getByText('Cupom TECLADO aplicado').waitFor();
    await typeCard();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Pagamento confirmado' }).waitFor();
  });

  it('shows a declined card what is wrong, and takes the next one', async () => {
    const checkout = await openCheckout({ methods: ['CARD'] });
    app.played.decision = { status: 'FAILED', failureReason: 'card_declined' };
    await typeCard();
    await page.getByRole('button', { name: 'Pagar' }).click();
    await page.getByRole('alert').getByText('Pagamento não aprovado').waitFor();
    expect(await page.getByLabel('Número do cartão').inputValue()).toBe('');
    app.played.decision = paid(10_000);
    // The form keeps everything but the number and the code.
    await page.getByLabel('Número do cartão').pressSequentially('4242424242424242');
    await page.getByLabel('CVV').fill('123');
    await page.getByRole('button', { name: 'Pagar' }).click();
    await page.getByRole('heading', { name: 'Pagamento confirmado' }).waitFor();
    expect(await chargesOf(checkout)).toBe(2);
  });
});

describe('a coupon in a form that is filled in', () => {
  const typedInto = () =>
    page.evaluate<string[]>(
      `['cardNumber', 'cardHolder', 'cardExpiry', 'cardCvv', 'payerName'].map((id) => document.getElementById(id).value)`,
    );
  const TYPED = ['4242 4242 4242 4242', 'ANA SOUZA', '12/30', '123', 'Ana Souza'];

  /** A form with a typed card. @returns the bodies of all requests from then on. */
  async function fillIn(code: string): Promise<string[]> {
    await openCheckout({ methods: ['PIX', 'CARD'], coupons: [code], maxInstallments: 3 });
    await page.getByRole('radio', { name: 'Cartão de crédito' }).check();
    await page.getByText('Identificar quem paga').click();
    await page.getByLabel('Nome completo').fill('Ana Souza');
    await typeCard();
    await page.getByLabel('Parcelas').selectOption('2');
    await page.getByText('Tenho um cupom').click();
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.postData() ?? ''));
    return sent;
  }

  it('keeps the card, sends nothing but the code, and pays the new price', async () => {
    const { code } = await insertCoupon(app, { code: 'SEMRECARGA' });
    const sent = await fillIn(code);
    await page.getByLabel('Cupom de desconto').fill('semrecarga');
    await page.getByRole('button', { name: 'Aplicar cupom' }).click();
    await page.getByText('Cupom SEMRECARGA aplicado').waitFor();
    expect(sent.filter((body) => body !== '')).toEqual(['coupon=semrecarga&action=apply-coupon']);
    expect(await typedInto()).toEqual(TYPED);
    expect(await page.getByLabel('Parcelas').inputValue()).toBe('2');
    expect(await page.evaluate('document.activeElement.textContent')).toContain('Remover');
    await page.getByRole('button', { name: 'Pagar R$ 90,00' }).click();
    await page.getByRole('heading', { name: 'Pagamento confirmado' }).waitFor();
  });

  it('keeps the card if the coupon is refused, applied by the pay button, or removed', async () => {
    const { code } = await insertCoupon(app, { code: 'PELOBOTAO', discountValue: 10_000 });
    const sent = await fillIn(code);
    await page.getByLabel('Cupom de desconto').fill('OUTRO');
    await page.keyboard.press('Enter');
    await page.locator('#coupon-problem').getByText('não existe').waitFor();
    expect(await page.evaluate('document.activeElement.id')).toBe('coupon');
    expect(await typedInto()).toEqual(TYPED);
    await page.getByLabel('Cupom de desconto').fill(code);
    await page.getByRole('button', { name: 'Pagar R$ 100,00' }).click();
    // Nothing is left to pay, so there is no card to type.
    await page.getByRole('button', { name: 'Concluir sem pagamento' }).waitFor();
    await page.getByRole('button', { name: 'Remover cupom' }).click();
    await page.getByRole('button', { name: 'Pagar R$ 100,00' }).waitFor();
    expect(await typedInto()).toEqual(TYPED);
    expect(sent.join()).not.toMatch(/4242|ANA|card/);
  });

  it('says so and keeps the card if the coupon cannot be checked', async () => {
    await insertCoupon(app, { code: 'FORA' });
    await fillIn('FORA');
    await context.setOffline(true);
    await page.getByLabel('Cupom de desconto').fill('FORA');
    await page.keyboard.press('Enter');
    await page.getByText('Não foi possível conferir o cupom agora').waitFor();
    expect(await typedInto()).toEqual(TYPED);
    complaints = complaints.filter((text) => !text.includes('ERR_INTERNET_DISCONNECTED'));
  });
});

describe('a CPF or CNPJ', () => {
  it.each([
    ['52998224725', '529.982.247-25'],
    ['11222333000181', '11.222.333/0001-81'],
    ['12abc34501de35', '12.ABC.345/01DE-35'],
  ])('groups %s while it is typed, and accepts it', async (typed, shown) => {
    const checkout = await openCheckout({ methods: ['BOLETO'] });
    await page.getByLabel('Nome completo').fill('Ana Souza');
    await page.getByLabel('CPF ou CNPJ').pressSequentially(typed);
    expect(await page.getByLabel('CPF ou CNPJ').inputValue()).toBe(shown);
    await page.getByRole('button', { name: 'Gerar boleto' }).click();
    await page.getByText('Linha digitável', { exact: true }).waitFor();
    expect(await chargesOf(checkout)).toBe(1);
  });

  it('keeps the caret where a digit is corrected, and reports wrong ones early', async () => {
    const checkout = await openCheckout({ methods: ['BOLETO'] });
    const field = page.getByLabel('CPF ou CNPJ');
    await field.pressSequentially('52998224726');
    await page.getByRole('button', { name: 'Gerar boleto' }).click();
    await page.locator('#payerTaxId-problem').getByText('os números não conferem').waitFor();
    await page.locator('#payerName-problem').getByText('informe o nome').waitFor();
    expect(await page.evaluate('document.activeElement.id')).toBe('payerName');
    await field.focus();
    await page.evaluate(`document.getElementById('payerTaxId').setSelectionRange(1, 2)`);
    await page.keyboard.press('3');
    expect(await field.inputValue()).toBe('539.982.247-26');
    expect(await page.evaluate(`document.getElementById('payerTaxId').selectionStart`)).toBe(2);
    expect(await chargesOf(checkout)).toBe(0);
  });
});

describe('without script', () => {
  const NO_SCRIPT = { javaScriptEnabled: false };

  it('pays by card', async () => {
    await openCheckout(ALL_METHODS, NO_SCRIPT);
    await page.getByText('Cartão de crédito').click();
    await typeCard();
    await page.getByRole('button', { name: 'Pagar R$ 100,00' }).click();
    expect(await heading().innerText()).toBe('Pagamento confirmado');
  });

  it('creates a PIX code although fields of the other methods are empty', async () => {
    await openCheckout(ALL_METHODS, NO_SCRIPT);
    await page.getByRole('button', { name: 'Gerar Pix' }).click();
    expect(await heading().innerText()).toBe('Pague R$\u00a0100,00 com Pix');
  });

  it('names every wrong field at once, and keeps the others', async () => {
    await openCheckout(ALL_METHODS, NO_SCRIPT);
    await page.getByText('Cartão de crédito').click();
    await page.getByLabel('Nome impresso no cartão').fill('ANA SOUZA');
    await page.getByLabel('Validade').fill('01/20');
    await page.getByText('Identificar quem paga').click();
    await page.getByLabel('CPF ou CNPJ').fill('529.982.247-00');
    await page.getByLabel('E-mail').fill('ana@exemplo');
    await page.getByRole('button', { name: 'Pagar R$ 100,00' }).click();
    const wrong = await page.evaluate(`[...document.querySelectorAll('[aria-invalid]')].map(({ id }) => id)`);
    expect(wrong).toEqual(['cardNumber', 'cardExpiry', 'cardCvv', 'payerTaxId', 'payerEmail']);
    expect(await page.getByRole('alert').getByRole('link').count()).toBe(5);
    expect(await page.getByLabel('Nome impresso no cartão').inputValue()).toBe('ANA SOUZA');
    expect(await page.getByLabel('CPF ou CNPJ').inputValue()).toBe('529.982.247-00');
  });

  it('applies and removes a coupon', async () => {
    await insertCoupon(app, { code: 'SEMSCRIPT' });
    await openCheckout({ coupons: ['SEMSCRIPT'] }, NO_SCRIPT);
    await page.getByText('Tenho um cupom').click();
    await page.getByText('Aplique o cupom primeiro').waitFor();
    await page.getByLabel('Cupom de desconto').fill('semscript');
    await page.getByRole('button', { name: 'Aplicar cupom' }).click();
    expect(await heading().innerText()).toContain('R$\u00a090,00');
    await page.getByRole('button', { name: 'Remover cupom' }).click();
    expect(await heading().innerText()).toContain('R$\u00a0100,00');
  });
});
