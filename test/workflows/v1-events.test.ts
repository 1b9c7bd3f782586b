import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Charge, ChargeEntity } from '../../src/database/entities/charge.ts';
import { DeliveryEntity } from '../../src/database/entities/delivery.ts';
import { EventEntity } from '../../src/database/entities/event.ts';
import { WebhookEntity } from '../../src/database/entities/webhook.ts';
import { ORIGINAL_EVENT_NAMES, V1_EVENT_NAMES, v1EventNameOf } from '../../src/domain/event-names.ts';
import { payoutEvents } from '../../src/events/payout-events.ts';
import { V1_EVENTS } from '../../src/events/v1/events.ts';
import { mustPay, notify } from '../support/fixtures/charges.ts';
import { beginPayment, openCheckout } from '../support/fixtures/checkouts.ts';
import { dispute, refund } from '../support/fixtures/money.ts';
import { createSubscribedFixture, type SubscribedFixture } from '../support/fixtures/subscribed-fixture.ts';
import { openSubscriptionCheckout } from '../support/fixtures/subscriptions.ts';
import type { Endpoint } from '../support/outside/webhook-sink.ts';
import { insertWebhook } from '../support/rows/build.ts';
import { insertPix } from '../support/rows/charges.ts';
import { insertCustomer } from '../support/rows/checkout-rows.ts';
import { connectToRealServer } from '../support/servers/temporal-servers.ts';

let fixture: SubscribedFixture;
let v1: Endpoint;
let v2: Endpoint;

beforeAll(async () => {
  const environment = await connectToRealServer();
  fixture = await createSubscribedFixture({ environment, taskQueue: 'v1-events' });
});

beforeEach(async () => {
  await fixture.stopListening();
  v1 = await fixture.listen({ v2: false, events: [...V1_EVENT_NAMES] });
  v2 = await fixture.listen({ events: [...ORIGINAL_EVENT_NAMES] });
});

afterAll(() => fixture.close());

/** The parsed body of the count-th webhook that the endpoint receives. */
async function received(endpoint: Endpoint, count = 1) {
  await endpoint.waitFor((webhooks) => webhooks.length >= count);
  return JSON.parse(endpoint.received[count - 1]?.body ?? '');
}

/** How many deliveries there are, attempted or not. */
async function deliveriesTo({ url }: Endpoint): Promise<number> {
  const em = fixture.database.em.fork();
  const { id } = await em.findOneOrFail(WebhookEntity, { endpoint: url });
  return em.count(DeliveryEntity, { webhookId: id });
}

const rowOf = ({ id }: Pick<Charge, 'id'>) => fixture.database.em.fork().findOneOrFail(ChargeEntity, { id });

/** The fields of an inserted customer that v1 shows unchanged. */
const ana = { name: 'Ana Lima', email: 'ana@example.com' };

describe('an endpoint of v1', () => {
  it('sends billing.paid for a checkout, signed and in the envelope of v1', async () => {
    const customer = await insertCustomer(fixture, { ...ana, taxId: '11144477735' });
    const checkout = await openCheckout(fixture, { customerId: customer.id, externalId: 'order-7' });
    const charge = await beginPayment(fixture, checkout);
    await notify(fixture, await mustPay(fixture, charge));
    const { updatedAt } = await rowOf(charge);
    expect(await received(v1)).toEqual({
      event: 'billing.paid',
      devMode: true,
      data: {
        billing: {
          id: checkout.id,
          externalId: 'order-7',
          url: `https://recebe.test/pay/${checkout.id}`,
          status: 'PAID',
          frequency: 'ONE_TIME',
          amount: 10_000,
          paidAmount: 10_000,
          methods: ['PIX', 'CARD', 'BOLETO'],
          products: [{ id: checkout.items[0]?.productId, quantity: 2 }],
          customer: { id: customer.id, metadata: { ...ana, taxId: '111.***.***-**' }, devMode: true },
          receiptUrl: `https://recebe.test/receipt/${charge.id}`,
          metadata: {},
          devMode: true,
          createdAt: checkout.createdAt.toISOString(),
          updatedAt: updatedAt.toISOString(),
        },
        pixQrCode: null,
        payment: { id: charge.id, devMode: true, amount: 10_000, fee: 80, method: 'PIX' },
      },
    });
    expect(v1.received[0]?.headers['webhook-signature']).toMatch(/^v1,/);
    expect(await received(v2)).toMatchObject({ event: 'checkout.completed', apiVersion: 2 });
  });

  it('sends billing.paid and billing.refunded for a PIX code', async () => {
    const charge = await insertPix(fixture);
    await notify(fixture, await mustPay(fixture, charge));
    const paid = await rowOf(charge);
    const pixQrCode = {
      id: charge.id,
      externalId: null,
      kind: 'PIX',
      amount: 10_000,
      paidAmount: 10_000,
      platformFee: 80,
      status: 'PAID',
      customer: null,
      devMode: true,
      receiptUrl: `https://recebe.test/receipt/${charge.id}`,
      createdAt: charge.createdAt.toISOString(),
      updatedAt: paid.updatedAt.toISOString(),
    };
    const payment = { id: charge.id, devMode: true, amount: 10_000, fee: 80, method: 'PIX' };
    expect(await received(v1)).toEqual({
      event: 'billing.paid',
      devMode: true,
      data: { billing: null, pixQrCode, payment },
    });
    await refund(fixture, charge);
    const { updatedAt } = await rowOf(charge);
    expect(await received(v1, 2)).toEqual({
      event: 'billing.refunded',
      devMode: true,
      data: {
        billing: null,
        pixQrCode: { ...pixQrCode, status: 'REFUNDED', updatedAt: updatedAt.toISOString() },
        payment,
        reason: 'Pedido cancelado',
        refund: {
          refundPublicId: expect.stringMatching(/^tran_/),
          amount: 10_000,
          refundedAmount: 10_000,
          initiatedBy: 'STORE',
        },
      },
    });
  });

  it('sends nothing for an opened dispute and billing.refunded for a lost one', async () => {
    const charge = await insertPix(fixture);
    await notify(fixture, await mustPay(fixture, charge));
    await received(v1);
    await dispute(fixture, charge, 'OPEN');
    await dispute(fixture, charge, 'LOST');
    expect(await received(v1, 2)).toMatchObject({ event: 'billing.refunded', data: { reason: 'fraud' } });
    expect([await deliveriesTo(v1), await deliveriesTo(v2)]).toEqual([2, 3]);
  });

  it('sends billing.failed for a declined card of a checkout once, and only to v1', async () => {
    const checkout = await openCheckout(fixture);
    fixture.provider.declineNext('insufficient_funds');
    const charge = await beginPayment(fixture, checkout, { method: 'CARD' });
    expect(await received(v1)).toMatchObject({
      event: 'billing.failed',
      data: {
        billing: { id: checkout.id, status: 'PENDING', paidAmount: null, receiptUrl: null },
        payment: { id: charge.id, amount: 10_000, method: 'CARD' },
        reason: 'insufficient_funds',
      },
    });
    await fixture.activities.failCharge({ chargeId: charge.id, nowMs: Date.now() });
    expect(await fixture.database.em.fork().count(EventEntity, { key: { $like: `%/${charge.id}` } })).toBe(1);
    expect([await deliveriesTo(v1), await deliveriesTo(v2)]).toEqual([1, 0]);
  });

  it('sends subscription.created for the first payment of a subscription', async () => {
    const customer = await insertCustomer(fixture, ana);
    const checkout = await openSubscriptionCheckout(fixture, { customerId: customer.id });
    const charge = await beginPayment(fixture, checkout, { method: 'CARD' });
    expect(await received(v1)).toEqual({
      event: 'subscription.created',
      devMode: true,
      data: {
        subscription: (await received(v2)).data.subscription,
        customer: { id: customer.id, metadata: expect.objectContaining(ana), devMode: true },
        billing: expect.objectContaining({ id: checkout.id, frequency: 'SUBSCRIPTION', status: 'PAID' }),
        payment: {
          id: charge.id,
          devMode: true,
          amount: charge.amountCents,
          fee: expect.any(Number),
          method: 'CARD',
        },
      },
    });
  });
});

describe('a retry', () => {
  it('sends an endpoint of v1 the same bytes on a retry', async () => {
    const failing = fixture.sink.endpoint((attempt) => (attempt === 1 ? 500 : 200));
    const { database, storeId } = fixture;
    await database.em.fork().execute('update webhooks set deleted_at = now()');
    await insertWebhook(database, { storeId, endpoint: failing.url, v2: false, events: ['billing.paid'] });
    const charge = await insertPix(fixture);
    await notify(fixture, await mustPay(fixture, charge));
    await failing.waitFor((webhooks) => webhooks.length === 2);
    expect(failing.received[1]?.body).toBe(failing.received[0]?.body);
  });
});

describe('event names of v1', () => {
  it('maps each event to its name in v1, or to null if v1 has no such event', () => {
    const names = ORIGINAL_EVENT_NAMES.map((name) => [name, v1EventNameOf(name, {})]);
    expect(Object.fromEntries(names)).toEqual({
      'checkout.completed': 'billing.paid',
      'checkout.refunded': 'billing.refunded',
      'checkout.disputed': null,
      'checkout.lost': 'billing.refunded',
      'transparent.completed': 'billing.paid',
      'transparent.refunded': 'billing.refunded',
      'transparent.disputed': null,
      'transparent.lost': 'billing.refunded',
      'subscription.completed': 'subscription.created',
      'subscription.cancelled': 'subscription.canceled',
      'subscription.renewed': 'billing.paid',
      'subscription.trial_started': 'subscription.created',
      'subscription.plan_changed': null,
      'subscription.payment_failed': 'billing.failed',
      'payout.completed': 'withdraw.done',
      'payout.failed': 'withdraw.failed',
      'transfer.completed': null,
      'transfer.failed': null,
    });
  });

  it('names the first payment after a trial billing.paid, not subscription.created', () => {
    const afterTrial = { subscription: { trialDays: 7 } };
    expect(v1EventNameOf('subscription.trial_started', afterTrial)).toBe('subscription.created');
    expect(v1EventNameOf('subscription.completed', afterTrial)).toBe('billing.paid');
    expect(v1EventNameOf('subscription.completed', { subscription: {} })).toBe('subscription.created');
  });

  it('shows a withdrawal as a transaction of kind WITHDRAW', () => {
    const { withdraw } = payoutEvents['payout.completed'].example;
    expect(V1_EVENTS['withdraw.done'].build({ withdraw }, true)).toEqual({
      transaction: { ...withdraw, kind: 'WITHDRAW' },
    });
  });
});
