import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { standardWebhooksSecret } from '../../src/webhooks/signature.ts';
import { chargeStateQuery } from '../../workflows/charge.contract.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { type Endpoint, startWebhookSink, type WebhookSink } from '../support/outside/webhook-sink.ts';
import { buildPixCharge, buildWebhook } from '../support/rows/build.ts';
import { createDeployment, type Deployment } from '../support/servers/deployment.ts';
import { eventually } from '../support/waiting/eventually.ts';

const SECRET = 'a secret that is no base64: ção';

/** What an integrator reads of a charge. */
interface Charge {
  readonly id: string;
  readonly status: string;
  readonly receiptUrl: string | null;
}

let deployment: Deployment;
let sink: WebhookSink;
let endpoint: Endpoint;
let webhookId: string;
let api: ApiClient;
let storeId: string;

beforeAll(async () => {
  deployment = await createDeployment();
  sink = await startWebhookSink();
  endpoint = sink.endpoint();
  const [{ api: anyStore }] = await Promise.all([deployment.startApi(), deployment.startWorker()]);
  storeId = (await cli('stores', 'create', '--name', 'Padaria da Ana', '--city', 'Recife')).id;
  const forKey = [
    '--store',
    storeId,
    '--environment',
    'dev',
    '--description',
    'shop',
    '--permissions',
    'all',
  ];
  api = anyStore.as((await cli('keys', 'create', ...forKey)).key);
  webhookId = (await buildWebhook(api, { endpoint: endpoint.url, secret: SECRET })).id;
});

afterAll(async () => {
  await deployment[Symbol.asyncDispose]();
  await sink[Symbol.asyncDispose]();
});

/** `npm run cli -- … --json`, with which an operator creates stores and keys. */
async function cli(...args: string[]) {
  const main = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [main, ...args, '--json'], {
    env: { ...process.env, ...deployment.env },
  });
  return JSON.parse(stdout);
}

async function create(body: object): Promise<Charge> {
  return dataOf(await api.post('/v2/transparents/create', body));
}

async function pay(id: string): Promise<Charge> {
  return dataOf(await api.post(`/v2/transparents/simulate-payment?id=${id}`));
}

/** Pays, and waits for the webhook that says so. */
async function payAndReceive(id: string) {
  const paid = await pay(id);
  const isOfIt = ({ body }: { body: string }) => body.includes(id);
  await endpoint.waitFor((received) => received.some(isOfIt));
  const webhook = endpoint.received.find(isOfIt);
  if (webhook === undefined) throw new Error('unreachable: it was waited for');
  return { paid, webhook };
}

const BOLETO = {
  method: 'BOLETO',
  data: { amount: 1990, customer: { name: 'Ana Souza', taxId: '529.982.247-25' } },
};

describe('an integrator with a key from the command line', () => {
  it('receives a webhook about a paid PIX charge that passes both signature checks', async () => {
    const charge = await create({ method: 'PIX', data: { amount: 2500, externalId: 'order-1' } });
    const { paid, webhook } = await payAndReceive(charge.id);
    expect(paid).toMatchObject({ status: 'PAID', paidAmount: 2500, platformFee: 80 });

    const headers = webhook.headers as Record<string, string>;
    const payload = new Webhook(standardWebhooksSecret(SECRET)).verify(webhook.body, headers);
    expect(createHmac('sha256', SECRET).update(webhook.body).digest('base64')).toBe(
      headers['x-webhook-signature'],
    );
    expect(payload).toMatchObject({
      id: headers['webhook-id'],
      event: 'transparent.completed',
      apiVersion: 2,
      devMode: true,
      data: {
        transparent: { id: charge.id, externalId: 'order-1', status: 'PAID', amount: 2500, paidAmount: 2500 },
        customer: null,
        payerInformation: { method: 'PIX' },
      },
    });
  });

  it('receives a webhook about a paid boleto with the tax id masked', async () => {
    const charge = await create(BOLETO);
    const { webhook } = await payAndReceive(charge.id);
    expect(JSON.parse(webhook.body).data).toMatchObject({
      transparent: { id: charge.id, methods: ['BOLETO'] },
      customer: { name: 'Ana Souza', taxId: '529.***.***-**' },
      payerInformation: { BOLETO: { isSameAsCustomer: true } },
    });
    expect(webhook.body).not.toContain('52998224725');
  });

  it('reads the answer of the endpoint in each delivery', async () => {
    const { webhook } = await payAndReceive((await buildPixCharge(api)).id);
    const path = `/v2/webhooks/deliveries?webhookId=${webhookId}&event=transparent.completed&status=DELIVERED`;
    const delivery = await eventually(async () => {
      const deliveries = dataOf<{ id: string }[]>(await api.get(path));
      const found = deliveries.find(({ id }) => id === webhook.headers['webhook-id']);
      expect(found).toBeDefined();
      return found;
    });
    expect(delivery).toMatchObject({
      attemptsCount: 1,
      attempts: [{ statusCode: 200, responseExcerpt: 'answer 200' }],
    });
  });

  it('resends a delivery with the same id and bytes', async () => {
    const { webhook } = await payAndReceive((await buildPixCharge(api)).id);
    const id = String(webhook.headers['webhook-id']);
    const ofIt = () => endpoint.received.filter(({ headers }) => headers['webhook-id'] === id);
    dataOf(await api.post('/v2/webhooks/resend', { id }));
    await endpoint.waitFor(() => ofIt().length === 2);
    expect(ofIt()[1]?.body).toBe(webhook.body);
  });

  it('cancels an unpaid charge but not a paid one', async () => {
    const unpaid = await create({ method: 'PIX', data: { amount: 100 } });
    expect(dataOf(await api.post('/v2/transparents/cancel', { id: unpaid.id }))).toMatchObject({
      status: 'CANCELLED',
    });
    expect(await api.post(`/v2/transparents/simulate-payment?id=${unpaid.id}`)).toMatchObject({
      status: 422,
    });

    const paid = await create({ method: 'PIX', data: { amount: 100 } });
    await pay(paid.id);
    expect(await api.post('/v2/transparents/cancel', { id: paid.id })).toMatchObject({ status: 422 });
  });

  it('pages through all charges, newest first, without missing or repeating one', async () => {
    const before = dataOf<Charge[]>(await api.get('/v2/transparents/list')).length;
    for (let count = 0; count < 5; count += 1) await buildPixCharge(api);
    const ids: string[] = [];
    let next: string | null | undefined = null;
    do {
      const answer = await api.get(`/v2/transparents/list?limit=2${next ? `&after=${next}` : ''}`);
      ids.push(...dataOf<Charge[]>(answer).map(({ id }) => id));
      next = answer.json.pagination?.next;
    } while (next);
    expect(ids.length).toBe(before + 5);
    expect(new Set(ids).size).toBe(before + 5);
    expect(ids).toEqual(dataOf<Charge[]>(await api.get('/v2/transparents/list')).map(({ id }) => id));
  });
});

describe('an operator, in Temporal', () => {
  /** The attribute `Status` is a reserved word of the query language, so it is put in backquotes. */
  const workflowsWhere = async (condition: string) =>
    Array.fromAsync(deployment.temporal.workflow.list({ query: `StoreId = '${storeId}' AND ${condition}` }));

  it('finds a paid charge by store and status, and reads its summary and state', async () => {
    const { id } = await buildPixCharge(api, { externalId: 'order-9' });
    await payAndReceive(id);
    const [found] = await eventually(async () => {
      const list = await workflowsWhere("`Status` = 'PAID' AND ExternalId = 'order-9'");
      expect(list).toMatchObject([
        { workflowId: `charge/${id}`, status: { name: 'COMPLETED' }, type: 'charge' },
      ]);
      return list;
    });
    expect(found?.historyLength).toBeLessThan(20);
    const handle = deployment.temporal.workflow.getHandle(`charge/${id}`);
    expect(await (await handle.describe()).staticSummary()).toBe('PIX R$ 25,00');
    expect(await handle.query(chargeStateQuery)).toMatchObject({ status: 'PAID' });
  });

  it('sees at most 20 events for a paid charge, in both workflows together', async () => {
    const { id } = await buildPixCharge(api);
    const { webhook } = await payAndReceive(id);
    const ids = [`charge/${id}`, `delivery/${webhook.headers['webhook-id']}`];
    let events = 0;
    for (const workflowId of ids) {
      const handle = deployment.temporal.workflow.getHandle(workflowId);
      await handle.result();
      events += (await handle.fetchHistory()).events?.length ?? 0;
    }
    expect(events).toBeLessThanOrEqual(20);
  });

  it('reads the summary, wake-up time and request id of a sleeping charge', async () => {
    const { json, headers } = await api.post('/v2/transparents/create', BOLETO);
    const { id } = json.data as Charge;
    const handle = deployment.temporal.workflow.getHandle(`charge/${id}`);
    const sleeping = await eventually(() => handle.describe());
    expect(sleeping).toMatchObject({
      status: { name: 'RUNNING' },
      historyLength: 1,
      memo: { requestId: headers.get('X-Request-Id') },
    });
    expect(await sleeping.staticSummary()).toBe('BOLETO R$ 19,90');
    expect(await sleeping.staticDetails()).toMatch(/^Asleep until \*\*\d{4}-\d\d-\d\dT/);
  });

  it('finds the names and tax ids of payers in no history', async () => {
    const charge = await create(BOLETO);
    const { webhook } = await payAndReceive(charge.id);
    for (const workflowId of [`charge/${charge.id}`, `delivery/${webhook.headers['webhook-id']}`]) {
      const history = await deployment.temporal.workflow.getHandle(workflowId).fetchHistory();
      const readable = JSON.stringify(history).replace(/"data":"([^"]*)"/g, (_, base64) => atob(base64));
      expect(readable).toMatch(/(chargeId|deliveryId)/);
      expect(readable).not.toMatch(/Ana Souza|52998224725|529\.982/);
    }
  });
});
