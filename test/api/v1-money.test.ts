import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { BillingView } from '../../src/api/v1/billing/schema.ts';
import { FAILING_KEYS } from '../../src/providers/sandbox/sandbox-transfers.ts';
import { dataOf } from '../support/api/api-client.ts';
import { balanceOf, createMoneyApp, type MoneyApp } from '../support/api/money-app.ts';
import { V1Client } from '../support/api/v1.ts';
import { eventually } from '../support/waiting/eventually.ts';

let app: MoneyApp;
let documented: V1Client;
beforeAll(async () => {
  app = await createMoneyApp();
  documented = await V1Client.of(app.api);
});
afterAll(() => app.close());

interface Shown {
  readonly id: string;
  readonly status: string;
}

async function store() {
  const { api } = await app.anotherStore();
  return { api, v1: documented.as(api) };
}

describe('money through v1 only', () => {
  it('adds a paid PIX QR code to the balance and withdraws from it', async () => {
    const { v1 } = await store();
    const { id } = dataOf<Shown>(await v1.post('/pixQrCode/create', { amount: 2_500 }));
    const paid = dataOf<Shown>(await v1.post(`/pixQrCode/simulate-payment?id=${id}`));
    expect(paid).toMatchObject({ id, status: 'PAID', amount: 2_500, platformFee: 80 });
    expect(dataOf(await v1.get(`/pixQrCode/check?id=${id}`))).toMatchObject({ status: 'PAID' });
    expect(dataOf(await v1.get('/store/get'))).toMatchObject({
      balance: { available: 2_420, pending: 0, blocked: 0 },
    });

    const order = { method: 'PIX', amount: 1_000, externalId: 'w-1' };
    await v1.post('/withdraw/create', { ...order, pix: { type: 'EMAIL', key: 'ana@example.com' } });
    await eventually(async () => {
      const withdrawn = dataOf(await v1.get('/withdraw/get?externalId=w-1'));
      expect(withdrawn).toMatchObject({ kind: 'WITHDRAW', status: 'COMPLETE', amount: 1_000 });
    });
    expect(dataOf(await v1.get('/store/get'))).toMatchObject({ balance: { available: 1_420 } });
  });

  it('returns the money of a failed withdrawal to the balance', async () => {
    const { v1, api } = await store();
    const { id } = dataOf<Shown>(await v1.post('/pixQrCode/create', { amount: 2_500 }));
    await v1.post(`/pixQrCode/simulate-payment?id=${id}`);
    const [key] = FAILING_KEYS.keys();
    const order = { method: 'PIX', amount: 1_000, externalId: 'w-1', pix: { type: 'EMAIL', key } };
    expect((await v1.post('/withdraw/create', order)).status).toBe(200);
    await eventually(async () => {
      expect(dataOf(await v1.get('/withdraw/get?externalId=w-1'))).toMatchObject({ status: 'FAILED' });
    });
    expect(await balanceOf(api)).toMatchObject({ available: 2_420 });
  });
});

describe('a billing', () => {
  it('marks a paid billing PAID in both versions', async () => {
    const { api, v1 } = await store();
    const billing = dataOf<BillingView>(
      await v1.post('/billing/create', {
        methods: ['CARD'],
        products: [{ externalId: 'shirt', name: 'Camiseta', description: 'Azul', quantity: 1, price: 5_000 }],
        returnUrl: 'https://shop.example.com/cart',
        completionUrl: 'https://shop.example.com/thanks',
      }),
    );
    expect((await api.post('/v2/checkouts/simulate-payment', { id: billing.id })).status).toBe(200);
    expect(await v1.list('/billing/list')).toEqual([
      {
        ...billing,
        status: 'PAID',
        metadata: { ...billing.metadata, fee: 235 },
        updatedAt: expect.any(String),
      },
    ]);
    expect(dataOf(await api.get(`/v2/checkouts/get?id=${billing.id}`))).toMatchObject({ status: 'PAID' });
  });
});
