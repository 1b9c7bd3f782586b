import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MOST_WEBHOOKS } from '../../src/api/webhooks/insert-webhook.ts';
import { WebhookEntity } from '../../src/database/entities/webhook.ts';
import type { WebhookId } from '../../src/domain/ids.ts';
import { dataOf } from '../support/api/api-client.ts';
import { createMoneyApp, type MoneyApp } from '../support/api/money-app.ts';
import { type DashboardUser, signedIn } from '../support/dashboard/dashboard-user.ts';
import { cli } from '../support/fixtures/command-line.ts';
import { buildWebhook, insertWebhook, webhookBody } from '../support/rows/build.ts';

const KEY = Buffer.alloc(32, 7).toString('base64');
const WEAK = 'x';
const GOOD = 'a-good-secret-is-longer';

let app: MoneyApp;
beforeAll(async () => {
  app = await createMoneyApp({ secretsKeys: [KEY] });
});
afterAll(() => app.close());

const create = (secret: string, headers = {}) =>
  app.api.post('/v2/webhooks/create', webhookBody({ secret }), { headers });

describe('a secret of a webhook', () => {
  it('accepts a secret of one character with a warning that does not repeat it', async () => {
    const answer = await create('#');
    expect(answer.status).toBe(200);
    const warning = answer.headers.get('X-Warning');
    expect(warning).toContain('secret: is 1 byte long');
    expect(warning).not.toContain('#');
  });

  it('warns of secrets up to 15 bytes, also in replays and after a rotation', async () => {
    const warnings = async (secret: string) => (await create(secret)).headers.get('X-Warning');
    expect(await warnings('x'.repeat(15))).toContain('15 bytes');
    expect(await warnings('x'.repeat(16))).toBeNull();
    const headers = { 'Idempotency-Key': 'weak-secret-1' };
    const [, again] = [await create(WEAK, headers), await create(WEAK, headers)];
    expect(again.headers.get('Idempotent-Replayed')).toBe('true');
    expect(again.headers.get('X-Warning')).toContain('1 byte');
    const { id } = await buildWebhook(app.api);
    const rotated = await app.api.post('/v2/webhooks/rotate-secret', { id, secret: WEAK });
    expect(rotated.headers.get('X-Warning')).toContain('1 byte');
  });

  it('lists weak secrets in doctor, encrypted or not', async () => {
    const { storeId } = await app.anotherStore();
    const client = await app.clientWith({ storeId });
    const weak = await buildWebhook(client, { secret: WEAK });
    const good = await buildWebhook(client, { secret: GOOD });
    const plain = await insertWebhook(app.database, { storeId, secret: WEAK });
    const named = async () =>
      JSON.parse((await cli(app, 'doctor --json')).out).weakSecrets.filter(
        (each: { storeId: string }) => each.storeId === storeId,
      );
    expect(await named()).toEqual([
      { webhookId: weak.id, storeId, devMode: true, bytes: 1 },
      { webhookId: plain.id, storeId, devMode: true, bytes: 1 },
    ]);
    expect((await cli(app, 'doctor')).out).toMatch(new RegExp(`${weak.id} .*dev +1`));
    for (const id of [weak.id, plain.id])
      dataOf(await client.post('/v2/webhooks/rotate-secret', { id, secret: GOOD }));
    expect(await named()).toEqual([]);
    expect(good.id).toMatch(/^webh_/);
  });
});

describe('the dashboard', () => {
  const as = (role: 'developer' | 'support', storeId: MoneyApp['storeId']): Promise<DashboardUser> =>
    signedIn({ url: app.api.url, database: app.database }, storeId, role, `${role}@example.com`);

  it('warns of a weak secret until the offered secret is accepted', async () => {
    const { storeId } = await app.anotherStore();
    const { id } = await insertWebhook(app.database, { storeId, secret: WEAK });
    const developer = await as('developer', storeId);
    const list = `/dashboard/${storeId}/dev/webhooks`;
    const page = await developer.get(`${list}/${id}?lang=en`);
    expect(page.text).toContain('This webhook’s secret is too short');
    expect((await developer.get(list)).text).toContain('Weak secret');
    const offered = /name="secret"[^>]* value="([\w-]{32})"/.exec(page.html)?.[1] ?? '';
    await developer.submit(`${list}/${id}`, `${list}/${id}/rotate-secret`, { secret: offered });
    expect((await developer.get(`${list}/${id}`)).text).not.toContain('is too short');
    expect((await developer.get(list)).text).not.toContain('Weak secret');
  });

  it('warns of a weak secret of production, however many there are in dev mode', async () => {
    const { storeId } = await app.anotherStore();
    for (let made = 0; made < MOST_WEBHOOKS; made += 1)
      await insertWebhook(app.database, { storeId, secret: WEAK });
    const { id } = await insertWebhook(app.database, { storeId, secret: WEAK, devMode: false });
    const developer = await as('developer', storeId);
    const page = await developer.get(`/dashboard/${storeId}/prod/webhooks/${id}?lang=en`);
    expect(page.text).toContain('This webhook’s secret is too short');
    const { weakSecrets } = JSON.parse((await cli(app, 'doctor --json')).out);
    expect(weakSecrets).toContainEqual({ webhookId: id, storeId, devMode: false, bytes: 1 });
  });

  it('shows no warning of a weak secret to members who cannot change it', async () => {
    const { storeId } = await app.anotherStore();
    const { id } = await insertWebhook(app.database, { storeId, secret: WEAK });
    const support = await as('support', storeId);
    const list = `/dashboard/${storeId}/dev/webhooks`;
    expect((await support.get(`${list}/${id}?lang=en`)).text).not.toContain('too short');
    expect((await support.get(list)).text).not.toContain('Weak secret');
  });
});

describe('webhooks of a store', () => {
  it('allows webhooks up to the limit per environment, also in parallel requests', async () => {
    const { storeId } = await app.anotherStore();
    const client = await app.clientWith({ storeId });
    for (let made = 0; made < MOST_WEBHOOKS - 2; made += 1) await insertWebhook(app.database, { storeId });
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => client.post('/v2/webhooks/create', webhookBody())),
    );
    const refused = answers.filter(({ status }) => status === 422);
    expect(refused).toHaveLength(4);
    expect(refused[0]?.json).toMatchObject({ code: 'NOT_ACCEPTABLE', rule: 'TOO_MANY_WEBHOOKS' });
    const em = app.database.em.fork();
    expect(await em.count(WebhookEntity, { storeId })).toBe(MOST_WEBHOOKS);
    const production = await app.clientWith({ storeId, devMode: false });
    await buildWebhook(production);
    const [made] = answers.filter(({ status }) => status === 200);
    const { id } = dataOf<{ id: WebhookId }>(made as (typeof answers)[number]);
    dataOf(await client.post('/v2/webhooks/delete', { id }));
    await buildWebhook(client);
  });
});
