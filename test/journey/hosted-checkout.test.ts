import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { CheckoutEntity } from '../../src/database/entities/checkout.ts';
import { ProductEntity } from '../../src/database/entities/product.ts';
import type { ShownCheckout } from '../../src/wire/checkout.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { type Endpoint, startWebhookSink, type WebhookSink } from '../support/outside/webhook-sink.ts';
import { buildWebhook } from '../support/rows/build.ts';
import { buildCoupon, buildCustomer, buildProduct } from '../support/rows/catalog.ts';
import { createDeployment, type Deployment } from '../support/servers/deployment.ts';
import { launchBrowser } from '../support/web/browser.ts';
import { APPROVED, NO_FUNDS, Payer } from '../support/web/payer.ts';

const CPF = '529.982.247-25';
const FILE = 'the bytes that were paid for';

let deployment: Deployment;
let sink: WebhookSink;
let endpoint: Endpoint;
let api: ApiClient;
let browser: Browser;
let files: Server;

beforeAll(async () => {
  deployment = await createDeployment();
  [sink, browser] = await Promise.all([startWebhookSink(), launchBrowser()]);
  endpoint = sink.endpoint();
  const [served] = await Promise.all([deployment.startApi(), deployment.startWorker()]);
  api = served.api;
  await buildWebhook(api, { endpoint: endpoint.url, events: ['checkout.completed'] });
  files = createServer((_request, response) => response.end(FILE));
  await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve));
});

afterAll(async () => {
  await browser.close();
  files.close();
  await deployment[Symbol.asyncDispose]();
  await sink[Symbol.asyncDispose]();
});

/** A checkout of R$ 98.00, payable by every method by default. */
async function buildCheckout(
  changes: { methods?: string[]; [field: string]: unknown } = {},
): Promise<ShownCheckout> {
  const { id } = await buildProduct(api, { name: 'Curso de fotografia', price: 4_900 });
  const { methods = ['PIX', 'CARD', 'BOLETO'] } = changes;
  const card = methods.includes('CARD') && { card: { maxInstallments: 3 } };
  const body = { items: [{ id, quantity: 2 }], ...card, ...changes, methods };
  return dataOf(await api.post('/v2/checkouts/create', body));
}

async function shown(checkout: ShownCheckout): Promise<ShownCheckout> {
  return dataOf(await api.get(`/v2/checkouts/get?id=${checkout.id}`));
}

/** The data of the webhook about a checkout, as the integrator receives it. */
async function payloadAbout(checkout: ShownCheckout) {
  const isOfIt = ({ body }: { body: string }) => body.includes(checkout.id);
  await endpoint.waitFor((received) => received.some(isOfIt));
  return JSON.parse(endpoint.received.find(isOfIt)?.body ?? '{}').data;
}

/** Simulates the payment, which dev mode has in place of a bank, in another browser with the same page open. */
async function payInTheirBank(url: string): Promise<void> {
  await using bank = await Payer.on(browser);
  await bank.open(url);
  await bank.press('Simular pagamento');
  await bank.sees('Pagamento confirmado');
}

describe('a payer with PIX', () => {
  it('sees the page turn into the confirmation while watching it', async () => {
    await using payer = await Payer.on(browser);
    const checkout = await buildCheckout({ completionUrl: 'https://shop.example.com/thanks' });
    await payer.open(checkout.url);
    await payer.choose('PIX');
    await payer.press('Gerar Pix de R$ 98,00');
    await payer.sees(/Pague R\$ 98,00 com Pix/);
    await payer.reads('Aguardando o pagamento');
    await payer.checkAccessibility();
    await payInTheirBank(payer.page.url());
    await payer.sees('Pagamento confirmado');
    await payer.checkAccessibility();
    const back = payer.page.getByRole('main').getByRole('link', { name: 'Continuar' });
    expect(await back.getAttribute('href')).toBe('https://shop.example.com/thanks');
    expect(await shown(checkout)).toMatchObject({ status: 'PAID', paidAmount: 9_800 });
    await payer.page.getByRole('link', { name: 'Ver comprovante' }).click();
    await payer.sees('Comprovante de pagamento');
    await payer.checkAccessibility();
  });

  it('lets a payer with PIX pay without JavaScript', async () => {
    await using payer = await Payer.on(browser, { javaScriptEnabled: false });
    const checkout = await buildCheckout();
    await payer.open(checkout.url);
    await payer.page.getByRole('radio', { name: 'PIX' }).check({ force: true });
    await payer.press('Gerar Pix de R$ 98,00');
    await payer.sees(/com Pix/);
    await payInTheirBank(payer.page.url());
    await payer.sees('Pagamento confirmado');
  });

  it('shows a returning payer the same PIX code', async () => {
    await using payer = await Payer.on(browser);
    const { url } = await buildCheckout({ methods: ['PIX'] });
    await payer.open(url);
    await payer.press(/Gerar Pix/);
    await payer.sees(/com Pix/);
    const first = payer.page.url();
    await payer.open(url);
    await payer.press(/Gerar Pix/);
    await payer.sees(/com Pix/);
    expect(payer.page.url()).toBe(first);
  });
});

describe('a payer with a card', () => {
  it('lets a payer with a card pay in three installments', async () => {
    await using payer = await Payer.on(browser, { viewport: { width: 1280, height: 800 } });
    const checkout = await buildCheckout();
    await payer.open(checkout.url);
    await payer.choose('Cartão');
    await payer.typeCard(APPROVED);
    await payer.page.getByLabel('Parcelas').selectOption('3');
    await payer.checkAccessibility();
    await payer.press('Pagar R$ 98,00');
    await payer.sees('Pagamento confirmado');
    await payer.reads(/final 4242/);
    expect(await shown(checkout)).toMatchObject({ status: 'PAID', installmentsCount: 3 });
    expect(await payloadAbout(checkout)).toMatchObject({
      checkout: { id: checkout.id, installmentsCount: 3 },
      payerInformation: { method: 'CARD', CARD: { number: '4242', brand: 'visa' } },
    });
  });

  it('sees that the card was declined, types another one and pays once', async () => {
    await using payer = await Payer.on(browser);
    const checkout = await buildCheckout({ methods: ['CARD'] });
    await payer.open(checkout.url);
    await payer.typeCard(NO_FUNDS);
    await payer.press('Pagar R$ 98,00');
    await payer.sees('Pagamento não aprovado');
    await payer.reads(/não tem limite ou saldo/);
    await payer.checkAccessibility();
    expect(await payer.page.getByLabel('Número do cartão').inputValue()).toBe('');
    await payer.typeCard(APPROVED);
    await payer.press('Pagar R$ 98,00');
    await payer.sees('Pagamento confirmado');
    expect(await shown(checkout)).toMatchObject({ status: 'PAID', paidAmount: 9_800 });
  });

  it('sees a number that is not a test card refused and removed from the form', async () => {
    await using payer = await Payer.on(browser);
    const checkout = await buildCheckout({ methods: ['CARD'] });
    await payer.open(checkout.url);
    await payer.typeCard('4111 1111 1111 1111');
    await payer.press('Pagar R$ 98,00');
    await payer.reads(/não é aceito aqui/);
    await payer.checkAccessibility();
    expect(await payer.page.content()).not.toMatch(/4111 ?1111/);
    expect(await shown(checkout)).toMatchObject({ status: 'PENDING' });
  });
});

describe('a payer with a boleto', () => {
  it('gives name and CPF, gets the slip, and sees it confirmed', async () => {
    await using payer = await Payer.on(browser);
    const checkout = await buildCheckout();
    await payer.open(checkout.url);
    await payer.choose('Boleto');
    await payer.type('Nome completo', 'Ana Souza');
    await payer.type('CPF ou CNPJ', CPF);
    await payer.press('Gerar boleto de R$ 98,00');
    await payer.sees(/Pague o boleto de/);
    await payer.checkAccessibility();
    const slip = payer.page.getByRole('link', { name: 'Ver e imprimir o boleto' });
    const answer = await payer.page.request.get(`${api.url}${await slip.getAttribute('href')}`);
    expect(answer.status()).toBe(200);
    await payInTheirBank(payer.page.url());
    await payer.sees('Pagamento confirmado');
    expect(await payloadAbout(checkout)).toMatchObject({
      customer: { name: 'Ana Souza', taxId: '529.***.***-**' },
      payerInformation: { method: 'BOLETO' },
    });
  });

  it('sees which field is missing after leaving out the CPF', async () => {
    await using payer = await Payer.on(browser, { javaScriptEnabled: false });
    const { url } = await buildCheckout({ methods: ['BOLETO'] });
    await payer.open(url);
    await payer.type('Nome completo', 'Ana Souza');
    await payer.press(/Gerar boleto/);
    await payer.reads('Informe o CPF ou CNPJ de quem paga.');
    expect(await payer.page.getByLabel('Nome completo').inputValue()).toBe('Ana Souza');
  });
});

describe('a payer with a coupon', () => {
  async function withCoupon(payer: Payer, url: string, code: string): Promise<void> {
    await payer.open(url);
    await payer.page.getByText('Tenho um cupom').click();
    await payer.type('Cupom de desconto', code);
    await payer.press('Aplicar cupom');
  }

  it('charges a payer with a coupon the discounted amount', async () => {
    await using payer = await Payer.on(browser);
    const { code } = await buildCoupon(api, { discount: 10 });
    const checkout = await buildCheckout({ coupons: [code] });
    await withCoupon(payer, checkout.url, code);
    await payer.reads('R$ 88,20');
    await payer.checkAccessibility();
    await payer.choose('Cartão');
    await payer.typeCard(APPROVED);
    await payer.press('Pagar R$ 88,20');
    await payer.sees('Pagamento confirmado');
    expect(await shown(checkout)).toMatchObject({ paidAmount: 8_820 });
    expect(dataOf(await api.get(`/v2/coupons/get?id=${code}`))).toMatchObject({ redeemsCount: 1 });
  });

  it('sees that a coupon of another checkout is invalid, and continues without it', async () => {
    await using payer = await Payer.on(browser);
    const { code } = await buildCoupon(api);
    const { code: other } = await buildCoupon(api);
    const { url } = await buildCheckout({ coupons: [code] });
    await withCoupon(payer, url, other);
    await payer.reads(/não existe ou não vale/);
    await payer.checkAccessibility();
    await payer.choose('PIX');
    await payer.type('Cupom de desconto', '');
    await payer.press('Gerar Pix de R$ 98,00');
    await payer.sees(/com Pix/);
  });

  it('sees that a coupon is used up while another payer holds its last use', async () => {
    await using payers = await both();
    const [first, second] = payers;
    const { code } = await buildCoupon(api, { maxRedeems: 1 });
    const [one, two] = [await buildCheckout({ coupons: [code] }), await buildCheckout({ coupons: [code] })];
    await withCoupon(first, one.url, code);
    // A press while the coupon is being applied pays nothing, because the payer has not seen the new price.
    await first.press('Gerar Pix de R$ 88,20');
    await first.sees(/com Pix/);
    await withCoupon(second, two.url, code);
    await second.reads(/número máximo de vezes/);
  });

  it('completes without a payment if the coupon covers the whole amount', async () => {
    await using payer = await Payer.on(browser);
    const { code } = await buildCoupon(api, { discount: 100 });
    const checkout = await buildCheckout({ coupons: [code] });
    await withCoupon(payer, checkout.url, code);
    await payer.press('Concluir sem pagamento');
    await payer.sees('Pedido concluído');
    await payer.checkAccessibility();
    expect(await shown(checkout)).toMatchObject({ status: 'PAID', paidAmount: 0 });
    expect(await payloadAbout(checkout)).toMatchObject({
      payerInformation: null,
      checkout: { paidAmount: 0 },
    });
  });
});

describe('a payment link', () => {
  it('accepts two payments and confirms each on its own page', async () => {
    await using payers = await both();
    const link = await buildCheckout({ frequency: 'MULTIPLE_PAYMENTS' });
    for (const payer of payers) {
      await payer.open(link.url);
      await payer.choose('Cartão');
      await payer.typeCard(APPROVED);
      await payer.press('Pagar R$ 98,00');
      await payer.sees('Pagamento confirmado');
    }
    expect(payers[0].page.url()).not.toBe(payers[1].page.url());
    expect(await shown(link)).toMatchObject({ status: 'PENDING', paidAmount: 19_600 });
  });
});

describe('a checkout that cannot be paid', () => {
  it('shows that a checkout was paid and links its receipt', async () => {
    await using payer = await Payer.on(browser);
    const checkout = await buildCheckout();
    await api.post('/v2/checkouts/simulate-payment', { id: checkout.id, method: 'CARD' });
    await payer.open(checkout.url);
    await payer.sees('Este pedido já foi pago');
    await payer.checkAccessibility();
    await payer.page.getByRole('link', { name: 'Ver comprovante' }).click();
    await payer.sees('Comprovante de pagamento');
  });

  it('shows that a checkout has expired', async () => {
    await using payer = await Payer.on(browser);
    const { id, url } = await buildCheckout();
    const past = { expiresAt: new Date(Date.now() - 1_000) };
    await deployment.database.em.fork().nativeUpdate(CheckoutEntity, { id: id as never }, past);
    await payer.open(url);
    await payer.sees('O prazo para pagar terminou');
    await payer.checkAccessibility();
  });

  it('shows a payer watching the PIX code that the checkout was cancelled', async () => {
    await using payer = await Payer.on(browser);
    const checkout = await buildCheckout({ methods: ['PIX'] });
    await payer.open(checkout.url);
    await payer.press(/Gerar Pix/);
    await payer.sees(/com Pix/);
    dataOf(await api.post('/v2/checkouts/cancel', { id: checkout.id }));
    await payer.sees('Este pagamento foi cancelado');
    await payer.checkAccessibility();
    await payer.open(checkout.url);
    await payer.sees('Este pedido foi cancelado');
  });
});

describe('the confirmation', () => {
  it('offers an upsell once, on the same card with one click', async () => {
    await using payer = await Payer.on(browser);
    const { id: upSellProductId } = await buildProduct(api, { name: 'Tripé', price: 2_000 });
    const checkout = await buildCheckout({ methods: ['CARD'], upSellProductId });
    await payer.open(checkout.url);
    await payer.typeCard(APPROVED);
    await payer.press('Pagar R$ 98,00');
    await payer.sees('Tripé');
    await payer.checkAccessibility();
    const confirmation = payer.page.url();
    await payer.press(/Levar por R\$ 20,00/);
    await payer.sees('Pagamento confirmado');
    expect(await shown(checkout)).toMatchObject({ status: 'PAID', paidAmount: 11_800 });
    await payer.open(confirmation);
    await payer.sees('Você também pediu');
    expect(await payer.page.getByRole('button', { name: /Levar por/ }).count()).toBe(0);
  });

  it('offers an upsell by PIX to someone who paid by PIX', async () => {
    await using payer = await Payer.on(browser);
    const { id: upSellProductId } = await buildProduct(api, { name: 'Tripé', price: 2_000 });
    const checkout = await buildCheckout({ methods: ['PIX'], upSellProductId });
    await payer.open(checkout.url);
    await payer.press(/Gerar Pix/);
    await payer.sees(/com Pix/);
    await payInTheirBank(payer.page.url());
    await payer.press(/Levar por R\$ 20,00 com Pix/);
    await payer.sees(/Pague R\$ 20,00 com Pix/);
    await payInTheirBank(payer.page.url());
    await payer.sees('Pagamento confirmado');
    expect(await shown(checkout)).toMatchObject({ status: 'PAID', paidAmount: 11_800 });
  });

  it('downloads the file that was paid for without showing its address', async () => {
    await using payer = await Payer.on(browser);
    const checkout = await buildCheckout();
    const { port } = files.address() as AddressInfo;
    const fileUrl = `http://127.0.0.1:${port}/secret/course.pdf`;
    const [item] = checkout.items;
    await deployment.database.em.fork().nativeUpdate(ProductEntity, { id: item?.id as never }, { fileUrl });
    await payer.open(checkout.url);
    await payer.choose('Cartão');
    await payer.typeCard(APPROVED);
    await payer.press('Pagar R$ 98,00');
    const link = payer.page.getByRole('link', { name: 'Baixar Curso de fotografia' });
    const [download] = await Promise.all([payer.page.waitForEvent('download'), link.click()]);
    expect(download.suggestedFilename()).toBe('course.pdf');
    const chunks: Buffer[] = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
    expect(Buffer.concat(chunks).toString()).toBe(FILE);
    expect(await payer.page.content()).not.toContain('secret');
  });
});

describe('a payer whom the shop knows', () => {
  it('gets a boleto without typing name or CPF, and the page never shows the CPF', async () => {
    await using payer = await Payer.on(browser);
    const { id: customerId } = await buildCustomer(api, { name: 'Bia Lima', taxId: CPF });
    const checkout = await buildCheckout({ customerId });
    await payer.open(checkout.url);
    await payer.choose('Boleto');
    await payer.reads(/Pagando como/);
    expect(await payer.page.content()).not.toMatch(/982\.?247/);
    await payer.press(/Gerar boleto/);
    await payer.sees(/Pague o boleto de/);
  });
});

describe('keyboard only', () => {
  it('lets a payer pay by card with the keyboard only', async () => {
    await using payer = await Payer.on(browser, { viewport: { width: 1280, height: 800 } });
    const { url } = await buildCheckout({ methods: ['CARD'], card: { maxInstallments: 1 } });
    await payer.open(url);
    await payer.page.getByLabel('Número do cartão').focus();
    const { keyboard } = payer.page;
    for (const text of [APPROVED, 'ANA SOUZA', '12/39', '123']) {
      await keyboard.type(text);
      await keyboard.press('Tab');
    }
    await keyboard.press('Shift+Tab');
    await keyboard.press('Enter');
    await payer.sees('Pagamento confirmado');
  });
});

/** Two payers, each in a browser profile of their own. */
async function both(): Promise<[Payer, Payer] & AsyncDisposable> {
  const pair: [Payer, Payer] = [await Payer.on(browser), await Payer.on(browser)];
  const dispose = async () => void (await Promise.all(pair.map((payer) => payer[Symbol.asyncDispose]())));
  return Object.assign(pair, { [Symbol.asyncDispose]: dispose });
}
