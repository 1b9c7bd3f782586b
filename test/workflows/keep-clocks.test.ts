import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Client } from '@temporalio/client';
import { ClockKeeper } from '../../src/clock/keep-clocks.ts';
import type { StoreId } from '../../src/domain/ids.ts';
import { dataOf } from '../support/api/api-client.ts';
import { createTestApp, createTestStore, type TestApp } from '../support/api/app.ts';

const DAY_MS = 86_400_000;

let app: TestApp;
/** The runs that were signaled, in order. */
let woken: string[] = [];
let keeper: ClockKeeper;
beforeAll(async () => {
  app = await createTestApp({ starter: { startSoon: () => undefined } });
});
afterAll(() => app.close());
beforeEach(async () => {
  await app.database.em.fork().execute('delete from store_clocks');
  woken = [];
  const client = {
    workflow: {
      signalWithStart: async (_: string, { workflowId }: { workflowId: string }) =>
        void woken.push(workflowId),
    },
  } as unknown as Client;
  const nothing = async () => undefined;
  keeper = new ClockKeeper(
    { ...app.parts, client, taskQueue: app.parts.queues, announce: nothing, remind: nothing } as never,
    app.parts.clockRuns,
  );
});

/** A store whose charges have all expired by its clock. */
async function storeWithDue(charges: number): Promise<readonly string[]> {
  const { id: storeId } = await createTestStore(app.database);
  const api = await app.clientWith({ storeId });
  const charge = { method: 'PIX', data: { amount: 1_000, expiresIn: 60 } };
  const made = [...Array(charges)].map(() => api.post('/v2/transparents/create', charge));
  const ids = (await Promise.all(made)).map((answer) => dataOf<{ id: string }>(answer).id);
  await app.database.em
    .fork()
    .execute(
      'insert into store_clocks (store_id, ahead_ms, moved_from, moved_at, steps) values (?, ?, now(), now(), 0)',
      [storeId as StoreId, DAY_MS],
    );
  return ids;
}

const wokenOf = (ids: readonly string[]) => woken.filter((run) => ids.some((id) => run.includes(id))).length;

it('wakes ten due runs of a store in a sweep, and the others in the next ones', async () => {
  const ids = await storeWithDue(25);
  const now = new Date();
  await keeper.keep(now);
  expect(wokenOf(ids)).toBe(10);
  await keeper.keep(now);
  await keeper.keep(now);
  expect(wokenOf(ids)).toBe(25);
  // Each of them is under way.
  await keeper.keep(now);
  expect(woken).toHaveLength(25);
});

it('wakes a run again that has done nothing for ten seconds', async () => {
  const ids = await storeWithDue(1);
  const now = new Date();
  await keeper.keep(now);
  await keeper.keep(new Date(now.getTime() + 9_999));
  expect(wokenOf(ids)).toBe(1);
  await keeper.keep(new Date(now.getTime() + 10_000));
  expect(wokenOf(ids)).toBe(2);
});

it('wakes twenty due runs of all stores in a sweep, and continues after them', async () => {
  const stores = [await storeWithDue(12), await storeWithDue(12), await storeWithDue(12)];
  const now = new Date();
  await keeper.keep(now);
  expect(woken).toHaveLength(20);
  await keeper.keep(now);
  expect(stores.map(wokenOf)).toEqual([10, 10, 10]);
  await keeper.keep(now);
  expect(stores.map(wokenOf)).toEqual([12, 12, 12]);
});

it('wakes later runs although sixty before them never end', async () => {
  const ids = await storeWithDue(70);
  const now = Date.now();
  for (let sweep = 0; sweep < 7; sweep += 1) await keeper.keep(new Date(now + 2_000 * sweep));
  expect(ids.filter((id) => woken.some((run) => run.includes(id)))).toHaveLength(70);
});
