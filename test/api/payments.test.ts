import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ShownPayment } from '../../src/api/payments/schema.ts';
import { CHARGE_STATUSES, type ChargeStatus } from '../../src/domain/charge.ts';
import type { StoreId } from '../../src/domain/ids.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { createMoneyApp, type MoneyApp } from '../support/api/money-app.ts';
import { buildPixCharge } from '../support/rows/build.ts';
import { buildCustomer, buildProduct } from '../support/rows/catalog.ts';
import { insertCharge, insertCheckout, insertCustomer } from '../support/rows/checkout-rows.ts';
import { buildCheckout } from '../support/rows/checkouts.ts';
import {
  buildPaidCheckout,
  buildPaidLink,
  buildPaidPix,
  payCheckout,
  takeUpSell,
} from '../support/rows/payments.ts';
import { insertSubscription } from '../support/rows/subscribed-rows.ts';
import { eventually } from '../support/waiting/eventually.ts';
import { payForm } from '../support/web/pay-form.ts';

let app: MoneyApp;
let storeId: StoreId;
let api: ApiClient;
beforeAll(async () => {
  app = await createMoneyApp();
});
afterAll(() => app.close());
const openStore = async () => {
  ({ storeId, api } = await app.anotherStore());
};

const list = async (query = '', client = api) =>
  dataOf<ShownPayment[]>(await client.get(`/v2/payments/list${query}`));
const get = async (id: string, client = api) =>
  dataOf<ShownPayment>(await client.get(`/v2/payments/get?id=${id}`));
const subscribe = async () => {
  const { id: plan } = await buildProduct(api, { cycle: 'MONTHLY', price: 4_900 });
  const items = [{ id: plan, quantity: 1 }];
  const { id } = dataOf<{ id: string }>(
    await api.post('/v2/subscriptions/create', { items, externalId: 'account-77' }),
  );
  const payer = { name: 'Ana Souza', taxId: '529.982.247-25' };
  return dataOf<{ subscriptionId: string; paymentId: string; id: string }>(
    await api.post('/v2/checkouts/simulate-payment', { id, payer }),
  );
};

describe('GET /payments/list', () => {
  it('lists payments of every kind with the checkout of each', async () => {
    await openStore();
    const pix = await buildPaidPix(api);
    const { id: offered } = await buildProduct(api, { price: 2_000 });
    const checkout = await buildPaidCheckout(api, { methods: ['CARD'], upSellProductId: offered });
    const upSell = await takeUpSell({ ...app, api }, checkout);
    const link = await buildPaidLink(api);
    const subscription = await subscribe();
    const boleto = dataOf<{ id: string }>(
      await api.post('/v2/transparents/create', {
        method: 'BOLETO',
        data: { amount: 2_500, customer: { name: 'Ana Souza', taxId: '529.982.247-25' } },
      }),
    );
    await eventually(async () => expect(await get(upSell)).toMatchObject({ status: 'PAID' }));

    const shown = (await list()).map(({ id, kind, method, status, checkoutId }) => [
      id,
      kind,
      method,
      status,
      checkoutId,
    ]);
    expect(shown).toEqual([
      [boleto.id, 'TRANSPARENT', 'BOLETO', 'PENDING', null],
      [subscription.paymentId, 'SUBSCRIPTION', 'CARD', 'PAID', subscription.id],
      [link.paymentId, 'PAYMENT_LINK', 'CARD', 'PAID', link.id],
      [upSell, 'UPSELL', 'CARD', 'PAID', checkout.id],
      [checkout.paymentId, 'CHECKOUT', 'CARD', 'PAID', checkout.id],
      [pix, 'TRANSPARENT', 'PIX', 'PAID', null],
    ]);
    expect(await get(subscription.paymentId)).toMatchObject({
      subscriptionId: subscription.subscriptionId,
      installmentId: expect.stringMatching(/^intl_/),
      installmentNumber: 1,
      externalId: 'account-77',
    });
    expect(await get(upSell)).toMatchObject({ upSellOf: checkout.paymentId, subscriptionId: null });
    expect(await list(`?subscriptionId=${subscription.subscriptionId}`)).toMatchObject([
      { id: subscription.paymentId },
    ]);
    expect(await list(`?checkoutId=${checkout.id}`)).toHaveLength(2);
  });

  it('shows the reason of a declined card', async () => {
    await openStore();
    const { id } = await buildCheckout(api, { externalId: 'order-9', metadata: { seller: 'Bia' } });
    const card = { number: '4000000000009995' };
    expect(await api.post('/v2/checkouts/simulate-payment', { id, card })).toMatchObject({ status: 422 });
    expect(await list('?externalId=order-9')).toMatchObject([
      {
        kind: 'CHECKOUT',
        status: 'FAILED',
        declineReason: 'insufficient_funds',
        card: { brand: 'visa', lastFour: '9995' },
        paidAmount: null,
        refundedAmount: 0,
        receiptUrl: null,
        checkoutId: id,
        metadata: { seller: 'Bia' },
      },
    ]);
  });

  it('shows the end-to-end id of a PIX and its refund', async () => {
    await openStore();
    const id = await buildPaidPix(api);
    expect(await get(id)).toMatchObject({
      endToEndIdentifier: expect.stringMatching(/^E\d{20}[0-9A-Z]{11}$/),
      refunds: [],
      refundedAmount: 0,
      settledAt: expect.any(String),
    });
    const { refundPublicId } = dataOf<{ refundPublicId: string }>(
      await api.post('/v2/transparents/refund', { id, reason: 'Pedido cancelado' }),
    );
    expect(await get(id)).toMatchObject({
      status: 'REFUNDED',
      refundedAmount: 2_500,
      refunds: [{ refundPublicId, status: 'COMPLETED', amount: 2_500, reason: 'Pedido cancelado' }],
    });
  });

  it("refunds and disputes a link's payments by the ids that the list returns", async () => {
    await openStore();
    const link = await buildPaidLink(api);
    await payCheckout(api, link.id);
    const [second, first] = await list(`?checkoutId=${link.id}`);
    dataOf(await api.post('/v2/payment-links/refund', { id: first?.id }));
    expect(await get(first?.id ?? '')).toMatchObject({ status: 'REFUNDED', refundedAmount: 5_000 });
    dataOf(await api.post('/v2/dev/disputes/open', { id: second?.id, reason: 'Não reconheço a compra' }));
    expect(await list('?status=UNDER_DISPUTE')).toMatchObject([
      { id: second?.id, dispute: { status: 'OPEN', reason: 'Não reconheço a compra', closedAt: null } },
    ]);
    dataOf(await api.post('/v2/dev/disputes/lose', { id: second?.id }));
    expect(await get(second?.id ?? '')).toMatchObject({
      refundedAmount: 5_000,
      refunds: [],
      dispute: { status: 'LOST', closedAt: expect.any(String) },
    });
  });

  it('returns 404 and an empty list for payments of another store or environment', async () => {
    await openStore();
    const id = await buildPaidPix(api);
    const others = [(await app.anotherStore()).api, await app.clientWith({ storeId, devMode: false })];
    for (const other of others) {
      expect(await list('', other)).toEqual([]);
      const [here, nowhere] = [id, 'pix_char_1'].map((each) => other.get(`/v2/payments/get?id=${each}`));
      expect((await here)?.text).toBe((await nowhere)?.text);
      expect(await here).toMatchObject({ status: 404, json: { code: 'NOT_FOUND' } });
    }
    expect(await get(id.replace('pix_char_', 'char_'))).toMatchObject({ id });
  });
});

describe('who paid', () => {
  it('shows the payer that the bank names, not that of the charge or the customer', async () => {
    await openStore();
    await buildCustomer(api, { name: 'Ana do Cadastro', taxId: '529.982.247-25' });
    const { id } = await buildPixCharge(api, {
      customer: { name: 'Ana da Cobrança', taxId: '529.982.247-25' },
    });
    expect(await get(id)).toMatchObject({ payer: null });
    dataOf(await api.post(`/v2/transparents/simulate-payment?id=${id}`));
    // The sandbox's payer is the one of the charge; a bank would say its own.
    await app.database.em
      .fork()
      .execute(
        `update payments set payer_name = 'Ana do Banco', payer_tax_id = '39053344705' where charge_id = ?`,
        [id],
      );
    const shown = await get(id);
    expect(shown.payer).toEqual({ name: 'Ana do Banco', taxId: '390.***.***-**' });
    expect(JSON.stringify(shown)).not.toMatch(/Cadastro|Cobrança|"529/);
    const { customerId } = shown;
    dataOf(await api.post(`/v2/customers/delete?id=${customerId}`));
    expect(await get(id)).toMatchObject({ payer: null, customerId });
  });

  it('excludes a name that was typed with a card from the payer', async () => {
    await openStore();
    const { id } = await buildCheckout(api);
    const payer = { name: 'Digitado Na Página', taxId: '529.982.247-25' };
    const { paymentId } = dataOf<{ paymentId: string }>(
      await api.post('/v2/checkouts/simulate-payment', { id, method: 'CARD', payer }),
    );
    const shown = await get(paymentId);
    expect(shown).toMatchObject({ payer: null, card: { brand: 'visa', lastFour: '4242' } });
    expect(JSON.stringify(shown)).not.toContain('Digitado');
  });

  it('shows the payer only to a key with CUSTOMER:READ', async () => {
    await openStore();
    const id = await buildPaidPix(api, { customer: { name: 'Ana Souza', taxId: '529.982.247-25' } });
    expect((await get(id)).payer).toMatchObject({ name: 'Ana Souza' });
    const reader = await app.clientWith({ storeId, permissions: ['CHECKOUT:READ'] });
    expect(await get(id, reader)).toMatchObject({ id, payer: null });
    expect(await list('', reader)).toMatchObject([{ id, payer: null }]);
    const nobody = await app.clientWith({ storeId, permissions: ['CUSTOMER:READ', 'STORE:READ'] });
    for (const path of ['/v2/payments/list', `/v2/payments/get?id=${id}`])
      expect(await nobody.get(path)).toMatchObject({ status: 403, json: { code: 'PERMISSION_DENIED' } });
  });
});

describe('transparents/get of what is no transparent charge', () => {
  it("names the endpoint of a checkout's payment only to its own store", async () => {
    await openStore();
    const link = await buildPaidLink(api);
    const boleto = await insertCharge(
      { database: app.database, storeId },
      await insertCheckout({ database: app.database, storeId }),
      'BOLETO',
    );
    const stranger = (await app.anotherStore()).api;
    for (const id of [link.paymentId, boleto.id]) {
      for (const path of [`/v2/transparents/get?id=${id}`, `/v2/transparents/check?id=${id}`]) {
        const answer = await api.get(path);
        expect(answer).toMatchObject({ status: 404, json: { code: 'NOT_FOUND' } });
        expect(answer.json.error).toContain('a payment of a checkout, see /payments/get');
        const [theirs, nobodys] = await Promise.all([stranger.get(path), api.get(`${path}0`)]);
        expect(theirs).toMatchObject({ status: 404, text: nobodys.text });
        expect(theirs.json.error).not.toContain('of a checkout, see');
      }
    }
    // The prefix of these ids names their kind.
    const subscription = await insertSubscription({ database: app.database, storeId });
    for (const [id, operation] of [
      [link.id, '/checkouts/get'],
      [subscription.id, '/subscriptions/get'],
    ])
      expect((await api.get(`/v2/transparents/get?id=${id}`)).json.error).toContain(operation);
  });
});

describe('filters', () => {
  const START = Date.parse('2026-06-01T12:00:00.000Z');
  const HOUR = 3_600_000;
  const METHODS = ['PIX', 'BOLETO', 'CARD', 'FREE'] as const;
  interface Row {
    readonly id: string;
    readonly method: string;
    readonly status: ChargeStatus;
    readonly createdAt: Date;
    readonly paidAt: Date | null;
    readonly checkoutId: string | null;
    readonly customerId: string | null;
  }
  let rows: Row[];
  let customerId: string;
  let linkId: string;

  /** Inserts two charges of each method and status, one of a link and one of a checkout. */
  beforeAll(async () => {
    await openStore();
    const shop = { database: app.database, storeId, now: async () => new Date(START) };
    const customer = await insertCustomer(shop);
    const link = await insertCheckout(shop, { frequency: 'MULTIPLE_PAYMENTS', externalId: 'campaign' });
    const checkout = await insertCheckout(shop, { externalId: 'order-1' });
    [customerId, linkId] = [customer.id, link.id];
    rows = [];
    let made = 0;
    for (const method of METHODS)
      for (const status of CHARGE_STATUSES)
        for (const each of [link, checkout]) {
          made += 1;
          const createdAt = new Date(START + Math.floor((made * 37) % 60) * HOUR);
          const isPaid = ['PAID', 'REFUNDED', 'UNDER_DISPUTE'].includes(status);
          const paidAt = isPaid ? new Date(createdAt.getTime() + ((made * 13) % 40) * HOUR) : null;
          const { id } = await insertCharge(shop, each, method, {
            status,
            createdAt,
            paidAt,
            settlesAt: paidAt,
            paidAmountCents: isPaid ? 5_000 : null,
            failureReason: status === 'FAILED' ? 'card_declined' : null,
            customerId: made % 3 === 0 ? customer.id : null,
          });
          rows.push({
            id,
            method,
            status,
            createdAt,
            paidAt,
            checkoutId: each.id,
            customerId: made % 3 === 0 ? customer.id : null,
          });
        }
  });

  /** All pages, one after the other. */
  async function walk(query: string): Promise<string[]> {
    const ids: string[] = [];
    let path = `/v2/payments/list?limit=7&${query}`;
    for (;;) {
      const answer = await api.get(path);
      ids.push(...dataOf<{ id: string }[]>(answer).map(({ id }) => id));
      const { next } = answer.json.pagination ?? {};
      if (!next) return ids;
      path = `/v2/payments/list?limit=7&${query}&after=${next}`;
    }
  }

  function expected(matches: (row: Row) => boolean, by: 'createdAt' | 'paidAt' = 'createdAt'): string[] {
    const at = (row: Row) => row[by]?.getTime() ?? 0;
    return rows
      .filter(matches)
      .sort((one, other) => at(other) - at(one) || (one.id < other.id ? 1 : -1))
      .map(({ id }) => id);
  }

  const from = new Date(START + 20 * HOUR).toISOString();
  const to = new Date(START + 45 * HOUR).toISOString();
  const within = (at: Date | null) => at !== null && at >= new Date(from) && at < new Date(to);

  it.each<[string, () => string, (row: Row) => boolean, ('createdAt' | 'paidAt')?]>([
    ['none', () => '', () => true],
    ['a method', () => 'method=CARD', ({ method }) => method === 'CARD'],
    ['a status', () => 'status=EXPIRED', ({ status }) => status === 'EXPIRED'],
    ['both', () => 'method=PIX&status=PAID', (row) => row.method === 'PIX' && row.status === 'PAID'],
    ['a link', () => `checkoutId=${linkId}`, (row) => row.checkoutId === linkId],
    ['a customer', () => `customerId=${customerId}`, (row) => row.customerId === customerId],
    [
      "a link's customer",
      () => `checkoutId=${linkId}&customerId=${customerId}&method=PIX`,
      (row) => row.checkoutId === linkId && row.customerId === customerId && row.method === 'PIX',
    ],
    ["an order's externalId", () => 'externalId=order-1', (row) => row.checkoutId !== linkId],
    ['one of another order', () => `externalId=order-1&checkoutId=${linkId}`, () => false],
    ['no externalId', () => 'externalId=none', () => false],
    ['no subscription', () => 'subscriptionId=subs_1', () => false],
    ['creation', () => `createdFrom=${from}&createdTo=${to}`, (row) => within(row.createdAt)],
    ['payment', () => `paidFrom=${from}&paidTo=${to}`, (row) => within(row.paidAt), 'paidAt'],
    [
      'payment and status',
      () => `paidFrom=${from}&status=REFUNDED`,
      (row) => row.status === 'REFUNDED' && row.paidAt !== null && row.paidAt >= new Date(from),
      'paidAt',
    ],
    [
      "payment of a link's",
      () => `paidTo=${to}&checkoutId=${linkId}`,
      (row) => row.checkoutId === linkId && row.paidAt !== null && row.paidAt < new Date(to),
    ],
  ])('returns the matching payments for the filter: %s', async (_, query, matches, by = 'createdAt') => {
    expect(await walk(query())).toEqual(expected(matches, by));
  });

  it('filters by days in São Paulo and includes the last one', async () => {
    const saoPaulo = (text: string) => Date.parse(`${text}T03:00:00.000Z`);
    expect(await walk('createdFrom=2026-06-02&createdTo=2026-06-02')).toEqual(
      expected(
        ({ createdAt }) =>
          createdAt.getTime() >= saoPaulo('2026-06-02') && createdAt.getTime() < saoPaulo('2026-06-03'),
      ),
    );
  });

  it.each(['2026-13-01', 'yesterday', '2026-06-01T12:00', '2026-02-30', ''])(
    'returns 400 for the invalid time "%s"',
    async (text) => {
      const answer = await api.get(`/v2/payments/list?paidTo=${text}`);
      expect(answer).toMatchObject({ status: 400, json: { issues: [{ path: 'paidTo' }] } });
      expect(answer.json.error).toContain('2026-11-01T12:00:00Z');
    },
  );

  it('refuses a cursor of another sort order', async () => {
    const page = await api.get('/v2/payments/list?limit=1&paidFrom=2026-01-01');
    const cursor = page.json.pagination?.next;
    expect(await api.get(`/v2/payments/list?after=${cursor}`)).toMatchObject({
      status: 400,
      json: { code: 'INVALID_CURSOR' },
    });
  });
});

it('lists an unpaid PIX code of an anonymous payer', async () => {
  await openStore();
  const { id } = await buildCheckout(api, { methods: ['PIX'] });
  await payForm(api.url, id, { method: 'PIX' });
  expect(await list('?status=PENDING')).toMatchObject([{ kind: 'CHECKOUT', method: 'PIX', checkoutId: id }]);
});
