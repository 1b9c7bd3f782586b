import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { API_ROUTES } from '../../src/app.ts';
import type { DeliveryId } from '../../src/domain/ids.ts';
import type { ApiAnswer } from '../support/api/api-client.ts';
import { createTestApp, createTestStore, type TestApp } from '../support/api/app.ts';
import { insertDelivery, insertWebhook, webhookBody } from '../support/rows/build.ts';
import { waitFor } from '../support/waiting/wait-for.ts';

let app: TestApp;
/** What each resend waits for, in place of its workflow. */
let workflow: Promise<void>;
/** Every resend that has come to its workflow. */
let asked: DeliveryId[];

beforeAll(async () => {
  app = await createTestApp({
    resendDelivery: (id) => {
      asked.push(id);
      return workflow;
    },
  });
});
afterAll(() => app.close());

async function newDelivery(): Promise<DeliveryId> {
  asked = [];
  workflow = Promise.resolve();
  const webhook = await insertWebhook(app.database, { storeId: app.storeId });
  return (await insertDelivery(app.database, webhook)).id;
}

function resend(id: string, key: string): Promise<ApiAnswer> {
  return app.api.post('/webhooks/resend', { id }, { headers: { 'Idempotency-Key': key } });
}

/** Leaves a key as a process leaves it that dies while its request waits. @param claim when the claim runs out. */
function dieWith(key: string, claim: string): Promise<unknown> {
  return app.database.em.fork().execute(
    `update idempotency_records set status = null, body = null, claim_id = 'dead', claimed_until = now() + :claim::interval
     where key = :key`,
    { key, claim },
    'run',
  );
}

const IN_FLIGHT = { status: 409, json: { code: 'IDEMPOTENCY_KEY_IN_FLIGHT' } };
const REUSED = { status: 422, json: { code: 'IDEMPOTENCY_KEY_REUSED' } };

describe('requests with a key that wait for a workflow', () => {
  it('marks every route that may find Temporal out of reach as waiting for a workflow', () => {
    const posts = API_ROUTES.filter(({ method }) => method === 'POST');
    const waiting = posts.filter(({ waitsForWorkflow }) => waitsForWorkflow).map(({ path }) => path);
    const failing = posts.filter(({ errors }) => errors.includes('TEMPORARILY_UNAVAILABLE'));
    expect(waiting).toEqual(failing.map(({ path }) => path));
  });

  it('serves another store while forty requests of one store wait', async () => {
    const id = await newDelivery();
    const held = Promise.withResolvers<void>();
    workflow = held.promise;
    const waiting = Array.from({ length: 40 }, () => resend(id, randomUUID()));
    try {
      // Before the other store comes: beside others a store waits for few workflows at once.
      const { id: storeId } = await createTestStore(app.database);
      const other = await app.clientWith({ storeId });
      const headers = { 'Idempotency-Key': randomUUID() };
      expect(await other.post('/webhooks/create', webhookBody(), { headers })).toMatchObject({ status: 200 });
    } finally {
      held.resolve();
    }
    for (const answer of await Promise.all(waiting)) expect(answer).toMatchObject({ status: 200 });
  });

  it('refuses duplicates while the first waits, then replays the same bytes', async () => {
    const id = await newDelivery();
    const key = randomUUID();
    const held = Promise.withResolvers<void>();
    workflow = held.promise;
    const first = resend(id, key);
    await waitFor(() => asked.length === 1);
    expect(await resend(id, key)).toMatchObject(IN_FLIGHT);
    expect(await resend('dlvr_other', key)).toMatchObject(REUSED);
    held.resolve();
    const { text } = await first;
    const replayed = await resend(id, key);
    expect([replayed.text, replayed.headers.get('Idempotent-Replayed')]).toEqual([text, 'true']);
    expect(asked).toEqual([id]);
  });

  it('carries out one of twelve racing requests', async () => {
    const id = await newDelivery();
    const key = randomUUID();
    const answers = await Promise.all(Array.from({ length: 12 }, () => resend(id, key)));
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
    expect(asked).toEqual([id]);
  });

  it('accepts the key again after an error', async () => {
    const id = await newDelivery();
    const key = randomUUID();
    workflow = Promise.reject(new Error('the worker said no'));
    expect(await resend(id, key)).toMatchObject({ status: 500 });
    workflow = Promise.resolve();
    expect(await resend(id, key)).toMatchObject({ status: 200 });
  });
});

describe('a key whose process died', () => {
  it('refuses the key of a dead process with 409 until its claim runs out', async () => {
    const id = await newDelivery();
    const key = randomUUID();
    await resend(id, key);
    await dieWith(key, '1 second');
    expect(await resend(id, key)).toMatchObject(IN_FLIGHT);
  });

  it('repeats the same request after the claim ran out and refuses any other', async () => {
    const id = await newDelivery();
    const key = randomUUID();
    const { text } = await resend(id, key);
    await dieWith(key, '-1 second');
    expect(await resend('dlvr_other', key)).toMatchObject(REUSED);
    expect(await resend(id, key)).toMatchObject({ status: 200, text });
    expect(asked).toEqual([id, id]);
  });
});
