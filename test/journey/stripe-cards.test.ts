import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import Stripe from 'stripe';
import { addAccount } from '../../src/accounts/accounts.ts';
import { inputOf } from '../../src/accounts/open-account.ts';
import { ChargeEntity } from '../../src/database/entities/charge.ts';
import { EventEntity } from '../../src/database/entities/event.ts';
import { PaymentEntity } from '../../src/database/entities/payment.ts';
import type { ProviderAccount } from '../../src/database/entities/provider-account.ts';
import { PROVIDER_KINDS } from '../../src/providers/kinds.ts';
import type { ShownCheckout } from '../../src/wire/checkout.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { createMoneyApp, type MoneyApp } from '../support/api/money-app.ts';
import { type StripeCard, StripeStandIn } from '../support/outside/stripe-stand-in.ts';
import { type Endpoint, startWebhookSink, type WebhookSink } from '../support/outside/webhook-sink.ts';
import { buildWebhook } from '../support/rows/build.ts';
import { buildProduct } from '../support/rows/catalog.ts';
import { eventually } from '../support/waiting/eventually.ts';
import { payForm } from '../support/web/pay-form.ts';

const WEBHOOK_SECRET = 'whsec_secret';
const EVENTS = [
  'checkout.completed',
  'checkout.refunded',
  'checkout.disputed',
  'checkout.payment_failed',
  'subscription.card_updated',
];

/** Production mode, with Stripe's stand-in as the store's only provider. */
let app: MoneyApp;
let stripe: StripeStandIn;
let account: ProviderAccount;
let sink: WebhookSink;
let endpoint: Endpoint;
let api: ApiClient;

beforeAll(async () => {
  stripe = new StripeStandIn();
  await stripe.open();
  [app, sink] = await Promise.all([
    createMoneyApp({ secretsKeys: [randomBytes(32).toString('base64')] }),
    startWebhookSink(),
  ]);
  const { storeId } = await app.anotherStore();
  const keeping = { em: app.database.em.fork(), keys: app.parts.secretsKeys, kinds: PROVIDER_KINDS };
  const settings = { stripeMode: 'test', publishableKey: 'pk_test_1', apiUrl: stripe.url };
  const secrets = { secretKey: 'rk_test_1', webhookSecret: WEBHOOK_SECRET };
  const given = { storeId, kind: 'stripe', profile: 'stripe', uses: null, settings, secrets };
  ({ account } = await addAccount(keeping, given, new Date()));
  api = await app.clientWith({ storeId, devMode: false });
  endpoint = sink.endpoint();
  await buildWebhook(api, { endpoint: endpoint.url, events: EVENTS });
});
afterAll(async () => {
  await app.close();
  await sink[Symbol.asyncDispose]();
  await stripe.close();
});

async function cardCheckout(): Promise<ShownCheckout> {
  const { id } = await buildProduct(api, { price: 5_000 });
  return dataOf(await api.post('/v2/checkouts/create', { items: [{ id, quantity: 1 }], methods: ['CARD'] }));
}

/** Sends the form as the page does once Stripe's fields have made a token. @returns the payment's page. */
async function payBy(card: StripeCard, checkout: ShownCheckout): Promise<string> {
  const { location } = await payForm(api.url, checkout.id, {
    attempt: randomBytes(16).toString('hex'),
    method: 'CARD',
    cardToken: stripe.addCard(card),
  });
  // A confirmation leads on to the bank by a page of its own.
  return location.replace(/\/confirm$/, '');
}

const pageOf = async (path: string) => (await fetch(api.url + path)).text();
const statusOf = async ({ id }: ShownCheckout) =>
  dataOf<ShownCheckout>(await api.get(`/v2/checkouts/get?id=${id}`)).status;

async function chargeOf(page: string) {
  const id = page.split('/').at(-1) ?? '';
  return app.database.em.fork().findOneOrFail(ChargeEntity, { id } as never, { disableIdentityMap: true });
}

/** The payer reaches their bank. @returns the payment intent that waits for them. */
async function atTheBank(page: string): Promise<string> {
  return eventually(async () => {
    const { actionUrl } = await chargeOf(page);
    expect(actionUrl).toMatch(/\/3ds\/pi_/);
    expect(await pageOf(`${page}/confirm`)).toContain(actionUrl ?? '?');
    return actionUrl?.split('/').at(-1) ?? '';
  });
}

/** Stripe notifies an object. @param signature default: the right one. */
function notify(type: string, object: object, signature?: string): Promise<Response> {
  const event = { id: 'evt_1', object: 'event', type, livemode: false };
  const payload = JSON.stringify({ ...event, data: { object } });
  const signed = Stripe.webhooks.generateTestHeaderString({ payload, secret: WEBHOOK_SECRET });
  const { notificationSecret } = inputOf(account, app.parts.secretsKeys).secrets;
  return fetch(`${api.url}/notifications/${account.id}/${notificationSecret}`, {
    method: 'POST',
    body: payload,
    headers: { 'Stripe-Signature': signature ?? signed },
  });
}

/** The payment intent as Stripe notifies it. */
const noticeOf = (intent: string) => structuredClone(stripe.intents.get(intent)) as object;

async function eventAbout({ id }: { readonly id: string }, name: string) {
  const isOfIt = ({ body }: { body: string }) => body.includes(id) && body.includes(`"${name}"`);
  await endpoint.waitFor((received) => received.some(isOfIt));
  return JSON.parse(endpoint.received.find(isOfIt)?.body ?? '{}').data;
}

describe('a card payment at Stripe in production', () => {
  it('pays once the payer has confirmed it at their bank, and refunds a part', async () => {
    const checkout = await cardCheckout();
    const page = await payBy('CONFIRM', checkout);
    const intent = await atTheBank(page);
    expect(await statusOf(checkout)).toBe('PENDING');
    stripe.confirm(intent, true);
    await fetch(`${api.url}${page}/confirmed`);
    await eventually(async () => expect(await statusOf(checkout)).toBe('PAID'));
    const { payment } = await eventAbout(checkout, 'checkout.completed');
    expect(payment).toMatchObject({ methods: ['CARD'], devMode: false, paidAmount: 5_000 });

    const { id } = checkout;
    dataOf(await api.post('/v2/checkouts/refund', { id, amount: 1_500 }));
    await eventually(() => {
      const amounts = [...stripe.refunds.values()].map(({ amount }) => Number(amount));
      expect(amounts).toEqual([1_500]);
    });
  });

  it('pays once if the payer comes back while Stripe notifies the payment three times', async () => {
    const checkout = await cardCheckout();
    const page = await payBy('CONFIRM', checkout);
    const intent = await atTheBank(page);
    stripe.confirm(intent, true);
    const back = () => fetch(`${api.url}${page}/confirmed`);
    const sendNotice = () => notify('payment_intent.succeeded', noticeOf(intent));
    await Promise.all([back(), sendNotice(), sendNotice(), back(), sendNotice()]);
    await eventually(async () => expect(await statusOf(checkout)).toBe('PAID'));
    const { id } = await chargeOf(page);
    const payments = await app.database.em.fork().find(PaymentEntity, { chargeId: id });
    expect(payments).toMatchObject([{ outcome: 'ACCEPTED', amountCents: 5_000 }]);
    const events = await app.database.em
      .fork()
      .find(EventEntity, { checkoutId: checkout.id, name: 'checkout.completed' } as never);
    expect(events).toHaveLength(1);
  });

  it('pays once although the worker is away when the payer confirms', async () => {
    const checkout = await cardCheckout();
    const page = await payBy('CONFIRM', checkout);
    const intent = await atTheBank(page);
    await app.stopWorker();
    stripe.confirm(intent, true);
    await fetch(`${api.url}${page}/confirmed`);
    expect(await statusOf(checkout)).toBe('PENDING');
    await app.startWorker();
    await eventually(async () => expect(await statusOf(checkout)).toBe('PAID'));
    const { id } = await chargeOf(page);
    const made = [...stripe.intents.values()].filter(({ metadata }) =>
      Object.values(Object(metadata)).includes(id),
    );
    expect(made).toHaveLength(1);
  });

  it('fails if the payer refuses it, and the next card pays the same checkout', async () => {
    const checkout = await cardCheckout();
    const page = await payBy('CONFIRM', checkout);
    stripe.confirm(await atTheBank(page), false);
    await fetch(`${api.url}${page}/confirmed`);
    await eventually(async () => expect((await chargeOf(page)).status).toBe('FAILED'));
    expect((await chargeOf(page)).failureReason).toBe('authentication_failed');
    await payBy('APPROVE', checkout);
    await eventually(async () => expect(await statusOf(checkout)).toBe('PAID'));
  });

  it('fails by the signed notice of a refused confirmation', async () => {
    const checkout = await cardCheckout();
    const page = await payBy('CONFIRM', checkout);
    const intent = await atTheBank(page);
    stripe.confirm(intent, false);
    expect((await notify('payment_intent.payment_failed', noticeOf(intent))).status).toBe(200);
    await eventually(async () => expect((await chargeOf(page)).failureReason).toBe('authentication_failed'));
    expect(await statusOf(checkout)).toBe('PENDING');
    await eventAbout(checkout, 'checkout.payment_failed');
  });

  it('leaves an abandoned confirmation unpaid although another card pays', async () => {
    const checkout = await cardCheckout();
    const abandoned = await payBy('CONFIRM', checkout);
    const intent = await atTheBank(abandoned);
    await payBy('APPROVE', checkout);
    await eventually(async () => expect(await statusOf(checkout)).toBe('PAID'));
    await eventually(async () => expect((await chargeOf(abandoned)).status).toBe('CANCELLED'));
    expect(stripe.intents.get(intent)?.status).toBe('canceled');
  });

  it('says why a declined card was declined', async () => {
    const checkout = await cardCheckout();
    const page = await payBy({ decline: 'insufficient_funds' }, checkout);
    await eventually(async () => expect((await chargeOf(page)).failureReason).toBe('insufficient_funds'));
    expect(await statusOf(checkout)).toBe('PENDING');
  });

  it('renews the card of a subscription by a signed notification', async () => {
    const { id: planId } = await buildProduct(api, { price: 5_000, cycle: 'MONTHLY' });
    const items = [{ id: planId, quantity: 1 }];
    const checkout = dataOf<ShownCheckout>(await api.post('/v2/subscriptions/create', { items }));
    const page = await payBy('APPROVE', checkout);
    await eventually(async () => expect(await statusOf(checkout)).toBe('PAID'));
    const { cardToken } = await chargeOf(page);
    const [customer, id = ''] = cardToken?.split(':') ?? [];
    stripe.replaceCard(id, { last4: '1881', exp_month: 3, exp_year: 2031 });
    const notice = { id, object: 'payment_method', customer };
    expect((await notify('payment_method.automatically_updated', notice)).status).toBe(200);
    const { subscriptionId = '' } = dataOf<{ subscriptionId?: string }>(
      await api.get(`/v2/checkouts/get?id=${checkout.id}`),
    );
    const { card } = await eventAbout({ id: subscriptionId }, 'subscription.card_updated');
    expect(card).toEqual({ brand: 'visa', lastFour: '1881', expiryMonth: 3, expiryYear: 2031 });
    const shown = dataOf(await api.get(`/v2/subscriptions/get?id=${subscriptionId}`));
    expect(shown).toMatchObject({ card });
  });

  it('opens a dispute by a signed notification, and ignores an unsigned one', async () => {
    const checkout = await cardCheckout();
    const page = await payBy('APPROVE', checkout);
    await eventually(async () => expect(await statusOf(checkout)).toBe('PAID'));
    const { id } = await chargeOf(page);
    const [intent] = [...stripe.intents.values()].filter(({ metadata }) =>
      Object.values(Object(metadata)).includes(id),
    );
    const dispute = stripe.dispute(String(intent?.id));
    const object = { id: dispute, object: 'dispute' };
    const unsigned = await notify('charge.dispute.created', object, 't=1,v1=00');
    expect(unsigned.status).toBeGreaterThanOrEqual(400);
    expect((await notify('charge.dispute.created', object)).status).toBe(200);
    await eventually(async () => expect((await chargeOf(page)).status).toBe('UNDER_DISPUTE'));
    await eventAbout(checkout, 'checkout.disputed');
  });
});
