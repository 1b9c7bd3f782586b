import { request as openRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { hashOfKey } from '../../src/api/keys/caller.ts';
import { ApiKeyEntity } from '../../src/database/entities/api-key.ts';
import { ProductEntity } from '../../src/database/entities/product.ts';
import type { ApiClient } from '../support/api/api-client.ts';
import { createTestApp, type TestApp } from '../support/api/app.ts';

/** Longer than a body that is not checked again. */
const SLOW_MS = 700;
const BODY = JSON.stringify({ externalId: 'slow', name: 'Caneca', price: 4_500, currency: 'BRL' });

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

/** Sends a body in two parts, with `between` after the first. */
async function sendSlowly({ url, key }: ApiClient, between: () => Promise<unknown>) {
  const sent = openRequest(`${url}/v2/products/create`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(BODY),
    },
  });
  const answered = new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
    sent.on('error', reject);
    sent.on('response', (response) =>
      text(response).then((body) => resolve({ status: response.statusCode, body }), reject),
    );
  });
  sent.write(BODY.slice(0, 10));
  // The request is authenticated in this time, and its body is slow.
  await delay(SLOW_MS);
  await between();
  sent.end(BODY.slice(10));
  return answered;
}

const products = () => app.database.em.fork().count(ProductEntity, { storeId: app.storeId });
const change = (key: string, columns: object) =>
  app.database.em.fork().nativeUpdate(ApiKeyEntity, { hash: hashOfKey(key) } as never, columns as never);

it('refuses a body whose key was revoked while it was sent, and stores nothing', async () => {
  const api = await app.clientWith({});
  const answer = await sendSlowly(api, () => change(api.key, { revokedAt: new Date() }));
  expect(answer).toMatchObject({ status: 401, body: expect.stringContaining('UNAUTHORIZED') });
  expect(await products()).toBe(0);
});

it('refuses a body whose key has expired while it was sent', async () => {
  const api = await app.clientWith({});
  const answer = await sendSlowly(api, () => change(api.key, { expiresAt: new Date(0) }));
  expect(answer).toMatchObject({ status: 401, body: expect.stringContaining('KEY_EXPIRED') });
  expect(await products()).toBe(0);
});

it('accepts a slow body of a valid key', async () => {
  const api = await app.clientWith({});
  expect(await sendSlowly(api, async () => {})).toMatchObject({ status: 200 });
  expect(await products()).toBe(1);
});
