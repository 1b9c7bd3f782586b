import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CustomerView } from '../../src/api/customers/schema.ts';
import type { ShownCharge } from '../../src/api/transparents/schema.ts';
import type { ShownCheckout } from '../../src/wire/checkout.ts';
import { dataOf } from '../support/api/api-client.ts';
import { createTestApp, type TestApp } from '../support/api/app.ts';
import { buildCustomer } from '../support/rows/catalog.ts';
import { buildCheckout, buildPaymentLink } from '../support/rows/checkouts.ts';
import { payForm } from '../support/web/pay-form.ts';

/** Data that only the merchant knows; no page may show it. */
const KNOWN = { name: 'Dona Conhecida', email: 'conhecida@example.com', cellphone: '11 98888-7777' };
const SECRET = /Dona Conhecida|conhecida@|98888/;

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const pageAt = async (path: string) => (await app.api.get(path, { key: null })).text;
const boletoFor = async (customer: object) =>
  dataOf<Extract<ShownCharge, { method: 'BOLETO' }>>(
    await app.api.post('/v2/transparents/create', { method: 'BOLETO', data: { amount: 2_500, customer } }),
  );
const customerBy = async (taxId: string) =>
  dataOf<CustomerView[]>(await app.api.get(`/customers/list?taxId=${taxId}`))[0];
/** Begins a payment on the hosted page, and follows to the page of it. */
async function begin(checkout: ShownCheckout, typed: Record<string, string>) {
  const { location } = await payForm(app.api.url, checkout.id, typed);
  return { chargeId: location.split('/').at(-1) ?? '', page: await pageAt(location) };
}

describe('a boleto', () => {
  it('shows the name from the request on a boleto, not the one on record', async () => {
    const taxId = '862.883.667-57';
    await buildCustomer(app.api, { ...KNOWN, taxId });
    const boleto = await boletoFor({ name: 'Fulano de Tal', taxId });
    const page = await pageAt(`/boleto/${boleto.id}`);
    expect(page).toContain('Fulano de Tal');
    expect(page).toContain('862.***.***-**');
    expect(page).not.toMatch(SECRET);
  });

  it('keeps the payer of a boleto when the customer is changed later', async () => {
    const boleto = await boletoFor({ name: 'Fulano de Tal', taxId: '111.444.777-35' });
    const { id } = (await customerBy('11144477735')) ?? {};
    await app.api.post('/v2/customers/update', { id, name: 'Nova Conhecida' });
    const page = await pageAt(`/boleto/${boleto.id}`);
    expect(page).toContain('Fulano de Tal');
    expect(page).not.toContain('Nova Conhecida');
  });
});

describe('an anonymous payer', () => {
  const taxIds = { PIX: '390.533.447-05', BOLETO: '714.602.380-01', CARD: '746.971.314-01' };

  it.each(['PIX', 'BOLETO'] as const)(
    'hides the record of the store from a payer who types its tax id: %s',
    async (method) => {
      const taxId = taxIds[method];
      const known = await buildCustomer(app.api, { ...KNOWN, taxId });
      for (const make of [buildCheckout, buildPaymentLink]) {
        const checkout = await make(app.api, { methods: ['PIX', 'BOLETO'] });
        const typed = { method, payerTaxId: taxId, payerName: method === 'BOLETO' ? 'Curioso' : '' };
        const { chargeId, page } = await begin(checkout, typed);
        const pages = [page, await pageAt(`/pay/${checkout.id}`)];
        if (method === 'BOLETO') pages.push(await pageAt(`/boleto/${chargeId}`));
        for (const shown of pages) expect(shown).not.toMatch(SECRET);
      }
      expect(await customerBy(taxId)).toEqual(known);
    },
  );

  it('stores an anonymous payer as a customer that is marked as typed by a payer', async () => {
    const typed = { method: 'PIX', payerTaxId: '529.982.247-25', payerName: 'Ana', payerEmail: 'ana@a.com' };
    await begin(await buildCheckout(app.api), typed);
    expect(await customerBy('52998224725')).toMatchObject({
      name: 'Ana',
      email: 'ana@a.com',
      typedByPayer: true,
    });
  });

  it('keeps a customer unchanged when a second payer types the same tax id', async () => {
    const checkout = await buildCheckout(app.api);
    const typed = { method: 'PIX', payerTaxId: '168.995.350-09' };
    await begin(checkout, { ...typed, payerName: 'Primeira' });
    const first = await customerBy('16899535009');
    await begin(checkout, { ...typed, payerName: 'Segunda', payerEmail: 'segunda@example.com' });
    expect(await customerBy('16899535009')).toEqual(first);
  });

  it('replaces all data that a payer typed with the data of the merchant', async () => {
    const taxId = '960.834.350-05';
    const typed = { method: 'PIX', payerTaxId: taxId, payerName: 'Errado', payerEmail: 'errado@example.com' };
    await begin(await buildCheckout(app.api), typed);
    const before = await customerBy(taxId);
    const customer = await buildCustomer(app.api, { taxId, name: 'Certa', email: 'certa@example.com' });
    expect(customer).toMatchObject({
      id: before?.id,
      name: 'Certa',
      email: 'certa@example.com',
      typedByPayer: false,
    });
    const other = '853.551.330-29';
    await begin(await buildCheckout(app.api), { ...typed, payerTaxId: other });
    await boletoFor({ name: 'Certa', taxId: other });
    expect(await customerBy(other)).toMatchObject({ name: 'Certa', email: '', typedByPayer: false });
  });
});

describe('the customer that a merchant names', () => {
  it('uses the customer on record as the payer of a checkout', async () => {
    const { id } = await buildCustomer(app.api, { ...KNOWN, taxId: '297.245.610-62' });
    const checkout = await buildCheckout(app.api, { customerId: id, methods: ['BOLETO'] });
    const { chargeId } = await begin(checkout, { method: 'BOLETO' });
    const page = await pageAt(`/boleto/${chargeId}`);
    expect(page).toContain(KNOWN.name);
    expect(page).toContain('297.***.***-**');
  });

  it('pre-fills the page of a payment link with its customer and nothing more', async () => {
    const customer = await buildCustomer(app.api, { ...KNOWN, taxId: '064.526.070-30' });
    const link = await buildPaymentLink(app.api, { customerId: customer.id, methods: ['PIX', 'BOLETO'] });
    const page = await pageAt(`/pay/${link.id}`);
    expect(page).toContain(`value="${KNOWN.name}"`);
    expect(page).toContain(`value="${KNOWN.email}"`);
    expect(page).toContain('064.***.***-**');
    expect(page).not.toMatch(/064\.?526/);

    const somebodyElse = { method: 'BOLETO', payerName: 'Outro', payerTaxId: '325.714.060-60' };
    const { chargeId } = await begin(link, somebodyElse);
    expect(await pageAt(`/boleto/${chargeId}`)).toContain('Outro');
    expect((await customerBy('32571406060'))?.id).not.toBe(customer.id);

    const herself = await begin(link, { method: 'BOLETO', payerName: KNOWN.name, payerEmail: KNOWN.email });
    expect(await pageAt(`/boleto/${herself.chargeId}`)).toContain('064.***.***-**');
    // Her tax id is not used for a payer who types another name.
    await expect(payForm(app.api.url, link.id, { method: 'BOLETO', payerName: 'Outro' })).rejects.toThrow(
      'refused',
    );
  });
});
