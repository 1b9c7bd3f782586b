import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ShownInvoice } from '../../src/api/invoices/schema.ts';
import type { StoreId } from '../../src/domain/ids.ts';
import { closeInvoicesLeftOpen } from '../../src/invoices/close-left-open.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { createMoneyApp, type MoneyApp } from '../support/api/money-app.ts';
import { advance } from '../support/fixtures/clock.ts';
import { buildWebhook } from '../support/rows/build.ts';
import { buildCoupon, buildCustomer, buildProduct } from '../support/rows/catalog.ts';
import { buildCheckout, buildPaymentLink } from '../support/rows/checkouts.ts';
import { buildPaidPix, payCheckout } from '../support/rows/payments.ts';
import { eventually } from '../support/waiting/eventually.ts';

/** Approved once, and declined from the second charge on. */
const DECLINED_LATER = { number: '4000000000000341' };

let app: MoneyApp;
let api: ApiClient;
let storeId: StoreId;
beforeAll(async () => {
  app = await createMoneyApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  ({ api, storeId } = await app.anotherStore());
});

const list = async (query = '') => dataOf<ShownInvoice[]>(await api.get(`/v2/invoices/list?${query}`));
const invoices = (count: number, query = '') =>
  eventually(async () => {
    const all = await list(query);
    expect(all).toHaveLength(count);
    return all;
  });
const inState = (query: string, ...states: string[]) =>
  eventually(async () => {
    const all = await list(query);
    expect(all.map(({ status }) => status)).toEqual(states);
    return all;
  });

describe('the invoice of a checkout', () => {
  it('shows products, discount and payer of the payment', async () => {
    const { code } = await buildCoupon(api, { code: 'VERAO10', discountKind: 'PERCENTAGE', discount: 10 });
    const customer = await buildCustomer(api);
    const { id } = await buildProduct(api, { price: 5_000, name: 'Camiseta' });
    const checkout = await buildCheckout(api, {
      items: [{ id, quantity: 2 }],
      coupons: [code],
      customerId: customer.id,
    });
    await api.post('/v2/checkouts/simulate-payment', { id: checkout.id, method: 'PIX', coupon: code });
    const [invoice] = await invoices(1);
    expect(invoice).toMatchObject({
      number: `${new Date().getUTCFullYear()}-000001`,
      status: 'PAID',
      amount: 9_000,
      paidAmount: 9_000,
      checkoutId: checkout.id,
      customerId: customer.id,
      subscriptionId: null,
      period: null,
      lines: [
        { type: 'product', description: 'Camiseta', quantity: 2, unitPrice: 5_000, amount: 10_000 },
        { type: 'discount', description: code, amount: -1_000 },
      ],
    });
    expect(invoice?.payer?.name).toEqual(expect.any(String));
    const got = await api.get(`/v2/invoices/get?id=${invoice?.id}`);
    expect(dataOf(got)).toEqual(invoice);
  });

  it('counts each payment of a link, and none of a transparent charge', async () => {
    const link = await buildPaymentLink(api);
    await payCheckout(api, link.id);
    await payCheckout(api, link.id);
    await buildPaidPix(api);
    const all = await invoices(2, `checkoutId=${link.id}`);
    expect(all.map(({ number }) => number.slice(5))).toEqual(['000002', '000001']);
    expect(await list()).toHaveLength(2);
  });

  it('starts as paid if a coupon covers everything', async () => {
    const { code } = await buildCoupon(api, { code: 'GRATIS', discountKind: 'PERCENTAGE', discount: 100 });
    const checkout = await buildCheckout(api, { coupons: [code] });
    await api.post('/v2/checkouts/simulate-payment', { id: checkout.id, coupon: code });
    expect(await invoices(1)).toMatchObject([{ status: 'PAID', amount: 0 }]);
  });

  it('keeps its lines and shows what was refunded', async () => {
    const checkout = await buildCheckout(api);
    await payCheckout(api, checkout.id);
    const [before] = await invoices(1);
    await api.post('/v2/checkouts/refund', { id: checkout.id, amount: 100 });
    await eventually(async () => expect(await list()).toMatchObject([{ refundedAmount: 100 }]));
    expect(await list()).toEqual([{ ...before, refundedAmount: 100 }]);
  });

  it('keeps the name that the store had', async () => {
    await payCheckout(api, (await buildCheckout(api)).id);
    const [before] = await invoices(1);
    await app.database.em.fork().execute("update stores set name = 'Outra loja' where id = ?", [storeId]);
    expect(await list()).toEqual([before]);
  });
});

describe('invoices over the API', () => {
  it('finds them by number, status, customer and payment', async () => {
    const customer = await buildCustomer(api);
    const checkout = await buildCheckout(api, { customerId: customer.id });
    await payCheckout(api, checkout.id);
    await payCheckout(api, (await buildCheckout(api)).id);
    const [other, mine] = await invoices(2);
    for (const query of [
      `number=${mine?.number}`,
      `customerId=${customer.id}`,
      `paymentId=${mine?.paymentId}`,
      `checkoutId=${checkout.id}`,
      `limit=1&after=${(await api.get('/v2/invoices/list?limit=1')).json.pagination?.next}`,
    ])
      expect([query, await list(query)]).toEqual([query, [mine]]);
    expect(await list('status=PAID')).toEqual([other, mine]);
    for (const query of ['number=2026-1', 'number=x', 'status=VOID', 'subscriptionId=subs_x', 'customerId=x'])
      expect([query, await list(query)]).toEqual([query, []]);
    expect((await api.get('/v2/invoices/list?state=PAID')).status).toBe(400);
  });

  it('returns 404 for those of another store and another environment', async () => {
    await payCheckout(api, (await buildCheckout(api)).id);
    const [invoice] = await invoices(1);
    const stranger = await app.anotherStore();
    const production = await app.clientWith({ storeId, devMode: false });
    for (const each of [stranger.api, production]) {
      expect((await each.get(`/v2/invoices/get?id=${invoice?.id}`)).status).toBe(404);
      expect(dataOf(await each.get('/v2/invoices/list'))).toEqual([]);
    }
    expect((await api.get('/v2/invoices/get?id=invc_x')).status).toBe(404);
  });

  it('sends a PDF, in the language that is asked for, to keys that may see customers', async () => {
    await payCheckout(api, (await buildCheckout(api)).id);
    const [invoice] = await invoices(1);
    const ask = async (client: ApiClient, query = '') => {
      const { url, key } = client;
      const headers = { Authorization: `Bearer ${key}` };
      return fetch(`${url}/v2/invoices/pdf?id=${invoice?.id}${query}`, { headers });
    };
    const answer = await ask(api, '&language=en');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    expect(answer.headers.get('content-disposition')).toBe(
      `inline; filename="invoice-${invoice?.number}.pdf"`,
    );
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
    expect(bytes.toString('latin1')).toContain('/Lang (en)');
    const withoutCustomers = await app.clientWith({ storeId, permissions: ['INVOICE:READ'] as never });
    expect((await ask(withoutCustomers)).status).toBe(403);
    expect((await ask((await app.anotherStore()).api)).status).toBe(404);
    expect((await ask(api, '&language=de')).status).toBe(400);
  });

  it('requires a permission, and shows the payer to keys that may see customers', async () => {
    await payCheckout(api, (await buildCheckout(api)).id);
    const [invoice] = await invoices(1);
    const withKey = async (...permissions: string[]) =>
      (await app.clientWith({ storeId, permissions: permissions as never })).get(
        `/v2/invoices/get?id=${invoice?.id}`,
      );
    expect((await withKey('PRODUCT:READ')).status).toBe(403);
    expect(dataOf(await withKey('CHECKOUT:READ'))).toEqual({ ...invoice, payer: null });
    expect(dataOf(await withKey('INVOICE:READ'))).toEqual({ ...invoice, payer: null });
    expect(dataOf(await withKey('INVOICE:READ', 'CUSTOMER:READ'))).toEqual(invoice);
  });
});

describe('the invoices of a subscription', () => {
  async function subscribe(how: object = {}, product: object = {}) {
    const plan = await buildProduct(api, { price: 4_900, cycle: 'MONTHLY', name: 'Plano Pro', ...product });
    const { id: customerId } = await buildCustomer(api);
    const body = { items: [{ id: plan.id, quantity: 1 }], methods: ['CARD', 'PIX'], customerId };
    const { id } = dataOf<{ id: string }>(await api.post('/v2/subscriptions/create', body));
    const paid = await api.post('/v2/checkouts/simulate-payment', { id, ...how });
    return dataOf<{ subscriptionId: string }>(paid).subscriptionId;
  }

  it('writes one per cycle, whose lines add up to its charge', async () => {
    const id = await subscribe();
    const sms = await buildProduct(api, { price: 25, name: 'Mensagem' });
    const usage = { id, productId: sms.id, units: 40, action: 'add' };
    const recorded = await api.post('/v2/subscriptions/record-usage', usage);
    expect(recorded.status).toBe(200);
    await advance(api, { by: 'P1M' });
    const [renewal, first] = await inState(`subscriptionId=${id}`, 'PAID', 'PAID');
    expect(first).toMatchObject({
      amount: 4_900,
      subscriptionId: id,
      period: { installmentNumber: 1 },
      lines: [{ type: 'plan', description: 'Plano Pro', quantity: 1, unitPrice: 4_900, amount: 4_900 }],
    });
    expect(renewal).toMatchObject({
      amount: 5_900,
      period: { installmentNumber: 2 },
      lines: [
        { type: 'plan', amount: 4_900 },
        { type: 'usage', description: 'Mensagem', quantity: 40, unitPrice: 25, amount: 1_000 },
      ],
    });
    const payment = await api.get(`/v2/payments/get?id=${renewal?.paymentId}`);
    expect(dataOf(payment)).toMatchObject({ amount: renewal?.amount, installmentId: renewal?.installmentId });
  });

  it('stays open while a cycle is unpaid, and voids it when the subscription ends', async () => {
    const id = await subscribe({ method: 'CARD', card: DECLINED_LATER });
    const { id: webhookId } = await buildWebhook(api, {
      events: ['invoice.created', 'invoice.paid', 'invoice.void'],
    });
    await advance(api, { by: 'P1M' });
    const [open] = await inState(`subscriptionId=${id}`, 'OPEN', 'PAID');
    expect(open).toMatchObject({ paymentId: null, paidAt: null, paidAmount: null });
    expect(open?.payer).not.toBeNull();
    await api.post('/v2/subscriptions/cancel', { id });
    const [gone] = await inState(`subscriptionId=${id}`, 'VOID', 'PAID');
    expect(gone).toMatchObject({ id: open?.id, number: open?.number, lines: open?.lines });
    expect(webhookId).toEqual(expect.any(String));
    await eventually(async () => {
      const events = await api.get(`/v2/events/list?subjectId=${open?.id}`);
      const published = dataOf<{ name: string; data: { invoice: ShownInvoice } }[]>(events);
      expect(published.map(({ name, data }) => [name, data.invoice.status])).toEqual([
        ['invoice.void', 'VOID'],
        ['invoice.created', 'OPEN'],
      ]);
    });
  });

  it('voids the one of a cycle that a pause gives up, and writes none for a trial', async () => {
    const trial = await subscribe({}, { trialDays: 14 });
    const id = await subscribe({ method: 'CARD', card: DECLINED_LATER });
    await advance(api, { by: 'P1M' });
    await inState(`subscriptionId=${id}`, 'OPEN', 'PAID');
    await api.post('/v2/subscriptions/pause', { id });
    await inState(`subscriptionId=${id}`, 'VOID', 'PAID');
    const [first] = await inState(`subscriptionId=${trial}`, 'PAID');
    expect(first).toMatchObject({ period: { installmentNumber: 1 }, lines: [{ type: 'plan' }] });
  });

  it('closes those that an older release left open after their cycles', async () => {
    const paid = await subscribe();
    const unpaid = await subscribe({ method: 'CARD', card: DECLINED_LATER });
    await advance(api, { by: 'P1M' });
    const before = await inState(`subscriptionId=${paid}`, 'PAID', 'PAID');
    await inState(`subscriptionId=${unpaid}`, 'OPEN', 'PAID');
    const close = () => closeInvoicesLeftOpen(app.database, new Date(), app.parts.log);
    await close();
    await inState(`subscriptionId=${unpaid}`, 'OPEN', 'PAID');
    await api.post('/v2/subscriptions/pause', { id: unpaid });
    await inState(`subscriptionId=${unpaid}`, 'VOID', 'PAID');
    await app.database.em.fork().execute(
      `update invoices set status = 'OPEN', published_status = 'OPEN', charge_id = null, paid_at = null, voided_at = null
       where store_id = ?`,
      [storeId],
    );
    await close();
    await inState(`subscriptionId=${unpaid}`, 'VOID', 'PAID');
    const after = await inState(`subscriptionId=${paid}`, 'PAID', 'PAID');
    const ignoring = before.map((each) => ({ ...each, updatedAt: expect.any(String) }));
    expect(after).toEqual(ignoring);
  });

  it('shows proration and the credit that pays', async () => {
    const id = await subscribe();
    const basic = await buildProduct(api, { price: 2_900, cycle: 'MONTHLY', name: 'Plano Básico' });
    await advance(api, { by: 'P10D' });
    const change = { id, productId: basic.id, quantity: 1, when: 'now', proration: 'difference' };
    expect((await api.post('/v2/subscriptions/change-plan', change)).status).toBe(200);
    const [part] = await inState(`subscriptionId=${id}`, 'PAID', 'PAID');
    expect(part).toMatchObject({ amount: 0, lines: [{ type: 'proration' }, { type: 'credit' }] });
    await advance(api, { by: 'P1M' });
    const [next] = await inState(`subscriptionId=${id}`, 'PAID', 'PAID', 'PAID');
    const credit = part?.lines.at(-1)?.amount ?? 0;
    expect(next).toMatchObject({
      amount: 2_900 - credit,
      lines: [
        { type: 'plan', amount: 2_900 },
        { type: 'credit', amount: -credit },
      ],
    });
  });

  it('writes one when a cycle is paid that an earlier release has opened', async () => {
    const id = await subscribe({ method: 'PIX' });
    await advance(api, { by: 'P1M' });
    await inState(`subscriptionId=${id}`, 'OPEN', 'PAID');
    await app.database.em
      .fork()
      .execute("delete from invoices where subscription_id = ? and status = 'OPEN'", [id]);
    const charge = await eventually(async () => {
      const shown = dataOf<{ currentCharge: { id: string } | null }>(
        await api.get(`/v2/subscriptions/get?id=${id}`),
      );
      if (shown.currentCharge === null) throw new Error('no code yet');
      return shown.currentCharge.id;
    });
    await api.post(`/v2/transparents/simulate-payment?id=${charge}`);
    const [renewal] = await inState(`subscriptionId=${id}`, 'PAID', 'PAID');
    expect(renewal).toMatchObject({ paymentId: charge, amount: 4_900, period: { installmentNumber: 2 } });
  });
});
