import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { exampleNfseSettings } from '../../src/api/invoices/nfse/settings-schema.ts';
import type { ShownInvoice } from '../../src/api/invoices/schema.ts';
import { ChargeEntity } from '../../src/database/entities/charge.ts';
import { StoreEntity } from '../../src/database/entities/store.ts';
import { addDays, saoPauloDateOf } from '../../src/domain/civil-date.ts';
import {
  EVENT_NAMES,
  type EventName,
  V1_EVENT_NAMES,
  type V1EventName,
} from '../../src/domain/event-names.ts';
import type { ChargeId } from '../../src/domain/ids.ts';
import { EVENT_DOCUMENTS } from '../../src/events/document.ts';
import { EVENTS } from '../../src/events/events.ts';
import { V1_EVENTS } from '../../src/events/v1/events.ts';
import { SandboxBank } from '../../src/providers/sandbox/sandbox-bank.ts';
import { standardWebhooksSecret } from '../../src/webhooks/signature.ts';
import { exampleAuthorizedNfse, type PublishedNfse } from '../../src/wire/nfse.ts';
import { ANNOUNCER_WORKFLOW, announcerScheduleId } from '../../workflows/announcer.contract.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { comparable } from '../support/api/comparable.ts';
import { createMoneyApp, type MoneyApp } from '../support/api/money-app.ts';
import {
  type Endpoint,
  type ReceivedWebhook,
  startWebhookSink,
  type WebhookSink,
} from '../support/outside/webhook-sink.ts';
import { buildWebhook, webhookBody } from '../support/rows/build.ts';
import { buildProduct } from '../support/rows/catalog.ts';
import { createTimeSkippingEnvironment } from '../support/servers/temporal-servers.ts';
import { eventually } from '../support/waiting/eventually.ts';

const SECRET = 'a secret of the shop';
const DAY_MS = 24 * 60 * 60 * 1_000;

/** Everything is caused through the public API. */
let app: MoneyApp;
let sink: WebhookSink;
let endpoint: Endpoint;
let api: ApiClient;
let ana: string;

beforeAll(async () => {
  app = await createMoneyApp();
  sink = await startWebhookSink();
  endpoint = sink.endpoint();
});
/** Each test has a store of its own, in which an external id is free and a payout may be made. */
beforeEach(() => openStore(app));
afterAll(async () => {
  await app.close();
  await (await dueTogether)?.app.close();
  await sink[Symbol.asyncDispose]();
});

async function openStore(of: MoneyApp): Promise<void> {
  const store = await of.anotherStore();
  api = store.api;
  const known = { name: 'Loja Azul', taxId: '11222333000181' };
  await of.database.em.fork().nativeUpdate(StoreEntity, { id: store.storeId }, known);
  await buildWebhook(api, { endpoint: endpoint.url, secret: SECRET, events: EVENT_NAMES });
  const ofV1 = webhookBody({ endpoint: endpoint.url, secret: SECRET, events: V1_EVENT_NAMES });
  dataOf(await api.post('/v1/webhooks/create', ofV1));
  ana = (await post('customers/create', { data: ANA })).id;
}

const ANA = {
  name: 'Ana Souza',
  email: 'ana@example.com',
  taxId: '529.982.247-25',
  cellphone: '+55 11 91234-5678',
};

async function post<Data = { readonly id: string }>(path: string, body: object = {}): Promise<Data> {
  return dataOf<Data>(await api.post(`/v2/${path}`, body));
}

async function unpaidCharge(): Promise<string> {
  const data = {
    amount: 25_000,
    externalId: 'order-1042',
    customer: ANA,
    metadata: { orderId: 'A-1042' },
  };
  return (await post('transparents/create', { method: 'PIX', data })).id;
}

async function paidCharge(): Promise<string> {
  const id = await unpaidCharge();
  await post(`transparents/simulate-payment?id=${id}`);
  return id;
}

async function unpaidCheckout(): Promise<string> {
  const { id: productId } = await buildProduct(api, { price: 4_900 });
  const { id } = await post('checkouts/create', {
    items: [{ id: productId, quantity: 2 }],
    externalId: 'order-1042',
    methods: ['PIX', 'CARD'],
    card: { maxInstallments: 3 },
    customerId: ana,
    metadata: { orderId: 'A-1042' },
  });
  return id;
}

async function paidCheckout(): Promise<string> {
  const id = await unpaidCheckout();
  await post('checkouts/simulate-payment', { id, method: 'CARD', installments: 2 });
  return id;
}

/** A subscription at R$ 49.00 a month. @returns its id. */
/** By PIX, with a code that also asks for debits. */
function subscribedByDebit(customerId = ana): Promise<string> {
  return subscribedByPix({ customerId, pixAutomatic: 'fixed' });
}

async function subscribedByPix(more: object = {}): Promise<string> {
  const { id: productId } = await buildProduct(api, { price: 4_900, cycle: 'MONTHLY' });
  const { id } = await post('subscriptions/create', {
    items: [{ id: productId, quantity: 1 }],
    externalId: 'account-77',
    methods: ['PIX'],
    retryPolicy: { maxRetry: 3, retryEvery: 2 },
    customerId: ana,
    metadata: { accountId: '77' },
    ...more,
  });
  return (await post<{ subscriptionId: string }>('checkouts/simulate-payment', { id })).subscriptionId;
}

/** With a test CPF whose payer pays without authorizing debits. */
async function subscribedWithoutDebits(): Promise<string> {
  const { id } = await post('customers/create', { data: { ...ANA, taxId: '800.000.001-67' } });
  return subscribedByDebit(id);
}

async function subscription(
  product: object = {},
  card: { readonly number: string; readonly expiry?: string } = { number: '4242424242424242' },
): Promise<string> {
  const { id: productId } = await buildProduct(api, { price: 4_900, cycle: 'MONTHLY', ...product });
  const { id } = await post('subscriptions/create', {
    items: [{ id: productId, quantity: 1 }],
    externalId: 'account-77',
    methods: ['CARD'],
    retryPolicy: { maxRetry: 3, retryEvery: 2 },
    completionUrl: 'https://app.example.com/welcome',
    customerId: ana,
    metadata: { accountId: '77' },
  });
  const paid = { id, card };
  return (await post<{ subscriptionId: string }>('checkouts/simulate-payment', paid)).subscriptionId;
}

async function cancelledSubscription(): Promise<string> {
  const id = await subscription();
  await post('subscriptions/cancel', { id });
  return id;
}

async function endingSubscription(): Promise<string> {
  const id = await subscription();
  await post('subscriptions/cancel', { id, atPeriodEnd: true });
  return id;
}

/** Money that is available at once. */
async function fund(): Promise<void> {
  const { id } = await post('transparents/create', { method: 'PIX', data: { amount: 100_000 } });
  await post(`transparents/simulate-payment?id=${id}`);
}

async function transfer(externalId: string, key: string): Promise<string> {
  await fund();
  return (await post('pix/send', { amount: 25_000, externalId, pix: { type: 'EMAIL', key } })).id;
}

async function payout(externalId: string, amount: number): Promise<string> {
  await fund();
  return (await post('payouts/create', { amount, externalId })).id;
}

async function refunded(resource: 'transparents' | 'checkouts', id: string): Promise<string> {
  await post(`${resource}/refund`, { id, reason: 'Pedido cancelado' });
  return id;
}

async function disputed(id: string): Promise<string> {
  await post('dev/disputes/open', { id, reason: 'Não reconheço a compra' });
  return id;
}

async function won(id: string): Promise<string> {
  await post('dev/disputes/win', { id: await disputed(id) });
  return id;
}

/** The sandbox bank notifies of it by itself, seconds later. */
async function payTooLittle(id: string): Promise<void> {
  const charge = await app.database.em.fork().findOneOrFail(ChargeEntity, { id: id as ChargeId });
  await new SandboxBank(app.database).pay({
    reference: charge.providerReference,
    amountCents: charge.amountCents - 1_000,
    paidAt: new Date(),
    payer: { name: ANA.name, taxId: '52998224725' },
    metadata: null,
  });
}

/** A checkout whose payer has offered a card that was declined. */
async function declinedCheckout(): Promise<string> {
  const id = await unpaidCheckout();
  const card = { number: '4000000000000002' };
  const answer = await api.post('/v2/checkouts/simulate-payment', { id, card });
  expect(answer).toMatchObject({ status: 422, json: { code: 'CARD_DECLINED' } });
  return id;
}

async function lost(id: string): Promise<string> {
  await post('dev/disputes/lose', { id: await disputed(id) });
  return id;
}

/** The DPS of a subscription's first payment. */
async function declared() {
  await post('invoices/nfse/update-settings', exampleNfseSettings);
  const subscriptionId = await subscription();
  return eventually(async () => {
    const [invoice] = dataOf<ShownInvoice[]>(
      await api.get(`/v2/invoices/list?subscriptionId=${subscriptionId}`),
    );
    const [nfse] = dataOf<PublishedNfse[]>(await api.get(`/v2/invoices/nfse/list?invoiceId=${invoice?.id}`));
    expect(nfse).toBeDefined();
    return { ...(nfse as PublishedNfse), invoice: invoice as ShownInvoice };
  });
}

async function authorized() {
  const nfse = await declared();
  const { accessKey, verificationUrl } = exampleAuthorizedNfse;
  await post('invoices/nfse/report', { id: nfse.id, status: 'AUTHORIZED', accessKey, verificationUrl });
  return nfse;
}

async function toCancel(): Promise<string> {
  const { id, invoice } = await authorized();
  await refunded('checkouts', invoice.checkoutId ?? '');
  await received('nfse.cancellation_requested', id);
  return id;
}

type Name = EventName | V1EventName;
const NAMES = [...EVENT_NAMES, ...V1_EVENT_NAMES];

/** What an integrator does to cause each event. Answers with the id of what the event is about. */
const CAUSES: Readonly<Record<Name, () => Promise<string>>> = {
  'transparent.completed': paidCharge,
  'transparent.refunded': async () => refunded('transparents', await paidCharge()),
  'transparent.disputed': async () => disputed(await paidCharge()),
  'transparent.lost': async () => lost(await paidCharge()),
  'checkout.completed': paidCheckout,
  'checkout.refunded': async () => refunded('checkouts', await paidCheckout()),
  'checkout.disputed': async () => disputed(await paidCheckout()),
  'checkout.lost': async () => lost(await paidCheckout()),
  'subscription.completed': () => subscription(),
  'subscription.trial_started': () => subscription({ trialDays: 14 }),
  async 'subscription.plan_changed'() {
    const id = await subscription();
    const { id: productId } = await buildProduct(api, { price: 58_800, cycle: 'ANNUALLY' });
    await post('subscriptions/change-plan', { id, productId, quantity: 1 });
    return id;
  },
  'subscription.cancelled': () => cancelledSubscription(),
  'subscription.cancellation_scheduled': () => endingSubscription(),
  async 'subscription.paused'() {
    const id = await subscription();
    await post('subscriptions/pause', { id });
    return id;
  },
  async 'subscription.resumed'() {
    const id = await endingSubscription();
    await post('subscriptions/resume', { id });
    return id;
  },
  'payout.completed': () => payout('week-47', 25_000),
  'payout.failed': () => payout('week-48', 40_404),
  'transfer.completed': () => transfer('supplier-7', 'ana@example.com'),
  'transfer.failed': () => transfer('supplier-8', 'chave-inexistente@example.com'),
  'payout.returned': () => payout('week-49', 40_505),
  'transfer.returned': () => transfer('supplier-9', 'devolve@example.com'),
  'transparent.won': async () => won(await paidCharge()),
  async 'transparent.cancelled'() {
    const id = await unpaidCharge();
    await post('transparents/cancel', { id });
    return id;
  },
  async 'subscription.trial_changed'() {
    const id = await subscription({ trialDays: 14 });
    await post('subscriptions/update', { id, trialEnd: 'now' });
    return id;
  },
  async 'subscription.payment_method_changed'() {
    const id = await subscription();
    await post('dev/cards/change', { id });
    return id;
  },
  async 'subscription.authorization_requested'() {
    const id = await subscribedByPix();
    await post('mandates/create', { subscriptionId: id, pixAutomatic: 'fixed' });
    return id;
  },
  'subscription.authorized': () => subscribedByDebit(),
  'subscription.authorization_refused': () => subscribedWithoutDebits(),
  async 'subscription.authorization_cancelled'() {
    const id = await subscribedByDebit();
    const { mandateId } = dataOf<{ mandateId: string }>(await api.get(`/v2/subscriptions/get?id=${id}`));
    await post('dev/mandates/answer', { id: mandateId, answer: 'cancel' });
    return id;
  },
  async 'subscription.card_updated'() {
    const id = await subscription();
    await post('dev/cards/replace', { id, lastFour: '0341' });
    return id;
  },
  'transparent.expired': async () => (await aMonthLater()).unpaidCharge,
  'checkout.won': async () => won(await paidCheckout()),
  'checkout.payment_failed': declinedCheckout,
  'checkout.expired': async () => (await aMonthLater()).unpaidCheckout,
  'invoice.created': () => subscription(),
  'invoice.paid': () => subscription(),
  async 'invoice.void'() {
    const { failed: id } = await aMonthLater();
    await post('subscriptions/cancel', { id });
    return id;
  },
  async 'customer.updated'() {
    await post('customers/update', { id: ana, cellphone: '+55 21 98765-4321' });
    return ana;
  },
  async 'reminder.due'() {
    const dueDate = addDays(saoPauloDateOf(new Date()), 3);
    const data = { amount: 14_990, customer: ANA, description: 'Plano anual', dueDate };
    const { id } = await post('transparents/create', { method: 'BOLETO', data });
    await post('dev/reminders/publish', { id });
    return id;
  },
  'nfse.pending': async () => (await declared()).id,
  'nfse.authorized': async () => (await authorized()).id,
  async 'nfse.rejected'() {
    const { id } = await declared();
    const errors = [{ code: 'E0188', message: 'CNPJ do prestador inexistente' }];
    await post('invoices/nfse/report', { id, status: 'REJECTED', errors });
    return id;
  },
  'nfse.cancellation_requested': toCancel,
  async 'nfse.cancelled'() {
    const id = await toCancel();
    await post('invoices/nfse/report', { id, status: 'CANCELLED' });
    return id;
  },
  async 'refund.failed'() {
    const id = await paidCharge();
    await post('payouts/create', { amount: 10_000, externalId: 'week-47' });
    const answer = await api.post('/v2/transparents/refund', { id, reason: 'Pedido cancelado' });
    expect(answer).toMatchObject({ status: 422, json: { code: 'INSUFFICIENT_FUNDS' } });
    return id;
  },
  async 'refund.requested'() {
    const id = await paidCharge();
    await post('dev/refunds/request', { id });
    return id;
  },
  async 'payment.returned'() {
    const id = await unpaidCharge();
    await payTooLittle(id);
    return id;
  },
  async 'webhook.disabled'() {
    const gone = sink.endpoint(() => 410);
    const { id } = await buildWebhook(api, { endpoint: gone.url, events: ['transparent.completed'] });
    await paidCharge();
    return id;
  },
  'billing.created': unpaidCheckout,
  'billing.paid': paidCheckout,
  'billing.refunded': async () => refunded('transparents', await paidCharge()),
  'billing.failed': declinedCheckout,
  'subscription.created': () => subscription(),
  'subscription.canceled': () => cancelledSubscription(),
  'withdraw.done': () => payout('week-47', 25_000),
  'withdraw.failed': () => payout('week-48', 40_404),
  'subscription.renewed': async () => (await aMonthLater()).renewed,
  'subscription.payment_failed': async () => (await aMonthLater()).failed,
  'subscription.past_due': async () => (await aMonthLater()).failed,
  'subscription.trial_ending': async () => (await aMonthLater()).onTrial,
  'subscription.upcoming': async () => (await aMonthLater()).renewed,
  'subscription.card_expiring': async () => (await aMonthLater()).expiring,
};

let dueTogether: ReturnType<typeof subscribeAndWait> | undefined;

/** What no request can bring about is the passing of time, which a renewal and a failed renewal need. */
async function aMonthLater() {
  dueTogether ??= subscribeAndWait();
  const made = await dueTogether;
  ({ api } = made);
  return made;
}

/**
 * In a service of its own, whose Temporal server skips time: its API's clock stays where it is, and is out of
 * step from then on.
 */
async function subscribeAndWait() {
  const environment = await createTimeSkippingEnvironment();
  const later = await createMoneyApp({ environment });
  await openStore(later);
  const renewed = await subscription();
  const { id: productId } = await buildProduct(api, { price: 5 });
  await post('subscriptions/record-usage', { id: renewed, productId, units: 120, action: 'add' });
  const failed = await subscription({}, { number: '4000000000000341' });
  const unpaid = { unpaidCharge: await unpaidCharge(), unpaidCheckout: await unpaidCheckout() };
  const onTrial = await subscription({ trialDays: 14 });
  // Expires after the first announcements, and within 30 days of one of them.
  const [year = '', month] = saoPauloDateOf(new Date(Date.now() + 13 * DAY_MS)).split('-');
  const expiring = await subscription(
    {},
    { number: '4242424242424242', expiry: `${month}/${year.slice(2)}` },
  );
  for (const days of [12, 14]) {
    await environment.sleep(days * DAY_MS);
    // By hand, as this server knows no schedules.
    const workflowId = announcerScheduleId(later.taskQueue);
    await later.temporal.workflow.execute(ANNOUNCER_WORKFLOW, { workflowId, taskQueue: later.taskQueue });
  }
  // Every month ends within another six days.
  await environment.sleep(6 * DAY_MS);
  return { renewed, failed, onTrial, expiring, ...unpaid, app: later, api };
}

/** The first webhook of this event that names `id`. */
async function received(name: Name, id: string): Promise<ReceivedWebhook> {
  const isIt = ({ body }: ReceivedWebhook) => body.includes(`"${name}"`) && body.includes(id);
  await endpoint.waitFor((webhooks) => webhooks.some(isIt));
  const webhook = endpoint.received.find(isIt);
  if (webhook === undefined) throw new Error('unreachable: it was waited for');
  return webhook;
}

describe('events of v2 and v1', () => {
  it('defines every event in exactly one family', () => {
    expect(new Set(Object.keys(EVENTS))).toEqual(new Set(EVENT_NAMES));
    expect(new Set(Object.keys(V1_EVENTS))).toEqual(new Set(V1_EVENT_NAMES));
  });

  it('documents every event with an example that matches its schema', async () => {
    expect(new Set(EVENT_DOCUMENTS.map(({ name }) => name))).toEqual(new Set(NAMES));
    expect(EVENT_DOCUMENTS).toHaveLength(NAMES.length);
    const { webhooks } = (await api.get('/openapi.json')).json as unknown as { webhooks: object };
    expect(new Set(Object.keys(webhooks))).toEqual(new Set(NAMES));
    for (const { schema, example } of EVENT_DOCUMENTS) schema.parse(example);
  });

  it('covers every event by a scenario of this file', () => {
    expect(new Set(Object.keys(CAUSES))).toEqual(new Set(NAMES));
  });

  it('signs events so that both kinds of verification pass', async () => {
    const { body, headers } = await received('transparent.completed', await paidCharge());
    const given = headers as Record<string, string>;
    expect(new Webhook(standardWebhooksSecret(SECRET)).verify(body, given)).toEqual(JSON.parse(body));
    expect(createHmac('sha256', SECRET).update(body).digest('base64')).toBe(given['x-webhook-signature']);
    expect(given['webhook-id']).toBe(JSON.parse(body).id);
  });

  it.each(Object.keys(CAUSES) as Name[])(
    'sends %s with exactly the payload that the API reference shows',
    async (name) => {
      const document = EVENT_DOCUMENTS.find((each) => each.name === name);
      const { body } = await received(name, await CAUSES[name]());
      const payload = JSON.parse(body);
      expect(comparable(payload, api.url)).toEqual(comparable(document?.example, api.url));
      expect(document?.schema.safeParse(payload).error).toBeUndefined();
      expect(document?.schema.safeParse({ ...payload, data: { ...payload.data, more: 1 } }).success).toBe(
        false,
      );
      expect(body).not.toMatch(/52998224725|529\.982/);
      if (document?.apiVersion === 2) {
        const read = dataOf(await api.get(`/v2/events/get?id=${payload.eventId}`));
        expect(read).toMatchObject({ id: payload.eventId, name, data: payload.data });
      }
    },
  );
});
