import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PROVIDER_USES } from '../../src/domain/provider-use.ts';
import { dataOf } from '../support/api/api-client.ts';
import { balanceOf, createMoneyApp, type MoneyApp } from '../support/api/money-app.ts';
import { buildPaidCheckout, buildPaidPix } from '../support/rows/payments.ts';

let app: MoneyApp;
beforeAll(async () => {
  app = await createMoneyApp();
});
afterAll(() => app.close());

const sandbox = (held: number, available: number) => ({
  id: 'sandbox',
  profile: 'sandbox',
  serves: [...PROVIDER_USES],
  held,
  available,
});

describe('GET /store/get', () => {
  it('returns zero balances for a store without payments', async () => {
    const { storeId, api } = await app.anotherStore();
    expect(dataOf(await api.get('/v2/store/get'))).toEqual({
      id: storeId,
      name: 'Loja Teste',
      devMode: true,
      balance: { available: 0, pending: 0, blocked: 0 },
      accounts: [sandbox(0, 0)],
    });
  });

  it('shows PIX as available and card payments as pending, both without the fee', async () => {
    const { api } = await app.anotherStore();
    await buildPaidPix(api);
    expect(await balanceOf(api)).toEqual({ available: 2_500 - 80, pending: 0, blocked: 0 });
    await buildPaidCheckout(api);
    expect(await balanceOf(api)).toEqual({ available: 2_420, pending: 5_000 - 235, blocked: 0 });
  });

  it('shows what lies at the sandbox with fees, and what of it can be paid out', async () => {
    const { api } = await app.anotherStore();
    await buildPaidPix(api);
    await buildPaidCheckout(api);
    expect(dataOf(await api.get('/v2/store/get'))).toMatchObject({
      accounts: [sandbox(2_500 + 5_000, 2_420)],
    });
  });

  it('counts neither another store nor the other environment', async () => {
    const { storeId, api } = await app.anotherStore();
    await buildPaidPix(api);
    const production = await app.clientWith({ storeId, devMode: false });
    const nothing = { available: 0, pending: 0, blocked: 0 };
    expect(await balanceOf(production)).toEqual(nothing);
    expect(await balanceOf((await app.anotherStore()).api)).toEqual(nothing);
  });

  it('returns the store under v1 in the envelope of v1', async () => {
    const { storeId, api } = await app.anotherStore();
    const { json } = await api.get('/v1/store/get');
    expect(json).toEqual({
      data: {
        id: storeId,
        name: 'Loja Teste',
        devMode: true,
        balance: { available: 0, pending: 0, blocked: 0 },
        accounts: [sandbox(0, 0)],
      },
      error: null,
    });
  });

  it('returns 403 to a key without STORE:READ', async () => {
    const api = await app.clientWith({ permissions: ['CHECKOUT:READ'] });
    expect(await api.get('/v2/store/get')).toMatchObject({
      status: 403,
      json: { code: 'PERMISSION_DENIED' },
    });
  });
});
