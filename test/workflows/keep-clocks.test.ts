import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Client } from '@temporalio/client';
import { ClockKeeper, type KeeperDeps } from '../../src/clock/keep-clocks.ts';
import { saoPauloDateOf } from '../../src/domain/civil-date.ts';
import type { StoreId } from '../../src/domain/ids.ts';
import { DEFAULT_REMINDER_SETTINGS } from '../../src/domain/reminders.ts';
import { saveReminderSettings } from '../../src/stores/reminder-settings.ts';
import { dataOf } from '../support/api/api-client.ts';
import { createTestApp, createTestStore, type TestApp } from '../support/api/app.ts';
import { MisbehavingProvider } from '../support/outside/misbehaving-provider.ts';
import { insertBoleto } from '../support/rows/charges.ts';

const DAY_MS = 86_400_000;

/** It names each boleto once. */
const provider = new MisbehavingProvider();

let app: TestApp;
/** The runs that were signaled, in order. */
let woken: string[] = [];
/** Writes reminders; throws to stop early. */
let remind: KeeperDeps['remind'];
/** Turns that were taken, and how many of them ended. */
let [turns, ended] = [0, 0];
let keeper: ClockKeeper;
beforeAll(async () => {
  app = await createTestApp({ starter: { startSoon: () => undefined } });
});
afterAll(() => app.close());
beforeEach(async () => {
  await app.database.em.fork().execute('delete from store_clocks');
  woken = [];
  remind = async () => undefined;
  [turns, ended] = [0, 0];
  const end = () => {
    ended += 1;
  };
  const take = async () => {
    turns += 1;
    return { isOver: false, end };
  };
  const client = {
    workflow: {
      signalWithStart: async (_: string, { workflowId }: { workflowId: string }) =>
        void woken.push(workflowId),
    },
  } as unknown as Client;
  const nothing = async () => undefined;
  keeper = new ClockKeeper(
    {
      ...{ ...app.parts, client, taskQueue: app.parts.queues, turns: { take } },
      ...{
        announce: nothing,
        remind: (storeId: StoreId, now: Date, isOver: () => void) => remind(storeId, now, isOver),
      },
    },
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

describe('reminders of moved clocks', () => {
  /** A store to whose payers reminders are due by its clock. */
  async function storeToRemind(): Promise<StoreId> {
    const { id: storeId } = await createTestStore(app.database);
    const owner = { storeId, devMode: true };
    const settings = { ...DEFAULT_REMINDER_SETTINGS, channel: 'EMAIL', steps: [0] } as const;
    const em = app.database.em.fork();
    await em.transactional((inside) => saveReminderSettings(inside, owner, settings, new Date()));
    const dueDate = saoPauloDateOf(new Date(Date.now() + 2 * DAY_MS));
    const fixture = { database: app.database, storeId, provider, now: async () => new Date() };
    await insertBoleto(fixture, { dueDate, interest: null, fine: null });
    await em.execute(
      'insert into store_clocks (store_id, ahead_ms, moved_from, moved_at, steps) values (?, ?, now(), now(), 0)',
      [storeId, 20 * DAY_MS],
    );
    return storeId;
  }

  /** Has each store need some more turns. @returns the stores in the order of their turns. */
  function remindInTurns(needed: number): StoreId[] {
    const served: StoreId[] = [];
    remind = async (storeId, _now, isOver) => {
      served.push(storeId);
      if (served.filter((each) => each === storeId).length === needed) return;
      jest.spyOn(performance, 'now').mockReturnValue(Number.POSITIVE_INFINITY);
      try {
        isOver();
      } finally {
        jest.restoreAllMocks();
      }
    };
    return served;
  }

  it('continues at once what does not fit into a turn, in turns with other clocks', async () => {
    const stores = [await storeToRemind(), await storeToRemind()].toSorted();
    const served = remindInTurns(3);
    await keeper.keep(new Date());
    expect(turns).toBe(0);
    while (await keeper.write());
    expect(served).toEqual([...stores, ...stores, ...stores]);
    expect([turns, ended]).toEqual([6, 6]);
    expect(await keeper.write()).toBe(false);
  });

  it('writes none once the clock was reset', async () => {
    await storeToRemind();
    const served = remindInTurns(3);
    await keeper.keep(new Date());
    await keeper.write();
    await app.database.em.fork().execute('delete from store_clocks');
    while (await keeper.write());
    expect(served).toHaveLength(1);
    expect([turns, ended]).toEqual([2, 2]);
  });

  it('wakes runs beside them', async () => {
    await storeToRemind();
    const ids = await storeWithDue(3);
    remind = () => new Promise(() => undefined);
    await keeper.keep(new Date());
    expect(wokenOf(ids)).toBe(3);
  });
});
