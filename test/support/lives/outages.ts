import { setTimeout as delay } from 'node:timers/promises';
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WorkflowNotFoundError } from '@temporalio/client';
import { SubscriptionEntity } from '../../../src/database/entities/subscription.ts';
import { IS_THOROUGH } from '../jest/thoroughness.ts';
import { type Fault, type Outage, Weather } from '../outside/weather.ts';
import { withNewStore } from '../rows/books.ts';
import { insertWebhook } from '../rows/build.ts';
import { endStateOf } from '../rows/end-state.ts';
import { eventually } from '../waiting/eventually.ts';
import { historiesOf } from './histories.ts';
import { createListeningWorld, type ListeningWorld } from './listening-world.ts';
import { passTime, sleepOutLocks } from './pass-time.ts';
import { STORIES, type Story } from './stories.ts';
import { cancelSubscription } from './subscription-life.ts';
import { bundleWorkflows } from './workflow-bundle.ts';
import type { WorkflowWorld } from './workflow-world.ts';

/** Real time. */
const MOMENT_MS = 2_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const LENGTHS = [
  { length: '3 days', ms: 3 * DAY_MS },
  ...(IS_THOROUGH
    ? [
        { length: '12 hours', ms: DAY_MS / 2 },
        { length: '15 minutes', ms: 15 * MINUTE_MS },
      ]
    : []),
];

/** Of a story of dead workers. */
const MOST_TELLINGS = 3;
/** Real time, of all such stories: a run that stops for good is waited for for a minute. */
const TOLD_AGAIN_TIMEOUT_MS = 6 * MINUTE_MS;

/** Far from the 51 200 events at which the server ends a run. */
const MOST_EVENTS = 500;

let weather: Weather;
let world: ListeningWorld;

async function beginWorld(mayBeAway: boolean): Promise<void> {
  // Local activities wait for their next try in the worker, and so in real time.
  const impatient = new URL('./impatient-workflows.ts', import.meta.url);
  const bundle = await bundleWorkflows(undefined, [impatient]);
  weather = new Weather();
  world = await createListeningWorld({ bundle, weather, mayBeAway });
}

type Suffer = (place: WorkflowWorld, begin: () => Promise<unknown>) => Promise<void>;

/** The story, with what it suffers at its beginning. @returns what it has come to after 25 days. */
async function endOf(story: Story, suffer: Suffer) {
  const place = await withNewStore(world);
  const { url } = world.sink.endpoint();
  await insertWebhook(place.database, { storeId: place.storeId, endpoint: url });
  const act = await story.prepare(place);
  const endsMs = (await act.beginsAt()).getTime() + 25 * DAY_MS;
  await suffer(place, act.begin);
  await eventually(act.end ?? (async () => undefined));
  await world.environment.sleep(endsMs - (await world.now()).getTime());
  const state = await eventually(async () => {
    const now = await endStateOf(place);
    expect(JSON.stringify(now)).not.toContain('PENDING');
    return now;
  });
  expect(await longestHistoryOf(place)).toBeLessThan(MOST_EVENTS);
  await endSubscriptions(place);
  return state;
}

const inFairWeather: Suffer = async (_, begin) => {
  weather.begin(null);
  await begin();
};

const throughOutage =
  (outage: Outage, lastsMs: number): Suffer =>
  async ({ environment }, begin) => {
    weather.begin(outage);
    await begin();
    await environment.sleep(lastsMs);
    weather.clear();
    // Until the last try that failed has been made again.
    await environment.sleep(DAY_MS);
  };

/** All workers die at that step, and others come later. */
const withoutWorkers =
  (outage: Outage, lastsMs: number): Suffer =>
  async (place, begin) => {
    weather.begin(outage);
    let isDead = false;
    const dead = weather.death.then(() => {
      isDead = true;
    });
    const begun = begin();
    // What is begun at once needs a moment to come to its step; some steps come only days later.
    await Promise.race([dead, begun.then(() => delay(MOMENT_MS))]);
    const goneOn = begun.then(() => (isDead ? undefined : place.environment.sleep(lastsMs)));
    await Promise.race([dead, goneOn]);
    await place.workers.without(async () => {
      await passTime(place.environment, lastsMs);
      weather.clear();
    });
    await sleepOutLocks(place, goneOn);
    await sleepOutLocks(place, place.environment.sleep(HOUR_MS));
    // A later one may be that of who tells again once everything is back.
    if (outage.step === 1) expect(isDead).toBe(true);
  };

interface Suffering {
  readonly faults: readonly Fault[];
  readonly through: (outage: Outage, lastsMs: number) => Suffer;
}

/** Every call of the story that needs what may be away, with and without the call having been made. */
function sufferingsOf(calls: Readonly<Record<Fault, number>>, { faults, through }: Suffering, ms: number) {
  return faults.flatMap((fault) =>
    Array.from({ length: calls[fault] }, (_, index) => index + 1).flatMap((step) =>
      (['CALL', 'ANSWER'] as const).map((loses) => ({
        name: `${fault} away from call ${step}, which loses its ${loses}`,
        suffer: through({ fault, step, loses, retriedAfterMs: ms / 5 }, ms),
      })),
    ),
  );
}

/** Tests that a story ends as without them after outages. */
export function endsAsWithoutOutages(name: Story['name']): void {
  endsTheSame(name, 'as without it after any outage of Postgres, provider or Temporal, at every step', {
    faults: ['POSTGRES', 'PROVIDER', 'TEMPORAL'],
    through: throughOutage,
  });
}

/** Tests that a story ends as with workers after all of them have died at any of its activities, and others come later. */
export function endsAsWithWorkers(name: Story['name']): void {
  endsTheSame(name, 'as with workers after all of them died at any activity, and others come later', {
    faults: ['WORKERS'],
    through: withoutWorkers,
  });
}

function endsTheSame(name: Story['name'], how: string, suffering: Suffering): void {
  const story = STORIES.find((each) => each.name === name);
  if (story === undefined) throw new Error(`no story is told of ${name}`);

  // A world for each: the clock of the time-skipping server does not survive more than a few hundred outages.
  describe.each(LENGTHS)(`${name}, with absences of $length`, ({ ms }) => {
    const mayBeAway = suffering.faults.includes('WORKERS');
    beforeAll(() => beginWorld(mayBeAway));
    afterAll(() => world.close());

    it(
      `ends ${how}`,
      async () => {
        const expected = await endOf(story, inFairWeather);
        for (const { name, suffer } of sufferingsOf(weather.calls, suffering, ms)) {
          const tell = async () => expect([name, await endOf(story, suffer)]).toEqual([name, expected]);
          await (mayBeAway ? untilToldWell(tell, name) : tell());
        }
      },
      mayBeAway ? TOLD_AGAIN_TIMEOUT_MS : undefined,
    );
  });
}

/**
 * Tells a story of dead workers again, in a new world, where it did not end as it should: the time-skipping server counts
 * what holds its clock, miscounts with a worker that dies, and now and then stops a run for good or lets time run away.
 * What ends otherwise because of us does so each time, as a story is the same from call to call.
 */
async function untilToldWell(tell: () => Promise<void>, name: string): Promise<void> {
  for (let told = 1; ; told += 1) {
    try {
      return await tell();
    } catch (error) {
      if (told === MOST_TELLINGS) throw error;
      process.stderr.write(`told again in a new world: ${name}: ${inspect(error)}\n`);
      await world.close();
      await beginWorld(true);
    }
  }
}

/** Else its next cycle would come in the middle of another story. */
async function endSubscriptions(place: WorkflowWorld): Promise<void> {
  const active = { storeId: place.storeId, status: 'ACTIVE' as const };
  for (const subscription of await place.database.em.fork().find(SubscriptionEntity, active))
    await cancelSubscription(place, subscription);
}

/** Over all workflows of the store; one that was never begun has none. */
async function longestHistoryOf(place: WorkflowWorld): Promise<number> {
  const ids = await place.database.em.fork().execute<{ id: string }[]>(
    `select 'charge/' || id as id from charges where store_id = :storeId
     union all select 'checkout/' || id from checkouts where store_id = :storeId
     union all select 'subscription/' || id from subscriptions where store_id = :storeId
     union all select 'payout/' || id from payouts where store_id = :storeId
     union all select 'delivery/' || deliveries.id from deliveries join events on events.id = event_id
       where events.store_id = :storeId`,
    { storeId: place.storeId },
  );
  const lengths = await Promise.all(
    ids.map(async ({ id: workflowId }) => {
      const runs = await historiesOf(place, { workflowId }).catch(noneWhereNotFound);
      return Math.max(0, ...runs.map((events) => events.length));
    }),
  );
  return Math.max(...lengths);
}

function noneWhereNotFound(error: unknown): [] {
  if (error instanceof WorkflowNotFoundError) return [];
  throw error;
}
