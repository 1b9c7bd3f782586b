import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import type { Database } from '../../src/database/orm.ts';
import { verifyLedger } from '../../src/ledger/verify-ledger.ts';
import { Chance } from '../../test/support/chance.ts';
import { startAsaasProvider } from './asaas/asaas-provider.ts';
import { auditAhead } from './auditor.ts';
import { startBankProvider } from './bank/bank-provider.ts';
import { type ClusterOptions, startCluster } from './cluster.ts';
import { compareBalance } from './differences/balances.ts';
import { compareDebits } from './differences/debits.ts';
import { compareProvider } from './differences/provider.ts';
import { compareRows } from './differences/rows.ts';
import { compareDeliveries, compareEvents, compareNotified } from './differences/webhooks.ts';
import { Endpoints } from './endpoints.ts';
import { injectFaults } from './inject-faults.ts';
import { Tally } from './integrator.ts';
import { openText } from './open.ts';
import { openShop } from './open-shop.ts';
import { type ChaosProvider, type ChaosProviderOptions, endpointsOf } from './real-money/chaos-provider.ts';
import { readMoneyRows } from './real-money/money-rows.ts';
import type { Report } from './report.ts';
import { debits } from './scenarios/debits.ts';
import { SCENARIOS } from './scenarios/index.ts';
import type { Scenario, Shop } from './scenarios/shop.ts';
import { settled } from './settle.ts';
import { startStripeProvider } from './stripe/stripe-provider.ts';
import { failedWorkflows, runsOf } from './workflows.ts';

export interface ChaosOptions extends ClusterOptions {
  readonly seed: number;
  readonly durationMs: number;
  /** The provider of real money, in addition to the sandbox. */
  readonly provider: ProviderName;
}

/** The providers in a box. */
const PROVIDERS = {
  bank: startBankProvider,
  asaas: startAsaasProvider,
  stripe: startStripeProvider,
} as const satisfies Record<string, (options: ChaosProviderOptions) => Promise<ChaosProvider>>;

export type ProviderName = keyof typeof PROVIDERS;
export const PROVIDER_NAMES = Object.keys(PROVIDERS) as readonly ProviderName[];

const STORES = 2;
/** The number of scenarios that run at once. */
const CUSTOMERS = 40;
/**
 * How long the run waits for unfinished work after the faults have stopped. A minute is enough for an idle
 * machine; work that takes longer on a busy one is late, not lost.
 */
const PATIENCE_MS = 600_000;
/** The pause between two scenarios of one customer, so that the service gets a share of the machine. */
const PAUSE_MS = 250;
const SCENARIO_STREAM = 10_000;
/** Beside {@link SCENARIOS}. */
const DEBITS_WEIGHT = 10;

/**
 * Runs every kind of payment through a cluster while it injects faults, waits for recovery and until all work has ended, and
 * compares the rows with the clients, the provider, the endpoints and the model.
 */
export async function runChaos(options: ChaosOptions): Promise<Report> {
  const { seed, durationMs, folder, log } = options;
  log(`Starting the cluster; data and logs are in ${folder}`);
  await using cluster = await startCluster(options);
  await using endpoints = await Endpoints.start(seed);
  const { database, apiUrls } = cluster;
  const connection = Connection.lazy({ address: cluster.temporalAddress });
  await using closing = new AsyncDisposableStack();
  closing.defer(() => connection.close());
  const temporal = new Client({ connection });
  const tally = new Tally();
  const givingUp = new AbortController();
  const shops: Shop[] = [];
  while (shops.length < STORES)
    shops.push((await openShop(database, apiUrls, endpoints, tally, givingUp.signal)).shop);
  /** Stores with separate clocks, which are advanced. */
  const clocked: Shop[] = [];
  const openClocked = async () => {
    const { shop } = await patiently(() =>
      openShop(database, apiUrls, endpoints, tally, givingUp.signal, []),
    );
    clocked.push(shop);
    return shop;
  };
  const starting = { cluster, endpoints, tally, givesUp: givingUp.signal, seed, folder };
  await using provider = await PROVIDERS[options.provider](starting);

  log(`Injecting faults for ${durationMs / 1_000} s, seed ${seed}`);
  const ending = new AbortController();
  const scenarios = new Map<string, number>();
  const ofSandbox = { ...SCENARIOS, debits: { weight: DEBITS_WEIGHT, scenario: debits(openClocked) } };
  const customers = customersOf(shops, ofSandbox, provider, seed, ending.signal, scenarios);
  const { faults } = await injectFaults(cluster, provider.faultTargets, seed, durationMs);
  ending.abort();
  endpoints.mend();
  const happened = await provider.clear();
  log('All faults have stopped');
  const clearedAtMs = performance.now();
  const giveUp = setTimeout(() => givingUp.abort(), PATIENCE_MS);
  let isServing = true;
  const served = customers.then(() => {
    isServing = false;
    log(`The last client had its answer after ${Math.round((performance.now() - clearedAtMs) / 1_000)} s`);
  });
  const integratorOf = (storeId: string) => {
    const shop = [...shops, ...clocked, provider.shop].find((each) => each.storeId === storeId);
    if (shop === undefined) throw new Error(`${storeId} is no store`);
    return shop.integrator;
  };
  const startedByAuditor: string[] = [];
  const audit = async () => {
    // On a busy machine Temporal may not answer in time; the next round asks again.
    startedByAuditor.push(
      ...(await auditAhead(cluster).catch((error: unknown) => {
        log(`The auditor failed: ${String(error)}`);
        return [];
      })),
    );
  };
  const settling = provider.settling(database, temporal);
  const { open, last } = await settled({
    database,
    temporal,
    integratorOf,
    elsewhere: () => settling.open(isServing),
    staysOpen: () => settling.staysOpen(),
    audit,
    isServing: () => isServing,
    patienceMs: PATIENCE_MS,
    log,
  });
  const settledAfterMs = performance.now() - clearedAtMs;
  clearTimeout(giveUp);
  givingUp.abort();
  await served;
  log('Comparing');

  const rows = await readMoneyRows(database, provider.shop.storeId);
  const ofProvider = await provider.compare(database, rows);
  const debited = await compareDebits(database);
  const differences = [
    ...open.map((each) => `not ended: ${openText(each)}`),
    ...[...shops, ...clocked].flatMap(({ book }) => book.contradictions),
    ...debited.differences,
    ...(await failedWorkflows(temporal)),
    ...(await verifyLedger(database.em.fork())).discrepancies.map(
      (each) => `ledger: ${JSON.stringify(each)}`,
    ),
    ...(await compareProvider(database)),
    ...provider.shop.contradictions,
    ...ofProvider.differences,
  ];
  for (const endpoint of endpointsOf(endpoints, provider.shop)) {
    differences.push(...(await compareDeliveries(database, endpoint)));
    if (endpoint.manner === 'steady')
      differences.push(...compareNotified(endpoint, ofProvider.expectedEvents));
  }
  for (const { storeId, book } of [...shops, ...clocked]) {
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
    scenarios,
    operations: tally.counts,
    faults,
    provider: options.provider,
    providerFaults: happened,
    rows: await countRows(database),
    atProvider: ofProvider.counts,
    webhooks: endpoints.all
      .flatMap(({ deliveries }) => [...deliveries.values()])
      .reduce((sum, { times }) => sum + times, 0),
    workflows: await runsOf(temporal),
    endedByThemselves: [
      cluster.postgres,
      cluster.temporal.server,
      ...cluster.members.map(({ process }) => process),
      provider,
    ].reduce((sum, { endedByItself }) => sum + endedByItself, 0),
    startedByAuditor,
    settledAfterMs,
    lastToEnd: last.map(openText),
    differences,
  };
}

/** Retries, because faults also strike the run's own writes. */
async function patiently<Made>(make: () => Promise<Made>): Promise<Made> {
  for (;;) {
    try {
      return await make();
    } catch {
      await sleep(PAUSE_MS);
    }
  }
}

/**
 * Runs scenarios one after the other, with a fixed number at once, until the time is over. Scenarios that have started run to
 * their end.
 */
async function customersOf(
  shops: readonly Shop[],
  ofSandbox: Readonly<Record<string, { readonly weight: number; readonly scenario: Scenario }>>,
  provider: ChaosProvider,
  seed: number,
  ending: AbortSignal,
  scenarios: Map<string, number>,
): Promise<void> {
  const all = { ...ofSandbox, ...provider.scenarios };
  const weights = Object.fromEntries(Object.entries(all).map(([name, { weight }]) => [name, weight]));
  let number = 0;
  const runScenario = async (name: string, chance: Chance) => {
    const real = provider.scenarios[name];
    if (real !== undefined) return real.scenario(chance);
    return ofSandbox[name]?.scenario(chance.oneOf(shops), chance);
  };
  const serve = async () => {
    while (!ending.aborted) {
      const chance = new Chance(seed, SCENARIO_STREAM + number++);
      const name = chance.weighted(weights);
      scenarios.set(name, (scenarios.get(name) ?? 0) + 1);
      try {
        await runScenario(name, chance);
      } catch (error) {
        provider.shop.contradictions.push(`a scenario of ${name} had no end: ${error}`);
      }
      await sleep(PAUSE_MS);
    }
  };
  await Promise.all(Array.from({ length: CUSTOMERS }, serve));
}

/** Counts of every kind of row, for the report. */
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
    'debits',
  ];
  const sql = [...tables, 'events', 'deliveries', 'ledger_movements']
    .map((table) => `select '${table}' as what, count(*)::int as count from ${table}`)
    .join(' union all ');
  const rows = await database.em.fork().execute<{ what: string; count: number }[]>(sql);
  return new Map(rows.map(({ what, count }) => [what, count]));
}
