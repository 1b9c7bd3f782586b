import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Charge, ChargeEntity } from '../../src/database/entities/charge.ts';
import { type Checkout, CheckoutEntity } from '../../src/database/entities/checkout.ts';
import { CustomerEntity } from '../../src/database/entities/customer.ts';
import type { ApiAnswer } from '../support/api/api-client.ts';
import {
  chargesOf,
  insertCharge,
  insertCheckout,
  insertCoupon,
  insertCustomer,
  insertProduct,
  itemOf,
  NOON,
  paid,
} from '../support/rows/checkout-rows.ts';
import { CARD, createPayerApp, type PayerApp, payFormOf } from '../support/web/payer-app.ts';

const MINUTE_MS = 60_000;
const HOSTILE = `"><script>document.title='owned'</script>'&amp;`;

let app: PayerApp;
beforeAll(async () => {
  app = await createPayerApp();
});
afterAll(() => app.close());
beforeEach(() => {
  app.played.now = NOON;
  app.played.decision = paid(10_000);
});

/** Opens an address as a payer does: without a key. */
const open = (path: string, headers: Record<string, string> = {}) =>
  app.api.call(path, { key: null, headers });
const textOf = ({ text }: ApiAnswer) => text.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');

describe('the page of a boleto', () => {
  it('leads back to the order only from its payment page', async () => {
    const checkout = await insertCheckout(app, { methods: ['BOLETO'] });
    const { id } = await insertCharge(app, checkout, 'BOLETO');
    const order = `/pay/${checkout.id}/${id}`;
    const [, address = ''] = /href="(\/boleto\/[^"]+)"/.exec((await open(order)).text) ?? [];
    const page = await open(address);
    expect(page.text).toContain(`href="${order}"`);
    expect(textOf(page)).toContain('Voltar ao seu pedido');
    for (const other of [`/boleto/${id}`, `/boleto/${id}?order=bill_other`])
      expect((await open(other)).text).not.toContain('/pay/');
  });
});

describe('the payment page', () => {
  it('shows whom the payer pays, the items, and the total', async () => {
    const items = [itemOf(await insertProduct(app, { name: 'Caneca', priceCents: 3_490 }), 2)];
    const { id } = await insertCheckout(app, { items });
    const page = await open(`/pay/${id}`);
    expect(page.status).toBe(200);
    for (const text of ['Loja Teste', 'Caneca', '2 × R$ 34,90', 'R$ 69,80'])
      expect(textOf(page)).toContain(text);
  });

  it('offers only the methods and installments of the checkout', async () => {
    const { id } = await insertCheckout(app, { methods: ['CARD', 'PIX'], maxInstallments: 12 });
    const page = await open(`/pay/${id}`);
    expect([...page.text.matchAll(/name="method" value="(\w+)"/g)].map(([, method]) => method)).toEqual([
      'CARD',
      'PIX',
    ]);
    // Ten installments of R$ 10.00, the smallest amount of each.
    expect([...page.text.matchAll(/<option value="(\d+)"/g)]).toHaveLength(10);
    expect(textOf(page)).toContain('3x de R$ 33,33 sem juros (a primeira de R$ 33,34)');
  });

  it('shows names as they are, never as markup', async () => {
    const items = [itemOf(await insertProduct(app, { name: HOSTILE, imageUrl: 'javascript:alert(1)' }))];
    const { id } = await insertCheckout(app, { items, returnUrl: 'javascript:alert(1)' });
    const { text } = await open(`/pay/${id}`);
    expect(text).toContain('&quot;&gt;&lt;script&gt;');
    expect(text).not.toMatch(/<script>|javascript:/);
  });

  it('hides internal data from payers', async () => {
    const fileUrl = 'https://files.example.com/secret.pdf';
    const items = [itemOf(await insertProduct(app, { fileUrl }))];
    const secret = { externalId: 'internal-77', metadata: { margin: 'secret-margin' } };
    const checkout = await insertCheckout(app, { items, ...secret });
    const charge = await insertCharge(app, checkout, 'PIX', paid(5_000));
    for (const path of [`/pay/${checkout.id}`, `/pay/${checkout.id}/${charge.id}`]) {
      const { text } = await open(path);
      for (const hidden of ['internal-77', 'secret-margin', 'secret.pdf', app.storeId])
        expect(text).not.toContain(hidden);
    }
  });

  it('masks the tax id of a customer it knows, and asks for nothing that is on record', async () => {
    const customer = await insertCustomer(app, { name: 'Ana <Souza>', taxId: '11144477735' });
    const { id } = await insertCheckout(app, { customerId: customer.id, methods: ['PIX', 'BOLETO'] });
    const { text } = await open(`/pay/${id}`);
    expect(text).toContain('Ana &lt;Souza&gt;');
    expect(text).toContain('111.***.***-**');
    expect(text).not.toMatch(/111\.?444|name="payer/);
  });

  it('shows nothing of a customer whose data was erased', async () => {
    const customer = await insertCustomer(app, { name: 'Dora Reis', deletedAt: NOON });
    const { id } = await insertCheckout(app, { customerId: customer.id });
    expect((await open(`/pay/${id}`)).text).not.toContain('Dora Reis');
  });

  it.each([
    ['paid', { status: 'PAID' as const }, 'Este pedido já foi pago'],
    ['cancelled', { status: 'CANCELLED' as const }, 'Este pedido foi cancelado'],
    ['refunded', { status: 'REFUNDED' as const }, 'O pagamento foi devolvido'],
    ['expired', { status: 'EXPIRED' as const }, 'O prazo para pagar terminou'],
    [
      'past its deadline, though nobody has expired it yet',
      { expiresAt: NOON },
      'O prazo para pagar terminou',
    ],
  ])('says that a checkout is %s and accepts no payment', async (_name, changes, title) => {
    const { id } = await insertCheckout(app, changes);
    expect(textOf(await open(`/pay/${id}`))).toContain(title);
    const answer = await app.send(`/pay/${id}`, payFormOf({ method: 'PIX' }));
    expect(answer.cameBack).toBe(true);
    expect(answer.text).toContain(title);
    expect(await chargesOf(app, id)).toEqual([]);
  });

  it('links from a refunded checkout to the payment and its receipt', async () => {
    const checkout = await insertCheckout(app);
    const refunded = { ...paid(10_000), status: 'REFUNDED' as const };
    const { id } = await insertCharge(app, checkout, 'PIX', refunded);
    const em = app.database.em.fork();
    await em.nativeUpdate(CheckoutEntity, { id: checkout.id }, { status: 'REFUNDED', paidByChargeId: id });
    const { text } = await open(`/pay/${checkout.id}`);
    expect(text).toContain(`href="/pay/${checkout.id}/${id}"`);
    expect(text).toContain(`href="/receipt/${id}"`);
  });
});

describe('a second tab of a checkout that was paid in the first', () => {
  /** A waiting code of the second tab, which the payment in the first one has cancelled. */
  async function secondTab(changes: Partial<Checkout>, first: Partial<Charge> = {}) {
    const checkout = await insertCheckout(app);
    const payment = await insertCharge(app, checkout, 'CARD', { ...paid(10_000), ...first });
    const second = await insertCharge(app, checkout, 'PIX', { status: 'CANCELLED' });
    const paidBy = { paidByChargeId: payment.id, ...changes };
    await app.database.em.fork().nativeUpdate(CheckoutEntity, { id: checkout.id }, paidBy);
    const page = await open(`/pay/${checkout.id}/${second.id}`);
    return { page, confirmation: `href="/pay/${checkout.id}/${payment.id}"`, payment };
  }

  it('says that the order is paid, with its confirmation and its receipt', async () => {
    const { page, confirmation, payment } = await secondTab({ status: 'PAID' });
    expect(textOf(page)).toContain('Este pedido já foi pago');
    expect(textOf(page)).toContain('Se você também pagou com ele, o valor é devolvido.');
    expect(textOf(page)).not.toContain('cancelado');
    expect(page.text).toContain(confirmation);
    expect(page.text).toContain(`href="/receipt/${payment.id}"`);
  });

  it.each([
    ['refunded', { status: 'REFUNDED' as const }, {}, 'O pagamento foi devolvido'],
    [
      'disputed',
      { status: 'PAID' as const },
      { status: 'UNDER_DISPUTE' as const },
      'Pagamento em contestação',
    ],
  ])('says that the payment of the first tab was %s', async (_name, changes, first, title) => {
    const { page, confirmation } = await secondTab(changes, first);
    expect(textOf(page)).toContain(title);
    expect(textOf(page)).not.toContain('já foi pago');
    expect(page.text).toContain(confirmation);
  });

  it.each([
    ['EXPIRED', 'O prazo deste código terminou', 'Para pagar, peça um novo link a'],
    ['CANCELLED', 'Este pagamento foi cancelado', 'não vale mais: não pague.'],
  ] as const)('says that the code is %s if nobody has paid the order', async (status, title, words) => {
    const checkout = await insertCheckout(app, { status });
    const { id } = await insertCharge(app, checkout, 'PIX', { status });
    const text = textOf(await open(`/pay/${checkout.id}/${id}`));
    expect(text).toContain(title);
    expect(text).toContain(words);
    expect(text).not.toContain('Pagar de novo');
  });
});

describe('the confirmation of a payment that was refunded in part', () => {
  it('says how much went back', async () => {
    const checkout = await insertCheckout(app);
    const { id } = await insertCharge(app, checkout, 'PIX', {
      ...paid(10_000),
      refundedCents: 2_500,
      reversedCents: 2_500,
    });
    expect(textOf(await open(`/pay/${checkout.id}/${id}`))).toContain('Valor devolvido: R$ 25,00');
  });
});

describe('a waiting boleto', () => {
  it('shows its PIX code beside its bar code', async () => {
    const checkout = await insertCheckout(app, { methods: ['BOLETO'] });
    const charge = await insertCharge(app, checkout, 'BOLETO');
    const page = await open(`/pay/${checkout.id}/${charge.id}`);
    expect(page.text).toContain(`data-copy="${charge.brCode}"`);
    expect(page.text).toContain('aria-label="QR code do Pix"');
    expect(textOf(page)).toContain('Linha digitável');
  });

  it("shows a PIX code for today's amount once it is late", async () => {
    const checkout = await insertCheckout(app, { methods: ['BOLETO'] });
    const late = {
      fine: { value: 200, type: 'PERCENTAGE' as const },
      lateFrom: NOON,
      closesAt: new Date('2026-12-20T15:00:00.000Z'),
    };
    const charge = await insertCharge(app, checkout, 'BOLETO', late);
    app.played.now = new Date('2026-12-10T15:00:00.000Z');
    const { text } = await open(`/pay/${checkout.id}/${charge.id}`);
    expect(text).toMatch(/data-copy="[^"]*5406102\.00/);
  });
});

describe('page of a refunded or disputed payment', () => {
  it.each([
    ['PIX', 'O valor de R$ 100,00 foi devolvido em 05/12/2026.'],
    ['CARD', 'Ele aparece como crédito na fatura do cartão.'],
  ] as const)('shows amount and date of a refund by %s, and links its receipt', async (method, words) => {
    const checkout = await insertCheckout(app);
    const updatedAt = new Date('2026-12-05T15:00:00.000Z');
    const changes = { ...paid(10_000), status: 'REFUNDED' as const, updatedAt };
    const { id } = await insertCharge(app, checkout, method, changes);
    const answer = await open(`/pay/${checkout.id}/${id}`);
    expect(answer.status).toBe(200);
    expect(textOf(answer)).toContain('O pagamento foi devolvido');
    expect(textOf(answer)).toContain(words);
    expect(answer.text).toContain(`href="/receipt/${id}"`);
    expect(textOf(answer)).not.toContain('Pagar de novo');
  });

  it('says that a payment is disputed and should not be repeated', async () => {
    const checkout = await insertCheckout(app);
    const changes = { ...paid(10_000), status: 'UNDER_DISPUTE' as const };
    const { id } = await insertCharge(app, checkout, 'PIX', changes);
    const text = textOf(await open(`/pay/${checkout.id}/${id}`));
    expect(text).toContain('Pagamento em contestação');
    expect(text).toContain('Não pague de novo.');
  });
});

describe('addresses without a page', () => {
  it.each([
    ['an unknown checkout', '/pay/bill_01KBFTQ0M0AAAAAAAAAAAAAAAA'],
    ['no id', '/pay'],
    ['a NUL character', '/pay/bill_%00'],
    ['markup', '/pay/%3Cscript%3E'],
    ['an unknown payment', '/pay/bill_01KBFTQ0M0AAAAAAAAAAAAAAAA/pix_char_01KBFTQ0M0AAAAAAAAAAAAAAAA'],
    ['a payment with a NUL', '/pay/bill_01KBFTQ0M0AAAAAAAAAAAAAAAA/pix_char_%00/status'],
  ])('returns a 404 page for %s', async (_name, path) => {
    const page = await open(path);
    expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
  });

  it("returns 404 for a payment's pages and forms under another checkout", async () => {
    const checkout = await insertCheckout(app);
    const { id } = await insertCharge(app, checkout, 'PIX');
    const other = await insertCheckout(app);
    for (const end of ['', '/status', `/files/${checkout.items[0]?.productId}`]) {
      expect((await open(`/pay/${other.id}/${id}${end}`)).status).toBe(404);
    }
    for (const end of ['/simulate', '/up-sell'])
      expect((await app.send(`/pay/${other.id}/${id}${end}`, {})).status).toBe(404);
  });
});

describe('the form', () => {
  it('starts a PIX payment and redirects to its page, which can be reloaded', async () => {
    const { id } = await insertCheckout(app);
    const answer = await app.send(`/pay/${id}`, payFormOf({ method: 'PIX' }));
    expect(answer.status).toBe(303);
    expect(answer.location).toMatch(new RegExp(`^/pay/${id}/pix_char_`));
    const page = await open(answer.location);
    const [charge] = await chargesOf(app, id);
    expect(textOf(page)).toContain(charge?.brCode);
    expect(textOf(page)).toContain('Pague R$ 100,00 com Pix');
  });

  it('creates one charge if a form is sent twice', async () => {
    const { id } = await insertCheckout(app, { methods: ['CARD'] });
    const form = payFormOf({ method: 'CARD', ...CARD });
    const answers = await Promise.all([app.send(`/pay/${id}`, form), app.send(`/pay/${id}`, form)]);
    expect(answers[0]?.location).toBe(answers[1]?.location);
    expect(await chargesOf(app, id)).toHaveLength(1);
  });

  it('redirects to the same PIX while it is valid for five more minutes', async () => {
    const { id } = await insertCheckout(app);
    const first = await app.send(`/pay/${id}`, payFormOf({ method: 'PIX' }));
    app.played.now = new Date(NOON.getTime() + 24 * MINUTE_MS);
    expect((await app.send(`/pay/${id}`, payFormOf({ method: 'PIX' }))).location).toBe(first.location);
    app.played.now = new Date(NOON.getTime() + 26 * MINUTE_MS);
    expect((await app.send(`/pay/${id}`, payFormOf({ method: 'PIX' }))).location).not.toBe(first.location);
  });

  it('creates a PIX for every payer of a payment link', async () => {
    const { id } = await insertCheckout(app, { frequency: 'MULTIPLE_PAYMENTS', expiresAt: null });
    const first = await app.send(`/pay/${id}`, payFormOf({ method: 'PIX' }));
    expect((await app.send(`/pay/${id}`, payFormOf({ method: 'PIX' }))).location).not.toBe(first.location);
  });

  it('creates another boleto if another payer is named', async () => {
    const { id } = await insertCheckout(app, { methods: ['BOLETO'] });
    const ana = { method: 'BOLETO', payerName: 'Ana Souza', payerTaxId: '529.982.247-25' };
    const first = await app.send(`/pay/${id}`, payFormOf(ana));
    expect((await app.send(`/pay/${id}`, payFormOf(ana))).location).toBe(first.location);
    const bruno = { ...ana, payerName: 'Bruno Lima', payerTaxId: '390.533.447-05' };
    expect((await app.send(`/pay/${id}`, payFormOf(bruno))).location).not.toBe(first.location);
    const payers = await app.database.em
      .fork()
      .find(CustomerEntity, { name: { $in: ['Ana Souza', 'Bruno Lima'] } });
    expect(payers.map(({ taxId }) => taxId)).toEqual(expect.arrayContaining(['52998224725', '39053344705']));
  });

  it('keeps what was typed in a refused form, except card number and code', async () => {
    const { id } = await insertCheckout(app);
    const typed = { payerName: `Ana ${HOSTILE}`, payerEmail: 'ana@example.com' };
    const card = { ...CARD, cardNumber: '4242 4242 4242 4241', cardCvv: '987' };
    const { cameBack, text } = await app.send(`/pay/${id}`, payFormOf({ method: 'CARD', ...typed, ...card }));
    expect(cameBack).toBe(true);
    expect(text).toContain('id="cardNumber-problem"');
    expect(text).toMatch(/aria-describedby="cardNumber-problem" aria-invalid="true"/);
    expect(text).toContain('value="ana@example.com"');
    expect(text).toContain('value="ANA SOUZA"');
    expect(text).toContain('value="12/30"');
    expect(text).not.toMatch(/4242 ?4241|value="987"|<script>/);
    // Shorter numbers than these are in request ids by chance.
    expect(JSON.stringify(app.logged)).not.toMatch(/4242 ?4241|12\/30/);
    expect(await chargesOf(app, id)).toEqual([]);
  });

  it.each([
    ['an unknown method', { method: 'CASH' }, 'Escolha uma das formas'],
    [
      'a method that is not offered',
      { method: 'BOLETO', payerName: 'A', payerTaxId: '529.982.247-25' },
      'Escolha uma',
    ],
    ['too many installments', { method: 'CARD', ...CARD, installments: '7' }, 'opções de parcelas'],
    ['an expired card', { method: 'CARD', ...CARD, cardExpiry: '11/26' }, 'Confira a validade'],
    ['a real card in dev mode', { method: 'CARD', ...CARD, cardNumber: '5555555555554444' }, 'não é aceito'],
    ['a wrong tax id', { method: 'PIX', payerTaxId: '529.982.247-00' }, 'Confira o CPF'],
    ['half an e-mail address', { method: 'PIX', payerEmail: 'ana@' }, 'Confira o e-mail'],
  ])('explains the error for %s', async (_name, fields, message) => {
    const { id } = await insertCheckout(app);
    const answer = await app.send(`/pay/${id}`, payFormOf(fields));
    expect(answer.cameBack).toBe(true);
    expect(answer.text).toContain(message);
  });

  it('treats NUL and other control characters as blanks', async () => {
    const { id } = await insertCheckout(app);
    const fields = { method: 'PIX', payerName: 'Ana\0Souza', payerTaxId: '529.982.247-25' };
    expect((await app.send(`/pay/${id}`, payFormOf(fields))).status).toBe(303);
  });
});

describe('coupons on the page', () => {
  it('applies a coupon in any capitals and shows the discounted total', async () => {
    await insertCoupon(app, { code: 'Natal10' });
    const { id } = await insertCheckout(app, { coupons: ['Natal10'] });
    const shown = await app.send(`/pay/${id}`, { method: 'PIX', coupon: 'NATAL10', action: 'apply-coupon' });
    expect(shown.text).toContain('Gerar Pix de R$\u00a090,00');
    expect(shown.text).toContain('name="coupon" value="Natal10"');
    const { location } = await app.send(`/pay/${id}`, payFormOf({ method: 'PIX', coupon: 'Natal10' }));
    expect(textOf(await open(location))).toContain('Pague R$ 90,00 com Pix');
  });

  it.each([
    ['unknown', 'NOPE', 'não existe'],
    ['exhausted', 'GONE', 'número máximo de vezes'],
    ['missing', '', 'Digite o código'],
  ])('refuses a coupon that is %s with a message at the field', async (_name, code, message) => {
    await insertCoupon(app, { code: 'GONE', maxRedeems: 1, redeemsCount: 1 }).catch(() => undefined);
    const { id } = await insertCheckout(app, { coupons: ['GONE'] });
    const answer = await app.send(`/pay/${id}`, { method: 'PIX', coupon: code, action: 'apply-coupon' });
    expect(answer.cameBack).toBe(true);
    expect(answer.text).toContain(message);
    expect(answer.text).toContain('aria-describedby="coupon-problem"');
  });

  it('hides the payment methods if a coupon covers the whole amount', async () => {
    await insertCoupon(app, { code: 'FREE', discountValue: 10_000 });
    const { id } = await insertCheckout(app, { coupons: ['FREE'] });
    const shown = await app.send(`/pay/${id}`, { method: 'PIX', coupon: 'FREE', action: 'apply-coupon' });
    expect(shown.text).toContain('Concluir sem pagamento');
    expect(shown.text).not.toContain('cardNumber');
    app.played.decision = paid(0);
    const { location } = await app.send(`/pay/${id}`, payFormOf({ method: 'PIX', coupon: 'FREE' }));
    expect(location).toContain('/char_');
    expect(textOf(await open(location))).toContain('Pedido concluído');
  });
});

describe('the page of a payment', () => {
  it.each([
    ['card_declined', 'não autorizou o pagamento'],
    ['suspected_fraud', 'não autorizou o pagamento'],
    ['insufficient_funds', 'não tem limite ou saldo'],
    ['incorrect_cvc', 'código de segurança não confere'],
    ['expired_card', 'está vencido'],
    ['processing_error', 'Não foi possível falar'],
  ] as const)(
    'explains a decline for %s and offers the form again with another key',
    async (failureReason, words) => {
      app.played.decision = { status: 'FAILED', failureReason };
      const { id } = await insertCheckout(app, { methods: ['CARD'] });
      const form = payFormOf({ method: 'CARD', ...CARD });
      const page = await open((await app.send(`/pay/${id}`, form)).location);
      expect(textOf(page)).toContain(words);
      expect(page.text).not.toMatch(/fraud|roubad|suspeit/i);
      const key = /name="attempt" value="([0-9a-f]{32})"/.exec(page.text)?.[1];
      expect(key).toBeDefined();
      expect(key).not.toBe(form.attempt);
    },
  );

  it('shows amount, receipt, downloads and a link to the shop after payment', async () => {
    const book = await insertProduct(app, {
      name: 'Livro',
      fileUrl: 'https://files.example.com/a.pdf',
      deletedAt: NOON,
    });
    const completionUrl = 'https://loja.example.com/obrigado?pedido=1&x=2';
    const checkout = await insertCheckout(app, { items: [itemOf(book)], completionUrl });
    const { id } = await insertCharge(app, checkout, 'CARD', { ...paid(5_000), installmentsCount: 2 });
    const page = await open(`/pay/${checkout.id}/${id}`);
    expect(textOf(page)).toContain(
      'Pagamento confirmado R$ 50,00 Pago com Visa final 4242, em 2x de R$ 25,00',
    );
    expect(page.text).toContain(`href="/receipt/${id}"`);
    expect(page.text).toContain(`href="/pay/${checkout.id}/${id}/files/${book.id}"`);
    expect(page.text).toContain(
      'href="https://loja.example.com/obrigado?pedido=1&amp;x=2" rel="noopener noreferrer"',
    );
  });

  it('links to http and https addresses only', async () => {
    const checkout = await insertCheckout(app, { completionUrl: 'javascript:alert(1)' });
    const { id } = await insertCharge(app, checkout, 'PIX', paid(10_000));
    expect((await open(`/pay/${checkout.id}/${id}`)).text).not.toMatch(/javascript:|Continuar/);
  });

  it('offers another payment after a failure only while the checkout is open', async () => {
    const checkout = await insertCheckout(app);
    const { id } = await insertCharge(app, checkout, 'PIX', { status: 'EXPIRED' });
    const again = `<a class="button" href="/pay/${checkout.id}">Pagar de novo</a>`;
    expect((await open(`/pay/${checkout.id}/${id}`)).text).toContain(again);
    await app.database.em.fork().nativeUpdate(CheckoutEntity, { id: checkout.id }, { status: 'CANCELLED' });
    expect((await open(`/pay/${checkout.id}/${id}`)).text).not.toContain(again);
  });

  it('returns only the status of a payment to the script of the page', async () => {
    const checkout = await insertCheckout(app);
    const { id } = await insertCharge(app, checkout, 'PIX');
    const { json, headers } = await open(`/pay/${checkout.id}/${id}/status`);
    expect(json).toEqual({ status: 'PENDING' });
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('reloads a waiting payment without script, and stops once it is paid', async () => {
    const checkout = await insertCheckout(app);
    const { id } = await insertCharge(app, checkout, 'PIX');
    const refresh = '<noscript><meta http-equiv="refresh" content="10"></noscript>';
    expect((await open(`/pay/${checkout.id}/${id}`)).text).toContain(refresh);
    await app.database.em.fork().nativeUpdate(ChargeEntity, { id }, paid(10_000));
    expect((await open(`/pay/${checkout.id}/${id}`)).text).not.toContain(refresh);
  });
});

describe('the offer after a payment', () => {
  async function offered(method: 'PIX' | 'CARD') {
    const offer = await insertProduct(app, { name: 'Curso', priceCents: 2_000 });
    const checkout = await insertCheckout(app, { upSellProductId: offer.id });
    const charge = await insertCharge(app, checkout, method, {
      ...paid(10_000),
      submissionKey: 'a'.repeat(32),
    });
    return `/pay/${checkout.id}/${charge.id}`;
  }

  it('names the card of an upsell and charges it with one click', async () => {
    const path = await offered('CARD');
    const own = { Cookie: `payer=${'a'.repeat(32)}` };
    expect(textOf(await open(path, own))).toContain('Levar por R$ 20,00 no Visa final 4242');
    app.played.decision = paid(2_000);
    const { status, location } = await app.send(`${path}/up-sell`, payFormOf({}), own);
    expect(status).toBe(303);
    expect(textOf(await open(location))).toContain('Pagamento confirmado R$ 20,00');
    // An accepted offer is not shown again.
    expect(textOf(await open(path, own))).not.toContain('Levar por');
    expect(textOf(await open(path))).toContain('Você também pediu');
  });

  it('creates another PIX for an upsell after a PIX', async () => {
    const path = await offered('PIX');
    expect(textOf(await open(path))).toContain('Levar por R$ 20,00 com Pix');
    const { location } = await app.send(`${path}/up-sell`, payFormOf({}));
    expect(textOf(await open(location))).toContain('Pague R$ 20,00 com Pix');
  });

  it('returns 422 for an upsell if nothing is offered', async () => {
    const checkout = await insertCheckout(app);
    const { id } = await insertCharge(app, checkout, 'PIX', paid(10_000));
    const answer = await app.send(`/pay/${checkout.id}/${id}/up-sell`, payFormOf({}));
    expect([answer.status, answer.text]).toEqual([422, expect.stringContaining('não está mais disponível')]);
  });
});

describe('protection', () => {
  it.each([
    ['another site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['another subdomain', { 'Sec-Fetch-Site': 'same-site' }],
  ])('returns 403 for a form from %s', async (_name, headers) => {
    const { id } = await insertCheckout(app);
    expect((await app.send(`/pay/${id}`, payFormOf({ method: 'PIX' }), headers)).status).toBe(403);
    expect(await chargesOf(app, id)).toEqual([]);
  });

  it('checks the origin of browsers that do not name the site', async () => {
    const { id } = await insertCheckout(app);
    const post = (origin: string) =>
      app.api.call(`/pay/${id}`, {
        key: null,
        method: 'POST',
        raw: new URLSearchParams(payFormOf({ method: 'CASH' })).toString(),
        headers: { 'Content-Type': 'application/x-www-form-urlencoded', Origin: origin },
      });
    expect((await post('https://evil.example')).status).toBe(403);
    expect((await post('null')).status).toBe(403);
    expect((await post(app.api.url)).status).toBe(200);
  });

  it.each([
    ['JSON', 415, 'application/json', '{}'],
    ['more than 16 KiB', 413, 'application/x-www-form-urlencoded', `a=${'x'.repeat(20_000)}`],
    ['no UTF-8', 400, 'application/x-www-form-urlencoded', new Uint8Array([0x61, 0x3d, 0xff])],
  ])('refuses a body that is %s', async (_name, status, type, raw) => {
    const { id } = await insertCheckout(app);
    const headers = { 'Content-Type': type };
    const answer = await app.api.call(`/pay/${id}`, { key: null, method: 'POST', raw, headers });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([status, 'text/html; charset=utf-8']);
  });

  it('sets a strict CSP and forbids storing, framing and sniffing', async () => {
    const { id } = await insertCheckout(app);
    const { headers } = await open(`/pay/${id}`);
    const policy = (headers.get('content-security-policy') ?? '').split('; ');
    expect(policy.sort()).toEqual([
      "base-uri 'none'",
      "connect-src 'self'",
      "default-src 'none'",
      "font-src 'self'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      "img-src 'self' https: http:",
      "script-src 'self'",
      "style-src 'self'",
    ]);
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    });
  });

  it('logs the route, but neither the address nor what was typed', async () => {
    const { id } = await insertCheckout(app);
    const before = app.logged.length;
    const { location } = await app.send(
      `/pay/${id}`,
      payFormOf({ method: 'CARD', ...CARD, payerName: 'Ana Souza' }),
    );
    await open(location);
    const lines = app.logged.slice(before).filter(({ msg }) => msg === 'request');
    expect(lines.map(({ route }) => route)).toEqual(['/pay/:checkoutId', '/pay/:checkoutId/:chargeId']);
    expect(JSON.stringify(app.logged.slice(before))).not.toMatch(/bill_|4242 ?4242|Ana Souza/);
  });

  it('shows the button that simulates a payment in dev mode only', async () => {
    const checkout = await insertCheckout(app, { devMode: false });
    const { id } = await insertCharge(app, checkout, 'PIX', { devMode: false });
    const path = `/pay/${checkout.id}/${id}`;
    expect((await open(path)).text).not.toMatch(/Simular|Ambiente de teste/);
    expect((await app.send(`${path}/simulate`, {})).status).toBe(404);
  });
});
