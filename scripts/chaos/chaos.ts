import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import type { Database } from '../../src/database/orm.ts';
import { verifyLedger } from '../../src/ledger/verify-ledger.ts';
import { Chance } from '../../test/support/chance.ts';
import type { BankState } from '../psp/state.ts';
import { auditAhead } from './auditor.ts';
import { clearBank } from './bank/bank-faults.ts';
import { type BankRows, readBankRows } from './bank/bank-rows.ts';
import { type BankShop, openBankShop } from './bank/bank-shop.ts';
import { bankFaultPlan } from './bank/fault-plan.ts';
import { payoutsInDoubt } from './bank/payouts-in-doubt.ts';
import { BANK_SCENARIOS } from './bank/scenarios.ts';
import { BankSettling } from './bank/settle-bank.ts';
import { joinBank, startBank } from './bank/start-bank.ts';
import { isAskedFor, takenBack } from './bank/taken-back.ts';
import { type ClusterOptions, startCluster } from './cluster.ts';
import { compareBalance } from './differences/balances.ts';
import { compareBank, expectedOfBank } from './differences/bank.ts';
import { compareProvider } from './differences/provider.ts';
import { compareRows } from './differences/rows.ts';
import { compareDeliveries, compareEvents, compareNotified } from './differences/webhooks.ts';
import { Endpoints } from './endpoints.ts';
import { injectFaults } from './inject-faults.ts';
import { Tally } from './integrator.ts';
import { openText } from './open.ts';
import { openShop } from './open-shop.ts';
import type { Report } from './report.ts';
import { SCENARIOS } from './scenarios/index.ts';
import type { Shop } from './scenarios/shop.ts';
import { settled } from './settle.ts';
import { failedWorkflows, runsOf } from './workflows.ts';

export interface ChaosOptions extends ClusterOptions {
  readonly seed: number;
  readonly durationMs: number;
}

const STORES = 2;
/** Scenarios that run at once. */
const CUSTOMERS = 40;
/**
 * How long the run waits for unfinished work after the faults have stopped. A minute is enough for an idle
 * machine; work that takes longer on a busy one is late, not lost.
 */
const PATIENCE_MS = 600_000;
/** Between two scenarios of one customer, so that the machine has time for the service too. */
const PAUSE_MS = 250;
const SCENARIO_STREAM = 10_000;
const STREAM_OF_THE_BANK = 2_000;

/**
 * Moves every kind of money through a cluster while it injects faults, waits for recovery and until all work
 * has ended, and compares the rows with what clients, provider, endpoints and the model know.
 */
export async function runChaos(options: ChaosOptions): Promise<Report> {
  const { seed, durationMs, log } = options;
  log(`Starting the cluster; data and logs are in ${options.folder}`);
  await using cluster = await startCluster(options);
  await using endpoints = await Endpoints.start(seed);
  const { database, apiUrls } = cluster;
  await using bank = await startBank(options.folder, apiUrls[0] ?? '', bankFaultPlan(seed));
  const connection = Connection.lazy({ address: cluster.temporalAddress });
  await using closing = new AsyncDisposableStack();
  closing.defer(() => connection.close());
  const temporal = new Client({ connection });
  const tally = new Tally();
  const givingUp = new AbortController();
  const shops: Shop[] = [];
  while (shops.length < STORES)
    shops.push((await openShop(database, apiUrls, endpoints, tally, givingUp.signal)).shop);
  const bankShop = await openBankShop(cluster, endpoints, bank.door, tally, givingUp.signal);
  await joinBank(cluster, bank, bankShop.storeId, options.folder);

  log(`Injecting faults for ${durationMs / 1_000} s, seed ${seed}`);
  const ending = new AbortController();
  const scenarios = new Map<string, number>();
  const customers = customersOf(shops, bankShop, seed, ending.signal, scenarios);
  const { faults } = await injectFaults(cluster, bank, seed, durationMs);
  ending.abort();
  endpoints.mend();
  const happened = await bank.door.faultsHappened();
  await clearBank(bank.door, new Chance(seed, STREAM_OF_THE_BANK));
  log('All faults have stopped');
  const clearedAtMs = performance.now();
  const giveUp = setTimeout(() => givingUp.abort(), PATIENCE_MS);
  let isServing = true;
  const served = customers.then(() => {
    isServing = false;
    log(`The last client had its answer after ${Math.round((performance.now() - clearedAtMs) / 1_000)} s`);
  });
  const integratorOf = (storeId: string) => {
    const shop = [...shops, bankShop].find((each) => each.storeId === storeId);
    if (shop === undefined) throw new Error(`${storeId} is no store`);
    return shop.integrator;
  };
  const startedByAuditor: string[] = [];
  const audit = async () => {
    startedByAuditor.push(...(await auditAhead(cluster)));
  };
  const bankSettling = new BankSettling(database, temporal, bank.door);
  const { open, last } = await settled({
    database,
    temporal,
    integratorOf,
    elsewhere: () => bankSettling.open(isServing),
    staysOpen: async () => payoutsInDoubt(database, await bank.door.state()),
    audit,
    isServing: () => isServing,
    patienceMs: PATIENCE_MS,
  });
  const settledAfterMs = performance.now() - clearedAtMs;
  clearTimeout(giveUp);
  givingUp.abort();
  await served;
  log('Comparing');

  const [state, bankRows] = [await bank.door.state(), await readBankRows(database, bankShop.storeId)];
  const differences = [
    ...open.map((each) => `not ended: ${openText(each)}`),
    ...shops.flatMap(({ book }) => book.contradictions),
    ...(await failedWorkflows(temporal)),
    ...(await verifyLedger(database.em.fork())).discrepancies.map(
      (each) => `ledger: ${JSON.stringify(each)}`,
    ),
    ...(await compareProvider(database)),
    ...bankShop.contradictions,
    ...compareBank(state, bankRows, bankShop),
  ];
  for (const endpoint of endpoints.all.filter((each) => each.storeId === bankShop.storeId)) {
    differences.push(...(await compareDeliveries(database, endpoint)));
    if (endpoint.manner === 'steady')
      differences.push(...compareNotified(endpoint, expectedOfBank(bankRows)));
  }
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
    scenarios,
    operations: tally.counts,
    faults,
    bankFaults: new Map(Object.entries(happened)),
    rows: await countRows(database),
    atBank: countAtBank(state, bankRows),
    webhooks: endpoints.all
      .flatMap(({ deliveries }) => [...deliveries.values()])
      .reduce((sum, { times }) => sum + times, 0),
    workflows: await runsOf(temporal),
    endedByThemselves: [
      cluster.postgres,
      cluster.temporal.server,
      ...cluster.members.map(({ process }) => process),
      bank.process,
    ].reduce((sum, { endedByItself }) => sum + endedByItself, 0),
    startedByAuditor,
    settledAfterMs,
    lastToEnd: last.map(openText),
    differences,
  };
}

/** Customers come one after the other, so many at once, until it is over; who has come is served to the end. */
async function customersOf(
  shops: readonly Shop[],
  bankShop: BankShop,
  seed: number,
  ending: AbortSignal,
  scenarios: Map<string, number>,
): Promise<void> {
  const all = { ...SCENARIOS, ...BANK_SCENARIOS };
  const weights = Object.fromEntries(Object.entries(all).map(([name, { weight }]) => [name, weight]));
  let number = 0;
  const runScenario = async (name: string, chance: Chance) => {
    if (isOfBank(name)) return BANK_SCENARIOS[name].scenario(bankShop, chance);
    return SCENARIOS[name as keyof typeof SCENARIOS].scenario(chance.oneOf(shops), chance);
  };
  const serve = async () => {
    while (!ending.aborted) {
      const chance = new Chance(seed, SCENARIO_STREAM + number++);
      const name = chance.weighted(weights);
      scenarios.set(name, (scenarios.get(name) ?? 0) + 1);
      try {
        await runScenario(name, chance);
      } catch (error) {
        bankShop.contradictions.push(`a scenario of ${name} had no end: ${error}`);
      }
      await sleep(PAUSE_MS);
    }
  };
  await Promise.all(Array.from({ length: CUSTOMERS }, serve));
}

function isOfBank(name: string): name is keyof typeof BANK_SCENARIOS {
  return Object.hasOwn(BANK_SCENARIOS, name);
}

/** How much of it was the bank's, by its own books, for the report. */
function countAtBank({ charges, payments, transfers }: BankState, rows: BankRows) {
  const refunds = Object.values(payments).flatMap((payment) => payment.refunds);
  const known = new Set(rows.charges.map(({ reference }) => reference));
  return new Map([
    ['charges', Object.keys(charges).length],
    ['charges that nobody stored, taken back', Object.keys(charges).filter((id) => !known.has(id)).length],
    ['payments', Object.keys(payments).length],
    ['refunds and returns', refunds.filter(isAskedFor).length],
    ["payments taken back by the payer's bank", takenBack({ payments }).length],
    ['refunds that failed', refunds.filter(({ status }) => status === 'NAO_REALIZADO').length],
    ['transfers', Object.keys(transfers).length],
    ['transfers that came back', Object.values(transfers).filter(({ returns }) => returns).length],
  ]);
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
