import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { verifyLedger } from '../../src/database/ledger/verify-ledger.ts';
import type { Database } from '../../src/database/orm.ts';
import { auditAhead } from './auditor.ts';
import { Chance } from './chance.ts';
import { type ClusterOptions, startCluster } from './cluster.ts';
import { compareBalance } from './differences/balances.ts';
import { compareProvider } from './differences/provider.ts';
import { compareRows } from './differences/rows.ts';
import { compareDeliveries, compareEvents } from './differences/webhooks.ts';
import { Endpoints } from './endpoints.ts';
import { Tally } from './integrator.ts';
import { openShop } from './open-shop.ts';
import type { Report } from './report.ts';
import { type Open, settled } from './settle.ts';
import { STORIES } from './stories/index.ts';
import type { Shop } from './stories/shop.ts';
import { badWeather } from './weather.ts';
import { failedWorkflows, runsOf } from './workflows.ts';

export interface ChaosOptions extends ClusterOptions {
  readonly seed: number;
  readonly durationMs: number;
}

const STORES = 2;
/** Stories that go on at once. */
const CUSTOMERS = 40;
/**
 * How long what has not ended is waited for after the weather has cleared. A minute is enough for a machine
 * that has nothing else to do; what takes longer on a busy one is late, and not lost.
 */
const PATIENCE_MS = 180_000;
/** Between two stories of one customer, so that the machine has time for the service too. */
const PAUSE_MS = 250;
const STREAM_OF_STORIES = 10_000;

/**
 * Moves every kind of money through a cluster in bad weather, waits for good weather and until all has ended,
 * and compares what there is with what clients, provider, endpoints and the model know.
 */
export async function runChaos(options: ChaosOptions): Promise<Report> {
  const { seed, durationMs, log } = options;
  log(`Starting the cluster; data and logs are in ${options.folder}`);
  await using cluster = await startCluster(options);
  await using endpoints = await Endpoints.start(seed);
  const { database } = cluster;
  const connection = Connection.lazy({ address: cluster.temporalAddress });
  await using closing = new AsyncDisposableStack();
  closing.defer(() => connection.close());
  const temporal = new Client({ connection });
  const tally = new Tally();
  const givingUp = new AbortController();
  const shops: Shop[] = [];
  while (shops.length < STORES)
    shops.push((await openShop(database, cluster.apiUrls, endpoints, tally, givingUp.signal)).shop);

  log(`Bad weather for ${durationMs / 1_000} s, seed ${seed}`);
  const ending = new AbortController();
  const stories = new Map<string, number>();
  const customers = customersOf(shops, seed, ending.signal, stories);
  const { faults } = await badWeather(cluster, seed, durationMs);
  ending.abort();
  endpoints.mend();
  log('The weather has cleared');
  const clearedAtMs = performance.now();
  const giveUp = setTimeout(() => givingUp.abort(), PATIENCE_MS);
  let isServing = true;
  const served = customers.then(() => {
    isServing = false;
    log(`The last client had its answer after ${Math.round((performance.now() - clearedAtMs) / 1_000)} s`);
  });
  const integratorOf = (storeId: string) => {
    const shop = shops.find((each) => each.storeId === storeId);
    if (shop === undefined) throw new Error(`${storeId} is no store`);
    return shop.integrator;
  };
  const startedByAuditor: string[] = [];
  const audit = async () => {
    startedByAuditor.push(...(await auditAhead(cluster.postgres.first.url, cluster.temporalAddress)));
  };
  const open = await settled({
    database,
    temporal,
    integratorOf,
    audit,
    isServing: () => isServing,
    patienceMs: PATIENCE_MS,
  });
  const settledAfterMs = performance.now() - clearedAtMs;
  clearTimeout(giveUp);
  givingUp.abort();
  await served;
  log('Comparing');

  const differences = [
    ...open.map(({ what, id, state }: Open) => `not ended: ${what} ${id} (${state})`),
    ...shops.flatMap(({ book }) => book.contradictions),
    ...(await failedWorkflows(temporal)),
    ...(await verifyLedger(database.em.fork())).discrepancies.map(
      (each) => `ledger: ${JSON.stringify(each)}`,
    ),
    ...(await compareProvider(database)),
  ];
  for (const { storeId, book } of shops) {
    const found = await compareRows(database, storeId, book);
    differences.push(...found.differences, ...(await compareBalance(database, storeId, book, found)));
    for (const endpoint of endpoints.all.filter((each) => each.storeId === storeId)) {
      differences.push(...(await compareDeliveries(database, endpoint)));
      if (endpoint.manner === 'steady') differences.push(...compareEvents(endpoint, book, found));
    }
  }
  return {
    seed,
    durationMs,
    stories,
    operations: tally.counts,
    faults,
    rows: await countRows(database),
    webhooks: endpoints.all
      .flatMap(({ told }) => [...told.values()])
      .reduce((sum, { times }) => sum + times, 0),
    workflows: await runsOf(temporal),
    endedByThemselves: [
      cluster.postgres,
      cluster.temporal.server,
      ...cluster.members.map(({ process }) => process),
    ].reduce((sum, { endedByItself }) => sum + endedByItself, 0),
    startedByAuditor,
    settledAfterMs,
    differences,
  };
}

/** Customers come one after the other, so many at once, until it is over; who has come is served to the end. */
async function customersOf(
  shops: readonly Shop[],
  seed: number,
  ending: AbortSignal,
  stories: Map<string, number>,
): Promise<void> {
  const weights = Object.fromEntries(Object.entries(STORIES).map(([name, { weight }]) => [name, weight]));
  let number = 0;
  const serve = async () => {
    while (!ending.aborted) {
      const chance = new Chance(seed, STREAM_OF_STORIES + number++);
      const name = chance.weighted(weights) as keyof typeof STORIES;
      const shop = chance.oneOf(shops);
      stories.set(name, (stories.get(name) ?? 0) + 1);
      try {
        await STORIES[name].story(shop, chance);
      } catch (error) {
        shop.book.contradictions.push(`a story of ${name} had no end: ${error}`);
      }
      await sleep(PAUSE_MS);
    }
  };
  await Promise.all(Array.from({ length: CUSTOMERS }, serve));
}

/** How much of everything there is, for the report. */
async function countRows(database: Database): Promise<ReadonlyMap<string, number>> {
  const tables = [
    'charges',
    'payments',
    'refunds',
    'disputes',
    'payouts',
    'checkouts',
    'subscriptions',
    'installments',
  ];
  const sql = [...tables, 'events', 'deliveries', 'ledger_movements']
    .map((table) => `select '${table}' as what, count(*)::int as count from ${table}`)
    .join(' union all ');
  const rows = await database.em.fork().execute<{ what: string; count: number }[]>(sql);
  return new Map(rows.map(({ what, count }) => [what, count]));
}
