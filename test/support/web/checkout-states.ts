import { CheckoutEntity } from '../../../src/database/entities/checkout.ts';
import {
  insertCharge,
  insertCheckout,
  insertCoupon,
  insertCustomer,
  insertProduct,
  itemOf,
  NOON,
  paid,
  type Shop,
} from '../rows/checkout-rows.ts';

/** A page of a checkout in one state: its address, and the payer's first steps. */
export interface CheckoutPageFixture {
  readonly path: string;
  /** Fields to fill and then the button to press, by their labels. */
  readonly form?: {
    /** What to open first, by its text. */
    readonly unfold?: string;
    readonly fields?: Readonly<Record<string, string>>;
    readonly choose?: string;
    readonly press: string;
  };
}

const ALL_METHODS = { methods: ['PIX' as const, 'CARD' as const, 'BOLETO' as const], maxInstallments: 6 };
const SHOP_URLS = {
  returnUrl: 'https://loja.example.com/carrinho',
  completionUrl: 'https://loja.example.com/obrigado',
};

let codes = 0;
const nextCode = () => `NATAL${++codes}`;

/** Every state that a payer can meet, by name: for the accessibility check and for looking at them. */
export const CHECKOUT_PAGES: Readonly<Record<string, (shop: Shop) => Promise<CheckoutPageFixture>>> = {
  'open, all methods': async (shop) => {
    const coupon = await insertCoupon(shop, { code: nextCode() });
    const book = await insertProduct(shop, {
      name: 'Livro de receitas da fazenda, capa dura',
      priceCents: 8_990,
    });
    const items = [itemOf(await insertProduct(shop), 2), itemOf(book)];
    const { id } = await insertCheckout(shop, {
      ...ALL_METHODS,
      ...SHOP_URLS,
      items,
      coupons: [coupon.code],
    });
    return { path: `/pay/${id}` };
  },
  'open, card chosen': async (shop) => {
    const { id } = await insertCheckout(shop, { ...ALL_METHODS, methods: ['CARD', 'PIX'] });
    return { path: `/pay/${id}` };
  },
  'open, the payer pays the card fee': async (shop) => {
    const { id } = await insertCheckout(shop, { ...ALL_METHODS, methods: ['CARD', 'PIX'], passesFees: true });
    return { path: `/pay/${id}` };
  },
  'open, one method, known customer': async (shop) => {
    const customer = await insertCustomer(shop);
    const { id } = await insertCheckout(shop, {
      methods: ['CARD'],
      customerId: customer.id,
      maxInstallments: 12,
    });
    return { path: `/pay/${id}` };
  },
  'open, many items': async (shop) => {
    const items = [];
    for (const name of [
      'Caneca',
      'Camiseta',
      'Boné',
      'Adesivo',
      'Chaveiro de metal escovado com gravação a laser',
    ]) {
      items.push(itemOf(await insertProduct(shop, { name }), 3));
    }
    const { id } = await insertCheckout(shop, { ...ALL_METHODS, items });
    return { path: `/pay/${id}` };
  },
  'coupon applied': async (shop) => {
    const coupon = await insertCoupon(shop, { code: nextCode() });
    const { id } = await insertCheckout(shop, { ...ALL_METHODS, coupons: [coupon.code] });
    const fields = { 'Cupom de desconto': coupon.code };
    return { path: `/pay/${id}`, form: { unfold: 'Tenho um cupom', fields, press: 'Aplicar cupom' } };
  },
  'coupon refused': async (shop) => {
    const coupon = await insertCoupon(shop, { code: nextCode(), maxRedeems: 1, redeemsCount: 1 });
    const { id } = await insertCheckout(shop, { coupons: [coupon.code] });
    const fields = { 'Cupom de desconto': coupon.code };
    return { path: `/pay/${id}`, form: { unfold: 'Tenho um cupom', fields, press: 'Aplicar cupom' } };
  },
  'nothing left to pay': async (shop) => {
    const coupon = await insertCoupon(shop, { code: nextCode(), discountValue: 10_000 });
    const { id } = await insertCheckout(shop, { coupons: [coupon.code] });
    const fields = { 'Cupom de desconto': coupon.code };
    return { path: `/pay/${id}`, form: { unfold: 'Tenho um cupom', fields, press: 'Aplicar cupom' } };
  },
  'card refused': async (shop) => {
    const { id } = await insertCheckout(shop, { methods: ['CARD'] });
    const fields = {
      'Número do cartão': '4242424242424241',
      'Nome impresso no cartão': 'ANA SOUZA',
      Validade: '1230',
      CVV: '123',
    };
    return { path: `/pay/${id}`, form: { fields, press: 'Pagar R$ 100,00' } };
  },
  'boleto payer wrong': async (shop) => {
    const { id } = await insertCheckout(shop, ALL_METHODS);
    const fields = { 'Nome completo': 'Ana Souza', 'CPF ou CNPJ': '529.982.247-00' };
    return { path: `/pay/${id}`, form: { choose: 'Boleto', fields, press: 'Gerar boleto de R$ 100,00' } };
  },
  'pix waiting': async (shop) => {
    const checkout = await insertCheckout(shop, SHOP_URLS);
    const { id } = await insertCharge(shop, checkout, 'PIX');
    return { path: `/pay/${checkout.id}/${id}` };
  },
  'boleto waiting': async (shop) => {
    const checkout = await insertCheckout(shop, ALL_METHODS);
    const { id } = await insertCharge(shop, checkout, 'BOLETO');
    return { path: `/pay/${checkout.id}/${id}` };
  },
  'card processing': async (shop) => {
    const checkout = await insertCheckout(shop);
    const { id } = await insertCharge(shop, checkout, 'CARD');
    return { path: `/pay/${checkout.id}/${id}` };
  },
  'card declined': async (shop) => {
    const checkout = await insertCheckout(shop, ALL_METHODS);
    const declined = { status: 'FAILED' as const, failureReason: 'insufficient_funds' as const };
    const { id } = await insertCharge(shop, checkout, 'CARD', declined);
    return { path: `/pay/${checkout.id}/${id}` };
  },
  'pix expired': async (shop) => {
    const checkout = await insertCheckout(shop);
    const { id } = await insertCharge(shop, checkout, 'PIX', { status: 'EXPIRED' });
    return { path: `/pay/${checkout.id}/${id}` };
  },
  'pix overdue': async (shop) => {
    const checkout = await insertCheckout(shop);
    const { id } = await insertCharge(shop, checkout, 'PIX', { expiresAt: NOON, closesAt: NOON });
    return { path: `/pay/${checkout.id}/${id}` };
  },
  'boleto cancelled': async (shop) => {
    const checkout = await insertCheckout(shop, { status: 'CANCELLED' });
    const { id } = await insertCharge(shop, checkout, 'BOLETO', { status: 'CANCELLED' });
    return { path: `/pay/${checkout.id}/${id}` };
  },
  'paid, with file and offer': async (shop) => {
    const book = await insertProduct(shop, {
      name: 'Livro digital',
      fileUrl: 'https://files.example.com/livro.pdf',
    });
    const offer = await insertProduct(shop, {
      name: 'Curso de encadernação',
      description: 'Doze aulas em vídeo.',
    });
    const items = [itemOf(book), itemOf(await insertProduct(shop))];
    const checkout = await insertCheckout(shop, {
      ...ALL_METHODS,
      ...SHOP_URLS,
      items,
      upSellProductId: offer.id,
    });
    const change = { ...paid(10_000), installmentsCount: 3 };
    const { id } = await insertCharge(shop, checkout, 'CARD', change);
    return { path: `/pay/${checkout.id}/${id}` };
  },
  'paid with pix, offer': async (shop) => {
    const offer = await insertProduct(shop, { name: 'Curso de encadernação' });
    const checkout = await insertCheckout(shop, { upSellProductId: offer.id });
    const { id } = await insertCharge(shop, checkout, 'PIX', paid(10_000));
    return { path: `/pay/${checkout.id}/${id}` };
  },
  'paid through a link': async (shop) => {
    const checkout = await insertCheckout(shop, { frequency: 'MULTIPLE_PAYMENTS', expiresAt: null });
    const { id } = await insertCharge(shop, checkout, 'PIX', paid(10_000));
    return { path: `/pay/${checkout.id}/${id}` };
  },
  'done for free': async (shop) => {
    const checkout = await insertCheckout(shop, SHOP_URLS);
    const { id } = await insertCharge(shop, checkout, 'FREE', paid(0));
    return { path: `/pay/${checkout.id}/${id}` };
  },
  'checkout paid': async (shop) => {
    const checkout = await insertCheckout(shop, SHOP_URLS);
    const { id } = await insertCharge(shop, checkout, 'PIX', paid(10_000));
    const em = shop.database.em.fork();
    await em.nativeUpdate(CheckoutEntity, { id: checkout.id }, { status: 'PAID', paidByChargeId: id });
    return { path: `/pay/${checkout.id}` };
  },
  'checkout expired': async (shop) => ({
    path: `/pay/${(await insertCheckout(shop, { expiresAt: NOON })).id}`,
  }),
  'checkout cancelled': async (shop) => ({
    path: `/pay/${(await insertCheckout(shop, { ...SHOP_URLS, status: 'CANCELLED' })).id}`,
  }),
  'checkout refunded': async (shop) => ({
    path: `/pay/${(await insertCheckout(shop, { status: 'REFUNDED' })).id}`,
  }),
  'no such checkout': async () => ({ path: '/pay/bill_01KBFTQ0M0AAAAAAAAAAAAAAAA' }),
  'receipt of a card': async (shop) => {
    const checkout = await insertCheckout(shop);
    const change = { ...paid(9_000), amountCents: 9_000, discountCents: 1_000, installmentsCount: 3 };
    const { id } = await insertCharge(shop, checkout, 'CARD', change);
    return { path: `/receipt/${id}` };
  },
  'receipt of a refunded payment': async (shop) => {
    const checkout = await insertCheckout(shop);
    const { id } = await insertCharge(shop, checkout, 'PIX', { ...paid(10_000), status: 'REFUNDED' });
    return { path: `/receipt/${id}` };
  },
  'boleto to print': async (shop) => {
    const { id } = await insertCharge(shop, await insertCheckout(shop, ALL_METHODS), 'BOLETO');
    return { path: `/boleto/${id}` };
  },
  'boleto nobody can pay any more': async (shop) => {
    const checkout = await insertCheckout(shop, ALL_METHODS);
    const { id } = await insertCharge(shop, checkout, 'BOLETO', { status: 'CANCELLED' });
    return { path: `/boleto/${id}` };
  },
  'payment refunded': async (shop) => {
    const checkout = await insertCheckout(shop);
    const { id } = await insertCharge(shop, checkout, 'CARD', { ...paid(10_000), status: 'REFUNDED' });
    return { path: `/pay/${checkout.id}/${id}` };
  },
};
