import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Activities } from '../../../activities/index.ts';
import { OPT_IN_EVENTS } from '../../../src/domain/event-names.ts';
import { noteReading } from '../../../src/events/event-readers.ts';
import { verifyLedger } from '../../../src/ledger/verify-ledger.ts';
import { type BareFixture, createBareFixture } from '../../support/fixtures/bare-fixture.ts';
import { CHARGE_SITUATIONS } from './charge-situations.ts';
import { WorkerProcess, watchStatements } from './crashing-worker.ts';
import { closeSink, OTHER_SITUATIONS } from './other-situations.ts';
import { type Act, newStoreFixture, type Situation, type StoreFixture } from './store-fixture.ts';
import { masked, stateOf } from './store-state.ts';
import { SUBSCRIPTION_SITUATIONS } from './subscription-situations.ts';

// A worker crashes after each commit and each call of an activity, which is also just before the next one. Another worker then
// runs the activity again: at once, or three days later. Or two workers run it at the same time. Each time everything that
// Recebe and the provider have recorded is as after one undisturbed run. Events are written once even without their unique key,
// which retention deletes with the event.

/** Activities that repeat a round over all stores, and the tests in which rounds stop in the middle. */
const ROUNDS = {
  announceDue: 'test/workflows/announcements.test.ts',
  audit: 'test/workflows/auditor.test.ts',
  advanceClock: 'test/journey/clock-crash.test.ts',
  deleteOldRows: 'test/retention',
  takeListedPayments: 'test/workflows/reconciliation.test.ts',
  advanceDebit: 'test/journey/debit-crash.test.ts',
} as const;

/** An activity that is missing here does not compile. */
const SITUATIONS: Record<Exclude<keyof Activities, keyof typeof ROUNDS>, readonly Situation[]> = {
  ...CHARGE_SITUATIONS,
  ...SUBSCRIPTION_SITUATIONS,
  ...OTHER_SITUATIONS,
};

const THREE_DAYS_MS = 3 * 86_400_000;

let shared: BareFixture;
/** Its events have no unique key, as if retention had deleted them. */
let unguarded: BareFixture;

beforeAll(async () => {
  [shared, unguarded] = await Promise.all([createBareFixture(), createBareFixture()]);
  await watchStatements(shared.database);
  await unguarded.database.em.fork().execute('alter table events drop constraint events_key_key');
});

afterAll(async () => {
  await closeSink();
  await Promise.all([shared.close(), unguarded.close()]);
});

/** What happens before the activity's last, undisturbed run. */
type Disturbance = (store: StoreFixture, act: Act) => Promise<void>;

const NOTHING: Disturbance = async () => {};

const crashing =
  (afterEffect: number): Disturbance =>
  async (store, act) => {
    const worker = new WorkerProcess(afterEffect);
    await worker.run(() => act(store.worker(), Date.now()));
    expect(worker.hasCrashed).toBe(true);
  };

const twiceAtOnce: Disturbance = async (store, act) => {
  // A second attempt gets the arguments of the first one, and the workflow's time is one of them.
  const nowMs = Date.now();
  const run = () => new WorkerProcess().run(() => act(store.worker(), nowMs));
  await Promise.allSettled([run(), run()]);
};

/** Everything recorded after the disturbance and an undisturbed run, and that run's answer and effects. */
async function endOf({ prepare }: Situation, disturbance: Disturbance, laterMs = 0) {
  const store = await newStoreFixture(shared);
  const act = await prepare(store);
  // Rows that a situation starts with may have no movement.
  const booked = disturbance === NOTHING ? await discrepanciesOf(store) : null;
  await disturbance(store, act);
  const worker = new WorkerProcess();
  const answer = await worker.run(() => act(store.worker(), Date.now() + laterMs));
  store.provider.refuseReturns(false);
  const discrepancies = await discrepanciesOf(store);
  if (booked !== null) expect(discrepancies).toEqual(booked);
  const names = [...store.called].map((call) => call.replace(/ .*/, ''));
  const called = names.toSorted((one, other) => one.localeCompare(other));
  const state = { ...(await stateOf(store)), called, answer: masked(answer ?? null) };
  return { state: { ...state, discrepancies: masked(discrepancies) }, effects: worker.effects };
}

/**
 * The names of events after one undisturbed run, after two runs at once and a third one, and after a repeat that follows the
 * deletion of all events.
 */
async function eventsWithoutKey({ prepare, dependsOnTime }: Situation) {
  const prepared = async () => {
    const store = await newStoreFixture(unguarded);
    await noteReading(store.database, { storeId: store.storeId, devMode: true }, OPT_IN_EVENTS, new Date());
    return { store, act: await prepare(store) };
  };
  const once = await prepared();
  await Promise.allSettled([once.act(once.store.worker(), Date.now())]);
  const twice = await prepared();
  await twiceAtOnce(twice.store, twice.act);
  await Promise.allSettled([twice.act(twice.store.worker(), Date.now())]);
  const names = { once: await eventNamesOf(once.store), atOnce: await eventNamesOf(twice.store) };
  await deleteEventsOf(once.store);
  const laterMs = dependsOnTime === undefined ? THREE_DAYS_MS : 0;
  await Promise.allSettled([once.act(once.store.worker(), Date.now() + laterMs)]);
  return { ...names, afterDeletion: await eventNamesOf(once.store) };
}

async function eventNamesOf({ database, storeId }: StoreFixture): Promise<string[]> {
  const sql = 'select name from events where store_id = :storeId order by name';
  const events = await database.em.fork().execute<{ name: string }[]>(sql, { storeId });
  return events.map(({ name }) => name);
}

async function deleteEventsOf({ database, storeId }: StoreFixture): Promise<void> {
  const em = database.em.fork();
  const ofStore = 'select id from deliveries where store_id = :storeId';
  await em.execute(`delete from delivery_attempts where delivery_id in (${ofStore})`, { storeId });
  await em.execute('delete from deliveries where store_id = :storeId', { storeId });
  await em.execute('delete from events where store_id = :storeId', { storeId });
}

const discrepanciesOf = async ({ database, storeId }: StoreFixture) =>
  (await verifyLedger(database.em.fork(), storeId)).discrepancies;

it('names tests that exist for activities that repeat rounds', () => {
  expect(Object.values(ROUNDS).filter((path) => !existsSync(path))).toEqual([]);
});

describe.each(Object.entries(SITUATIONS))('%s', (_name, situations) => {
  it.each(situations)('ends the same after every crash when $when', async (situation) => {
    const { state: expected, effects } = await endOf(situation, NOTHING);
    for (const [index, effect] of effects.entries()) {
      const how = `crashes after ${effect}, its effect ${index + 1}`;
      expect([how, (await endOf(situation, crashing(index + 1))).state]).toEqual([how, expected]);
    }
    if (situation.dependsOnTime === undefined) {
      const first = effects.length > 0 ? crashing(1) : NOTHING;
      expect(['late', (await endOf(situation, first, THREE_DAYS_MS)).state]).toEqual(['late', expected]);
    }
    expect(['twice at once', (await endOf(situation, twiceAtOnce)).state]).toEqual([
      'twice at once',
      expected,
    ]);
  });
  it.each(situations)('writes no event twice without a unique key when $when', async (situation) => {
    const { once, atOnce, afterDeletion } = await eventsWithoutKey(situation);
    expect({ atOnce, afterDeletion }).toEqual({ atOnce: once, afterDeletion: [] });
  });
});
