import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { hashOfKey } from '../../src/api/keys/caller.ts';
import { revokeKey } from '../../src/cli/keys.ts';
import { ApiKeyEntity } from '../../src/database/entities/api-key.ts';
import { createTestApp, createTestStore, type TestApp } from '../support/api/app.ts';
import { buildWebhook, webhookBody } from '../support/rows/build.ts';
import { waitFor } from '../support/waiting/wait-for.ts';

let app: TestApp;

beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const keyRow = (keyText: string) =>
  app.database.em.fork().findOneOrFail(ApiKeyEntity, { hash: hashOfKey(keyText) });

describe('a request is refused with 401', () => {
  const unknownKey = `abc_dev_${'A'.repeat(43)}`;

  it.each([
    ['has no Authorization header', null],
    ['has a key that was never issued', `Bearer ${unknownKey}`],
    ['has a key without Bearer', unknownKey],
    ['has an empty key', 'Bearer '],
    ['has a key of another form', "Bearer ' or 1=1 --"],
    ['uses Basic', 'Basic YWJjOmRlZg=='],
  ])('returns 401 to a request that %s', async (_, authorization) => {
    const headers = authorization === null ? {} : { Authorization: authorization };
    const answer = await app.api.get('/v2/webhooks/list', { key: null, headers });
    expect(answer).toMatchObject({ status: 401, json: { success: false, code: 'UNAUTHORIZED' } });
    expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer');
  });

  it.each(['Basic YWJjOmRlZg==', unknownKey])(
    'names the expected Authorization header in the 401 for %s',
    async (authorization) => {
      const { json } = await app.api.get('/v2/webhooks/list', {
        key: null,
        headers: { Authorization: authorization },
      });
      expect(json.error).toBe('Authorization: must be "Bearer <API key>"');
    },
  );

  it('returns 401 once the key is revoked', async () => {
    const client = await app.clientWith();
    expect(await client.get('/webhooks/list')).toMatchObject({ status: 200 });
    const { id } = await keyRow(client.key);
    await revokeKey(app.database.em.fork(), id, new Date());
    expect(await client.get('/webhooks/list')).toMatchObject({ status: 401, json: { code: 'UNAUTHORIZED' } });
  });

  it('returns 401 before it validates the body', async () => {
    expect(await app.api.post('/webhooks/create', { wrong: true }, { key: null })).toMatchObject({
      status: 401,
    });
  });
});

describe('permissions', () => {
  it.each([
    ['WEBHOOK:CREATE', 'POST', '/webhooks/create'],
    ['WEBHOOK:READ', 'GET', '/webhooks/list'],
    ['WEBHOOK:READ', 'GET', '/webhooks/get?id=webh_1'],
    ['WEBHOOK:READ', 'GET', '/webhooks/deliveries'],
    ['WEBHOOK:DELETE', 'POST', '/webhooks/delete'],
    ['WEBHOOK:CREATE', 'POST', '/webhooks/resend'],
    ['CUSTOMER:CREATE', 'POST', '/customers/create'],
    ['CUSTOMER:READ', 'GET', '/customers/list'],
    ['CUSTOMER:READ', 'GET', '/customers/get?id=cust_1'],
    ['CUSTOMER:DELETE', 'POST', '/customers/delete?id=cust_1'],
    ['PRODUCT:CREATE', 'POST', '/products/create'],
    ['PRODUCT:READ', 'GET', '/products/list'],
    ['PRODUCT:READ', 'GET', '/products/get?id=prod_1'],
    ['PRODUCT:CREATE', 'POST', '/products/archive'],
    ['PRODUCT:CREATE', 'POST', '/products/restore'],
    ['PRODUCT:DELETE', 'POST', '/products/delete?id=prod_1'],
    ['COUPON:CREATE', 'POST', '/coupons/create'],
    ['COUPON:READ', 'GET', '/coupons/list'],
    ['COUPON:READ', 'GET', '/coupons/get?id=A'],
    ['COUPON:UPDATE', 'POST', '/coupons/toggle?id=A'],
    ['COUPON:DELETE', 'POST', '/coupons/delete?id=A'],
    ['CHECKOUT:CREATE', 'POST', '/checkouts/create'],
    ['CHECKOUT:READ', 'GET', '/checkouts/list'],
    ['CHECKOUT:READ', 'GET', '/checkouts/get?id=bill_1'],
    ['CHECKOUT:DELETE', 'POST', '/checkouts/cancel'],
    ['CHECKOUT:READ', 'POST', '/checkouts/simulate-payment'],
    ['CHECKOUT:CREATE', 'POST', '/payment-links/create'],
    ['CHECKOUT:READ', 'GET', '/payment-links/list'],
    ['CHECKOUT:READ', 'GET', '/payment-links/get?id=bill_1'],
    ['CHECKOUT:DELETE', 'POST', '/payment-links/cancel'],
    ['SUBSCRIPTION:CREATE', 'POST', '/subscriptions/create'],
    ['CHECKOUT:READ', 'GET', '/subscriptions/list'],
    ['CHECKOUT:READ', 'GET', '/subscriptions/get?id=subs_1'],
    ['SUBSCRIPTION:DELETE', 'POST', '/subscriptions/cancel'],
    ['SUBSCRIPTION:CREATE', 'POST', '/subscriptions/change-plan'],
    ['SUBSCRIPTION:CREATE', 'POST', '/subscriptions/record-usage'],
    ['STORE:READ', 'GET', '/public-mrr/merchant-info'],
    ['STORE:READ', 'GET', '/public-mrr/revenue'],
  ])('names the missing permission %s in the 403 of %s %s', async (permission, method, path) => {
    const client = await app.clientWith({ permissions: ['STORE:CREATE'] });
    const answer = await client.call(path, { method });
    expect(answer).toMatchObject({ status: 403, json: { success: false, code: 'PERMISSION_DENIED' } });
    expect(answer.json.error).toContain(permission);
  });

  it('accepts a key that has one of several alternative permissions', async () => {
    const client = await app.clientWith({ permissions: ['CHECKOUT:CREATE'] });
    const answer = await client.post('/transparents/create', {});
    expect(answer).toMatchObject({ status: 400, json: { code: 'VALIDATION_ERROR' } });
  });
});

describe('stores and environments never meet', () => {
  it('returns 404 to another store and to the other environment', async () => {
    const mine = await buildWebhook(app.api);
    const otherStore = await createTestStore(app.database);
    const stranger = await app.clientWith({ storeId: otherStore.id });
    const production = await app.clientWith({ devMode: false });
    const neverWas = await app.api.get('/webhooks/get?id=webh_00000000000000000000000000');
    for (const client of [stranger, production]) {
      const got = await client.get(`/webhooks/get?id=${mine.id}`);
      expect([got.status, got.json]).toEqual([404, neverWas.json]);
      const deleted = await client.post('/webhooks/delete', { id: mine.id });
      expect([deleted.status, deleted.json]).toEqual([404, neverWas.json]);
      expect((await client.get(`/webhooks/list?id=${mine.id}`)).json.data).toEqual([]);
    }
    expect(await app.api.get(`/webhooks/get?id=${mine.id}`)).toMatchObject({ status: 200 });
  });

  it('sets devMode from the key', async () => {
    const production = await app.clientWith({ devMode: false });
    expect(await buildWebhook(production)).toMatchObject({ devMode: false });
    expect(await buildWebhook(app.api)).toMatchObject({ devMode: true });
  });
});

describe('a key', () => {
  it('records when a key was last used', async () => {
    const client = await app.clientWith();
    expect((await keyRow(client.key)).lastUsedAt).toBeNull();
    await client.get('/webhooks/list');
    await waitFor(async () => (await keyRow(client.key)).lastUsedAt !== null);
  });

  it('keeps API keys and webhook secrets out of the log', async () => {
    const body = webhookBody({ secret: 'a-secret-that-must-stay-secret' });
    await app.api.post('/webhooks/create', body);
    await app.api.post('/webhooks/create', { ...body, wrong: true });
    const log = JSON.stringify(app.logged);
    expect(log).toContain('/webhooks/create');
    expect(log).not.toContain('a-secret-that-must-stay-secret');
    expect(log).not.toContain(app.api.key);
  });
});
