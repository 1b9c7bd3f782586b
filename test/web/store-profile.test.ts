import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { updateStoreProfile } from '../../src/stores/profile.ts';
import { insertCharge, insertCheckout, insertProduct, itemOf, paid } from '../support/rows/checkout-rows.ts';
import { createPayerApp, type PayerApp, payFormOf } from '../support/web/payer-app.ts';

let app: PayerApp;
beforeAll(async () => {
  // The sandbox stands in for a production provider.
  app = await createPayerApp({
    providers: {
      providersOf: (owner) => app.parts.providers.providersOf({ ...owner, devMode: true }),
      issuerOf: (issued) => app.parts.providers.issuerOf({ ...issued, devMode: true }),
    },
  });
});
afterAll(() => app.close());

const PROFILE = {
  name: 'Loja Azul & Cia',
  taxId: '11222333000181',
  logoUrl: 'https://cdn.example.com/logo.png',
  accentColor: '#ffcc00',
  supportEmail: 'ajuda@example.com',
  supportPhone: '+55 (11) 4002-8922',
  supportUrl: 'https://example.com/ajuda',
  legalFooter: 'Rua Um, 1 <São Paulo>',
};
const open = (path: string) => app.api.call(path, { key: null });

it("shows payers the store's profile, the items and its contacts", async () => {
  await updateStoreProfile(app.database.em.fork(), app.storeId, PROFILE);
  const product = await insertProduct(app, {
    description: 'Algodão, feita em <Blumenau>',
    imageUrl: 'https://cdn.example.com/camiseta.png',
  });
  const { id } = await insertCheckout(app, { items: [itemOf(product)] });
  const { text } = await open(`/pay/${id}`);
  for (const markup of [
    '<img class="head__logo" src="https://cdn.example.com/logo.png" alt=""',
    'Loja Azul &amp; Cia · CNPJ 11.222.333/0001-81',
    '<a href="mailto:ajuda@example.com">ajuda@example.com</a>',
    '<a href="tel:+551140028922">+55 (11) 4002-8922</a>',
    '<a href="https://example.com/ajuda" rel="noopener noreferrer">Central de ajuda</a>',
    'Rua Um, 1 &lt;São Paulo&gt;',
    'Algodão, feita em &lt;Blumenau&gt;',
    '<meta property="og:site_name" content="Loja Azul &amp; Cia">',
    '<meta property="og:title" content="Pagamento de R$\u00a050,00">',
    '<meta property="og:image" content="https://cdn.example.com/camiseta.png">',
  ])
    expect(text).toContain(markup);
  const [, accent = ''] = /href="(\/assets\/accent-ffcc00[^"]+)"/.exec(text) ?? [];
  const stylesheet = await open(accent);
  expect([stylesheet.status, stylesheet.headers.get('content-type')]).toEqual([
    200,
    'text/css; charset=utf-8',
  ]);
  expect(stylesheet.text).toMatch(/^:root\{--brand:#[0-9a-f]{6};/);
  for (const other of [accent.replace('ffcc00', 'ffcc01'), '/assets/accent-zzzzzz.000000000000.css'])
    expect((await open(other)).status).toBe(404);
});

it('refuses a production boleto of a store without tax id in API and page', async () => {
  const production = await app.clientWith({ storeId: app.storeId, devMode: false });
  await updateStoreProfile(app.database.em.fork(), app.storeId, { taxId: null });
  const product = await insertProduct(app, { devMode: false });
  const checkout = await insertCheckout(app, {
    devMode: false,
    items: [itemOf(product)],
    methods: ['PIX', 'BOLETO'],
  });
  const customer = { name: 'Ana Souza', taxId: '529.982.247-25' };
  const charge = { method: 'BOLETO', data: { amount: 5_000, customer } };
  const form = { method: 'BOLETO', payerName: customer.name, payerTaxId: customer.taxId };

  expect(await production.post('/v2/transparents/create', charge)).toMatchObject({
    status: 422,
    json: { error: expect.stringContaining('method: BOLETO shows the CPF or CNPJ of the store') },
  });
  const order = { items: [{ id: product.id, quantity: 1 }], methods: ['BOLETO'] };
  expect(await production.post('/v2/checkouts/create', order)).toMatchObject({ status: 422 });
  expect((await app.send(`/pay/${checkout.id}`, payFormOf(form))).text).toContain(
    'A loja ainda não pode receber por boleto.',
  );

  await updateStoreProfile(app.database.em.fork(), app.storeId, { taxId: PROFILE.taxId });
  expect((await production.post('/v2/transparents/create', charge)).status).toBe(200);
  expect((await app.send(`/pay/${checkout.id}`, payFormOf(form))).status).toBe(303);
});

it("gives receipts and boletos the store's colour", async () => {
  await updateStoreProfile(app.database.em.fork(), app.storeId, PROFILE);
  const checkout = await insertCheckout(app);
  const receipt = await insertCharge(app, checkout, 'PIX', paid(10_000));
  const boleto = await insertCharge(app, checkout, 'BOLETO');
  for (const path of [`/receipt/${receipt.id}`, `/boleto/${boleto.id}`])
    expect((await open(path)).text).toMatch(/href="\/assets\/accent-ffcc00[^"]+"/);
});
