import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Charge, ChargeEntity } from '../../src/database/entities/charge.ts';
import { type Checkout, CheckoutEntity } from '../../src/database/entities/checkout.ts';
import { mustPay, notify } from '../support/fixtures/charges.ts';
import { beginPayment, MARIA, openCheckout, openLink, takeUpSell } from '../support/fixtures/checkouts.ts';
import { createSubscribedFixture, type SubscribedFixture } from '../support/fixtures/subscribed-fixture.ts';
import type { Endpoint } from '../support/outside/webhook-sink.ts';
import { insertCoupon, insertCustomer, insertProduct } from '../support/rows/checkout-rows.ts';
import { connectToRealServer } from '../support/servers/temporal-servers.ts';

// Each test compares the whole body, so that it fails if a field is added, dropped or renamed.

const PAYER = { name: 'Maria Souza', taxId: '529.***.***-**' };

let fixture: SubscribedFixture;
let endpoint: Endpoint;

beforeAll(async () => {
  const environment = await connectToRealServer();
  fixture = await createSubscribedFixture({ environment, taskQueue: 'checkout-events' });
});

beforeEach(async () => {
  await fixture.stopListening();
  endpoint = await fixture.listen({ events: ['checkout.completed'] });
});

afterAll(() => fixture.close());

/** Waits for `count` webhooks and parses the body of the last one. */
async function received(count = 1): Promise<unknown> {
  await endpoint.waitFor((webhooks) => webhooks.length === count);
  return JSON.parse(endpoint.received[count - 1]?.body ?? '');
}

async function payNow(charge: Charge): Promise<void> {
  expect(await notify(fixture, await mustPay(fixture, charge))).toBe('PAID');
}

/** The body of the event of a paid charge in a ONE_TIME checkout of two products at R$ 50.00. */
async function eventOf(checkout: Checkout, { id }: Charge) {
  const em = fixture.database.em.fork();
  const charge = await em.findOneOrFail(ChargeEntity, { id });
  const { updatedAt } = charge;
  const receiptUrl = `https://recebe.test/receipt/${id}`;
  return {
    id: expect.stringMatching(/^log_/),
    event: 'checkout.completed',
    apiVersion: 2,
    eventId: expect.stringMatching(/^evnt_/),
    devMode: true,
    data: {
      checkout: {
        id: checkout.id,
        externalId: null,
        url: `https://recebe.test/pay/${checkout.id}`,
        amount: 10_000,
        paidAmount: 10_000,
        customerFee: null,
        platformFee: 80,
        frequency: 'ONE_TIME',
        items: [{ id: checkout.items[0]?.productId, quantity: 2 }],
        status: 'PAID',
        methods: ['PIX', 'CARD', 'BOLETO'],
        customerId: null as string | null,
        customerNamedBy: null as string | null,
        receiptUrl,
        installmentsCount: null as number | null,
        isUpSell: false,
        metadata: {},
        devMode: true,
        createdAt: checkout.createdAt.toISOString(),
        updatedAt: updatedAt.toISOString(),
      },
      payment: {
        id,
        amount: 10_000,
        paidAmount: 10_000,
        platformFee: 80,
        status: 'PAID',
        methods: ['PIX'],
        upSell: false,
        installmentId: null,
        installmentNumber: null,
        receiptUrl,
        metadata: {},
        devMode: true,
        createdAt: charge.createdAt.toISOString(),
        updatedAt: updatedAt.toISOString(),
      },
      customer: null as unknown,
      payerInformation: {
        method: 'PIX',
        PIX: { ...PAYER, isSameAsCustomer: false },
      } as unknown,
    },
  };
}

describe('checkout.completed', () => {
  it('publishes a PIX payment with externalId, metadata and customer', async () => {
    const customer = await insertCustomer(fixture, { taxId: '52998224725', name: 'Maria Souza' });
    const known = { externalId: 'order-7', metadata: { shirt: 'blue' }, customerId: customer.id };
    const checkout = await openCheckout(fixture, known);
    const charge = await beginPayment(fixture, checkout);
    await payNow(charge);
    const expected = await eventOf(checkout, charge);
    expect(await received()).toEqual({
      ...expected,
      data: {
        ...expected.data,
        checkout: { ...expected.data.checkout, ...known, customerNamedBy: 'MERCHANT' },
        customer: {
          id: customer.id,
          name: 'Maria Souza',
          email: 'ana@example.com',
          taxId: PAYER.taxId,
          devMode: true,
        },
        payerInformation: { method: 'PIX', PIX: { ...PAYER, isSameAsCustomer: true } },
      },
    });
  });

  it('publishes a card payment with installments, brand and last four digits', async () => {
    const checkout = await openCheckout(fixture, { maxInstallments: 12 });
    const charge = await beginPayment(fixture, checkout, { method: 'CARD', installmentsCount: 3 });
    const expected = await eventOf(checkout, charge);
    const platformFee = 60 + 350;
    expect(await received()).toEqual({
      ...expected,
      data: {
        ...expected.data,
        checkout: { ...expected.data.checkout, platformFee, installmentsCount: 3 },
        payment: { ...expected.data.payment, platformFee, methods: ['CARD'] },
        payerInformation: { method: 'CARD', CARD: { number: '4242', brand: 'visa' } },
      },
    });
    const row = await fixture.database.em.fork().findOneOrFail(CheckoutEntity, { id: checkout.id });
    expect(row.installmentsCount).toBe(3);
  });

  it('publishes a boleto with its payer as the customer', async () => {
    const checkout = await openCheckout(fixture);
    const payer = { ...MARIA, taxId: '111.444.777-35', name: 'João Lima', email: 'joao@example.com' };
    const charge = await beginPayment(fixture, checkout, { method: 'BOLETO', payer });
    await payNow(charge);
    const expected = await eventOf(checkout, charge);
    expect(await received()).toEqual({
      ...expected,
      data: {
        ...expected.data,
        checkout: {
          ...expected.data.checkout,
          platformFee: 350,
          customerId: charge.customerId,
          customerNamedBy: 'PAYER',
        },
        payment: { ...expected.data.payment, platformFee: 350, methods: ['BOLETO'] },
        customer: {
          id: charge.customerId,
          name: 'João Lima',
          email: 'joao@example.com',
          taxId: '111.***.***-**',
          devMode: true,
        },
        payerInformation: { method: 'BOLETO', BOLETO: { ...PAYER, isSameAsCustomer: false } },
      },
    });
  });

  it('publishes the cost of the items and the paid amount if a coupon was used', async () => {
    const coupon = await insertCoupon(fixture);
    const checkout = await openCheckout(fixture, { coupons: [coupon.code] });
    const charge = await beginPayment(fixture, checkout, { couponCode: coupon.code });
    await payNow(charge);
    const expected = await eventOf(checkout, charge);
    expect(await received()).toEqual({
      ...expected,
      data: {
        ...expected.data,
        checkout: { ...expected.data.checkout, paidAmount: 9_000 },
        payment: { ...expected.data.payment, amount: 9_000, paidAmount: 9_000 },
      },
    });
  });

  it('publishes no method, fee and payer if a coupon covers the whole amount', async () => {
    const coupon = await insertCoupon(fixture, { discountValue: 10_000 });
    const checkout = await openCheckout(fixture, { coupons: [coupon.code] });
    const charge = await beginPayment(fixture, checkout, { couponCode: coupon.code });
    const expected = await eventOf(checkout, charge);
    expect(await received()).toEqual({
      ...expected,
      data: {
        ...expected.data,
        checkout: { ...expected.data.checkout, paidAmount: 0, platformFee: 0 },
        payment: { ...expected.data.payment, amount: 0, paidAmount: 0, platformFee: 0, methods: [] },
        payerInformation: null,
      },
    });
  });

  it('publishes the second payment of a link without the first one', async () => {
    const link = await openLink(fixture);
    await payNow(await beginPayment(fixture, link));
    await received();
    const charge = await beginPayment(fixture, link);
    await payNow(charge);
    const expected = await eventOf(link, charge);
    expect(await received(2)).toEqual({
      ...expected,
      data: {
        ...expected.data,
        checkout: { ...expected.data.checkout, frequency: 'MULTIPLE_PAYMENTS', status: 'PENDING' },
      },
    });
  });

  it('publishes an upsell with its own items and amounts only', async () => {
    const offered = await insertProduct(fixture, { priceCents: 1_500 });
    const checkout = await openCheckout(fixture, { upSellProductId: offered.id });
    const first = await beginPayment(fixture, checkout);
    await payNow(first);
    await received();
    const upsell = await takeUpSell(fixture, first);
    await payNow(upsell);
    const expected = await eventOf(checkout, upsell);
    const items = [{ id: offered.id, quantity: 1 }];
    const amounts = { amount: 1_500, paidAmount: 1_500 };
    expect(await received(2)).toEqual({
      ...expected,
      data: {
        ...expected.data,
        checkout: { ...expected.data.checkout, ...amounts, items, isUpSell: true },
        payment: { ...expected.data.payment, ...amounts, upSell: true },
      },
    });
  });

  it('publishes an upsell that was charged to the same card at once', async () => {
    const offered = await insertProduct(fixture, { priceCents: 1_500 });
    const checkout = await openCheckout(fixture, { upSellProductId: offered.id });
    const upsell = await takeUpSell(fixture, await beginPayment(fixture, checkout, { method: 'CARD' }));
    expect(upsell).toMatchObject({
      method: 'CARD',
      status: 'PAID',
      cardLastFour: '4242',
      amountCents: 1_500,
    });
    await endpoint.waitFor((webhooks) => webhooks.length === 2);
    const published = endpoint.received.map(({ body }) => JSON.parse(body).data.payment);
    expect(published.map(({ id, upSell }) => ({ id, upSell }))).toContainEqual({
      id: upsell.id,
      upSell: true,
    });
  });
});
