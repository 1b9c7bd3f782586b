import { randomBytes, randomInt } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import pLimit from 'p-limit';
import type { Browser, BrowserContext } from 'playwright-core';
import { addAccount } from '../../src/accounts/accounts.ts';
import { issueKey } from '../../src/cli/keys.ts';
import { ChargeEntity } from '../../src/database/entities/charge.ts';
import type { StoreId } from '../../src/domain/ids.ts';
import { PERMISSIONS } from '../../src/domain/permission.ts';
import { PROVIDER_KINDS } from '../../src/providers/kinds.ts';
import { SecretsKeys } from '../../src/secrets/secrets-keys.ts';
import { taskQueuesOf } from '../../src/temporal/task-queues.ts';
import { ApiClient, dataOf } from '../support/api/api-client.ts';
import { IS_THOROUGH } from '../support/jest/thoroughness.ts';
import { type CardRecorder, createCardRecorder } from '../support/outside/card-recorder.ts';
import { StripeStandIn } from '../support/outside/stripe-stand-in.ts';
import { startTraceReceiver, type TraceReceiver } from '../support/outside/trace-receiver.ts';
import { buildPixCharge } from '../support/rows/build.ts';
import { buildProduct } from '../support/rows/catalog.ts';
import { createDeployment, type Deployment } from '../support/servers/deployment.ts';
import type { ServiceProcess } from '../support/servers/processes.ts';
import { eventually } from '../support/waiting/eventually.ts';
import { launchBrowser } from '../support/web/browser.ts';

const PAYMENTS = IS_THOROUGH ? 500 : 20;
const TIMEOUT_MS = IS_THOROUGH ? 15 * 60_000 : 180_000;
const AT_ONCE = 4;
const KEY = randomBytes(32).toString('base64');

const stripe = new StripeStandIn();
let deployment: Deployment;
let traces: TraceReceiver;
let processes: readonly ServiceProcess[];
/** With a production key. */
let api: ApiClient;
let devApi: ApiClient;
let browser: Browser;
let recorder: CardRecorder;

beforeAll(async () => {
  await stripe.open();
  [deployment, traces, browser] = await Promise.all([
    createDeployment(),
    startTraceReceiver(),
    launchBrowser(),
  ]);
  const env = {
    SECRETS_KEY: KEY,
    OTEL_EXPORTER_OTLP_ENDPOINT: traces.url,
    OTEL_BSP_SCHEDULE_DELAY: '50',
    LIMIT_ANONYMOUS_TRAFFIC: 'false',
    LOG_LEVEL: 'debug',
  };
  const [started, worker] = await Promise.all([deployment.startApi(env), deployment.startWorker(env)]);
  processes = [started.process, worker];
  devApi = started.api;
  const storeId = deployment.storeId as StoreId;
  const em = deployment.database.em.fork();
  const settings = { stripeMode: 'test', publishableKey: 'pk_test_1', apiUrl: stripe.url };
  const secrets = { secretKey: 'rk_test_1' };
  const given = { storeId, kind: 'stripe', profile: 'stripe', uses: null, settings, secrets };
  await addAccount({ em, keys: new SecretsKeys([KEY]), kinds: PROVIDER_KINDS }, given, new Date());
  const key = { storeId, devMode: false, description: 'test', permissions: PERMISSIONS };
  api = new ApiClient(started.api.url, (await issueKey(em, key, new Date())).keyText);
  recorder = createCardRecorder(started.api.url, stripe);
});
afterAll(async () => {
  await browser.close();
  await deployment[Symbol.asyncDispose]();
  await traces[Symbol.asyncDispose]();
  await stripe.close();
});

/** A number that no other card has, with a check digit. @param start how the card behaves. */
function cardNumber(start: string): string {
  const digits = start + String(randomInt(10 ** 11)).padStart(11, '0');
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const doubled = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return digits + ((10 - (sum % 10)) % 10);
}

interface TypedCard {
  readonly number: string;
  /** Longer than a real one, so that it is no part of anything else. */
  readonly cvc: string;
}

/** Most are approved; every fifth is declined, and every tenth is confirmed by its payer. */
function newCard(index: number): TypedCard {
  const start = index % 5 === 0 ? '4000' : index % 10 === 3 ? '4100' : '4242';
  return { number: cardNumber(start), cvc: `cvc${randomBytes(6).toString('hex')}` };
}

/** A payer pays on the hosted page, in a browser with JavaScript. */
async function pay(context: BrowserContext, path: string, { number, cvc }: TypedCard): Promise<void> {
  const page = await context.newPage();
  await page.goto(api.url + path);
  const fields = page.frameLocator('iframe[title="card"]');
  await fields.getByLabel('number').fill(number);
  await fields.getByLabel('cvc').fill(cvc);
  await page
    .getByRole('button', { name: /Pagar|Assinar/ })
    .last()
    .click();
  await page.waitForURL(number.startsWith('4100') ? /3ds/ : /card_/);
  const intent = page.url().split('/').at(-1) ?? '';
  if (number.startsWith('4100')) await page.goto(`${api.url}${path}/${confirmed(intent)}/confirmed`);
  await page.close();
}

/** The payer confirms a payment at their bank. @returns the charge that it is for. */
function confirmed(intent: string): string {
  stripe.confirm(intent, true);
  return String(Object(stripe.intents.get(intent)?.metadata).recebe_reference);
}

/** Every row of every table, as text. */
async function databaseDump(): Promise<string> {
  const em = deployment.database.em.fork();
  const tables = await em.execute<{ name: string }[]>(
    `select quote_ident(table_name) as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  const rows: string[] = [];
  for (const { name } of tables) {
    const found = await em.execute<{ row: string }[]>(`select ${name}::text as row from ${name}`);
    rows.push(...found.map(({ row }) => row));
  }
  return rows.join('\n');
}

/** Every event of every run, with what its payloads say. */
async function histories(): Promise<string> {
  const queues = Object.values(taskQueuesOf(deployment.env.TEMPORAL_TASK_QUEUE ?? ''));
  const query = queues.map((queue) => `TaskQueue = '${queue}'`).join(' or ');
  const texts: string[] = [];
  for await (const { workflowId, runId } of deployment.temporal.workflow.list({ query })) {
    const history = await deployment.temporal.workflow.getHandle(workflowId, runId).fetchHistory();
    texts.push(textsIn([workflowId, history]));
  }
  return texts.join('\n');
}

/** Every text in an object, also in its bytes, which JSON would show in base64. */
function textsIn(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
  if (value === null || typeof value !== 'object') return '';
  return Object.values(value).map(textsIn).join('\n');
}

/** The places on Recebe's side that know one of these texts. */
async function placesOf(texts: readonly string[]): Promise<string[]> {
  const places = {
    'requests to Recebe': recorder.toService.join('\n'),
    'requests of Recebe to the provider': JSON.stringify(
      stripe.seen.map(({ fields, ...request }) => ({ ...request, fields: [...fields] })),
    ),
    logs: processes.map((process) => process.output()).join('\n'),
    traces: JSON.stringify(traces.spans),
    database: await databaseDump(),
    histories: await histories(),
  };
  return Object.entries(places)
    .filter(([, written]) => texts.some((text) => written.includes(text)))
    .map(([place]) => place);
}

it(
  `keeps the numbers and codes of ${PAYMENTS} cards out of Recebe`,
  async () => {
    const link = async (cycle?: 'MONTHLY') => {
      const { id } = await buildProduct(api, { price: 5_000, ...(cycle && { cycle }) });
      const items = [{ id, quantity: 1 }];
      const path = cycle ? '/v2/subscriptions/create' : '/v2/payment-links/create';
      const made = await api.post(path, { items, methods: ['CARD'] });
      return `/pay/${dataOf<{ id: string }>(made).id}`;
    };
    const once = await link();
    const cards = Array.from({ length: PAYMENTS }, (_, index) => newCard(index + 1));
    const contexts = await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        const context = await browser.newContext();
        await recorder.record(context);
        return context;
      }),
    );
    await pLimit(AT_ONCE).map(cards, async (card, index) => {
      const context = contexts[index % AT_ONCE];
      if (context === undefined) throw new Error('there is a browser for each');
      // Every tenth card is kept for later cycles.
      await pay(context, index % 10 === 8 ? await link('MONTHLY') : once, card);
    });
    const declined = cards.filter(({ number }) => number.startsWith('4000')).length;
    const charges = () => deployment.database.em.fork().find(ChargeEntity, { devMode: false });
    await eventually(async () => {
      const statuses = (await charges()).map(({ status }) => status);
      expect(statuses.filter((status) => status === 'FAILED')).toHaveLength(declined);
      expect(statuses.filter((status) => status === 'PAID')).toHaveLength(PAYMENTS - declined);
    });
    const ids = (await charges()).map(({ id }) => id);
    await eventually(async () => {
      const known = await histories();
      expect(ids.filter((id) => !known.includes(id))).toEqual([]);
    });

    const typed = cards.flatMap(({ number, cvc }) => [number, cvc]);
    const toProvider = recorder.toProvider.join('\n');
    expect(typed.filter((text) => !toProvider.includes(text))).toEqual([]);
    expect(await placesOf(typed)).toEqual([]);
    await Promise.all(contexts.map((context) => context.close()));
  },
  TIMEOUT_MS,
);

it('finds a number at every place to which someone has sent it', async () => {
  const number = cardNumber('4242');
  await buildPixCharge(devApi, { externalId: number });
  const { id } = await buildProduct(api, { price: 5_000 });
  const made = await api.post('/v2/checkouts/create', { items: [{ id, quantity: 1 }], methods: ['CARD'] });
  const checkout = dataOf<{ id: string }>(made);
  const context = await browser.newContext();
  await recorder.record(context);
  const page = await context.newPage();
  await page.goto(`${api.url}/pay/${checkout.id}`);
  await page.evaluate(
    async ([sent]) => {
      const form = new URLSearchParams({ action: 'pay', method: 'CARD', attempt: 'a'.repeat(32) });
      form.set('cardToken', `pm_${sent}`);
      await fetch('', { method: 'POST', body: form, redirect: 'manual' });
    },
    [number] as const,
  );
  const trace = `00-${number.padStart(32, 'a')}-${'b'.repeat(16)}-01`;
  await fetch(`${api.url}/v2/checkouts/get?id=${checkout.id}`, {
    headers: { Authorization: `Bearer ${api.key}`, 'X-Request-Id': `order-${number}`, traceparent: trace },
  });
  const everywhere = [
    ...['requests to Recebe', 'requests of Recebe to the provider'],
    ...['logs', 'traces', 'database', 'histories'],
  ];
  await eventually(async () => expect(await placesOf([number])).toEqual(everywhere));
  await context.close();
});
