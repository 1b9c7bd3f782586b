// Uses the installed package as n8n does: n8n's own loader, contexts and requests, without its server and editor.
// `npm run clients` compiles it, and runs it in a folder that has nothing else.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import {
  type IDataObject,
  type INodeExecutionData,
  type INodeParameters,
  NodeApiError,
  type Workflow,
} from 'n8n-workflow';
import { Installation, type Received } from './installation.js';

const { RECEBE_URL = '', RECEBE_KEY = '', RECEBE_CLIENT = '' } = process.env;
const FOLDER = join(process.cwd(), 'node_modules/n8n-nodes-recebe');
const EVENTS = ['transparent.completed'];

async function main(): Promise<void> {
  // People paste addresses with a slash or the version at their end.
  const n8n = new Installation(FOLDER, { baseUrl: `${RECEBE_URL}/v2/`, apiKey: RECEBE_KEY });
  await n8n.loader.loadAll();
  requireNodes(n8n);
  await testCredential(n8n);

  const trigger = n8n.workflow('recebeTrigger', { events: ['transparent.expired'] });
  const received: Received[][] = [];
  const arrived = Promise.withResolvers<void>();
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    const forged = { ...request.headers, 'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')}` };
    const late = { ...request.headers, 'webhook-timestamp': String(Math.floor(Date.now() / 1_000) - 600) };
    const deliveries = [forged, late, request.headers, request.headers];
    const answers: Received[] = [];
    for (const headers of deliveries) answers.push(await n8n.receive(trigger, headers, body));
    response.writeHead(answers.at(-1)?.status ?? 500).end();
    received.push(answers);
    arrived.resolve();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhook`;
  await turnOn(n8n, trigger, baseUrl);

  const charge = await createCharges(n8n);
  const run = (parameters: INodeParameters) => n8n.execute(parameters, { executionId: 'later' });
  const [paid] = await run({ resource: 'charge', operation: 'simulatePayment', id: charge });
  assert.equal(paid?.json.status, 'PAID');
  await arrived.promise;
  requireDeliveries(received[0] ?? [], charge);
  await createOthers(n8n);
  await readLists(n8n);
  await failRequests(n8n);

  assert.equal(await n8n.hook(trigger, 'delete', baseUrl), true);
  assert.equal(await n8n.hook(trigger, 'delete', baseUrl), true);
  assert.equal(await n8n.hook(trigger, 'checkExists', baseUrl), false);
  server.close();
  server.closeAllConnections();
}

/** n8n finds both nodes, their codex and their icons, and the credential. */
function requireNodes({ loader }: Installation): void {
  assert.deepEqual(new Set(Object.keys(loader.nodeTypes)), new Set(['recebe', 'recebeTrigger']));
  for (const { type } of Object.values(loader.nodeTypes)) {
    const { codex, iconUrl } = (type as { description: { codex?: object; iconUrl?: object } }).description;
    assert.deepEqual((codex as { categories: string[] }).categories[0], 'Finance & Accounting');
    for (const url of Object.values(iconUrl ?? {}))
      assert(existsSync(join(dirname(FOLDER), url.replace('icons/', ''))), url);
    assert.equal(Object.keys(iconUrl ?? {}).length, 2);
  }
  assert.deepEqual(loader.getCredential('recebeApi').type.supportedNodes, ['recebe', 'recebeTrigger']);
}

async function testCredential(n8n: Installation): Promise<void> {
  for (const [apiKey, status] of [
    [RECEBE_KEY, 200],
    ['abc_dev_wrong', 401],
  ] as const) {
    const { baseURL, url, headers } = n8n.testRequest({ baseUrl: `${RECEBE_URL}/`, apiKey });
    assert.equal(
      (await fetch(`${baseURL}${url}`, { headers: headers as Record<string, string> })).status,
      status,
    );
  }
}

/** The webhook is created once, and follows the parameters of the trigger. */
async function turnOn(n8n: Installation, trigger: Workflow, baseUrl: string): Promise<void> {
  assert.equal(await n8n.hook(trigger, 'checkExists', baseUrl), false);
  assert.equal(await n8n.hook(trigger, 'create', baseUrl), true);
  const node = trigger.getNode('Recebe');
  assert(node !== null);
  node.parameters.events = EVENTS;
  assert.equal(await n8n.hook(trigger, 'checkExists', baseUrl), true);
  // As after an answer that n8n never got: the first webhook is replaced, not kept beside the second.
  assert.equal(await n8n.hook(trigger, 'create', baseUrl), true);
  const webhooks = await list(`webhooks/list?search=${encodeURIComponent(baseUrl)}`);
  assert.deepEqual(
    webhooks.map(({ endpoint, events }) => ({ endpoint, events })),
    [{ endpoint: n8n.webhookUrl(trigger, baseUrl), events: EVENTS }],
  );
}

/** A retry creates nothing, a loop and another execution do. @returns a charge that is not paid. */
async function createCharges(n8n: Installation): Promise<string> {
  const parameters: INodeParameters = {
    resource: 'charge',
    operation: 'createPix',
    amount: 1500,
    additionalFields: { metadata: JSON.stringify({ client: RECEBE_CLIENT }), customerName: 'Ana Souza' },
  };
  const create = async (execution: Parameters<Installation['execute']>[1]) =>
    idsOf(await n8n.execute(parameters, execution));
  const items = [{ json: {} }, { json: {} }];
  const first = await create({ executionId: '1', items });
  assert.equal(new Set(first).size, 2);
  assert.deepEqual(await create({ executionId: '1', items }), first);
  const [looped = ''] = await create({ executionId: '1', runIndex: 1 });
  const [again = ''] = await create({ executionId: '2' });
  assert.equal(new Set([...first, looped, again]).size, 4);
  const asTool = await create({ executionId: '1', isTool: true });
  assert.deepEqual(await create({ executionId: '1', isTool: true, runIndex: 1 }), asTool);
  return looped;
}

/** The forged and the late delivery start nothing, the real one starts the workflow, its repeat does not. */
function requireDeliveries(answers: readonly Received[], charge: string): void {
  assert.deepEqual(
    answers.map(({ status, started }) => [status, started.length]),
    [
      [401, 0],
      [401, 0],
      [200, 1],
      [200, 0],
    ],
  );
  const event = answers[2]?.started[0]?.[0]?.json as { event: string; data: { transparent: IDataObject } };
  assert.deepEqual(
    [event.event, event.data.transparent.id, event.data.transparent.paidAmount],
    ['transparent.completed', charge, 1500],
  );
}

/** Everything else that the node creates, as n8n's editor sends its fields. */
async function createOthers(n8n: Installation): Promise<void> {
  const product = await post('products/create', {
    externalId: `${RECEBE_CLIENT}-ebook`,
    name: 'E-book',
    price: 1500,
    currency: 'BRL',
  });
  const items = { item: [{ id: product.id, quantity: 2 }] };
  const create = async (parameters: INodeParameters) => {
    const [item] = await n8n.execute(parameters, { executionId: 'others' });
    return item?.json ?? {};
  };
  const additionalFields = { methods: ['PIX', 'CARD'], maxInstallments: 3, metadata: '{ "client": "n8n" }' };
  const checkout = await create({ resource: 'checkout', operation: 'create', items, additionalFields });
  assert.deepEqual([checkout.amount, checkout.methods], [3000, ['PIX', 'CARD']]);
  const link = await create({ resource: 'paymentLink', operation: 'create', items, additionalFields });
  assert.equal(link.frequency, 'MULTIPLE_PAYMENTS');
  const customer = await create({
    resource: 'customer',
    operation: 'create',
    additionalFields: { name: 'Bia Lima', email: 'bia@example.com', zipCode: '' },
  });
  assert.equal(customer.email, 'bia@example.com');
  const boleto = await create({
    resource: 'charge',
    operation: 'createBoleto',
    amount: 2500,
    customerName: 'Ana Souza',
    customerTaxId: '529.982.247-25',
    additionalFields: { customerEmail: 'ana@example.com' },
  });
  assert.match(String(boleto.id), /^bole_/);
  const payout = { resource: 'payout', operation: 'create', amount: 350, externalId: `${RECEBE_CLIENT}-1` };
  const sent = await create(payout);
  assert.deepEqual((await create(payout)).id, sent.id);
}

async function readLists(n8n: Installation): Promise<void> {
  const read = (parameters: INodeParameters) => n8n.execute(parameters, { executionId: 'lists' });
  const charges = { resource: 'charge', operation: 'getAll', filters: { method: 'PIX' } };
  const all = await read({ ...charges, returnAll: true });
  const some = await read({ ...charges, limit: 2 });
  assert(all.length > 2);
  assert.deepEqual(idsOf(some), idsOf(all).slice(0, 2));
  assert.deepEqual(some[0]?.pairedItem, { item: 0 });
  const [found] = await read({ resource: 'charge', operation: 'get', id: String(some[0]?.json.id) });
  assert.equal(found?.json.id, some[0]?.json.id);
  assert.deepEqual(
    await read({ resource: 'subscription', operation: 'getAll', filters: { externalId: 'none' } }),
    [],
  );
}

/** Errors have the words of the service, and stop only their own item if the node continues on fail. */
async function failRequests(n8n: Installation): Promise<void> {
  const parameters = { resource: 'charge', operation: 'get', id: 'pix_char_unknown' };
  await assert.rejects(n8n.execute(parameters, { executionId: '9' }), (error: NodeApiError) => {
    assert(error instanceof NodeApiError);
    assert.equal(error.httpCode, '404');
    assert.match(error.message, /not found/i);
    assert.match(String(error.description), /HTTP 404 NOT_FOUND.*Request: /);
    return true;
  });
  const [failed] = await n8n.execute(parameters, { executionId: '9', continueOnFail: true });
  assert.match(String(failed?.json.error), /not found/i);
}

function idsOf(items: readonly INodeExecutionData[]): string[] {
  return items.map(({ json }) => String(json.id));
}

const HEADERS = { Authorization: `Bearer ${RECEBE_KEY}`, 'Content-Type': 'application/json' };

async function list(path: string): Promise<{ readonly endpoint: string; readonly events: string[] }[]> {
  const response = await fetch(`${RECEBE_URL}/v2/${path}`, { headers: HEADERS });
  return ((await response.json()) as { data: [] }).data;
}

async function post(path: string, body: object): Promise<{ readonly id: string }> {
  const request = { method: 'POST', headers: HEADERS, body: JSON.stringify(body) };
  const response = await fetch(`${RECEBE_URL}/v2/${path}`, request);
  return ((await response.json()) as { data: { id: string } }).data;
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
