import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DeliveryAttemptEntity } from '../../src/database/entities/delivery.ts';
import type { Webhook } from '../../src/database/entities/webhook.ts';
import { createTestApp, createTestStore, type TestApp } from '../support/api/app.ts';
import { insertDelivery, insertWebhook } from '../support/rows/build.ts';

let app: TestApp;
let webhook: Webhook;

beforeAll(async () => {
  app = await createTestApp();
  webhook = await insertWebhook(app.database, { storeId: app.storeId });
});
afterAll(() => app.close());

const found = async (query: string) => {
  const answer = await app.api.get(`/v2/webhooks/deliveries?${query}`);
  return (answer.json.data as { id: string }[]).map(({ id }) => id);
};

describe('deliveries', () => {
  it('returns deliveries with every attempt, oldest first', async () => {
    const delivery = await insertDelivery(app.database, webhook, { status: 'PENDING', attempts: 2 });
    const em = app.database.em.fork();
    const at = (seconds: number) => new Date(Date.UTC(2026, 2, 6, 12, 0, seconds));
    await em.insert(DeliveryAttemptEntity, {
      deliveryId: delivery.id,
      attemptKey: 'run-2',
      startedAt: at(5),
      durationMs: 30_000,
      statusCode: null,
      responseExcerpt: '',
      error: 'timed out',
    });
    await em.insert(DeliveryAttemptEntity, {
      deliveryId: delivery.id,
      attemptKey: 'run-1',
      startedAt: at(0),
      durationMs: 12,
      statusCode: 500,
      responseExcerpt: 'oops',
      error: 'answered 500',
    });
    const answer = await app.api.get(`/webhooks/deliveries?webhookId=${webhook.id}`);
    expect(answer.json.data).toEqual([
      {
        id: delivery.id,
        event: 'transparent.completed',
        eventId: delivery.eventId,
        subjectIds: [delivery.eventId],
        sample: false,
        webhookId: webhook.id,
        devMode: true,
        status: 'PENDING',
        attemptsCount: 2,
        attempts: [
          {
            startedAt: '2026-03-06T12:00:00.000Z',
            durationMs: 12,
            statusCode: 500,
            responseExcerpt: 'oops',
            error: 'answered 500',
          },
          {
            startedAt: '2026-03-06T12:00:05.000Z',
            durationMs: 30_000,
            statusCode: null,
            responseExcerpt: '',
            error: 'timed out',
          },
        ],
        nextAttemptAt: null,
        createdAt: delivery.createdAt.toISOString(),
        finishedAt: null,
      },
    ]);
  });

  it('filters deliveries by webhook, event and status, also combined', async () => {
    const other = await insertWebhook(app.database, { storeId: app.storeId });
    const failed = await insertDelivery(app.database, other, { status: 'FAILED' });
    const lost = await insertDelivery(app.database, other, {
      status: 'DELIVERED',
      event: 'transparent.lost',
    });
    expect(await found('status=FAILED')).toEqual([failed.id]);
    expect(await found('event=transparent.lost')).toEqual([lost.id]);
    expect(new Set(await found(`webhookId=${other.id}`))).toEqual(new Set([failed.id, lost.id]));
    expect(await found(`webhookId=${other.id}&event=transparent.lost&status=DELIVERED`)).toEqual([lost.id]);
    expect(await found(`webhookId=${other.id}&event=transparent.lost&status=FAILED`)).toEqual([]);
  });

  it('pages deliveries without gaps or repeats', async () => {
    const walkedOver = await insertWebhook(app.database, { storeId: app.storeId });
    for (let made = 0; made < 3; made += 1) await insertDelivery(app.database, walkedOver);
    const path = `/webhooks/deliveries?webhookId=${walkedOver.id}&limit=2`;
    const first = await app.api.get(path);
    const second = await app.api.get(`${path}&after=${first.json.pagination?.next}`);
    const walked = [first, second].flatMap(({ json }) => (json.data as { id: string }[]).map(({ id }) => id));
    expect(walked).toHaveLength(3);
    expect(walked).toEqual(await found(`webhookId=${walkedOver.id}`));
  });

  it('hides deliveries of another store or environment', async () => {
    const { id } = await createTestStore(app.database);
    const stranger = await app.clientWith({ storeId: id });
    const production = await app.clientWith({ devMode: false });
    for (const client of [stranger, production]) {
      const answer = await client.get(`/webhooks/deliveries?webhookId=${webhook.id}`);
      expect(answer.json.data).toEqual([]);
    }
  });
});

describe('resending', () => {
  it.each(['PENDING', 'DELIVERED', 'FAILED'] as const)(
    'requests a new attempt of a %s delivery',
    async (status) => {
      const delivery = await insertDelivery(app.database, webhook, { status });
      const answer = await app.api.post('/v2/webhooks/resend', { id: delivery.id });
      expect(answer).toMatchObject({ status: 200, json: { data: { id: delivery.id, status } } });
      expect(app.resent).toContain(delivery.id);
    },
  );

  it("returns 404 when resending another store's or an unknown delivery", async () => {
    const { id: storeId } = await createTestStore(app.database);
    const theirs = await insertDelivery(app.database, await insertWebhook(app.database, { storeId }));
    for (const id of [theirs.id, 'log_00000000000000000000000000']) {
      expect(await app.api.post('/webhooks/resend', { id })).toMatchObject({
        status: 404,
        json: { error: 'Delivery not found' },
      });
    }
    expect(app.resent).not.toContain(theirs.id);
  });

  it.each([
    ['deleted', { deletedAt: new Date() }],
    ['disabled', { disabledAt: new Date() }],
  ])('returns 422 when resending to a webhook that was %s', async (word, change) => {
    const gone = await insertWebhook(app.database, { storeId: app.storeId, ...change });
    const { id } = await insertDelivery(app.database, gone, { status: 'FAILED' });
    const answer = await app.api.post('/webhooks/resend', { id });
    expect(answer).toMatchObject({
      status: 422,
      json: { code: 'WEBHOOK_INACTIVE', error: expect.stringContaining(word) },
    });
    expect(app.resent).not.toContain(id);
  });
});

describe('resending a range', () => {
  const RANGE = { from: '2026-03-06T00:00:00Z', to: '2026-03-07T00:00:00Z', status: 'FAILED' };
  const ask = async (body: object) => (await app.api.post('/v2/webhooks/resend', body)).json;

  it('starts one range for parallel requests, which can be read and stopped', async () => {
    const { id: webhookId } = await insertWebhook(app.database, { storeId: app.storeId });
    const asked = await Promise.all([1, 2, 3].map(() => ask({ webhookId, ...RANGE })));
    const data = asked[0]?.data as { id: string };
    expect(asked.map((answer) => answer.data)).toEqual([data, data, data]);
    expect(data).toEqual({
      id: expect.stringMatching(/^rsnd_[0-9A-Z]{26}$/),
      webhookId,
      devMode: true,
      from: '2026-03-06T00:00:00.000Z',
      to: '2026-03-07T00:00:00.000Z',
      deliveryStatus: 'FAILED',
      status: 'RUNNING',
      resentCount: 0,
      reachedAt: null,
      createdAt: expect.any(String),
      finishedAt: null,
    });
    expect(await ask({ webhookId, ...RANGE, status: 'DELIVERED' })).toMatchObject({
      code: 'INVALID_STATE',
      error: expect.stringContaining(data.id),
    });
    expect((await app.api.get(`/v2/webhooks/resend/get?id=${data.id}`)).json.data).toEqual(data);
    const stopped = { ...data, status: 'STOPPED', finishedAt: expect.any(String) };
    expect((await app.api.post('/v2/webhooks/resend/stop', { id: data.id })).json.data).toEqual(stopped);
    expect((await app.api.post('/v2/webhooks/resend/stop', { id: data.id })).json.data).toEqual(stopped);
    expect(await ask({ webhookId, ...RANGE })).not.toMatchObject({ data: { id: data.id } });
  });

  it.each([
    [{ webhookId: 'webh_1' }, 'from'],
    [{ ...RANGE }, 'webhookId'],
    [{ webhookId: 'webh_1', from: RANGE.from }, 'to'],
    [{ webhookId: 'webh_1', from: RANGE.to, to: RANGE.from }, 'to'],
    [{ webhookId: 'webh_1', from: 'yesterday', to: RANGE.to }, 'from'],
    [{ id: 'log_1', ...RANGE }, 'from'],
  ])('returns 400 for an invalid range: %j', async (body, path) => {
    expect(await ask(body)).toMatchObject({ code: 'VALIDATION_ERROR', issues: [{ path }] });
  });

  it("refuses a range for another store's webhook or a disabled one", async () => {
    const { id: storeId } = await createTestStore(app.database);
    const theirs = await insertWebhook(app.database, { storeId });
    expect(await ask({ webhookId: theirs.id, ...RANGE })).toMatchObject({ error: 'Webhook not found' });
    const off = await insertWebhook(app.database, { storeId: app.storeId, disabledAt: new Date() });
    expect(await ask({ webhookId: off.id, ...RANGE })).toMatchObject({ code: 'WEBHOOK_INACTIVE' });
    const stranger = await app.clientWith({ storeId });
    const mine = (await ask({ webhookId: webhook.id, ...RANGE })).data as { id: string };
    expect(await stranger.get(`/v2/webhooks/resend/get?id=${mine.id}`)).toMatchObject({ status: 404 });
    expect(await stranger.post('/v2/webhooks/resend/stop', { id: mine.id })).toMatchObject({ status: 404 });
  });
});
