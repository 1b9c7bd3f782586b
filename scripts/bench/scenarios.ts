import { setTimeout as sleep } from 'node:timers/promises';
import { ChargeEntity } from '../../src/database/entities/charge.ts';
import { CONNECTIONS } from './api.ts';
import { away } from './away-scenario.ts';
import { type Bench, backlogOf, countLost, mostEvents, payOneByOne } from './bench.ts';
import { besideClock } from './beside-clock-scenario.ts';
import { completions, ormInserts, pgInserts, rawStarts } from './ceilings.ts';
import { checkouts, pages } from './checkout-scenarios.ts';
import { clock } from './clock-scenario.ts';
import { debits } from './debit-scenario.ts';
import { expensive } from './expensive-scenario.ts';
import type { Figures } from './figures.ts';
import { flood } from './flood-scenario.ts';
import { ledger } from './ledger-scenario.ts';
import { closedLoop, openLoop, percentile, until } from './load.ts';
import { neighbour } from './neighbour-scenario.ts';
import { requests } from './requests-scenario.ts';
import type { Received } from './sink.ts';
import { size } from './size-scenario.ts';
import { strangers } from './strangers-scenario.ts';
import { subscriptions } from './subscription-scenario.ts';

/** The backlog of unstarted charges at which the rate counts as sustained: never zero, and always small. */
const SUSTAINED_BACKLOG = 100;

/** The interval of the control. The error of one interval is far below the allowed backlog. */
const BACKLOG_WATCH_MS = 20;

/** Each scenario measures ceilings and the figures compared with them together. */
export const SCENARIOS = {
  burst,
  sustained,
  charges,
  latency,
  checkouts,
  pages,
  subscriptions,
  debits,
  ledger,
  neighbour,
  away,
  clock,
  besideClock,
  flood,
  strangers,
  expensive,
  size,
  requests,
};
export type ScenarioName = keyof typeof SCENARIOS;

/** The rate of acknowledged creates without waiting for their workflows, and whether those are all started later. */
async function burst(bench: Bench): Promise<Figures> {
  const { api, database, durations } = bench;
  const chargeId = await api.createCharge();
  const charge = await database.em.fork().findOneOrFail(ChargeEntity, { id: chargeId as never });
  const pgInsertsPerSecond = await pgInserts(database, charge, durations.ceilingMs);
  const ormInsertsPerSecond = await ormInserts(database, charge, durations.ceilingMs);

  const acknowledged: string[] = [];
  const load = await closedLoop(durations.burstMs, CONNECTIONS, async () => {
    acknowledged.push(await api.createCharge());
  });
  const endedMs = performance.now();
  const backlog = await backlogOf(bench);
  await until('the backlog of starts to drain', async () => (await backlogOf(bench)) === 0, { everyMs: 100 });
  return {
    pgInsertsPerSecond,
    ormInsertsPerSecond,
    acknowledgedPerSecond: load.perSecond,
    acknowledgedToInserts: load.perSecond / ormInsertsPerSecond,
    acknowledgedP50Ms: percentile(load.latenciesMs, 50),
    acknowledgedP99Ms: percentile(load.latenciesMs, 99),
    backlog,
    drainSeconds: (performance.now() - endedMs) / 1_000,
    lost: await countLost(bench, acknowledged),
  };
}

/** The rate of creates that can be sustained with their workflows started, and the latency at half of that rate. */
async function sustained(bench: Bench): Promise<Figures> {
  const { api, temporal, durations } = bench;
  const startsPerSecond16 = await rawStarts(temporal, 16, durations.ceilingMs);
  const startsPerSecond64 = await rawStarts(temporal, 64, durations.ceilingMs);
  const sustainedPerSecond = await sustainedRate(bench);
  const create = async () => void (await api.createCharge());
  const { latenciesMs } = await openLoop(durations.halfRateMs, sustainedPerSecond / 2, create);
  await until('the starts at half rate', async () => (await backlogOf(bench)) === 0);
  return {
    startsPerSecond16,
    startsPerSecond64,
    sustainedPerSecond,
    sustainedToStarts: sustainedPerSecond / Math.max(startsPerSecond16, startsPerSecond64),
    halfRateP50Ms: percentile(latenciesMs, 50),
    halfRateP99Ms: percentile(latenciesMs, 99),
  };
}

async function sustainedRate(bench: Bench): Promise<number> {
  const began = new Date();
  let backlog = 0;
  let over = false;
  const watch = async () => {
    while (!over) {
      backlog = await backlogOf(bench);
      await sleep(BACKLOG_WATCH_MS);
    }
  };
  const create = async () => {
    if (backlog < SUSTAINED_BACKLOG) await bench.api.createCharge();
    else await sleep(BACKLOG_WATCH_MS);
  };
  const load = closedLoop(bench.durations.sustainedMs, CONNECTIONS, create).finally(() => {
    over = true;
  });
  await Promise.all([load, watch()]);
  await until('the last start', async () => (await backlogOf(bench)) === 0);
  const [row] = await bench.database.em.fork().execute<{ count: number; seconds: number }[]>(
    `select count(*)::int as count, extract(epoch from max(workflow_started_at) - ?)::float8 as seconds
     from charges where created_at >= ?`,
    [began, began],
  );
  if (row === undefined) throw new Error('no charge was created');
  return row.count / row.seconds;
}

/** Complete charges with creation, payment and webhook, many at once. */
async function charges(bench: Bench): Promise<Figures> {
  const { temporal, nothingQueue, durations } = bench;
  const completionsPerSecond = await completions(temporal, nothingQueue, CONNECTIONS, durations.ceilingMs);
  const received: Received[] = [];
  let answered503 = 0;
  const load = await closedLoop(durations.chargesMs, CONNECTIONS, async () => {
    const chargeId = await bench.api.createCharge();
    const webhook = bench.sink.next(chargeId);
    if (!(await bench.api.simulatePayment(chargeId))) answered503 += 1;
    received.push(await webhook);
  });
  await until('the last start', async () => (await backlogOf(bench)) === 0);
  return {
    completionsPerSecond,
    chargesPerSecond: load.perSecond,
    chargesToCompletions: load.perSecond / completionsPerSecond,
    chargeP50Ms: percentile(load.latenciesMs, 50),
    answered503,
    eventsUnderLoad: await mostEvents(bench, received),
  };
}

/** The time from payment to webhook, one at a time on an idle service. */
async function latency(bench: Bench): Promise<Figures> {
  const { latenciesMs, received } = await payOneByOne(bench);
  return {
    paymentToWebhookP50Ms: percentile(latenciesMs, 50),
    paymentToWebhookP99Ms: percentile(latenciesMs, 99),
    eventsWhenIdle: await mostEvents(bench, received),
  };
}
