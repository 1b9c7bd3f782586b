// Uses the installed package as a shop would: charges, is paid in dev mode, and verifies the webhook.
// `npm run clients` compiles it for `import` and for `require`, and runs it in folders that have nothing else.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { ApiError, type Charge, Recebe, startCheckout, type WebhookEvent } from '@recebe/sdk';

const { RECEBE_URL: baseUrl = '', RECEBE_KEY: apiKey = '', RECEBE_CLIENT: client = '' } = process.env;
const SECRET = 'a secret of the consumer';

async function main(): Promise<void> {
  const recebe = new Recebe({ apiKey, baseUrl });
  let chargeId: string | null = null;
  const delivered = Promise.withResolvers<WebhookEvent>();
  const receiver = createServer(async (request, response) => {
    try {
      const event = await recebe.webhooks.verify(await buffer(request), request.headers, SECRET);
      response.writeHead(200).end();
      assert(event.event === 'transparent.completed');
      // Other programs are paid in the same store.
      if (event.data.transparent.id === chargeId) delivered.resolve(event);
    } catch (error) {
      response.writeHead(400).end();
      delivered.reject(error);
    }
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const { port } = receiver.address() as AddressInfo;

  const webhook = await recebe.webhooks.create({
    name: client,
    endpoint: `http://127.0.0.1:${port}/hooks`,
    secret: SECRET,
    events: ['transparent.completed'],
  });
  const charge: Charge = await recebe.transparents.create(
    { method: 'PIX', data: { amount: 1500, metadata: { client } } },
    { idempotencyKey: `${client}-1` },
  );
  chargeId = charge.id;
  assert.equal(charge.status, 'PENDING');
  await recebe.transparents.simulatePayment({ id: charge.id });

  const event = await delivered.promise;
  assert(event.event === 'transparent.completed');
  assert.equal(event.data.transparent.id, charge.id);
  await recebe.webhooks.delete({ id: webhook.id });

  const ids: string[] = [];
  for await (const each of recebe.transparents.list({ limit: 1, metadata: { client } })) ids.push(each.id);
  assert.deepEqual(ids, [charge.id]);
  const product = await recebe.products.create({
    externalId: `${client}-product`,
    name: 'Product',
    price: 1500,
    currency: 'BRL',
  });
  const checkout = await startCheckout(recebe, { product: product.id });
  assert.equal(checkout.amount, 1500);
  const direct = await recebe.checkouts.create({ items: [{ id: product.id }] });
  assert.match(direct.url, /^http/);
  const refused = recebe.transparents.create({ method: 'PIX', data: { amount: 0 } });
  await assert.rejects(refused, (error: unknown) => {
    assert(error instanceof ApiError);
    assert.equal(error.code, 'VALIDATION_ERROR');
    assert.equal(error.issues[0]?.path, 'data.amount');
    assert.notEqual(error.requestId, null);
    return true;
  });
  receiver.close();
  receiver.closeAllConnections();
}

main().catch((error: unknown) => {
  console.error(String(error));
  process.exit(1);
});
