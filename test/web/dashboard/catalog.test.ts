import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CouponView } from '../../../src/api/coupons/schema.ts';
import type { ProductView } from '../../../src/api/products/schema.ts';
import { CheckoutEntity } from '../../../src/database/entities/checkout.ts';
import { CouponEntity } from '../../../src/database/entities/coupon.ts';
import type { CheckoutId } from '../../../src/domain/ids.ts';
import type { ShownCheckout } from '../../../src/wire/checkout.ts';
import { dataOf } from '../../support/api/api-client.ts';
import { createTestApp, type TestApp } from '../../support/api/app.ts';
import { type DashboardUser, signedIn } from '../../support/dashboard/dashboard-user.ts';
import { buildCoupon, buildCustomer, buildProduct } from '../../support/rows/catalog.ts';
import { insertCharge, paid } from '../../support/rows/checkout-rows.ts';

let app: TestApp;
let owner: DashboardUser;
let support: DashboardUser;
beforeAll(async () => {
  app = await createTestApp();
  const place = { url: app.api.url, database: app.database };
  owner = await signedIn(place, app.storeId, 'owner');
  support = await signedIn(place, app.storeId, 'support');
});
afterAll(() => app.close());

const at = (path: string) => `/dashboard/${app.storeId}/dev${path}`;
const idIn = (location: string | null) => location?.split('/').at(-1) ?? '';
const productOf = async (id: string) => dataOf<ProductView>(await app.api.get(`/v2/products/get?id=${id}`));
const couponOf = async (id: string) => dataOf<CouponView>(await app.api.get(`/v2/coupons/get?id=${id}`));

describe('products', () => {
  const create = (fields: Record<string, string>) =>
    owner.submit(at('/new-product'), at('/products'), {
      name: 'Chá Mate',
      price: '19,90',
      cycle: '',
      ...fields,
    });

  it('creates a product from what a person types and derives its id from the name', async () => {
    const first = await productOf(
      idIn((await create({ price: 'R$ 1.234,5', description: 'Verde' })).location),
    );
    expect(first).toMatchObject({
      name: 'Chá Mate',
      price: 123_450,
      externalId: 'cha-mate',
      description: 'Verde',
    });
    const second = await productOf(idIn((await create({})).location));
    expect(second.externalId).toMatch(/^cha-mate-[0-9a-f]{6}$/);
    const plan = await productOf(
      idIn((await create({ externalId: 'own', cycle: 'MONTHLY', trialDays: '7' })).location),
    );
    expect(plan).toMatchObject({ externalId: 'own', cycle: 'MONTHLY', trialDays: 7 });
  });

  const TIERS = '1000; 0,10\n10.000; 0,08; 5\n*; 0';

  it('creates a product whose usage has tiers, and shows them in words', async () => {
    const { location } = await create({
      'usagePrice.model': 'GRADUATED',
      'usagePrice.includedUnits': '50',
      'usagePrice.tiers': TIERS,
    });
    const { id, usagePrice } = await productOf(idIn(location));
    expect(usagePrice).toEqual({
      model: 'GRADUATED',
      includedUnits: 50,
      packageSize: null,
      tiers: [
        { upTo: 1_000, unitPrice: 10, flatPrice: 0 },
        { upTo: 10_000, unitPrice: 8, flatPrice: 500 },
        { upTo: null, unitPrice: 0, flatPrice: 0 },
      ],
    });
    const page = await owner.get(at(`/products/${id}`));
    for (const text of [
      '50 unidades grátis',
      'até 10.000: R$ 0,08 cada mais R$ 5,00 fixo',
      'acima: R$ 0,00 cada',
    ])
      expect(page.text).toContain(text);
    const [, again = ''] = /href="([^"]*new-product[^"]*)"/.exec(page.html) ?? [];
    const form = await owner.get(again.replaceAll('&amp;', '&'));
    expect(form.html).toContain('1000; 0,10\n10000; 0,08; 5,00\n*; 0,00</textarea>');
  });

  it('names wrong tiers at their field, and ignores a price of usage of a plan', async () => {
    const fields = { 'usagePrice.model': 'VOLUME', 'usagePrice.includedUnits': 'x' };
    const refused = await create({ ...fields, 'usagePrice.tiers': '10; 0,10\n5; 0,08' });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('As unidades grátis devem ser');
    expect(refused.text).toContain('Cada faixa deve terminar acima da anterior');
    const plan = await create({ ...fields, cycle: 'MONTHLY', externalId: 'no-usage-price' });
    expect(await productOf(idIn(plan.location))).toMatchObject({ cycle: 'MONTHLY', usagePrice: null });
  });

  it('creates a yearly plan whose usage is charged every month, and says so', async () => {
    const yearly = { cycle: 'ANNUALLY', usageCycle: 'MONTHLY', externalId: 'yearly' };
    const { id, usageCycle } = await productOf(idIn((await create(yearly)).location));
    expect(usageCycle).toBe('MONTHLY');
    expect((await owner.get(at(`/products/${id}`))).text).toContain('Cobrança do consumo por mês');
    const refused = await create({ cycle: 'MONTHLY', usageCycle: 'MONTHLY', externalId: 'as-often' });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('O consumo só pode ser cobrado com mais frequência que o plano');
  });

  it('names every wrong field at once and keeps what was typed', async () => {
    const refused = await create({ name: '', price: '1.234', imageUrl: 'nowhere', description: 'Fica' });
    expect(refused.status).toBe(422);
    for (const text of [
      'O nome deve ter',
      'pode ser lido de duas formas',
      'Escreva o endereço de uma imagem',
    ])
      expect(refused.text).toContain(text);
    for (const typed of ['value="1.234"', 'value="nowhere"', 'Fica</textarea>'])
      expect(refused.html).toContain(typed);
  });

  it('changes name, description and picture, and keeps a file that is not typed again', async () => {
    const fileUrl = 'https://example.com/manual.pdf';
    const { id, price } = await buildProduct(app.api, { fileUrl, description: 'Velha' });
    const edit = at(`/products/${id}/edit`);
    const page = await owner.get(edit);
    expect(page.html).toContain('Velha</textarea>');
    expect(page.html).not.toContain('manual.pdf');
    const imageUrl = 'https://example.com/cha.png';
    const saved = await owner.submit(edit, edit, {
      name: 'Chá preto',
      description: '',
      imageUrl,
      fileUrl: '',
    });
    expect(saved).toMatchObject({ status: 303, location: at(`/products/${id}`) });
    const changed = { name: 'Chá preto', description: null, imageUrl, hasFile: true, price };
    expect(await productOf(id)).toMatchObject(changed);
    expect(await owner.submit(edit, edit, { name: '', imageUrl: 'x' })).toMatchObject({ status: 422 });
    expect(await productOf(id)).toMatchObject(changed);
  });

  it('archives a product, lists it apart, and restores or deletes it', async () => {
    const { id, name } = await buildProduct(app.api, { name: 'Erva para arquivar' });
    const path = at(`/products/${id}`);
    const archived = await owner.submit(path, `${path}/archive`);
    expect(archived).toMatchObject({ status: 303, location: path });
    expect((await owner.get(path)).text).toContain('não é vendido em novos checkouts');
    expect((await owner.get(at('/products'))).text).not.toContain(name);
    expect((await owner.get(at('/products?status=ARCHIVED'))).text).toContain(name);
    await owner.submit(path, `${path}/restore`);
    expect((await owner.get(at('/products'))).text).toContain(name);
    await owner.submit(path, `${path}/archive`);
    expect(await owner.submit(path, `${path}/delete`)).toMatchObject({
      status: 303,
      location: at('/products'),
    });
    expect((await owner.get(path)).status).toBe(404);
  });

  it('shows a product without any form to a role that may not sell', async () => {
    const { id } = await buildProduct(app.api);
    const page = await support.get(at(`/products/${id}`));
    expect(page.status).toBe(200);
    expect(page.html).not.toContain(`/products/${id}/`);
    for (const path of ['/new-product', `/products/${id}/edit`])
      expect((await support.get(at(path))).status).toBe(403);
  });
});

describe('coupons', () => {
  it('creates a coupon with a percentage, an amount and a limit', async () => {
    const create = (fields: Record<string, string>) =>
      owner.submit(at('/new-coupon'), at('/coupons'), fields);
    const percent = {
      code: 'CHA12',
      discountKind: 'PERCENTAGE',
      discount: '12,5 %',
      maxRedeems: '3',
      notes: 'Feira',
    };
    expect(await create(percent)).toMatchObject({ status: 303, location: at('/coupons/CHA12') });
    expect(await couponOf('CHA12')).toMatchObject({ discount: 12.5, maxRedeems: 3, notes: 'Feira' });
    await create({ code: 'CHA5', discountKind: 'FIXED', discount: 'R$ 5', maxRedeems: '' });
    expect(await couponOf('CHA5')).toMatchObject({ discountKind: 'FIXED', discount: 500, maxRedeems: -1 });
    const wrong = await create({
      code: 'a b',
      discountKind: 'FIXED',
      discount: '1.500',
      maxRedeems: 'muitos',
    });
    for (const text of ['letras, números', 'pode ser lido de duas formas', 'Escreva quantos usos'])
      expect(wrong).toMatchObject({ status: 422, text: expect.stringContaining(text) });
  });

  it('sets the days of a coupon, and keeps an end within a day', async () => {
    const fields = { code: 'BLACK', discountKind: 'PERCENTAGE', discount: '10', maxRedeems: '' };
    await owner.submit(at('/new-coupon'), at('/coupons'), {
      ...fields,
      validFrom: '2036-11-28',
      validUntil: '2036-11-30',
    });
    expect(await couponOf('BLACK')).toMatchObject({ validUntil: '2036-12-01T03:00:00.000Z' });
    const page = await owner.get(at('/coupons/BLACK'));
    for (const text of ['Vale a partir de', '30/11/2036, 23:59', 'value="2036-11-30"'])
      expect(page.html).toContain(text);

    const validUntil = '2036-11-29T15:00:00.000Z';
    dataOf(await app.api.post('/v2/coupons/update', { id: 'BLACK', validUntil }));
    const shown = { validFrom: '2036-11-28', validUntil: '2036-11-29', maxRedeems: '7', notes: '' };
    await owner.submit(at('/coupons/BLACK'), at('/coupons/BLACK/edit'), shown);
    expect(await couponOf('BLACK')).toMatchObject({ validUntil, maxRedeems: 7 });
    await owner.submit(at('/coupons/BLACK'), at('/coupons/BLACK/edit'), { ...shown, validUntil: '' });
    expect(await couponOf('BLACK')).toMatchObject({ validUntil: null });
  });

  it('says that a coupon is past its last day, and is valid again with a later one', async () => {
    const { code } = await buildCoupon(app.api, { validUntil: '2020-01-01' });
    const path = at(`/coupons/${code}`);
    expect((await owner.get(path)).text).toContain('Passou do último dia');
    await owner.submit(path, `${path}/edit`, { maxRedeems: '', notes: '', validUntil: '2036-01-01' });
    expect((await couponOf(code)).status).toBe('ACTIVE');
  });

  it('says that a coupon is used up, and is valid again with a higher limit', async () => {
    const { code } = await buildCoupon(app.api, { maxRedeems: 2 });
    await app.database.em.fork().nativeUpdate(CouponEntity, { code }, { redeemsCount: 2 });
    const path = at(`/coupons/${code}`);
    const used = await owner.get(path);
    expect(used.text).toContain('Esgotado: aumente o limite');
    expect(used.text).toContain('2 de 2');
    expect(used.text).not.toMatch(/expir/i);
    const save = (maxRedeems: string) => owner.submit(path, `${path}/edit`, { maxRedeems, notes: '' });
    expect(await save('1')).toMatchObject({
      status: 422,
      text: expect.stringContaining('mais vezes do que isso'),
    });
    expect((await save('5')).status).toBe(303);
    expect((await owner.get(path)).text).toContain('Vale para mais 3 usos');
  });

  it('switches a coupon off and on, and deletes it', async () => {
    const { code } = await buildCoupon(app.api);
    const path = at(`/coupons/${code}`);
    await owner.submit(path, `${path}/toggle`);
    expect((await couponOf(code)).status).toBe('INACTIVE');
    await owner.submit(path, `${path}/toggle`);
    expect((await couponOf(code)).status).toBe('ACTIVE');
    expect(await owner.submit(path, `${path}/delete`)).toMatchObject({ location: at('/coupons') });
    expect((await owner.get(path)).status).toBe(404);
  });
});

describe('checkouts', () => {
  const order = (fields: Record<string, string | string[]>) =>
    owner.submit(at('/new-checkout'), at('/checkouts'), {
      frequency: 'ONE_TIME',
      methods: ['PIX', 'CARD'],
      'card.maxInstallments': '1',
      externalId: '',
      ...fields,
    });

  it('sells several products with installments and coupons', async () => {
    const [tea, cup] = [
      await buildProduct(app.api, { price: 6_000 }),
      await buildProduct(app.api, { price: 1_500 }),
    ];
    const { code } = await buildCoupon(app.api);
    const made = await order({
      productId: [tea.id, '', cup.id],
      quantity: ['1', '9', '2'],
      'card.maxInstallments': '3',
      coupons: [code],
    });
    const id = idIn(made.location);
    expect(dataOf<ShownCheckout>(await app.api.get(`/v2/checkouts/get?id=${id}`))).toMatchObject({
      amount: 9_000,
      items: [
        { id: tea.id, quantity: 1 },
        { id: cup.id, quantity: 2 },
      ],
      card: { maxInstallments: 3 },
      coupons: [code],
    });
    const page = await owner.get(made.location ?? '');
    expect(page.text).toContain('até 3×');
    expect(page.html).toContain(at(`/coupons/${code}`));
    expect(page.html).toContain('class="qr-code"');
  });

  it('lets the payer pay the card fee, and shows it with what was paid', async () => {
    const tea = await buildProduct(app.api, { price: 10_000 });
    const made = await order({
      productId: [tea.id],
      quantity: ['1'],
      frequency: 'MULTIPLE_PAYMENTS',
      'card.passFeesToCustomer': 'true',
    });
    const id = idIn(made.location) as CheckoutId;
    const link = dataOf<ShownCheckout>(await app.api.get(`/v2/checkouts/get?id=${id}`));
    expect(link.card).toEqual({ maxInstallments: 1, passFeesToCustomer: true });
    expect((await owner.get(made.location ?? '')).text).toContain('Quem paga a taxa do cartão O pagador');
    const paidRow = { paidAmountCents: 10_425, customerFeeCents: 425 };
    await app.database.em.fork().nativeUpdate(CheckoutEntity, { id }, paidRow);
    expect((await owner.get(made.location ?? '')).text).toContain('Taxa paga pelo pagador R$ 4,25');
    const row = await app.database.em.fork().findOneOrFail(CheckoutEntity, { id });
    const amounts = { amountCents: 10_425, customerFeeCents: 425 };
    const charge = await insertCharge(app, row, 'CARD', { ...paid(10_425), ...amounts });
    const { text } = await owner.get(at(`/payments/${charge.id}`));
    expect(text).toContain('Preço R$ 100,00');
    expect(text).toContain('Taxa paga pelo pagador R$ 4,25');
  });

  it('names every wrong row and keeps what was chosen', async () => {
    const [tea, cup] = [await buildProduct(app.api), await buildProduct(app.api)];
    const refused = await order({ productId: [tea.id, cup.id], quantity: ['2', 'dois'], methods: [] });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('A quantidade deve ser um número inteiro');
    expect(refused.text).toContain('Escolha pelo menos um método');
    expect(refused.html).toContain(`<option value="${cup.id}" selected>`);
    expect(refused.html).toMatch(/id="quantity-1"[^>]*value="dois"[^>]*aria-invalid="true"/);
    const small = await order({ productId: [tea.id], quantity: ['1'], 'card.maxInstallments': '12' });
    expect(small).toMatchObject({
      status: 422,
      text: expect.stringContaining('baixo demais para tantas parcelas'),
    });
  });

  it('lists who a checkout is for, and the link to copy', async () => {
    const customer = await buildCustomer(app.api, { name: 'Zuleica Prado' });
    const { id } = await buildProduct(app.api);
    const body = { items: [{ id, quantity: 1 }], customerId: customer.id };
    const checkout = dataOf<ShownCheckout>(await app.api.post('/v2/checkouts/create', body));
    const list = await owner.get(at('/checkouts'));
    expect(list.text).toContain('Zuleica Prado');
    expect(list.html).toContain(`data-copy="${checkout.url}"`);
    expect((await owner.get(at(`/checkouts/${checkout.id}`))).html).toContain(
      at(`/customers/${customer.id}`),
    );
  });
});
