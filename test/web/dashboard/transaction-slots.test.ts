import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Database, openDatabase } from '../../../src/database/orm.ts';
import { REQUEST_LIMITS } from '../../../src/database/time-limits.ts';
import { createTestApp, createTestStore, type TestApp } from '../../support/api/app.ts';
import { signedIn } from '../../support/dashboard/dashboard-user.ts';
import { createTestDatabase, type TestDatabase } from '../../support/rows/database.ts';

const CONNECTIONS = 4;

let own: TestDatabase;
let service: Database;
let app: TestApp;
beforeAll(async () => {
  own = await createTestDatabase();
  service = await openDatabase(own.url, CONNECTIONS, REQUEST_LIMITS);
  app = await createTestApp({}, { database: service });
});
afterAll(async () => {
  await app.close();
  await service.close(true);
  await own.drop();
});

it('leaves connections to other stores, however many forms need two of them', async () => {
  const { id: storeId } = await createTestStore(service);
  const fixture = { url: app.api.url, database: service };
  const member = await signedIn(fixture, storeId, 'owner', 'owner@example.com');
  const { html } = await member.get(`/dashboard/${storeId}/prod/webhooks/new`);
  const csrf = /name="csrf" value="([^"]*)"/.exec(html)?.[1] ?? '';
  // In production, a checkout asks for the accounts of its store while its transaction is open.
  const sell = async () => {
    const fields = { productId: 'prod_01J9Z3VYK0W6F0S7R2M8QH4T5B', quantity: '1', methods: ['PIX'] };
    const form = { csrf, submission: randomUUID(), frequency: 'ONE_TIME', ...fields };
    return (await member.post(`/dashboard/${storeId}/prod/checkouts`, form)).status;
  };
  const forms = Array.from({ length: 4 * CONNECTIONS }, sell);
  const reads = Array.from({ length: 4 }, async () => (await app.api.get('/v2/store/get')).status);
  expect(await Promise.all(reads)).toEqual([200, 200, 200, 200]);
  expect(new Set(await Promise.all(forms))).toEqual(new Set([404]));
});
