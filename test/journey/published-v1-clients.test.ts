import type { REST } from '@abacatepay/rest';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import nodeSdk from 'abacatepay-nodejs-sdk';
import {
  type PublishedReceiver,
  publishedReceiver,
  publishedRest,
  publishedSchemas,
  type Shown,
  sendToOurs,
} from '../support/api/published-clients.ts';
import { startWebhookSink, type WebhookSink } from '../support/outside/webhook-sink.ts';
import { webhookBody } from '../support/rows/build.ts';
import { createDeployment, type Deployment } from '../support/servers/deployment.ts';
import { eventually } from '../support/waiting/eventually.ts';

let deployment: Deployment;
let sink: WebhookSink;
let receiver: PublishedReceiver;
let redirection: Disposable;
let abacate: ReturnType<typeof nodeSdk.default>;
let rest: REST;
let v2: REST;
/** Throws unless the schema of that name, of `@abacatepay/zod`, takes what was shown. */
let check: (schema: string, shown: unknown) => void;

beforeAll(async () => {
  deployment = await createDeployment();
  sink = await startWebhookSink();
  receiver = await publishedReceiver();
  const asTheOriginal = { WEBHOOK_COMPATIBILITY_KEY: receiver.ABACATEPAY_SHARED_KEY };
  const [{ api }] = await Promise.all([deployment.startApi(), deployment.startWorker(asTheOriginal)]);
  redirection = sendToOurs(api.url);
  abacate = nodeSdk.default(api.key);
  rest = publishedRest(1, api);
  v2 = publishedRest(2, api);
  check = await publishedSchemas('v1');
});

afterAll(async () => {
  redirection[Symbol.dispose]();
  await deployment[Symbol.asyncDispose]();
  await sink[Symbol.asyncDispose]();
});

const ANA = {
  name: 'Ana Souza',
  cellphone: '(11) 91234-5678',
  email: 'ana@example.com',
  taxId: '529.982.247-25',
};

const BILLING = {
  frequency: 'ONE_TIME',
  methods: ['PIX'],
  products: [{ externalId: 'pro', name: 'Plano Pro', quantity: 1, price: 1000 }],
  returnUrl: 'https://shop.example.com/',
  completionUrl: 'https://shop.example.com/ok',
} satisfies Partial<Parameters<typeof abacate.billing.create>[0]>;

/** `data` of what the SDK returns, which throws nothing itself. */
function dataOf<Data>(answer: { error: string | null; data?: Data | null }): Data {
  if (answer.data == null) throw new Error(`refused: ${JSON.stringify(answer)}`);
  return answer.data;
}

describe('abacatepay-nodejs-sdk, with nothing changed but where it sends', () => {
  it('creates one customer per tax id, and lists empty texts for unknown fields', async () => {
    const created = dataOf(await abacate.customer.create(ANA));
    check('APICustomer', created);
    expect(dataOf(await abacate.customer.create({ ...ANA, name: 'Outra' }))).toEqual(created);
    const body = { email: 'so@example.com' };
    const known = await v2.post<Shown>('/customers/create', { body });
    const listed = dataOf(await abacate.customer.list()).find(({ id }) => id === known.id);
    expect(listed?.metadata).toEqual({ ...body, name: '', cellphone: '', taxId: '' });
  });

  it('creates and lists coupons', async () => {
    const coupon = { code: 'DEZ', discountKind: 'PERCENTAGE', discount: 10, notes: 'Dez' } as const;
    const created = dataOf(await abacate.coupon.create(coupon));
    check('APICoupon', created);
    expect(dataOf(await abacate.coupon.list())).toEqual([created]);
  });

  it('bills a customer by id or by fields, and lists what it billed', async () => {
    const { id: customerId } = dataOf(await abacate.customer.create(ANA));
    const byId = dataOf(await abacate.billing.create({ ...BILLING, customerId }));
    expect(byId).toMatchObject({
      status: 'PENDING',
      amount: 1000,
      nextBilling: null,
      customer: { id: customerId },
    });
    const byFields = dataOf(
      await abacate.billing.create({ ...BILLING, methods: ['PIX', 'CARD'], customer: ANA }),
    );
    expect(byFields.customer).toEqual(byId.customer);
    expect(dataOf(await abacate.billing.list())).toEqual([byFields, byId]);
  });

  it('makes a link for a customer, whose page is pre-filled', async () => {
    const { frequency, ...link } = BILLING;
    const made = dataOf(await abacate.billing.createLink({ ...link, customer: ANA }));
    expect(made).toMatchObject({
      frequency: 'MULTIPLE_PAYMENTS',
      customer: { metadata: { name: ANA.name } },
    });
    expect(dataOf(await abacate.billing.createLink(link))).toMatchObject({ frequency: 'MULTIPLE_PAYMENTS' });
  });

  it('takes a PIX payment from its code to PAID', async () => {
    const body = { amount: 5000, expiresIn: 3600, description: 'Pedido 1', customer: ANA };
    const { id, brCode } = dataOf(await abacate.pixQrCode.create(body));
    expect(brCode).toContain('br.gov.bcb.pix');
    expect(await abacate.pixQrCode.check({ id })).toMatchObject({ data: { status: 'PENDING' } });
    expect(await abacate.pixQrCode.simulatePayment({ id })).toMatchObject({ data: { status: 'PAID' } });
    expect(await abacate.pixQrCode.check({ id })).toMatchObject({ data: { status: 'PAID' } });
  });
});

describe('@abacatepay/rest for v1, with answers checked by @abacatepay/zod', () => {
  it('withdraws with a receipt page that exists immediately', async () => {
    const { id } = await rest.post<Shown>('/pixQrCode/create', { body: { amount: 5000 } });
    await rest.post('/pixQrCode/simulate-payment', { query: { id } });
    const pix = { type: 'EMAIL', key: 'ana@example.com' };
    const body = { externalId: 'week-1', method: 'PIX', amount: 500, pix };
    const created = await rest.post<Shown>('/withdraw/create', { body });
    check('APIWithdraw', created);
    expect((await fetch(String(created.receiptUrl))).status).toBe(200);
    const done = await eventually(async () => {
      const shown = await rest.get<Shown>('/withdraw/get', { query: { externalId: 'week-1' } });
      expect(shown.status).toBe('COMPLETE');
      return shown;
    });
    check('APIWithdraw', done);
    expect(await rest.get('/withdraw/list')).toEqual([done]);
  });

  it('reads the balance, recurring revenue and a missing website', async () => {
    check('APIStore', await rest.get('/store/get'));
    const inEnvelope = async (path: string) => ({ data: await rest.get(path), error: null });
    check('RESTGetMRRData', await inEnvelope('/public-mrr/mrr'));
    check('RESTGetMerchantData', await inEnvelope('/public-mrr/merchant-info'));
  });

  it('throws an error with the reason of the refusal', async () => {
    const unknown = rest.get('/pixQrCode/check', { query: { id: 'pix_char_unknown' } });
    await expect(unknown).rejects.toThrow('not found');
  });
});

describe('the check of signatures in @abacatepay/types', () => {
  it('accepts webhooks of a deployment that signs with the key of AbacatePay', async () => {
    const endpoint = sink.endpoint();
    const body = webhookBody({ endpoint: endpoint.url, secret: 'the secret of the shop' });
    await v2.post('/webhooks/create', { body });
    const { id } = await rest.post<Shown>('/pixQrCode/create', { body: { amount: 100 } });
    await rest.post('/pixQrCode/simulate-payment', { query: { id } });
    await endpoint.waitFor((received) => received.length === 1);
    const [webhook] = endpoint.received;
    const signature = String(webhook?.headers['x-webhook-signature']);
    expect(receiver.verifyWebhookSignature(webhook?.body ?? '', signature)).toBe(true);
    expect(receiver.verifyWebhookSignature(`${webhook?.body} `, signature)).toBe(false);
    expect(new URLSearchParams(webhook?.query).get('webhookSecret')).toBe('the secret of the shop');
  });
});
