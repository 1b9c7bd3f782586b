import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { CheckoutId } from '../../src/domain/ids.ts';
import { mintId } from '../../src/ids.ts';
import { TEST_CONFIG } from '../support/api/app.ts';
import { insertCheckout } from '../support/rows/checkout-rows.ts';
import { countQueries } from '../support/rows/counted-queries.ts';
import { createPayerApp, type PayerApp } from '../support/web/payer-app.ts';

/** As many unknown pages of one address a minute as are looked up. */
const MOST = 300;

let app: PayerApp;
let queries: () => number;
beforeAll(async () => {
  const config = { ...TEST_CONFIG, limitAnonymousTraffic: true, trustedProxies: ['127.0.0.0/8'] };
  app = await createPayerApp({ config });
  queries = await countQueries(app.database);
});
afterAll(() => app.close());

let test = 0;
beforeEach(() => {
  test += 1;
});
const open = async (path: string, host = 1) => {
  const headers = { 'X-Forwarded-For': `198.51.${test}.${host}` };
  const { status } = await fetch(`${app.api.url}${path}`, { headers, redirect: 'manual' });
  return status;
};

/** The address has opened so many unknown pages, a moment ago. */
async function opened(times: number): Promise<void> {
  const row = [`unknownPagesOfAddress:198.51.${test}.1`, times, Date.now() + 60_000];
  await app.database.em.fork().execute('insert into anonymous_traffic values (?, ?, ?)', row);
}

describe('pages that do not exist', () => {
  it.each([
    ['payment', () => `/pay/${mintId<CheckoutId>('checkout', new Date())}`],
    ['receipt', () => `/receipt/${mintId<CheckoutId>('checkout', new Date()).replace('bill_', 'pix_char_')}`],
    ['portal', () => `/portal/${mintId<CheckoutId>('checkout', new Date()).replace('bill_', 'cust_')}`],
  ])('refuses from memory an address that has opened many %s pages', async (_, unknown) => {
    await opened(MOST - 1);
    expect(await open(unknown())).toBe(404);
    expect(await open(unknown())).toBe(429);
    const before = queries();
    expect(await Promise.all(Array.from({ length: 50 }, () => open(unknown())))).toEqual(Array(50).fill(429));
    expect(queries()).toBe(before);
    expect(await open(unknown(), 2)).toBe(404);
  });

  it('keeps a page open that the payer has opened before', async () => {
    const checkout = await insertCheckout(app);
    expect(await open(`/pay/${checkout.id}`)).toBe(200);
    await opened(MOST);
    expect(await open('/pay/bill_unknown')).toBe(429);
    expect(await open('/pay/bill_other')).toBe(429);
    expect(await open(`/pay/${checkout.id}`)).toBe(200);
  });
});
