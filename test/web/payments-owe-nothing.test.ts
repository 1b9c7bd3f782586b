import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { StrangerTurns } from '../../src/api/limits/stranger-turns.ts';
import { TEST_CONFIG } from '../support/api/app.ts';
import { insertCheckout } from '../support/rows/checkout-rows.ts';
import { CARD, createPayerApp, type PayerApp, payFormOf } from '../support/web/payer-app.ts';

let app: PayerApp;
beforeAll(async () => {
  app = await createPayerApp({ config: { ...TEST_CONFIG, limitAnonymousTraffic: true } });
});
afterAll(() => app.close());

/** Whether the form of a payer counts as one that began a payment. */
async function hasPaid(fields: Record<string, string>): Promise<boolean | undefined> {
  const { id } = await insertCheckout(app, { methods: ['CARD'] });
  return hasPaidAt(id, fields);
}

async function hasPaidAt(checkoutId: string, fields: Record<string, string>): Promise<boolean | undefined> {
  using form = jest.spyOn(StrangerTurns.prototype, 'form');
  await app.send(`/pay/${checkoutId}`, fields);
  return form.mock.calls[0]?.[2]();
}

it('lets a form that begins a payment owe nothing', async () => {
  app.played.decision = { status: 'PAID' };
  expect(await hasPaid(payFormOf({ method: 'CARD', ...CARD }))).toBe(true);
});

it.each([
  ['an empty form', {}],
  ['a card without a number', payFormOf({ method: 'CARD', ...CARD, cardNumber: '' })],
])('lets a form owe that is refused by a redirect: %s', async (_, fields) => {
  expect(await hasPaid(fields as Record<string, string>)).toBe(false);
});

it('lets a form owe that shows a payment which waits already', async () => {
  const { id } = await insertCheckout(app, { methods: ['PIX'] });
  const form = payFormOf({ method: 'PIX' });
  expect([await hasPaidAt(id, form), await hasPaidAt(id, form)]).toEqual([true, false]);
});
