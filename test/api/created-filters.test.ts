import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ChargeEntity } from '../../src/database/entities/charge.ts';
import { CheckoutEntity } from '../../src/database/entities/checkout.ts';
import { CouponEntity } from '../../src/database/entities/coupon.ts';
import { CustomerEntity } from '../../src/database/entities/customer.ts';
import { PayoutEntity } from '../../src/database/entities/payout.ts';
import { ProductEntity } from '../../src/database/entities/product.ts';
import type { StoreId } from '../../src/domain/ids.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { createTestApp, createTestStore, type TestApp } from '../support/api/app.ts';
import { buildPixCharge } from '../support/rows/build.ts';
import { buildCoupon, buildCustomer, buildProduct } from '../support/rows/catalog.ts';
import { buildCheckout, buildPaymentLink } from '../support/rows/checkouts.ts';
import { credit } from '../support/rows/credit.ts';

/** Three of each were made, an hour apart. */
const START = Date.parse('2026-06-01T12:00:00.000Z');
const HOUR = 3_600_000;

let app: TestApp;
let storeId: StoreId;
let api: ApiClient;
let customerId: string;

const ENTITIES = [ChargeEntity, CheckoutEntity, CouponEntity, CustomerEntity, PayoutEntity, ProductEntity];

beforeAll(async () => {
  app = await createTestApp();
  storeId = (await createTestStore(app.database)).id;
  api = await app.clientWith({ storeId });
  await credit(app.database, { storeId, devMode: true }, 100_000);
  const taxIds = ['529.982.247-25', '390.533.447-05', '111.444.777-35'];
  for (const [index, taxId] of taxIds.entries()) {
    customerId = (await buildCustomer(api, { taxId, email: `ana${index}@example.com` })).id;
    await buildPixCharge(api, { customer: { taxId } });
    await buildCoupon(api);
    await buildCheckout(api, { customerId });
    await buildPaymentLink(api, { customerId });
    const { id: plan } = await buildProduct(api, { cycle: 'MONTHLY' });
    dataOf(await api.post('/v2/subscriptions/create', { customerId, items: [{ id: plan, quantity: 1 }] }));
    const pix = { type: 'EMAIL', key: 'ana@example.com' };
    dataOf(await api.post('/v2/pix/send', { amount: 1_000, externalId: `transfer-${index}`, pix }));
    for (const entity of ENTITIES) {
      // Rows with a time from this machine's clock were created in this round.
      const at = { createdAt: new Date(START + index * HOUR) };
      const ofNow = { storeId, createdAt: { $gt: new Date(START + 3 * HOUR) } };
      await app.database.em.fork().nativeUpdate(entity as typeof CheckoutEntity, ofNow as never, at as never);
    }
  }
});
afterAll(() => app.close());

const count = async (path: string) => dataOf<unknown[]>(await api.get(`/v2/${path}`)).length;
const LISTS = [
  'transparents',
  'checkouts',
  'payment-links',
  'subscriptions',
  'customers',
  'products',
  'coupons',
  'pix',
];

describe.each(LISTS)('%s/list', (list) => {
  it('filters by creation time, including createdFrom and excluding createdTo', async () => {
    const at = (hours: number) => new Date(START + hours * HOUR).toISOString();
    const all = await count(`${list}/list`);
    expect(all % 3).toBe(0);
    expect(await count(`${list}/list?createdFrom=${at(1)}`)).toBe((all / 3) * 2);
    expect(await count(`${list}/list?createdTo=${at(1)}`)).toBe(all / 3);
    expect(await count(`${list}/list?createdFrom=${at(1)}&createdTo=${at(2)}`)).toBe(all / 3);
    expect(await count(`${list}/list?createdFrom=2026-06-01&createdTo=2026-06-01`)).toBe(all);
    expect(await count(`${list}/list?createdFrom=2026-06-02`)).toBe(0);
    expect(await count(`${list}/list?startDate=2026-06-01&endDate=2026-06-01`)).toBe(all);
    expect(await count(`${list}/list?startDate=2026-06-02`)).toBe(0);
    expect(await count(`${list}/list?endDate=2026-05-31`)).toBe(0);
    expect(await api.get(`/v2/${list}/list?createdFrom=June`)).toMatchObject({
      status: 400,
      json: { issues: [{ path: 'createdFrom' }] },
    });
  });
});

it.each(['transparents', 'payment-links', 'subscriptions', 'payments'])(
  "filters %s/list by customer and hides other stores' objects",
  async (list) => {
    const ofCustomer = `/v2/${list}/list?customerId=${customerId}`;
    expect(dataOf(await api.get(ofCustomer))).toHaveLength(1);
    expect(await count(`${list}/list?customerId=cust_1`)).toBe(0);
    const stranger = await app.clientWith({ storeId: (await createTestStore(app.database)).id });
    expect(dataOf(await stranger.get(ofCustomer))).toEqual([]);
  },
);

it('combines customerId and email as one filter', async () => {
  expect(await count(`payment-links/list?customerId=${customerId}&email=ana2@example.com`)).toBe(1);
  expect(await count(`payment-links/list?customerId=${customerId}&email=ana1@example.com`)).toBe(0);
});
