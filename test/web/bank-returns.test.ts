import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { ChargeId } from '../../src/domain/ids.ts';
import { insertCharge, insertCheckout, NOON } from '../support/rows/checkout-rows.ts';
import { createPayerApp, type PayerApp } from '../support/web/payer-app.ts';

let app: PayerApp;
const asked: ChargeId[] = [];
beforeAll(async () => {
  app = await createPayerApp({
    chargeUpdates: {
      authorize: async () => 'PENDING',
      askProviderNow: async (id) => void asked.push(id),
      cancel: async () => 'CANCELLED',
      refund: async () => 'REFUNDED',
    },
  });
});
afterAll(() => app.close());
beforeEach(() => void asked.splice(0));

const AT_BANK = { actionUrl: 'https://bank.example/3ds', actionRequiredAt: NOON } as const;
const open = async (path: string) => (await fetch(app.api.url + path, { redirect: 'manual' })).status;

it('asks the provider for at most ten of a hundred returns from the bank', async () => {
  const checkout = await insertCheckout(app, { methods: ['CARD'] });
  const charges = [
    await insertCharge(app, checkout, 'CARD', AT_BANK),
    await insertCharge(app, checkout, 'CARD', { ...AT_BANK, checkoutId: null }),
  ];
  const paths = [`/pay/${checkout.id}/${charges[0]?.id}/confirmed`, `/card/${charges[1]?.id}/confirmed`];
  for (const path of paths) {
    const statuses = await Promise.all(Array.from({ length: 100 }, () => open(path)));
    expect(statuses.every((status) => status < 400)).toBe(true);
  }
  for (const charge of charges) expect(asked.filter((id) => id === charge.id)).toHaveLength(10);
});
