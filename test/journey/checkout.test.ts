import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import type { CouponView } from '../../src/api/coupons/schema.ts';
import type { CheckoutId } from '../../src/domain/ids.ts';
import { standardWebhooksSecret } from '../../src/webhooks/signature.ts';
import type { ShownCheckout } from '../../src/wire/checkout.ts';
import { checkoutWorkflowId } from '../../workflows/checkout.contract.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { type Endpoint, startWebhookSink, type WebhookSink } from '../support/outside/webhook-sink.ts';
import { buildWebhook } from '../support/rows/build.ts';
import { buildCoupon, buildProduct } from '../support/rows/catalog.ts';
import { buildCheckout, buildPaymentLink } from '../support/rows/checkouts.ts';
import { createDeployment, type Deployment } from '../support/servers/deployment.ts';
import type { ServiceProcess } from '../support/servers/processes.ts';
import { eventually } from '../support/waiting/eventually.ts';
import { cutWaiting, hold, untilWaiting } from '../support/waiting/hold.ts';
import { payForm } from '../support/web/pay-form.ts';

const SECRET = 'a secret of the shop';
const APPROVED = '4242424242424242';
const DECLINED = '4000000000009995';
/** A good number of no test card. */
const REFUSED = '5555555555554444';
const ANA = { name: 'Ana Souza', taxId: '529.982.247-25', email: 'ana@example.com' };

type Paid = ShownCheckout & { readonly paymentId: string };

let deployment: Deployment;
let sink: WebhookSink;
let endpoint: Endpoint;
let api: ApiClient;
let processes: ServiceProcess[];

beforeAll(async () => {
  deployment = await createDeployment();
  sink = await startWebhookSink();
  endpoint = sink.endpoint();
  const started = await deployment.startApi({ LOG_LEVEL: 'debug' });
  api = started.api;
  const worker = await startWorker();
  processes = [started.process, worker];
  await buildWebhook(api, { endpoint: endpoint.url, secret: SECRET, events: ['checkout.completed'] });
});

/** It builds the same addresses as the API. */
const startWorker = () => deployment.startWorker({ PUBLIC_URL: api.url, LOG_LEVEL: 'debug' });

afterAll(async () => {
  await deployment[Symbol.asyncDispose]();
  await sink[Symbol.asyncDispose]();
});

const simulate = (id: string, body: object = {}) =>
  api.post('/v2/checkouts/simulate-payment', { id, ...body });
const pay = async (id: string, body: object = {}) => dataOf<Paid>(await simulate(id, body));
const get = async (id: string) => dataOf<ShownCheckout>(await api.get(`/v2/checkouts/get?id=${id}`));
const byCard = (number: string, more: object = {}) => ({ method: 'CARD', card: { number }, ...more });

const workflowIdOf = (id: string) => checkoutWorkflowId(id as CheckoutId);

/** The webhooks received about a checkout, as soon as there are that many. */
async function webhooksAbout(id: string, count = 1) {
  const about = () => endpoint.received.filter(({ body }) => body.includes(id));
  await endpoint.waitFor(() => about().length >= count);
  return about();
}

/** The payload of the one webhook about a checkout. */
async function payloadAbout(id: string) {
  const [webhook] = await webhooksAbout(id);
  return JSON.parse(webhook?.body ?? '').data;
}

describe('from product to money: a checkout', () => {
  it('becomes PAID with a receipt and a webhook that passes both signature checks', async () => {
    const product = await buildProduct(api, { price: 4_900 });
    const checkout = await buildCheckout(api, {
      items: [{ id: product.id, quantity: 2 }],
      externalId: 'order-1',
      card: { maxInstallments: 3 },
      metadata: { orderId: 'A-1' },
    });
    const paid = await pay(checkout.id, byCard(APPROVED, { installments: 3, payer: ANA }));
    expect(paid).toEqual({
      ...checkout,
      status: 'PAID',
      paidAmount: 9_800,
      receiptUrl: `${api.url}/receipt/${paid.paymentId}`,
      installmentsCount: 3,
      customerId: expect.stringMatching(/^cust_/),
      customerNamedBy: 'PAYER',
      paymentId: expect.stringMatching(/^card_/),
      updatedAt: expect.any(String),
    });
    const { paymentId, ...shown } = paid;
    expect(await get(checkout.id)).toEqual(shown);
    const receipt = await fetch(String(paid.receiptUrl));
    expect([receipt.status, receipt.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);

    const [webhook] = await webhooksAbout(checkout.id);
    const headers = webhook?.headers as Record<string, string>;
    const body = webhook?.body ?? '';
    expect(createHmac('sha256', SECRET).update(body).digest('base64')).toBe(headers['x-webhook-signature']);
    expect(new Webhook(standardWebhooksSecret(SECRET)).verify(body, headers)).toMatchObject({
      id: headers['webhook-id'],
      event: 'checkout.completed',
      apiVersion: 2,
      devMode: true,
      data: {
        checkout: {
          id: checkout.id,
          externalId: 'order-1',
          url: checkout.url,
          amount: 9_800,
          paidAmount: 9_800,
          platformFee: 403,
          frequency: 'ONE_TIME',
          items: [{ id: product.id, quantity: 2 }],
          status: 'PAID',
          methods: ['PIX', 'CARD'],
          customerId: paid.customerId,
          receiptUrl: paid.receiptUrl,
          installmentsCount: 3,
          createdAt: checkout.createdAt,
        },
        customer: { id: paid.customerId, name: 'Ana Souza', email: ANA.email, taxId: '529.***.***-**' },
        payerInformation: { method: 'CARD', CARD: { number: '4242', brand: 'visa' } },
      },
    });
    expect(body).not.toMatch(/52998224725|529\.982/);
    const workflow = deployment.temporal.workflow.getHandle(workflowIdOf(checkout.id));
    expect(await workflow.result()).toBe('PAID');
  });

  it('pays the code on the page unless another method or payer is given', async () => {
    const { id } = await buildCheckout(api, { methods: ['PIX', 'BOLETO', 'CARD'] });
    const boleto = await payForm(api.url, id, { method: 'BOLETO', payerName: 'Ana', payerTaxId: ANA.taxId });
    const pix = await payForm(api.url, id, { method: 'PIX', payerName: 'Ana' });
    const bruno = await buildCheckout(api);
    const other = await payForm(api.url, bruno.id, { method: 'PIX', payerName: 'Ana' });
    expect(`/pay/${id}/${(await pay(id, { method: 'BOLETO' })).paymentId}`).toBe(boleto.location);
    expect(pix.location).not.toBe(boleto.location);
    const paid = await pay(bruno.id, { payer: { name: 'Bruno Lima' } });
    expect(`/pay/${bruno.id}/${paid.paymentId}`).not.toBe(other.location);
  });

  it('stays open after a declined card and accepts another card', async () => {
    const { id } = await buildCheckout(api);
    expect(await simulate(id, byCard(DECLINED))).toMatchObject({
      status: 422,
      json: { code: 'CARD_DECLINED', declineReason: 'insufficient_funds' },
    });
    expect(await get(id)).toMatchObject({ status: 'PENDING', paidAmount: null, receiptUrl: null });
    expect(await pay(id, byCard(APPROVED))).toMatchObject({ status: 'PAID', paidAmount: 5_000 });
    expect(await payloadAbout(id)).toMatchObject({ checkout: { id, status: 'PAID' }, customer: null });
    expect(await webhooksAbout(id)).toHaveLength(1);
  });

  it('returns the paid checkout when paid again, and refuses to cancel it', async () => {
    const { id } = await buildCheckout(api);
    const paid = await pay(id, byCard(APPROVED));
    expect(await pay(id, byCard(APPROVED))).toEqual(paid);
    expect(await api.post('/v2/checkouts/cancel', { id })).toMatchObject({
      status: 422,
      json: { code: 'INVALID_STATE' },
    });
  });

  it('becomes PAID by PIX, the first of its methods', async () => {
    const { id } = await buildCheckout(api);
    const paid = await pay(id, { payer: ANA });
    expect(paid).toMatchObject({ status: 'PAID', paidAmount: 5_000, installmentsCount: null });
    expect(paid.paymentId).toMatch(/^pix_char_/);
    expect(await payloadAbout(id)).toMatchObject({
      checkout: { platformFee: 80 },
      payerInformation: {
        method: 'PIX',
        PIX: { name: 'Ana Souza', taxId: '529.***.***-**', isSameAsCustomer: true },
      },
    });
  });

  it('becomes PAID by boleto', async () => {
    const { id } = await buildCheckout(api, { methods: ['BOLETO'] });
    const paid = await pay(id, { payer: ANA });
    expect(paid.status).toBe('PAID');
    expect(paid.paymentId).toMatch(/^bole_/);
    expect(await payloadAbout(id)).toMatchObject({
      checkout: { platformFee: 250 },
      payerInformation: { method: 'BOLETO', BOLETO: { isSameAsCustomer: true } },
    });
  });

  it('costs less with its coupon, whose one use is counted', async () => {
    const coupon = await buildCoupon(api, { discount: 10, maxRedeems: 1 });
    const { id } = await buildCheckout(api, { coupons: [coupon.id] });
    expect(await pay(id, byCard(APPROVED, { coupon: coupon.id }))).toMatchObject({
      status: 'PAID',
      amount: 5_000,
      paidAmount: 4_500,
    });
    expect(await payloadAbout(id)).toMatchObject({ checkout: { amount: 5_000, paidAmount: 4_500 } });
    const used = dataOf<CouponView>(await api.get(`/v2/coupons/get?id=${coupon.id}`));
    expect(used).toMatchObject({ redeemsCount: 1, status: 'EXPIRED' });
  });

  it('releases the coupon that a declined card held', async () => {
    const coupon = await buildCoupon(api, { maxRedeems: 1 });
    const { id } = await buildCheckout(api, { coupons: [coupon.id] });
    expect((await simulate(id, byCard(DECLINED, { coupon: coupon.id }))).json.code).toBe('CARD_DECLINED');
    expect(await pay(id, byCard(APPROVED, { coupon: coupon.id }))).toMatchObject({ paidAmount: 4_500 });
  });

  it('completes without a payment if a coupon covers the whole amount', async () => {
    const coupon = await buildCoupon(api, { discount: 100 });
    const { id } = await buildCheckout(api, { coupons: [coupon.id] });
    const paid = await pay(id, { coupon: coupon.id });
    expect(paid).toMatchObject({ status: 'PAID', paidAmount: 0 });
    expect(paid.paymentId).toMatch(/^char_/);
    expect(await payloadAbout(id)).toMatchObject({
      checkout: { paidAmount: 0, platformFee: 0 },
      payerInformation: null,
    });
  });

  it('refuses payment after it is cancelled', async () => {
    const { id } = await buildCheckout(api);
    const cancelled = dataOf(await api.post('/v2/checkouts/cancel', { id }));
    expect(cancelled).toMatchObject({ status: 'CANCELLED' });
    expect(dataOf(await api.post('/v2/checkouts/cancel', { id }))).toEqual(cancelled);
    expect(await simulate(id, byCard(APPROVED))).toMatchObject({
      status: 422,
      json: { code: 'INVALID_STATE' },
    });
  });

  it('accepts one of ten concurrent payments', async () => {
    const { id } = await buildCheckout(api);
    const answers = await Promise.all(Array.from({ length: 10 }, () => simulate(id, byCard(APPROVED))));
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(1);
    expect(await get(id)).toMatchObject({ status: 'PAID', paidAmount: 5_000 });
    const paid = await deployment.database.em
      .fork()
      .execute(`select id from charges where checkout_id = ? and status = 'PAID'`, [id]);
    expect(paid).toHaveLength(1);
  });

  it('appears in the list filtered by the tax id of its payer', async () => {
    const taxId = '153.509.460-56';
    const { id } = await buildCheckout(api);
    await pay(id, byCard(APPROVED, { payer: { name: 'Caio Lima', taxId } }));
    const found = dataOf<ShownCheckout[]>(await api.get(`/v2/checkouts/list?taxId=${taxId}&status=PAID`));
    expect(found.map((checkout) => checkout.id)).toEqual([id]);
  });
});

describe('a payment link', () => {
  it('accepts several payments, sends a webhook for each and sums them in paidAmount', async () => {
    const { id } = await buildPaymentLink(api);
    const first = await pay(id, byCard(APPROVED, { payer: ANA }));
    const second = await pay(id, { method: 'PIX' });
    expect(first.paymentId).not.toBe(second.paymentId);
    expect(second).toMatchObject({ status: 'PENDING', paidAmount: 10_000, customerId: null });

    const payloads = (await webhooksAbout(id, 2)).map(({ body }) => JSON.parse(body).data);
    expect(new Set(payloads.map(({ payment }) => payment.id))).toEqual(
      new Set([first.paymentId, second.paymentId]),
    );
    for (const { checkout, payment } of payloads) {
      expect(checkout).toMatchObject({ id, status: 'PENDING', amount: 5_000, paidAmount: 5_000 });
      expect(checkout.receiptUrl).toContain(payment.id);
    }
  });

  it('keeps its payments and refuses further ones after it is cancelled', async () => {
    const { id } = await buildPaymentLink(api);
    await pay(id, byCard(APPROVED));
    expect(dataOf(await api.post('/v2/payment-links/cancel', { id }))).toMatchObject({
      status: 'CANCELLED',
      paidAmount: 5_000,
    });
    expect((await simulate(id, byCard(APPROVED))).status).toBe(422);
  });
});

describe('the payer', () => {
  it('becomes one customer per tax id, even if 20 pay at once', async () => {
    const { id } = await buildPaymentLink(api);
    const payer = { name: 'Bia Reis', taxId: '111.444.777-35', email: 'bia@example.com' };
    await Promise.all(Array.from({ length: 20 }, () => pay(id, byCard(APPROVED, { payer }))));
    const customers = dataOf<{ id: string }[]>(await api.get('/v2/customers/list?taxId=11144477735'));
    expect(customers).toHaveLength(1);
    const charges = await deployment.database.em
      .fork()
      .execute<{ customer_id: string }[]>('select customer_id from charges where checkout_id = ?', [id]);
    expect(charges.map((charge) => charge.customer_id)).toEqual(Array(20).fill(customers[0]?.id));
    expect(await get(id)).toMatchObject({ paidAmount: 100_000 });
  });
});

describe('the number of a card', () => {
  /** Every table of the database as text. */
  async function everythingStored(): Promise<string> {
    const em = deployment.database.em.fork();
    const tables = await em.execute<{ name: string }[]>(
      `select quote_ident(table_name) as name from information_schema.tables
       where table_schema = 'public' and table_type = 'BASE TABLE'`,
    );
    const rows = await Promise.all(
      tables.map(({ name }) => em.fork().execute(`select stored::text as text from ${name} stored`)),
    );
    return JSON.stringify(rows);
  }

  async function historyOf(workflowId: string): Promise<string> {
    const history = await deployment.temporal.workflow.getHandle(workflowId).fetchHistory();
    return JSON.stringify(history).replace(/"data":"([^"]*)"/g, (_, base64) => atob(base64));
  }

  /** Pays on the page, as a browser would send its form. */
  const payOnPage = (id: string, cardNumber: string) =>
    fetch(`${api.url}/pay/${id}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { Origin: api.url },
      body: new URLSearchParams({
        method: 'CARD',
        cardNumber,
        cardHolder: 'ANA SOUZA',
        cardExpiry: '12/49',
        cardCvv: '123',
      }),
    });

  it('never reaches logs, tables, histories, webhooks or responses', async () => {
    const { id } = await buildPaymentLink(api);
    const answers = [
      await simulate(id, { card: { number: APPROVED, cvv: '123' } }),
      await simulate(id, { card: { number: Number(APPROVED) } }),
      await simulate(id, byCard(REFUSED)),
      await simulate(id, byCard(DECLINED)),
      await simulate(id, byCard(APPROVED)),
      await api.post(
        '/v2/checkouts/simulate-payment',
        { id, ...byCard('4242 4242 4242 4242') },
        { headers: { 'Idempotency-Key': 'card-1' } },
      ),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 422, 422, 200, 200]);
    const pages = [
      await payOnPage(id, REFUSED),
      await payOnPage(id, '5555 5555 5555 4444'),
      await payOnPage(id, DECLINED),
      await payOnPage(id, '4242 4242 4242 4242'),
    ];
    const cameBack = pages.map(({ headers }) => headers.get('location') === `/pay/${id}`);
    expect(cameBack).toEqual([true, true, false, false]);
    const webhooks = await webhooksAbout(id, 3);

    const ofCharges = await deployment.database.em
      .fork()
      .execute<{ id: string }[]>('select id from charges where checkout_id = ?', [id]);
    expect(ofCharges).toHaveLength(5);
    const histories = ofCharges.map((charge) => historyOf(`charge/${charge.id}`));
    const places = {
      stored: await everythingStored(),
      logged: processes.map((process) => process.output()).join('\n'),
      histories: (await Promise.all(histories)).join('\n'),
      webhooks: JSON.stringify(webhooks),
      answers: answers.map(({ text }) => text).join('\n'),
    };
    // The page itself lists the test cards, so only another number is searched for.
    const shown = await Promise.all(pages.map((page) => page.text()));
    expect(shown.join('\n')).not.toMatch(/5555 ?5555 ?5555 ?4444/);
    for (const [place, text] of Object.entries(places)) {
      // Each place mentions these payments, so that a number would be there if it were kept.
      expect([place, ofCharges.some((charge) => text.includes(charge.id)) || text.includes(id)]).toEqual([
        place,
        true,
      ]);
      for (const number of [APPROVED, DECLINED, REFUSED]) {
        const inGroups = number.replace(/(.{4})(?=.)/g, '$1 ');
        expect([place, number, text.includes(number) || text.includes(inGroups)]).toEqual([
          place,
          number,
          false,
        ]);
      }
    }
  });
});

it('records and notifies a card payment once if its worker dies before recording it', async () => {
  const { database } = deployment;
  const { id } = await buildCheckout(api);
  await using held = await hold(database, 'lock table payments in share mode');
  const answer = simulate(id, byCard(APPROVED));
  await untilWaiting(database, 1);
  await processes.at(-1)?.kill();
  await cutWaiting(database);
  await held.release();
  expect(await get(id)).toMatchObject({ status: 'PENDING' });
  processes.push(await startWorker());
  // 503 if the new worker took too long to start; the payment is then still being decided.
  expect([200, 503]).toContain((await answer).status);
  await eventually(async () => expect(await get(id)).toMatchObject({ status: 'PAID', paidAmount: 5_000 }));
  expect(await deployment.temporal.workflow.getHandle(workflowIdOf(id)).result()).toBe('PAID');
  expect(await webhooksAbout(id)).toHaveLength(1);
  const deliveries = await database.em
    .fork()
    .execute(
      'select 1 from deliveries join events on events.id = event_id where strpos(events.data, ?) > 0',
      [id],
    );
  expect(deliveries).toHaveLength(1);
});
