import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { type Subscription, SubscriptionEntity } from '../../src/database/entities/subscription.ts';
import type { ProductId } from '../../src/domain/ids.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { type Endpoint, startWebhookSink, type WebhookSink } from '../support/outside/webhook-sink.ts';
import { buildWebhook } from '../support/rows/build.ts';
import { buildCoupon, buildProduct } from '../support/rows/catalog.ts';
import { createDeployment, type Deployment } from '../support/servers/deployment.ts';
import { launchBrowser } from '../support/web/browser.ts';
import { APPROVED, NO_FUNDS, Payer } from '../support/web/payer.ts';

let deployment: Deployment;
let sink: WebhookSink;
let endpoint: Endpoint;
let api: ApiClient;
let browser: Browser;

beforeAll(async () => {
  deployment = await createDeployment();
  [sink, browser] = await Promise.all([startWebhookSink(), launchBrowser()]);
  endpoint = sink.endpoint();
  const [served] = await Promise.all([deployment.startApi(), deployment.startWorker()]);
  api = served.api;
  const events = ['subscription.completed', 'subscription.trial_started'];
  await buildWebhook(api, { endpoint: endpoint.url, events });
});

afterAll(async () => {
  await browser.close();
  await deployment[Symbol.asyncDispose]();
  await sink[Symbol.asyncDispose]();
});

interface SubscriptionCheckout {
  readonly id: string;
  readonly url: string;
}

/** The checkout of a subscription at R$ 49.00 a month, by card by default. */
async function buildSubscription(
  changes: Record<string, unknown> = {},
  plan: Record<string, unknown> = {},
): Promise<SubscriptionCheckout> {
  const product = await buildProduct(api, { name: 'Clube do café', price: 4_900, cycle: 'MONTHLY', ...plan });
  const items = [{ id: product.id as ProductId, quantity: 1 }];
  return dataOf(await api.post('/v2/subscriptions/create', { items, ...changes }));
}

/** The row that the first payment has created. */
function subscriptionOf({ id }: SubscriptionCheckout): Promise<Subscription> {
  return deployment.database.em.fork().findOneOrFail(SubscriptionEntity, { checkoutId: id as never });
}

/** The event about a subscription, as the integrator receives it. Fails if there are several. */
async function eventAbout(subscription: Subscription) {
  const isOfIt = ({ body }: { body: string }) => body.includes(subscription.id);
  await endpoint.waitFor((received) => received.some(isOfIt));
  const events = endpoint.received.filter(isOfIt).map(({ body }) => JSON.parse(body));
  expect(events).toHaveLength(1);
  return events[0];
}

/** Simulates the payment, which dev mode has in place of a bank, in another browser with the same page open. */
async function payInTheirBank(url: string): Promise<void> {
  await using bank = await Payer.on(browser);
  await bank.open(url);
  await bank.press('Simular pagamento');
  await bank.sees('Assinatura ativa');
}

describe('a subscriber with a card', () => {
  it('pays and sees the date of the next charge', async () => {
    await using payer = await Payer.on(browser);
    const checkout = await buildSubscription();
    await payer.open(checkout.url);
    await payer.sees('R$ 49,00 por mês');
    await payer.checkAccessibility();
    await payer.typeCard(APPROVED);
    await payer.press('Assinar e pagar R$ 49,00');
    await payer.sees('Assinatura ativa');
    await payer.reads('Próxima cobrança');
    await payer.checkAccessibility();
    const subscription = await subscriptionOf(checkout);
    expect(subscription).toMatchObject({
      status: 'ACTIVE',
      method: 'CARD',
      amountCents: 4_900,
      cycleNumber: 1,
    });
    expect((await eventAbout(subscription)).event).toBe('subscription.completed');
    await payer.open(checkout.url);
    await payer.sees('Assinatura ativa');
    expect(await payer.page.getByLabel('Número do cartão').count()).toBe(0);
  });

  it('types another card after a decline and subscribes once', async () => {
    await using payer = await Payer.on(browser);
    const checkout = await buildSubscription();
    await payer.open(checkout.url);
    await payer.typeCard(NO_FUNDS);
    await payer.press('Assinar e pagar R$ 49,00');
    await payer.sees('Pagamento não aprovado');
    await payer.checkAccessibility();
    await payer.typeCard(APPROVED);
    await payer.press('Assinar e pagar R$ 49,00');
    await payer.sees('Assinatura ativa');
    const subscription = await subscriptionOf(checkout);
    expect(subscription.status).toBe('ACTIVE');
    expect((await eventAbout(subscription)).event).toBe('subscription.completed');
  });

  it('gets the discount of a coupon on the first payment only', async () => {
    await using payer = await Payer.on(browser);
    const { code } = await buildCoupon(api, { discount: 10 });
    const checkout = await buildSubscription({ coupons: [code] });
    await payer.open(checkout.url);
    await payer.page.getByText('Tenho um cupom').click();
    await payer.type('Cupom de desconto', code);
    await payer.press('Aplicar cupom');
    await payer.reads(/O cupom desconta só o primeiro pagamento/);
    await payer.typeCard(APPROVED);
    await payer.press('Assinar e pagar R$ 44,10');
    await payer.sees('Assinatura ativa');
    await payer.reads('R$ 44,10');
    expect(await subscriptionOf(checkout)).toMatchObject({ status: 'ACTIVE', amountCents: 4_900 });
  });
});

describe('the confirmation of a subscription', () => {
  it('offers an upsell that is paid once and never renewed', async () => {
    await using payer = await Payer.on(browser);
    const { id: upSellProductId } = await buildProduct(api, { name: 'Caneca', price: 2_000 });
    const checkout = await buildSubscription({ upSellProductId });
    await payer.open(checkout.url);
    await payer.typeCard(APPROVED);
    await payer.press('Assinar e pagar R$ 49,00');
    await payer.sees('Assinatura ativa');
    await payer.sees('Caneca');
    await payer.checkAccessibility();
    await payer.press(/Levar por R\$ 20,00/);
    await payer.sees('Pagamento confirmado');
    await payer.checkAccessibility();
    const subscription = await subscriptionOf(checkout);
    expect(subscription).toMatchObject({ status: 'ACTIVE', amountCents: 4_900 });
    const shown = await api.get(`/v2/checkouts/get?id=${checkout.id}`);
    expect(dataOf(shown)).toMatchObject({ status: 'PAID', paidAmount: 6_900, upSellProductId });
    expect((await eventAbout(subscription)).event).toBe('subscription.completed');
  });
});

describe('a trial', () => {
  it('takes the card and nothing else, and says when the first charge is', async () => {
    await using payer = await Payer.on(browser);
    const checkout = await buildSubscription({}, { trialDays: 7 });
    await payer.open(checkout.url);
    await payer.sees('7 dias grátis');
    await payer.reads('Hoje: R$ 0,00');
    await payer.checkAccessibility();
    await payer.typeCard(APPROVED);
    await payer.press('Começar teste grátis');
    await payer.sees('Teste grátis iniciado');
    await payer.checkAccessibility();
    const subscription = await subscriptionOf(checkout);
    expect(subscription).toMatchObject({
      status: 'ACTIVE',
      method: 'CARD',
      cycleNumber: 0,
      cardLastFour: '4242',
    });
    expect((await eventAbout(subscription)).event).toBe('subscription.trial_started');
  });
});

describe('a subscriber with PIX', () => {
  it('sees the page turn into the confirmation once the first code is paid', async () => {
    await using payer = await Payer.on(browser);
    const checkout = await buildSubscription({ methods: ['CARD', 'PIX'] });
    await payer.open(checkout.url);
    await payer.choose('PIX');
    await payer.reads(/Um código Pix novo a cada cobrança/);
    await payer.press('Assinar e gerar Pix de R$ 49,00');
    await payer.sees(/Pague R\$ 49,00 com Pix/);
    await payer.checkAccessibility();
    await payInTheirBank(payer.page.url());
    await payer.sees('Assinatura ativa');
    await payer.checkAccessibility();
    const subscription = await subscriptionOf(checkout);
    expect(subscription).toMatchObject({ status: 'ACTIVE', method: 'PIX', cycleNumber: 1 });
    expect((await eventAbout(subscription)).event).toBe('subscription.completed');
  });
});
