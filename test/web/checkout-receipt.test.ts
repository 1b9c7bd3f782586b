import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestApp, type TestApp } from '../support/api/app.ts';
import {
  insertCharge,
  insertCheckout,
  insertProduct,
  itemOf,
  NOON,
  paid,
} from '../support/rows/checkout-rows.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ clock: () => NOON });
});
afterAll(() => app.close());

/** What the receipt says, as a reader sees it. */
async function receiptOf(id: string): Promise<string> {
  const { status, text } = await app.api.get(`/receipt/${id}`, { key: null });
  expect(status).toBe(200);
  return text.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
}

describe('the receipt of a checkout', () => {
  it('shows card, installments, items and discount of a card payment', async () => {
    const items = [itemOf(await insertProduct(app, { name: 'Caneca & pires' }), 2)];
    const checkout = await insertCheckout(app, { items });
    const changes = { ...paid(9_000), amountCents: 9_000, discountCents: 1_000, installmentsCount: 7 };
    const { id } = await insertCharge(app, checkout, 'CARD', changes);
    const receipt = await receiptOf(id);
    for (const text of [
      '2 × Caneca &amp; pires R$ 100,00',
      'Desconto − R$ 10,00',
      'Forma de pagamento Cartão de crédito',
      'Cartão Visa final 4242',
      'Parcelas 7x de R$ 12,85 (a primeira de R$ 12,90)',
      'Valor pago R$ 90,00',
    ]) {
      expect(receipt).toContain(text);
    }
  });

  it('says on the receipt that a coupon covered the whole amount', async () => {
    const { id } = await insertCharge(app, await insertCheckout(app), 'FREE', paid(0));
    const receipt = await receiptOf(id);
    expect(receipt).toContain('Forma de pagamento Cupom de 100%');
    expect(receipt).toContain('Desconto − R$ 100,00');
    expect(receipt).toContain('Valor pago R$ 0,00');
  });
});
