import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { type Psp, startPsp } from '../../scripts/psp/start-psp.ts';
import { FairSlots, tooManyReads } from '../../src/api/limits/fair-slots.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { createTestApp, createTestStore, type TestApp } from '../support/api/app.ts';
import { openBankAccount } from '../support/api/bank-account.ts';

let app: TestApp;
let psp: Psp;
/** A production client of the store whose bank hangs. */
let api: ApiClient;

beforeAll(async () => {
  const secretsKeys = [randomBytes(32).toString('base64')];
  [app, psp] = await Promise.all([createTestApp({}, { secretsKeys }), startPsp({ profile: 'efi' })]);
  api = await app.clientWith({ devMode: false });
  await openBankAccount(app, psp, app.storeId);
});
afterEach(() => psp.faults.clear());
afterAll(async () => {
  await app.close();
  await psp.close();
});

const keyed = (by: ApiClient, key: string = randomUUID()) =>
  by.post(
    '/v2/transparents/create',
    { method: 'PIX', data: { amount: 2_500 } },
    { headers: { 'Idempotency-Key': key } },
  );

it('answers other stores while a bank hangs in more requests than connections', async () => {
  const { id: storeId } = await createTestStore(app.database);
  const other = await app.clientWith({ storeId });
  psp.faults.order({ fault: { kind: 'HANG_AFTER_EFFECT' }, on: 'PUT cob', times: 100 });
  let ended = 0;
  const keys = Array.from({ length: 30 }, () => randomUUID());
  const hanging = keys.map((key) => keyed(api, key).finally(() => (ended += 1)));
  const answers = await Promise.all(Array.from({ length: 10 }, () => keyed(other)));
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
  expect(ended).toBe(0);
  psp.faults.clear();
  // If the time of a request is over first, its client repeats it.
  const late = await Promise.all(
    hanging.map(async (answer, nth) => {
      const first = await answer;
      return first.status === 503 ? keyed(api, keys[nth]) : first;
    }),
  );
  expect(late.map(({ status }) => status)).toEqual(Array(30).fill(200));
});

it('issues one charge for the same Idempotency-Key sent twice to a hanging bank', async () => {
  const issued = Object.keys(psp.bank.state.charges).length;
  psp.faults.order({ fault: { kind: 'HANG_AFTER_EFFECT' }, on: 'PUT cob' });
  const key = randomUUID();
  const [one, two] = await Promise.all([keyed(api, key), keyed(api, key)]);
  const ids = [one, two]
    .filter(({ status }) => status === 200)
    .map((answer) => dataOf<{ id: string }>(answer).id);
  expect(new Set(ids).size).toBe(1);
  expect(Object.keys(psp.bank.state.charges).length - issued).toBe(1);
});

it('returns 503 to a request that gets no slot in time and never runs it', async () => {
  const slots = new FairSlots({ count: 1, perOwner: () => 1, waitMs: 1 });
  let release = () => {};
  const held = slots.run('one', () => new Promise<void>((resolve) => (release = resolve)));
  let hasRun = false;
  const late = slots.run('other', async () => {
    hasRun = true;
  });
  await expect(late).rejects.toMatchObject({ status: 503, code: 'TEMPORARILY_UNAVAILABLE' });
  release();
  await held;
  expect(hasRun).toBe(false);
  await expect(slots.run('other', async () => 'free')).resolves.toBe('free');
});

it.each([
  // Clients that move money repeat a 503, and many take a 429 as the answer.
  ['503', 'a payment', undefined, { status: 503, code: 'TEMPORARILY_UNAVAILABLE' }],
  ['429', 'a read', tooManyReads, { status: 429, code: 'TOO_MANY_REQUESTS' }],
] as const)('returns %s to %s that waits for requests of its own store', async (_, __, refusal, expected) => {
  const limits = { count: Number.POSITIVE_INFINITY, perOwner: () => 1, waitMs: 1 };
  const slots = new FairSlots({ ...limits, ...(refusal && { refusal }) });
  let release = () => {};
  const held = slots.run('one', () => new Promise<void>((resolve) => (release = resolve)));
  const late = slots.run('one', async () => 'late');
  await expect(late).rejects.toMatchObject({ ...expected, headers: { 'Retry-After': '5' } });
  release();
  await held;
});

it('lets who was served before wait for no stream of others who come later', async () => {
  const slots = new FairSlots({ count: 1, perOwner: () => 1, waitMs: null });
  const served: string[] = [];
  const take = (part: string) => slots.run('strangers', async () => void served.push(part), part);
  await take('payer');
  const all: Promise<void>[] = [];
  // Each new one is served only once the next one waits.
  const stream = async () => {
    for (let number = 0; number < 100; number += 1) {
      all.push(take(`new ${number}`), take(`another ${number}`));
      if (number === 0) all.push(take('payer'));
      await all[number];
    }
  };
  await stream();
  await Promise.all(all);
  expect(served.indexOf('payer', 1)).toBeLessThan(60);
});

it('serves a store with one request before the queue of a store with many', async () => {
  const slots = new FairSlots({ count: 1, perOwner: () => 1, waitMs: null });
  const served: string[] = [];
  const take = (store: string) => slots.run(store, async () => void served.push(store));
  await Promise.all([take('busy'), take('busy'), take('busy'), take('quiet')]);
  expect(served).toEqual(['busy', 'quiet', 'busy', 'busy']);
});
