import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestApp, createTestStore, TEST_CONFIG, type TestApp } from '../support/api/app.ts';
import { buildWebhook, webhookBody } from '../support/rows/build.ts';

let app: TestApp;
let guarded: TestApp;

beforeAll(async () => {
  app = await createTestApp();
  const config = { ...TEST_CONFIG, allowPrivateEndpoints: false };
  guarded = await createTestApp({ config });
});
afterAll(async () => {
  await app.close();
  await guarded.close();
});

const listed = async (query: string) => {
  const answer = await app.api.get(`/webhooks/list?${query}`);
  return (answer.json.data as { name: string }[])
    .map(({ name }) => name)
    .toSorted((one, other) => one.localeCompare(other));
};

describe('a webhook', () => {
  it('returns every field of the contract except the secret', async () => {
    const secret = 'a-secret-of-some-length';
    const answer = await app.api.post('/v2/webhooks/create', webhookBody({ secret }));
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({
      data: {
        id: expect.stringMatching(/^webh_[0-9A-Z]{26}$/),
        name: 'Order system',
        endpoint: 'https://example.com/webhooks',
        events: ['transparent.completed'],
        devMode: true,
        v2: true,
        disabledAt: null,
        previousSecretUntil: null,
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        updatedAt: expect.any(String),
      },
      success: true,
      error: null,
    });
    const { id } = answer.json.data as { id: string };
    for (const path of [`/webhooks/get?id=${id}`, `/v2/webhooks/list?id=${id}`]) {
      const shown = await app.api.get(path);
      expect(shown.status).toBe(200);
      expect(shown.text).not.toContain(secret);
    }
  });

  it('stores and returns the normalised endpoint that was checked', async () => {
    const endpoint = 'https://EXAMPLE.com.:443/h\u200books\ufeff';
    const created = await guarded.api.post('/v2/webhooks/create', webhookBody({ endpoint }));
    expect(created.json.data).toMatchObject({ endpoint: 'https://example.com/hooks' });
    const { id } = created.json.data as { id: string };
    const shown = await guarded.api.get(`/webhooks/get?id=${id}`);
    expect(shown.json.data).toMatchObject({ endpoint: 'https://example.com/hooks' });
  });

  it('subscribes once to an event that is named twice', async () => {
    const events = ['transparent.lost', 'transparent.completed', 'transparent.lost'];
    expect(await buildWebhook(app.api, { events })).toMatchObject({
      events: ['transparent.lost', 'transparent.completed'],
    });
  });

  it('deletes a webhook once and then returns 404', async () => {
    const { id } = await buildWebhook(app.api, { name: 'to be deleted' });
    expect(await app.api.post('/webhooks/delete', { id })).toMatchObject({
      status: 200,
      json: { data: { id } },
    });
    expect(await app.api.post('/webhooks/delete', { id })).toMatchObject({
      status: 404,
      json: { code: 'NOT_FOUND' },
    });
    expect(await app.api.get(`/webhooks/get?id=${id}`)).toMatchObject({
      status: 404,
      json: { error: 'Webhook not found' },
    });
    expect(await listed('search=to%20be%20deleted')).toEqual([]);
  });

  it('finds webhooks by part of the name, id or endpoint, in any case', async () => {
    const { id } = await buildWebhook(app.api, {
      name: 'Billing 100%',
      endpoint: 'https://Shop.example/Hook_A',
    });
    await buildWebhook(app.api, { name: 'Billing 1000' });
    expect(await listed('search=billing')).toEqual(['Billing 100%', 'Billing 1000']);
    expect(await listed(`search=${id.slice(5).toLowerCase()}`)).toEqual(['Billing 100%']);
    expect(await listed('search=shop.EXAMPLE')).toEqual(['Billing 100%']);
    expect(await listed(`id=${id}`)).toEqual(['Billing 100%']);
  });

  it('searches for literal text, not for patterns or SQL', async () => {
    await buildWebhook(app.api, { name: "it's \\ 5% of_all ?" });
    await buildWebhook(app.api, { name: 'it is 50 of all' });
    expect(await listed('search=5%25')).toHaveLength(1);
    expect(await listed('search=of_all')).toHaveLength(1);
    expect(await listed('search=ofXall')).toEqual([]);
    expect(await listed(`search=${encodeURIComponent("it's \\ 5")}`)).toHaveLength(1);
    expect(await listed(`search=${encodeURIComponent("' or true --")}`)).toEqual([]);
    expect(await listed(`search=${encodeURIComponent('?')}`)).toHaveLength(1);
  });
});

describe('an endpoint is refused with 422 and stores nothing', () => {
  it.each([
    'http://example.com/hook',
    'https://127.0.0.1/hook',
    'https://[::1]/hook',
    'https://169.254.169.254/latest/meta-data',
    'https://user:password@example.com/hook',
    'https://localhost/hook',
    'ftp://example.com',
    'not a url',
    'https://example.com:6379/hook',
    'https://example.com:25/hook',
  ])('returns 422 for the endpoint %s and stores nothing', async (endpoint) => {
    const before = (await guarded.api.get('/webhooks/list')).json.data;
    const answer = await guarded.api.post('/webhooks/create', webhookBody({ endpoint }));
    expect(answer).toMatchObject({
      status: 422,
      json: { code: 'INVALID_ENDPOINT', issues: [{ path: 'endpoint' }] },
    });
    expect((await guarded.api.get('/webhooks/list')).json.data).toEqual(before);
  });
});

describe('an endpoint on the machine of a development instance', () => {
  const endpoint = 'http://localhost:4000/hooks';
  const development = { ...TEST_CONFIG, allowPrivateEndpoints: false, allowLoopbackEndpoints: true };

  it('accepts a dev key, and refuses a production key with the command to use', async () => {
    const config = development;
    const { api, clientWith, close } = await createTestApp({ config }, { database: app.database });
    const { id } = await buildWebhook(api, { endpoint });
    const moved = { id, endpoint: 'http://127.0.0.1:4001/' };
    expect(await api.post('/webhooks/update', moved)).toMatchObject({ status: 200, json: { data: moved } });

    const production = await clientWith({ devMode: false });
    const refused = await production.post('/webhooks/create', webhookBody({ endpoint }));
    expect(refused).toMatchObject({ status: 422, json: { code: 'INVALID_ENDPOINT' } });
    expect(refused.json.error).toContain(`npx recebe listen --forward-to ${endpoint}`);
    const real = await buildWebhook(production);
    const change = await production.post('/webhooks/update', { id: real.id, endpoint });
    expect(change).toMatchObject({ status: 422, json: { code: 'INVALID_ENDPOINT' } });
    await close();
  });
});

describe('a list of webhooks', () => {
  it("lists only the store's own webhooks", async () => {
    const other = await createTestStore(app.database);
    const stranger = await app.clientWith({ storeId: other.id });
    await buildWebhook(stranger, { name: 'of the other store' });
    expect(await listed('search=of%20the%20other%20store')).toEqual([]);
    expect((await stranger.get('/webhooks/list')).json.data).toHaveLength(1);
  });
});
