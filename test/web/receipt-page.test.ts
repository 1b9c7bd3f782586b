import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { ShownCharge } from '../../src/api/transparents/schema.ts';
import { ChargeEntity } from '../../src/database/entities/charge.ts';
import { CustomerEntity } from '../../src/database/entities/customer.ts';
import { type Payment, PaymentEntity } from '../../src/database/entities/payment.ts';
import { StoreEntity } from '../../src/database/entities/store.ts';
import type { ChargeStatus } from '../../src/domain/charge.ts';
import type { ChargeId, PaymentId } from '../../src/domain/ids.ts';
import { mintId } from '../../src/ids.ts';
import { dataOf } from '../support/api/api-client.ts';
import { createTestApp, type TestApp } from '../support/api/app.ts';
import { launchBrowser } from '../support/web/browser.ts';

const DESKTOP = { width: 1280, height: 900 };
const PHONE_WIDTHS = [320, 390];
/** A Wednesday; the payment comes the next day in UTC, which in São Paulo is still the same one. */
const NOW = new Date('2026-12-02T15:00:00.000Z');
const PAID_AT = new Date('2026-12-03T02:05:09.000Z');
const ANA = { name: 'Ana Souza', taxId: '529.982.247-25' };
/** Capital W is the widest letter, so no text of the same length takes more room. */
const WIDEST_TEXT = 'W'.repeat(500);

let app: TestApp;
let browser: Browser;
let context: BrowserContext;
let page: Page;
/** What the browser complained about: blocked by the policy, missing files, errors in scripts. */
let complaints: string[];

beforeAll(async () => {
  app = await createTestApp({ clock: () => NOW, starter: { startSoon: () => undefined } });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await app.close();
});
beforeEach(async () => {
  context = await browser.newContext({ viewport: DESKTOP });
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

async function create(method: 'PIX' | 'BOLETO', data: object = {}): Promise<ShownCharge> {
  const body = { method, data: { amount: 128_990, customer: customerOf(method), ...data } };
  return dataOf<ShownCharge>(await app.api.post('/v2/transparents/create', body));
}

/** PIX takes all four fields of a customer or none; a boleto needs the name and the tax id. */
function customerOf(method: 'PIX' | 'BOLETO') {
  return method === 'PIX' ? { ...ANA, email: 'ana@example.com', cellphone: '11 91234-5678' } : ANA;
}

/** Leaves the rows that an accepted payment leaves. @returns the charge's receiptUrl */
async function pay(charge: ShownCharge, given: Partial<Payment> = {}): Promise<string> {
  const em = app.database.em.fork();
  const id = charge.id as ChargeId;
  const payment: Payment = {
    id: mintId<PaymentId>('payment', PAID_AT),
    chargeId: id,
    provider: 'sandbox',
    providerPaymentId: `payment-of-${id}`,
    endToEndIdentifier: null,
    outcome: 'ACCEPTED',
    amountCents: charge.amount,
    paidAt: PAID_AT,
    payerName: 'Carla Dias',
    payerTaxId: '11144477735',
    metadata: {},
    createdAt: PAID_AT,
    returnReason: null,
    ...given,
  };
  await em.insert(PaymentEntity, payment);
  await em.nativeUpdate(
    ChargeEntity,
    { id },
    {
      status: 'PAID',
      paidAmountCents: payment.amountCents,
      paidAt: payment.paidAt,
      settlesAt: payment.paidAt,
    },
  );
  const { receiptUrl } = dataOf<ShownCharge>(await app.api.get(`/v2/transparents/get?id=${id}`));
  return receiptUrl ?? '';
}

/** The values of the receipt by part and label, as a reader finds them. */
async function facts(): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const part of await page.locator('section').all()) {
    const title = await part.getByRole('heading').innerText();
    for (const row of await part.locator('dl > div').all()) {
      const label = await row.locator('dt').innerText();
      found[`${title}: ${label}`] = await row.locator('dd').innerText();
    }
  }
  return found;
}

async function setStatus(charge: ShownCharge, status: ChargeStatus): Promise<void> {
  await app.database.em.fork().nativeUpdate(ChargeEntity, { id: charge.id as ChargeId }, { status });
}

describe('the receipt of a paid charge', () => {
  it('says who paid how much to whom, how, and when in São Paulo', async () => {
    const charge = await create('PIX', { description: 'Pedido 4821' });
    const url = await pay(charge);
    await page.goto(url);
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Comprovante de pagamento');
    expect(await page.locator('.receipt__amount').innerText()).toBe('R$\u00a01.289,90');
    expect(await page.locator('time').innerText()).toBe('02/12/2026, 23:05:09');
    expect(await page.getByText('horário de Brasília').isVisible()).toBe(true);
    expect(await facts()).toEqual({
      'Quem recebeu: Nome': 'Loja Teste',
      'Quem pagou: Nome': 'Carla Dias',
      'Quem pagou: CPF': '111.***.***-**',
      'Pagamento: Forma de pagamento': 'Pix',
      'Pagamento: Valor pago': 'R$\u00a01.289,90',
      'Pagamento: Descrição': 'Pedido 4821',
      'Pagamento: Identificação da cobrança': charge.id,
    });
    expect(await page.content()).not.toContain('11144477735');
    expect(await page.getByText(url, { exact: true }).isVisible()).toBe(true);
  });

  it('shows the charged and the paid amount of a late boleto', async () => {
    const boleto = await create('BOLETO', { dueDate: '2026-12-02' });
    await page.goto(await pay(boleto, { amountCents: 132_000 }));
    expect(await page.locator('.receipt__amount').innerText()).toBe('R$\u00a01.320,00');
    expect(await facts()).toMatchObject({
      'Pagamento: Forma de pagamento': 'Boleto',
      'Pagamento: Vencimento': '02/12/2026',
      'Pagamento: Valor cobrado': 'R$\u00a01.289,90',
      'Pagamento: Valor pago': 'R$\u00a01.320,00',
    });
  });

  it('shows the CNPJ of a store that has one, and of a company that pays only a part', async () => {
    await app.database.em.fork().nativeUpdate(StoreEntity, { id: app.storeId }, { taxId: '12ABC34501DE35' });
    await page.goto(await pay(await create('PIX'), { payerName: 'Sul Ltda.', payerTaxId: '11222333000181' }));
    await app.database.em.fork().nativeUpdate(StoreEntity, { id: app.storeId }, { taxId: null });
    expect(await facts()).toMatchObject({
      'Quem recebeu: CNPJ': '12.ABC.345/01DE-35',
      'Quem pagou: CNPJ': '11.***.***/0001-**',
    });
  });

  it('shows no payer if the bank named none', async () => {
    const charge = await create('PIX', { customer: null });
    await page.goto(await pay(charge, { payerName: null, payerTaxId: null }));
    expect(await facts()).toMatchObject({ 'Quem pagou: Nome': 'Não informado' });
    expect(await facts()).not.toHaveProperty(['Quem pagou: CPF']);
  });

  it('shows the person on the boleto, no matter who paid it', async () => {
    await page.goto(await pay(await create('BOLETO')));
    expect(await facts()).toMatchObject({
      'Quem pagou: Nome': ANA.name,
      'Quem pagou: CPF': '529.***.***-**',
    });
  });

  it('shows nothing of a payer whose data was erased, though the payment keeps it', async () => {
    const customer = { ...customerOf('PIX'), name: 'Dora Reis', taxId: '111.444.777-35' };
    const url = await pay(await create('PIX', { customer }), { payerName: 'Dora Reis' });
    const em = app.database.em.fork();
    await em.nativeUpdate(CustomerEntity, { taxId: '11144477735' }, { deletedAt: NOW });
    await page.goto(url);
    expect(await page.content()).not.toMatch(/Dora Reis|111\./);
  });

  it('marks the receipt of a test payment, on screen and in print, and no other', async () => {
    const charge = await create('PIX');
    const url = await pay(charge);
    await page.goto(url);
    const notice = page.getByText('Ambiente de teste — este pagamento não é real');
    expect(await notice.isVisible()).toBe(true);
    await page.emulateMedia({ media: 'print' });
    expect(await notice.isVisible()).toBe(true);
    const em = app.database.em.fork();
    await em.nativeUpdate(ChargeEntity, { id: charge.id as ChargeId }, { devMode: false });
    await page.reload();
    expect(await notice.count()).toBe(0);
  });

  it('shows names and descriptions as they are, never runs them', async () => {
    const hostile = `"><script>document.title='owned'</script><img src=x onerror="document.title='owned'">'&amp;`;
    await page.goto(await pay(await create('PIX', { description: hostile }), { payerName: hostile }));
    expect(await facts()).toMatchObject({ 'Quem pagou: Nome': hostile, 'Pagamento: Descrição': hostile });
    expect(await page.title()).not.toBe('owned');
    expect(await page.locator('main script, main img').count()).toBe(0);
  });
});

describe('a charge that is not paid', () => {
  it.each(['PENDING', 'EXPIRED', 'CANCELLED', 'FAILED'] as const)(
    'returns a friendly 404 page for the receipt of a charge that is %s',
    async (status) => {
      const charge = await create('PIX');
      await setStatus(charge, status);
      const answer = await app.api.get(`/receipt/${charge.id}`, { key: null });
      expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
      expect(answer.text).toContain('assim que o pagamento é confirmado');
    },
  );
});

describe('the receipt of a refunded or disputed payment', () => {
  it.each([
    ['REFUNDED', 'Pagamento devolvido', 'Devolvido a quem pagou em 10/12/2026, 09:30:00.'],
    ['UNDER_DISPUTE', 'Pagamento em contestação', 'Contestado em 10/12/2026, 09:30:00.'],
  ] as const)(
    'shows that a payment is %s and since when, instead of confirmed',
    async (status, state, since) => {
      const charge = await create('PIX');
      const url = await pay(charge);
      const em = app.database.em.fork();
      const updatedAt = new Date('2026-12-10T12:30:00.000Z');
      await em.nativeUpdate(ChargeEntity, { id: charge.id as ChargeId }, { status, updatedAt });
      await page.goto(url);
      expect(await page.locator('.receipt__state').innerText()).toBe(state);
      expect(await page.locator('.receipt__notice').innerText()).toContain(since);
      expect(await page.getByText('Pagamento confirmado').count()).toBe(0);
      expect(await facts()).toMatchObject({ 'Pagamento: Valor pago': 'R$\u00a01.289,90' });
      await page.emulateMedia({ media: 'print' });
      expect(await page.locator('.receipt__notice').isVisible()).toBe(true);
      expect(dataOf(await app.api.get(`/v2/transparents/get?id=${charge.id}`))).toMatchObject({
        receiptUrl: url,
      });
    },
  );
});

describe('on paper and on phones', () => {
  const longest = async () =>
    pay(await create('BOLETO', { description: WIDEST_TEXT }), {
      payerName: WIDEST_TEXT,
      amountCents: 9_999_999_999,
    });

  beforeAll(() => nameStore(WIDEST_TEXT));
  afterAll(() => nameStore('Loja Teste'));
  const nameStore = (name: string) =>
    app.database.em.fork().nativeUpdate(StoreEntity, { id: app.storeId }, { name, taxId: '12ABC34501DE35' });

  it('prints on one A4 page, without the button, even with the longest texts', async () => {
    await page.goto(await longest());
    const button = page.getByRole('button', { name: 'Imprimir' });
    expect(await button.isVisible()).toBe(true);
    await page.emulateMedia({ media: 'print' });
    expect(await button.isVisible()).toBe(false);
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
    expect(pdf.match(/\/Type\s*\/Page\b(?!s)/g)).toHaveLength(1);
    expect(pdf).toMatch(/\/MediaBox \[0 0 59[45][.\d]* 84[12][.\d]*\]/);
  });

  it.each(PHONE_WIDTHS)('scrolls nothing sideways at %d pixels', async (width) => {
    await page.setViewportSize({ width, height: 844 });
    await page.goto(await longest());
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
  });
});
