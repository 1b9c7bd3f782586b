import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { resendExample } from '../../src/api/deliveries/resend-schema.ts';
import { eventExample } from '../../src/api/events/schema.ts';
import { documentedPath } from '../../src/api/frame/route-paths.ts';
import { exampleNfseSettings } from '../../src/api/invoices/nfse/settings-schema.ts';
import { exampleMandateId } from '../../src/api/mandates/schema.ts';
import { payoutId } from '../../src/api/payouts/schema.ts';
import { exampleCardCustomerId, exampleSavedCardId } from '../../src/api/saved-cards/schema.ts';
import { exampleUsageProductId } from '../../src/api/subscriptions/examples.ts';
import { API_ROUTES as ALL_ROUTES } from '../../src/app.ts';
import { StoreEntity } from '../../src/database/entities/store.ts';
import { exampleCheckoutId } from '../../src/wire/checkout.ts';
import { exampleInvoice } from '../../src/wire/invoice.ts';
import { exampleAuthorizedNfse, exampleNfse } from '../../src/wire/nfse.ts';
import { exampleSubAccountId } from '../../src/wire/splits.ts';
import { exampleSubscriptionId } from '../../src/wire/subscription/example.ts';
import { dataOf } from '../support/api/api-client.ts';
import { comparable } from '../support/api/comparable.ts';
import { createMoneyApp, type MoneyApp } from '../support/api/money-app.ts';
import { expectDocumented, type OpenApi, readOpenApi } from '../support/api/openapi.ts';
import { advance } from '../support/fixtures/clock.ts';
import { ExampleShop, nameOf, type Preparation } from '../support/fixtures/example-shop.ts';
import { startWebhookSink, type WebhookSink } from '../support/outside/webhook-sink.ts';
import { buildWebhook } from '../support/rows/build.ts';
import { typeCard } from '../support/rows/card-tokens.ts';
import { buildCoupon, buildProduct } from '../support/rows/catalog.ts';
import { insertCharge, insertCheckout, paid } from '../support/rows/checkout-rows.ts';
import { credit } from '../support/rows/credit.ts';
import { buildPaidCheckout, buildPaidPix } from '../support/rows/payments.ts';
import { setControls } from '../support/rows/payout-controls.ts';
import { eventually } from '../support/waiting/eventually.ts';

/** A stream has no end; test/api/event-stream.test.ts reads it. test/api/invoices.test.ts reads the file. */
const API_ROUTES = ALL_ROUTES.filter(({ stream, file }) => !stream && !file);

let app: MoneyApp;
let sink: WebhookSink;
let document: OpenApi;
beforeAll(async () => {
  app = await createMoneyApp({ secretsKeys: [Buffer.alloc(32, 3).toString('base64')] });
  sink = await startWebhookSink();
  document = await readOpenApi(app.api);
});
afterAll(async () => {
  await app.close();
  await sink[Symbol.asyncDispose]();
});

const NOTHING: Preparation = () => {};
const after =
  (...names: string[]): Preparation =>
  (shop) =>
    shop.after(...names);

/** What the checkouts of the examples sell, and the coupon that they name. */
const CATALOG: Preparation = async ({ api, ids }) => {
  ids.set('prod_01KAK0XZ4M3N5P7Q9R1S2T4V6W', (await buildProduct(api, { price: 4_900 })).id);
  await buildCoupon(api, { code: 'BEMVINDO10' });
};
const SAVED_CARD: Preparation = async ({ app: { database }, api, storeId, ids }) => {
  const customer = { name: 'Ana Souza', taxId: '529.982.247-25' };
  const data = { amount: 4_900, token: await typeCard(database, storeId), customer };
  const paidOnce = await api.post('/v2/transparents/create', { method: 'CARD', data });
  const { cardToken, customerId } = dataOf<{ cardToken: string; customerId: string }>(paidOnce);
  ids.set(exampleSavedCardId, cardToken);
  ids.set(exampleCardCustomerId, customerId);
};
const ONE_CLICK: Preparation = async (shop) => {
  await SAVED_CARD(shop);
  const { id: productId } = await buildProduct(shop.api, { price: 4_900 });
  const customerId = shop.ids.get(exampleCardCustomerId);
  const body = { items: [{ id: productId }], methods: ['CARD'], customerId };
  const { id } = dataOf<{ id: string }>(await shop.api.post('/v2/checkouts/create', body));
  shop.ids.set(exampleCheckoutId, id);
};
const PLAN: Preparation = async ({ api, ids }) => {
  const plan = await buildProduct(api, { price: 4_900, cycle: 'MONTHLY' });
  ids.set('prod_01KAK0XZ4M3N5P7Q9R1S2T4V6W', plan.id);
};
const SUBSCRIPTION: Preparation = async (shop) => {
  await shop.after('POST /subscriptions/create');
  const id = shop.ids.get('bill_01KAK0Y3PQ8V4T6R2W9ZB5XHMD');
  const payer = { name: 'Ana Souza', taxId: '529.982.247-25' };
  const paid = await shop.api.post('/v2/checkouts/simulate-payment', { id, payer });
  shop.ids.set(exampleSubscriptionId, dataOf<{ subscriptionId: string }>(paid).subscriptionId);
};
/** Paid by codes, so its payer can be asked for debits. */
const ASKED_SUBSCRIPTION: Preparation = async (shop) => {
  await PLAN(shop);
  const items = [{ id: shop.ids.get('prod_01KAK0XZ4M3N5P7Q9R1S2T4V6W'), quantity: 1 }];
  const { id } = dataOf<{ id: string }>(
    await shop.api.post('/v2/subscriptions/create', { items, methods: ['PIX'] }),
  );
  const payer = { name: 'Ana Souza', taxId: '529.982.247-25' };
  const paid = await shop.api.post('/v2/checkouts/simulate-payment', { id, payer });
  shop.ids.set(exampleSubscriptionId, dataOf<{ subscriptionId: string }>(paid).subscriptionId);
};
/** By PIX, with a code that also asks for debits. */
const MANDATE: Preparation = async ({ api, ids }) => {
  const { id: productId } = await buildProduct(api, { price: 4_900, cycle: 'MONTHLY' });
  const order = { items: [{ id: productId, quantity: 1 }], methods: ['PIX'], pixAutomatic: 'fixed' };
  const { id } = dataOf<{ id: string }>(await api.post('/v2/subscriptions/create', order));
  const payer = { name: 'Ana Souza', taxId: '529.982.247-25' };
  const paid = await api.post('/v2/checkouts/simulate-payment', { id, payer });
  const { subscriptionId } = dataOf<{ subscriptionId: string }>(paid);
  const mandates = await api.get(`/v2/mandates/list?subscriptionId=${subscriptionId}`);
  ids.set(exampleMandateId, dataOf<{ id: string }[]>(mandates)[0]?.id ?? '');
  ids.set(exampleSubscriptionId, subscriptionId);
  ids.set(exampleCheckoutId, id);
};
const DEBITED_MANDATE: Preparation = async (shop) => {
  await MANDATE(shop);
  await advance(shop.api, { by: 'P26D' });
};
/** The store has a tax id, as in the example. An invoice is numbered shortly after the payment. */
const INVOICE: Preparation = async (shop) => {
  const { api, app, ids, storeId } = shop;
  const known = { name: 'Loja Azul', taxId: '11222333000181' };
  await app.database.em.fork().nativeUpdate(StoreEntity, { id: storeId }, known);
  await SUBSCRIPTION(shop);
  for (const parameter of ['number', 'customerId', 'paymentId']) shop.leftOut.add(parameter);
  await eventually(async () => {
    const [invoice] = dataOf<{ id: string }[]>(await api.get('/v2/invoices/list'));
    ids.set(exampleInvoice.id, invoice?.id ?? '');
    expect(invoice).toBeDefined();
  });
};
const NFSE_SETTINGS: Preparation = async ({ api }) =>
  void dataOf(await api.post('/v2/invoices/nfse/update-settings', exampleNfseSettings));
/** The DPS of an invoice is issued together with its number. */
const NFSE: Preparation = async (shop) => {
  const { api, ids } = shop;
  await NFSE_SETTINGS(shop);
  await INVOICE(shop);
  const [nfse] = dataOf<{ id: string }[]>(await api.get('/v2/invoices/nfse/list'));
  ids.set(exampleNfse.id, nfse?.id ?? '');
};
const AUTHORIZED_NFSE: Preparation = async (shop) => {
  await NFSE(shop);
  const { accessKey, verificationUrl } = exampleAuthorizedNfse;
  const id = shop.ids.get(exampleNfse.id);
  const body = { id, status: 'AUTHORIZED', accessKey, verificationUrl };
  dataOf(await shop.api.post('/v2/invoices/nfse/report', body));
};
/** The example replaces the card by another one that its payer has just typed. */
const NEW_CARD: Preparation = async (shop) => {
  await SUBSCRIPTION(shop);
  shop.ids.set('ctok_01KAK0Z7Q3C5D7E9F1G3H5J7KM', await typeCard(shop.app.database, shop.storeId));
};
const USED_SUBSCRIPTION: Preparation = async (shop) => {
  await SUBSCRIPTION(shop);
  shop.ids.set(exampleUsageProductId, (await buildProduct(shop.api, { price: 5 })).id);
};
const MONEY: Preparation = async ({ api }) => void (await buildPaidPix(api, { amount: 50_000 }));
const PAID_CHECKOUT = after('POST /checkouts/simulate-payment');
const PAID_LINK: Preparation = async (shop) => {
  await shop.after('POST /payment-links/create');
  const id = shop.ids.get('bill_01KAK0Y3PQ8V4T6R2W9ZB5XHMD');
  const { paymentId } = dataOf<{ paymentId: string }>(
    await shop.api.post('/v2/checkouts/simulate-payment', { id, method: 'CARD' }),
  );
  shop.ids.set('card_01KAK0Z7Q3C5D7E9F1G3H5J7KM', paymentId);
};
/** The same with the coupon that the link names. */
const COUPON_LINK: Preparation = async (shop) => {
  await shop.after('POST /payment-links/create');
  const id = shop.ids.get('bill_01KAK0Y3PQ8V4T6R2W9ZB5XHMD');
  const body = { id, method: 'CARD', coupon: 'BEMVINDO10' };
  dataOf(await shop.api.post('/v2/checkouts/simulate-payment', body));
};
const PAID_PIX: Preparation = async ({ api, ids }) =>
  void ids.set('pix_char_01KAK0Y3PQ8V4T6R2W9ZB5XHMD', await buildPaidPix(api));
/** A seller who has received a split of R$ 70.00. */
const PAID_SELLER: Preparation = async (shop) => {
  await shop.after('POST /sub-accounts/create');
  const splits = [{ subAccountId: shop.ids.get(exampleSubAccountId), amount: 7_000 }];
  const paid = await buildPaidPix(shop.api, { amount: 10_000, splits });
  shop.ids.set('pix_char_01KAK0Y3PQ8V4T6R2W9ZB5XHMD', paid);
};
const OPEN_BOLETO: Preparation = async ({ api, ids }) => {
  const customer = { name: 'Ana Souza', taxId: '529.982.247-25' };
  const body = { method: 'BOLETO', data: { amount: 4_900, customer } };
  const { id } = dataOf<{ id: string }>(await api.post('/v2/transparents/create', body));
  ids.set('bole_01KAK0Z7Q3C5D7E9F1G3H5J7KM', id);
};
const DELIVERED: Preparation = async ({ api, ids }) => {
  const { id } = await buildWebhook(api, {
    endpoint: sink.endpoint().url,
    events: ['transparent.completed'],
  });
  ids.set('webh_01J9Z3VYK0W6F0S7R2M8QH4T5B', id);
  await paidAsDocumented({ api, ids });
  await eventually(async () => {
    const path = `/v2/webhooks/deliveries?webhookId=${id}&status=DELIVERED`;
    expect(dataOf(await api.get(path))).toHaveLength(1);
  });
};
/** Creates and pays the charge of the example of `transparent.completed`. */
const paidAsDocumented = async ({ api, ids }: Pick<ExampleShop, 'api' | 'ids'>): Promise<void> => {
  const customer = {
    name: 'Ana Souza',
    email: 'ana@example.com',
    taxId: '529.982.247-25',
    cellphone: '+5511912345678',
  };
  const data = { amount: 25_000, externalId: 'order-1042', customer, metadata: { orderId: 'A-1042' } };
  const charge = dataOf<{ id: string }>(await api.post('/v2/transparents/create', { method: 'PIX', data }));
  dataOf(await api.post(`/v2/transparents/simulate-payment?id=${charge.id}`));
  const [event] = dataOf<{ id: string }[]>(await api.get(`/v2/events/list?subjectId=${charge.id}`));
  ids.set(eventExample.subjectIds[0] ?? '', charge.id).set(eventExample.id, event?.id ?? '');
};
/** Points the webhook of the example at a reachable endpoint. */
const WITH_ENDPOINT: Preparation = async (shop) => {
  await shop.after('POST /webhooks/create');
  const id = shop.ids.get('webh_01J9Z3VYK0W6F0S7R2M8QH4T5B');
  dataOf(await shop.api.post('/v2/webhooks/update', { id, endpoint: sink.endpoint().url }));
};
/** Resends a range without events, which ends at once. */
const RESENT: Preparation = async (shop) => {
  await shop.after('POST /webhooks/create');
  const { from, to } = resendExample;
  const webhookId = shop.ids.get(resendExample.webhookId);
  const { id } = dataOf<{ id: string }>(await shop.api.post('/v2/webhooks/resend', { webhookId, from, to }));
  shop.ids.set(resendExample.id, id);
  await eventually(async () => {
    const resend = await shop.api.get(`/v2/webhooks/resend/get?id=${id}`);
    expect(resend.json.data).toMatchObject({ status: 'DONE' });
  });
};
/** Names the store as in the examples and adds a PIX payment, a card payment and a dispute. */
const STORE: Preparation = async ({ api, app: { database }, storeId }) => {
  const known = { name: 'Loja Azul', website: 'https://shop.example.com' };
  await database.em.fork().nativeUpdate(StoreEntity, { id: storeId }, known);
  await buildPaidPix(api, { amount: 25_000 });
  await buildPaidCheckout(api);
  dataOf(await api.post('/v2/dev/disputes/open', { id: await buildPaidPix(api) }));
};
/** Waits until the payout or transfer is complete, as in the example. */
const arrived =
  (create: string, list: string): Preparation =>
  async (shop) => {
    await shop.after(create);
    await eventually(async () => {
      const [newest] = dataOf<{ status: string }[]>(await shop.api.get(list));
      expect(newest?.status).toBe('COMPLETE');
    });
  };
const PAYOUT = arrived('POST /payouts/create', '/v2/payouts/list');
const TRANSFER = arrived('POST /pix/send', '/v2/pix/list');
/** Another key has asked for so much that it waits for an approval. */
const waiting =
  (path: string, body: object): Preparation =>
  async ({ app, ids, storeId }) => {
    const owner = { storeId, devMode: true };
    await credit(app.database, owner, 2_500_000);
    await setControls(app.database, owner, { approvalAboveCents: 1_000_000 });
    const other = await app.clientWith({ storeId });
    const { id } = dataOf<{ id: string }>(await other.post(path, { ...body, amount: 2_500_000 }));
    ids.set(payoutId, id);
  };
const WAITING_PAYOUT = waiting('/v2/payouts/create', { externalId: 'week-47', description: 'Semana 47' });
const WAITING_TRANSFER = waiting('/v2/pix/send', {
  externalId: 'supplier-7',
  description: 'Fornecedor',
  pix: { type: 'EMAIL', key: 'ana@example.com' },
});
const WITHDRAWAL = arrived('POST /v1/withdraw/create', '/v1/withdraw/list');
/** Paid on the very days that the example names. */
const REVENUE: Preparation = async ({ app: { database }, storeId }) => {
  const shop = { database, storeId, now: async () => new Date() };
  for (const day of ['2027-01-04', '2027-01-04', '2027-01-05']) {
    const checkout = await insertCheckout(shop, { status: 'PAID' });
    await insertCharge(shop, checkout, 'PIX', { ...paid(4_900), paidAt: new Date(`${day}T15:00:00.000Z`) });
  }
};
const leavingOut =
  (parameter: string, preparation: Preparation): Preparation =>
  async (shop) => {
    shop.leftOut.add(parameter);
    await preparation(shop);
  };

/** What each route's example needs. A route that is not here fails below. */
const PREPARATIONS: Readonly<Record<string, Preparation>> = {
  'POST /transparents/create': NOTHING,
  'POST /card-tokens/create': NOTHING,
  'GET /transparents/get': after('POST /transparents/create'),
  'GET /transparents/list': after('POST /transparents/create'),
  'GET /transparents/check': after('POST /transparents/simulate-payment'),
  'POST /transparents/simulate-payment': after('POST /transparents/create'),
  'POST /transparents/cancel': after('POST /transparents/create'),
  'POST /transparents/refund': PAID_PIX,
  'POST /customers/update': after('POST /customers/create'),
  'POST /checkouts/create': CATALOG,
  'GET /checkouts/get': after('POST /checkouts/create'),
  'GET /checkouts/list': after('POST /checkouts/create'),
  'POST /checkouts/cancel': after('POST /checkouts/create'),
  'POST /checkouts/simulate-payment': after('POST /checkouts/create'),
  'POST /checkouts/refund': PAID_CHECKOUT,
  'POST /payment-links/create': CATALOG,
  'GET /payment-links/get': after('POST /payment-links/create'),
  'GET /payment-links/list': after('POST /payment-links/create'),
  'POST /payment-links/cancel': after('POST /payment-links/create'),
  'POST /payment-links/refund': PAID_LINK,
  'GET /payments/list': COUPON_LINK,
  'GET /payments/get': after('GET /payments/list'),
  'GET /balance/movements': PAID_PIX,
  'GET /bank-statement/list': PAID_PIX,
  'POST /customers/create': NOTHING,
  'POST /customer-portal/create': after('POST /customers/create'),
  'GET /saved-cards/list': SAVED_CARD,
  'POST /saved-cards/delete': SAVED_CARD,
  'POST /checkouts/one-click': ONE_CLICK,
  'GET /customers/list': after('POST /customers/create'),
  'GET /customers/get': after('POST /customers/create'),
  'POST /customers/delete': after('POST /customers/create'),
  'POST /reminders/update': NOTHING,
  'GET /reminders/get': after('POST /reminders/update'),
  'POST /products/create': NOTHING,
  'POST /products/update': after('POST /products/create'),
  'POST /products/archive': after('POST /products/create'),
  'POST /products/restore': after('POST /products/create'),
  'GET /products/list': after('POST /products/create'),
  'GET /products/get': leavingOut('externalId', after('POST /products/create')),
  'POST /products/delete': after('POST /products/create'),
  'POST /coupons/create': NOTHING,
  'POST /coupons/update': after('POST /coupons/create'),
  'GET /coupons/list': after('POST /coupons/create'),
  'GET /coupons/get': after('POST /coupons/create'),
  'POST /coupons/toggle': after('POST /coupons/create'),
  'POST /coupons/delete': after('POST /coupons/create'),
  'POST /webhooks/create': NOTHING,
  'POST /v1/webhooks/create': NOTHING,
  'GET /webhooks/list': after('POST /webhooks/create'),
  'GET /webhooks/get': after('POST /webhooks/create'),
  'POST /webhooks/update': after('POST /webhooks/create'),
  'POST /webhooks/rotate-secret': after('POST /webhooks/create'),
  'POST /webhooks/test': WITH_ENDPOINT,
  'POST /webhooks/delete': after('POST /webhooks/create'),
  'GET /webhooks/deliveries': DELIVERED,
  'GET /webhooks/deliveries/get': after('GET /webhooks/deliveries'),
  'GET /events/list': paidAsDocumented,
  'GET /events/get': paidAsDocumented,
  'POST /webhooks/resend': after('GET /webhooks/deliveries'),
  'GET /webhooks/resend/get': RESENT,
  'POST /webhooks/resend/stop': RESENT,
  'POST /subscriptions/create': PLAN,
  'GET /subscriptions/list': after('POST /subscriptions/create'),
  'GET /subscriptions/checkouts/list': after('POST /subscriptions/create'),
  'GET /subscriptions/checkouts/get': after('POST /subscriptions/create'),
  'POST /subscriptions/checkouts/delete': after('POST /subscriptions/create'),
  'GET /subscriptions/get': SUBSCRIPTION,
  'POST /subscriptions/cancel': SUBSCRIPTION,
  'POST /subscriptions/change-plan': SUBSCRIPTION,
  'POST /subscriptions/preview': SUBSCRIPTION,
  'POST /subscriptions/pause': SUBSCRIPTION,
  'POST /subscriptions/resume': SUBSCRIPTION,
  'POST /subscriptions/pay': SUBSCRIPTION,
  'POST /subscriptions/update': NEW_CARD,
  'POST /subscriptions/record-usage': USED_SUBSCRIPTION,
  'GET /mandates/list': DEBITED_MANDATE,
  'GET /mandates/get': DEBITED_MANDATE,
  'POST /mandates/create': ASKED_SUBSCRIPTION,
  'POST /mandates/cancel': MANDATE,
  'POST /dev/mandates/answer': MANDATE,
  'GET /invoices/list': INVOICE,
  'GET /invoices/get': INVOICE,
  'GET /invoices/nfse/settings': NFSE_SETTINGS,
  'POST /invoices/nfse/update-settings': NOTHING,
  'GET /invoices/nfse/list': NFSE,
  'GET /invoices/nfse/get': AUTHORIZED_NFSE,
  'POST /invoices/nfse/issue': NFSE,
  'POST /invoices/nfse/report': NFSE,
  'POST /invoices/nfse/cancel': AUTHORIZED_NFSE,
  'GET /public-mrr/mrr': SUBSCRIPTION,
  'GET /public-mrr/merchant-info': STORE,
  'GET /public-mrr/revenue': REVENUE,
  'GET /store/get': STORE,
  'GET /dev/clock': NOTHING,
  'POST /dev/clock/advance': SUBSCRIPTION,
  'POST /dev/clock/cancel': NOTHING,
  'POST /dev/clock/reset': NOTHING,
  'POST /dev/cards/replace': SUBSCRIPTION,
  'POST /dev/cards/change': SUBSCRIPTION,
  'POST /dev/reminders/publish': OPEN_BOLETO,
  'POST /dev/refunds/request': PAID_CHECKOUT,
  'POST /dev/disputes/open': PAID_CHECKOUT,
  'POST /dev/disputes/win': after('POST /dev/disputes/open'),
  'POST /dev/disputes/lose': after('POST /dev/disputes/open'),
  'POST /payouts/create': MONEY,
  'GET /payouts/get': leavingOut('id', PAYOUT),
  'GET /payouts/list': PAYOUT,
  'POST /payouts/approve': WAITING_PAYOUT,
  'POST /payouts/reject': WAITING_PAYOUT,
  'POST /pix/approve': WAITING_TRANSFER,
  'POST /pix/reject': WAITING_TRANSFER,
  'POST /pix/send': MONEY,
  'POST /sub-accounts/create': NOTHING,
  'POST /sub-accounts/update': PAID_SELLER,
  'GET /sub-accounts/get': PAID_SELLER,
  'GET /sub-accounts/list': PAID_SELLER,
  'GET /sub-accounts/movements': PAID_SELLER,
  'POST /sub-accounts/withdraw': PAID_SELLER,
  'GET /pix/get': leavingOut('externalId', TRANSFER),
  'GET /pix/list': TRANSFER,
  'POST /v1/customer/create': NOTHING,
  'GET /v1/customer/list': after('POST /v1/customer/create'),
  'POST /v1/coupon/create': NOTHING,
  'GET /v1/coupon/list': after('POST /v1/coupon/create'),
  'POST /v1/billing/create': CATALOG,
  'GET /v1/billing/list': after('POST /v1/billing/create'),
  'POST /v1/pixQrCode/create': NOTHING,
  'GET /v1/pixQrCode/check': after('POST /v1/pixQrCode/simulate-payment'),
  'POST /v1/pixQrCode/simulate-payment': after('POST /v1/pixQrCode/create'),
  'POST /v1/withdraw/create': MONEY,
  'GET /v1/withdraw/get': WITHDRAWAL,
  'GET /v1/withdraw/list': WITHDRAWAL,
  'GET /v1/public-mrr/mrr': SUBSCRIPTION,
  'GET /v1/public-mrr/merchant-info': STORE,
  'GET /v1/public-mrr/revenue': REVENUE,
  'GET /v1/store/get': STORE,
};

describe('the examples of the API reference', () => {
  it('prepares every route of the API and no other', () => {
    expect(new Set(Object.keys(PREPARATIONS))).toEqual(new Set(API_ROUTES.map(nameOf)));
  });

  const operations = API_ROUTES.map((route) => [route.method, documentedPath(route), route] as const);
  it.each(operations)('answers the example request of %s %s as documented', async (method, path, route) => {
    const shop = new ExampleShop(app, await app.anotherStore(), document, PREPARATIONS);
    const answer = await shop.prepareAndSend(route, path);
    expect([answer.status, answer.json]).toEqual([200, expect.anything()]);
    expectDocumented(document, method, path, answer);
    const { response } = route.example;
    const example = comparable(route.list ? [response] : response, shop.api.url);
    expect(comparable(answer.json.data, shop.api.url)).toEqual(example);
  });
});
