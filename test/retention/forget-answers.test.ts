import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { IdempotencyRecordEntity } from '../../src/database/entities/idempotency-record.ts';
import { forgetAnswers } from '../../src/retention/forget-answers.ts';
import { createTestApp, type TestApp } from '../support/api/app.ts';
import { webhookBody } from '../support/rows/build.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

it('keeps answers for a day of replays, and deletes thousands afterwards', async () => {
  const key = randomUUID();
  const create = () =>
    app.api.post('/webhooks/create', webhookBody(), { headers: { 'Idempotency-Key': key } });
  const { text } = await create();
  const em = app.database.em.fork();
  await em.execute(
    `insert into idempotency_records (store_id, dev_mode, key, request_hash, status, body, created_at)
     select :storeId, true, 'old-' || i, '', 200, '', now() - interval '26 hours' from generate_series(1, 2500) i`,
    { storeId: app.storeId },
  );
  const now = new Date();
  const aDayAgo = new Date(now.getTime() - DAY_MS);
  await Promise.all([forgetAnswers(app.database, aDayAgo), forgetAnswers(app.database, aDayAgo)]);
  expect(await em.count(IdempotencyRecordEntity)).toBe(1);
  expect((await create()).text).toBe(text);
  await forgetAnswers(app.database, new Date(now.getTime() + DAY_MS));
  expect(await em.count(IdempotencyRecordEntity)).toBe(0);
});
