import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ShownCharge } from '../../src/api/transparents/schema.ts';
import { ChargeEntity } from '../../src/database/entities/charge.ts';
import { digitableLine } from '../../src/domain/boleto.ts';
import { providersOfOne } from '../../src/providers/providers.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { VoucherProvider } from '../support/outside/voucher-provider.ts';
import { buildProduct } from '../support/rows/catalog.ts';
import { buildCheckout } from '../support/rows/checkouts.ts';
import { createPayerApp, type PayerApp, payFormOf } from '../support/web/payer-app.ts';

type Boleto = Extract<ShownCharge, { method: 'BOLETO' }>;

const ADDRESS = { street: 'Avenida Paulista 1000', city: 'São Paulo', state: 'SP', zipCode: '01310-100' };
const CUSTOMER = { name: 'Ana Souza', taxId: '529.982.247-25', email: 'ana@example.com', address: ADDRESS };
const TYPED = {
  ...{
    method: 'BOLETO',
    payerName: 'Ana Souza',
    payerTaxId: '529.982.247-25',
    payerEmail: 'ana@example.com',
  },
  ...{ payerStreet: ADDRESS.street, payerCity: ADDRESS.city, payerState: 'SP', payerZipCode: '01310100' },
};

interface Refused {
  readonly issues: readonly { readonly path: string; readonly rule?: string; readonly message: string }[];
}

const provider = new VoucherProvider();
let app: PayerApp;
let api: ApiClient;

beforeAll(async () => {
  app = await createPayerApp({
    providers: { providersOf: async () => providersOfOne(provider), issuerOf: async () => provider },
  });
  api = await app.clientWith({ devMode: false });
  await app.database.em.fork().execute(`update stores set tax_id = '11222333000181'`);
});
afterAll(() => app.close());
beforeEach(() => {
  provider.asked.length = 0;
});

const create = (data: object) =>
  api.post('/v2/transparents/create', {
    method: 'BOLETO',
    data: { amount: 2_500, customer: CUSTOMER, ...data },
  });
const countCharges = () => app.database.em.fork().count(ChargeEntity, {});
const productOf = async (price: number) => {
  const { id } = await buildProduct(api, { price });
  return [{ id, quantity: 1 }];
};

describe('a boleto without a PIX code', () => {
  it('shows the voucher of its provider, and null for every PIX code', async () => {
    const boleto = dataOf<Boleto>(await create({}));
    const [asked] = provider.asked;
    const { barCode } = await app.database.em.fork().findOneOrFail(ChargeEntity, { id: boleto.id as never });
    expect(boleto).toMatchObject({
      ...{ method: 'BOLETO', brCode: null, brCodeBase64: null, pix: null },
      barCode: digitableLine(barCode ?? ''),
      voucherUrl: `https://vouchers.example.com/${boleto.id}`,
      voucherPdfUrl: `https://vouchers.example.com/${boleto.id}.pdf`,
    });
    expect(asked?.payer).toMatchObject({
      email: 'ana@example.com',
      address: { ...ADDRESS, zipCode: '01310100' },
    });
    expect(dataOf(await api.get(`/v2/transparents/get?id=${boleto.id}`))).toEqual(boleto);
    expect(dataOf<Boleto[]>(await api.get('/v2/transparents/list'))[0]).toEqual(boleto);
  });

  it('stores no address of the payer', async () => {
    await create({});
    const rows = await app.database.em.fork().execute('select charges::text as line from charges');
    const customers = await app.database.em.fork().execute('select customers::text as line from customers');
    for (const { line } of [...rows, ...customers] as { line: string }[]) {
      expect(line).not.toContain('Paulista');
      expect(line).not.toContain('01310');
    }
  });

  it('links the voucher on its page and prints no slip without a bank', async () => {
    const { id, barCode } = dataOf<Boleto>(await create({}));
    const page = await (await fetch(`${app.api.url}/boleto/${id}`)).text();
    expect(page).toContain(`href="https://vouchers.example.com/${id}.pdf"`);
    expect(page.replace(/[ .]/g, '')).toContain(barCode);
    expect(page).not.toContain('Ficha de Compensação');
    expect(page).not.toContain('Pix copia e cola');
  });
});

describe("a boleto outside of its provider's limits", () => {
  it('names every wrong field in one 422 and stores nothing', async () => {
    const before = await countCharges();
    const refused = await create({
      amount: 499,
      dueDate: '2027-06-01',
      interest: { value: 100 },
      fine: { value: 200, type: 'PERCENTAGE' },
      customer: { name: 'Ana Souza', taxId: '529.982.247-26' },
    });
    expect(refused.status).toBe(422);
    const { issues } = refused.json as unknown as Refused;
    expect(issues.map(({ path, rule }) => [path, rule])).toEqual([
      ['data.customer.taxId', undefined],
      ['data.amount', 'BELOW_BOLETO_MINIMUM'],
      ['data.dueDate', 'DUE_DATE_OUT_OF_RANGE'],
      ['data.interest', 'LATE_CHARGES_NOT_POSSIBLE'],
      ['data.fine', 'LATE_CHARGES_NOT_POSSIBLE'],
      ['data.customer.email', 'PAYER_EMAIL_REQUIRED'],
      ['data.customer.address', 'PAYER_ADDRESS_REQUIRED'],
    ]);
    expect(issues[1]?.message).toBe('must be at least 500 cents for a boleto');
    expect(await countCharges()).toBe(before);
    expect(provider.asked).toEqual([]);
  });

  it('accepts the limits of amount and due date, and nothing beyond', async () => {
    for (const [amount, status] of [
      [500, 200],
      [4_999_999, 200],
      [5_000_000, 422],
    ])
      expect(await create({ amount })).toMatchObject({ status });
    expect(await create({ dueDate: '2027-01-01' })).toMatchObject({ status: 200 });
    expect(await create({ dueDate: '2027-01-02' })).toMatchObject({
      status: 422,
      json: { issues: [{ path: 'data.dueDate', rule: 'DUE_DATE_OUT_OF_RANGE' }] },
    });
  });

  it.each([
    ['an unknown state', { state: 'XX' }, 'data.customer.address.state'],
    ['a short CEP', { zipCode: '0131' }, 'data.customer.address.zipCode'],
    ['no city', { city: ' ' }, 'data.customer.address.city'],
  ])('names %s of an address', async (_, wrong, path) => {
    const refused = await create({ customer: { ...CUSTOMER, address: { ...ADDRESS, ...wrong } } });
    expect(refused).toMatchObject({ status: 400, json: { issues: [{ path }] } });
  });

  it.each(['checkouts', 'payment-links'])('refuses such terms of %s', async (kind) => {
    const sent = {
      methods: ['PIX', 'BOLETO'],
      items: await productOf(5_000_000),
      interest: { value: 100 },
      fine: { value: 200, type: 'FIXED' },
    };
    const refused = await api.post(`/v2/${kind}/create`, sent);
    const { issues } = refused.json as unknown as Refused;
    expect(issues.map(({ path, rule }) => [path, rule])).toEqual([
      ['methods', 'ABOVE_BOLETO_MAXIMUM'],
      ['interest', 'LATE_CHARGES_NOT_POSSIBLE'],
      ['fine', 'LATE_CHARGES_NOT_POSSIBLE'],
    ]);
    const small = { methods: ['PIX', 'BOLETO'], items: await productOf(499) };
    expect(await api.post(`/v2/${kind}/create`, small)).toMatchObject({
      status: 422,
      json: { issues: [{ path: 'methods', rule: 'TOTAL_BELOW_MINIMUM' }] },
    });
  });
});

describe('the page of a checkout', () => {
  const checkoutOf = async (given: object = {}) =>
    buildCheckout(api, { methods: ['PIX', 'BOLETO'], items: await productOf(2_500), ...given });
  const chargesOf = (checkoutId: string) =>
    app.database.em.fork().find(ChargeEntity, { checkoutId: checkoutId as never });

  it('asks for e-mail and address, and passes them to the provider', async () => {
    const { id } = await checkoutOf();
    const page = await (await fetch(`${app.api.url}/pay/${id}`)).text();
    for (const name of ['payerStreet', 'payerCity', 'payerState', 'payerZipCode'])
      expect(page).toContain(`name="${name}"`);
    const answer = await app.send(`/pay/${id}`, payFormOf(TYPED));
    expect(answer.cameBack).toBe(false);
    expect(provider.asked[0]?.payer).toMatchObject({
      ...{ name: 'Ana Souza', taxId: '52998224725', email: 'ana@example.com' },
      address: { ...ADDRESS, zipCode: '01310100' },
    });
    const [charge] = await chargesOf(id);
    const paying = await (await fetch(`${app.api.url}/pay/${id}/${charge?.id}`)).text();
    expect(paying).not.toContain('Pix copia e cola');
    expect(paying).toContain(`/boleto/${charge?.id}`);
  });

  it('shows every missing part of the payer at once and keeps what was typed', async () => {
    const { id } = await checkoutOf();
    const empty = { payerEmail: '', payerStreet: '', payerState: 'XX', payerZipCode: '123' };
    const answer = await app.send(`/pay/${id}`, payFormOf({ ...TYPED, ...empty }));
    expect(answer.cameBack).toBe(true);
    for (const text of ['informe o e-mail', 'Informe a rua', 'Escolha o estado', 'Confira o CEP'])
      expect(answer.text).toContain(text);
    expect(answer.text).toContain('value="São Paulo"');
    expect(await chargesOf(id)).toEqual([]);
  });

  it('pays by PIX without e-mail and address', async () => {
    const { id } = await checkoutOf();
    expect((await app.send(`/pay/${id}`, payFormOf({ method: 'PIX' }))).cameBack).toBe(false);
  });

  it('hides boletos whose total a coupon has made too small', async () => {
    const { id } = await checkoutOf();
    await app.database.em.fork().execute('update checkouts set amount_cents = 499 where id = ?', [id]);
    const page = await (await fetch(`${app.api.url}/pay/${id}`)).text();
    expect(page).not.toContain('value="BOLETO"');
    const answer = await app.send(`/pay/${id}`, payFormOf(TYPED));
    expect(answer.cameBack).toBe(true);
    expect(answer.text).toContain('menor que o mínimo');
    expect(await chargesOf(id)).toEqual([]);
  });

  it('hides boletos if the provider has changed to one without interest', async () => {
    const { id } = await checkoutOf();
    await app.database.em
      .fork()
      .execute(`update checkouts set interest = '{"value":100}' where id = ?`, [id]);
    expect(await (await fetch(`${app.api.url}/pay/${id}`)).text()).not.toContain('value="BOLETO"');
    const answer = await app.send(`/pay/${id}`, payFormOf(TYPED));
    expect(answer.cameBack).toBe(true);
    expect(await chargesOf(id)).toEqual([]);
  });
});
