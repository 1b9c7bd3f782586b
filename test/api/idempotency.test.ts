import { hash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { IdempotencyRecordEntity } from '../../src/database/entities/idempotency-record.ts';
import { WebhookEntity } from '../../src/database/entities/webhook.ts';
import type { ApiClient } from '../support/api/api-client.ts';
import { createTestApp, type TestApp } from '../support/api/app.ts';
import { webhookBody } from '../support/rows/build.ts';
import { waitFor } from '../support/waiting/wait-for.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

let app: TestApp;
let now = new Date('2026-03-06T12:00:00.000Z');

beforeAll(async () => {
  app = await createTestApp({ clock: () => now });
});
afterAll(() => app.close());

function create(key: string, changes: Record<string, unknown> = {}, client: ApiClient = app.api) {
  return client.post('/webhooks/create', webhookBody(changes), { headers: { 'Idempotency-Key': key } });
}

/** With a body of exactly these characters. */
function createAs(key: string, raw: string) {
  return app.api.call('/webhooks/create', { raw, headers: { 'Idempotency-Key': key } });
}

const webhooksNamed = (name: string) => app.database.em.fork().count(WebhookEntity, { name });
const records = (key: string) => app.database.em.fork().count(IdempotencyRecordEntity, { key });

describe('a POST with an Idempotency-Key', () => {
  it('carries a request out once and replays the same bytes', async () => {
    const key = randomUUID();
    const first = await create(key, { name: 'once' });
    const retry = await create(key, { name: 'once' });
    expect(first.headers.get('Idempotent-Replayed')).toBeNull();
    expect([retry.status, retry.text]).toEqual([200, first.text]);
    expect(retry.headers.get('Idempotent-Replayed')).toBe('true');
    expect(await webhooksNamed('once')).toBe(1);
  });

  it('treats a path with and without /v2 as the same request', async () => {
    const key = randomUUID();
    const first = await create(key);
    const headers = { 'Idempotency-Key': key };
    const retry = await app.api.post('/v2/webhooks/create', webhookBody(), { headers });
    expect(retry.text).toBe(first.text);
  });

  it('answers more parallel requests than the pool has connections', async () => {
    const boleto = { amount: 2_500, customer: { name: 'Ana Souza', taxId: '529.982.247-25' } };
    const answers = await Promise.all(
      Array.from({ length: 40 }, () =>
        app.api.post(
          '/v2/transparents/create',
          { method: 'BOLETO', data: boleto },
          { headers: { 'Idempotency-Key': randomUUID() } },
        ),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(40).fill(200));
  });

  it('returns 422 if the key was used for another body', async () => {
    const key = randomUUID();
    await create(key);
    const other = await create(key, { name: 'another body' });
    expect(other).toMatchObject({ status: 422, json: { code: 'IDEMPOTENCY_KEY_REUSED' } });
    expect(await webhooksNamed('another body')).toBe(0);
  });

  it('ignores field order and whitespace of the body, but not the order of lists', async () => {
    const key = randomUUID();
    const body = {
      ...webhookBody({ name: 'as written' }),
      events: ['checkout.completed', 'checkout.refunded'],
    };
    const { text } = await createAs(key, JSON.stringify(body));
    const reversed = Object.fromEntries(Object.entries(body).reverse());
    for (const written of [JSON.stringify(reversed), JSON.stringify(reversed, null, 4)])
      expect(await createAs(key, written)).toMatchObject({ status: 200, text });
    const otherOrder = JSON.stringify({ ...body, events: body.events.toReversed() });
    expect(await createAs(key, otherOrder)).toMatchObject({ status: 422 });
    expect(await webhooksNamed('as written')).toBe(1);
  });

  it("recognises records that hold a hash of the body's bytes", async () => {
    const key = randomUUID();
    const { text } = await create(key, { name: 'of yesterday' });
    const body = JSON.stringify(webhookBody({ name: 'of yesterday' }));
    const bytes = hash('sha256', ['POST', '/webhooks/create', '', body].join('\n'));
    const em = app.database.em.fork();
    await em.nativeUpdate(IdempotencyRecordEntity, { key }, { requestHash: bytes });
    expect(await create(key, { name: 'of yesterday' })).toMatchObject({ status: 200, text });
    expect(await create(key, { name: 'of today' })).toMatchObject({ status: 422 });
  });

  it('returns 422 if the key was used for another path', async () => {
    const key = randomUUID();
    await create(key);
    const headers = { 'Idempotency-Key': key };
    const other = await app.api.post('/webhooks/delete', webhookBody(), { headers });
    expect(other.status).toBe(400);
    const deletion = await app.api.post('/webhooks/delete', { id: 'webh_1' }, { headers });
    expect(deletion).toMatchObject({ status: 422, json: { code: 'IDEMPOTENCY_KEY_REUSED' } });
  });

  it('keeps keys of the two environments apart', async () => {
    const key = randomUUID();
    await create(key, { name: 'dev' });
    const production = await app.clientWith({ devMode: false });
    expect(await create(key, { name: 'prod' }, production)).toMatchObject({
      status: 200,
      json: { data: { name: 'prod' } },
    });
  });

  it('accepts the key again after an error, which stores no record', async () => {
    const key = randomUUID();
    const headers = { 'Idempotency-Key': key };
    expect(await app.api.post('/webhooks/delete', { id: 'webh_1' }, { headers })).toMatchObject({
      status: 404,
    });
    expect(await records(key)).toBe(0);
    expect(await create(key)).toMatchObject({ status: 200 });
  });

  it('replays a request for 24 hours and then carries it out again', async () => {
    const key = randomUUID();
    const first = await create(key);
    now = new Date(now.getTime() + DAY_MS - 1);
    expect((await create(key)).text).toBe(first.text);
    now = new Date(now.getTime() + 1);
    const again = await create(key, { name: 'a day later' });
    expect(again).toMatchObject({ status: 200, json: { data: { name: 'a day later' } } });
    expect((await create(key, { name: 'a day later' })).text).toBe(again.text);
    expect(await records(key)).toBe(1);
  });

  it('writes what it creates and its record together, or neither', async () => {
    await app.database.em.fork().execute("alter table idempotency_records add check (key <> 'unkeepable')");
    expect(await create('unkeepable', { name: 'half done' })).toMatchObject({ status: 500 });
    expect(await webhooksNamed('half done')).toBe(0);
  });

  it.each([
    ['has spaces', 'two words'],
    ['is longer than 255 characters', 'x'.repeat(256)],
    ['is not ASCII', 'chave-única'],
  ])('returns 400 if the key %s', async (_, key) => {
    const answer = await create(key);
    expect(answer).toMatchObject({ status: 400, json: { issues: [{ path: 'Idempotency-Key' }] } });
  });
});

describe('requests with one Idempotency-Key at the same time', () => {
  it('returns 409 while the first request runs, and its response afterwards', async () => {
    const key = randomUUID();
    const holder = app.database.em.fork();
    await holder.begin();
    // Holds the first request up in the middle of its transaction, where it writes; every request reads
    // webhooks.
    await holder.execute('lock table webhooks in share mode');
    const first = create(key, { name: 'in flight' });
    try {
      await untilBlocked();
      expect(await create(key, { name: 'in flight' })).toMatchObject({
        status: 409,
        json: { code: 'IDEMPOTENCY_KEY_IN_FLIGHT' },
      });
    } finally {
      await holder.rollback();
    }
    expect(await first).toMatchObject({ status: 200 });
    expect((await create(key, { name: 'in flight' })).text).toBe((await first).text);
  });

  it('carries out one of twelve racing requests', async () => {
    const key = randomUUID();
    const answers = await Promise.all(Array.from({ length: 12 }, () => create(key, { name: 'raced' })));
    const successes = new Set(answers.filter(({ status }) => status === 200).map(({ text }) => text));
    expect(successes.size).toBe(1);
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
    expect(await webhooksNamed('raced')).toBe(1);
  });
});

/** Waits until a connection of this database waits for a lock. */
async function untilBlocked(): Promise<void> {
  const em = app.database.em.fork();
  await waitFor(async () => {
    const blocked = await em.execute<unknown[]>(
      "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    return blocked.length > 0;
  });
}
