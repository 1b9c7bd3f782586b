import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { AppDeps } from '../../src/api/frame/deps.ts';
import type { ChargeStatus } from '../../src/domain/charge.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { createTestApp, createTestStore, type TestApp } from '../support/api/app.ts';
import { eventually } from '../support/waiting/eventually.ts';

let app: TestApp;
/** Payments that wait for their workflows. */
let waiting: ((status: ChargeStatus) => void)[] = [];
/** By which store's charge each was asked for. */
let paid: string[] = [];
const overrides: Partial<AppDeps> = {
  starter: { startSoon: () => undefined },
  sandboxPayments: {
    payCharge: ({ storeId }) => {
      paid.push(storeId);
      return new Promise((resolve) => waiting.push(resolve));
    },
  },
};
beforeAll(async () => {
  app = await createTestApp(overrides);
});
afterAll(() => app.close());

async function newStore(): Promise<{ storeId: string; api: ApiClient }> {
  const { id: storeId } = await createTestStore(app.database);
  return { storeId, api: await app.clientWith({ storeId }) };
}

async function chargesOf(api: ApiClient, count: number): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < count) {
    const charge = { method: 'PIX', data: { amount: 2_500 } };
    ids.push(dataOf<{ id: string }>(await api.post('/v2/transparents/create', charge)).id);
  }
  return ids;
}

const pay = (api: ApiClient, id: string) => api.post(`/v2/transparents/simulate-payment?id=${id}`);

/** Answers those that wait until all of these are answered. */
async function answerAll(answers: Promise<unknown>[]): Promise<void> {
  let isOver = false;
  const all = Promise.all(answers).finally(() => {
    isOver = true;
  });
  await eventually(() => {
    for (const answer of waiting.splice(0)) answer('PENDING');
    expect(isOver).toBe(true);
  });
  await all;
}

it('keeps two simulated payments of a store under way beside others', async () => {
  const [flood, other] = [await newStore(), await newStore()];
  const floodIds = await chargesOf(flood.api, 6);
  const [otherId = ''] = await chargesOf(other.api, 1);
  [paid, waiting] = [[], []];
  const flooding = floodIds.map((id) => pay(flood.api, id));
  await eventually(() => expect(paid).toHaveLength(2));
  const others = pay(other.api, otherId);
  // However many of the flood wait, the other's goes at once.
  await eventually(() => expect(paid).toContain(other.storeId));
  expect(paid.filter((storeId) => storeId === flood.storeId)).toHaveLength(2);
  await answerAll([...flooding, others]);
  expect(paid).toHaveLength(7);
});

it('lets a store have all its simulated payments under way while nobody else is busy', async () => {
  const alone = await createTestApp({
    ...overrides,
    busy: {
      note: () => undefined,
      noteRead: () => undefined,
      othersThan: () => false,
      readersOtherThan: () => false,
      any: () => false,
    },
  });
  try {
    const ids = await chargesOf(alone.api, 6);
    [paid, waiting] = [[], []];
    const all = ids.map((id) => pay(alone.api, id));
    await eventually(() => expect(paid).toHaveLength(6));
    await answerAll(all);
  } finally {
    await alone.close();
  }
});
