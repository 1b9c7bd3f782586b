import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { verifyLedger } from '../../../src/ledger/verify-ledger.ts';
import { Chance } from '../../../test/support/chance.ts';
import type { BankState } from '../../psp/state.ts';
import { auditAhead } from '../auditor.ts';
import { type BankShop, openBankShop } from '../bank/bank-shop.ts';
import { returnsFaultPlan } from '../bank/fault-plan.ts';
import { BANK_SCENARIOS } from '../bank/scenarios.ts';
import { BankSettling } from '../bank/settle-bank.ts';
import { type ChaosBank, joinBank, startBank } from '../bank/start-bank.ts';
import { type Cluster, type ClusterOptions, startCluster } from '../cluster.ts';
import { Endpoints } from '../endpoints.ts';
import { Tally } from '../integrator.ts';
import { openText } from '../open.ts';
import { rebuildWorkflows, runCommand } from '../operator.ts';
import { type MoneyRows, readMoneyRows } from '../real-money/money-rows.ts';
import { settled } from '../settle.ts';
import { failedWorkflows } from '../workflows.ts';
import { restoreBaseBackup, takeBaseBackup } from './base-backup.ts';
import { compareRestored } from './compare-restored.ts';

export interface RestoreOptions extends ClusterOptions {
  readonly seed: number;
  /** The time before the backup, and the time between the backup and the loss. */
  readonly durationMs: number;
  readonly log: (line: string) => void;
}

/** The outcome of the money that moved between a backup and its restore. */
export interface RestoreReport {
  readonly seed: number;
  readonly durationMs: number;
  /** The orders and payments at the bank between the backup and the loss, by the bank's state. */
  readonly lost: Readonly<Record<'charges' | 'payments' | 'refunds' | 'transfers', number>>;
  /** The output of `accounts recover`. */
  readonly recovered: string;
  /** From the loss of both servers to the moment when every process was ready again. */
  readonly downMs: number;
  /** The time from then to the end of all work. */
  readonly settledMs: number;
  readonly differences: readonly string[];
}

const CUSTOMERS = 16;
const PAUSE_MS = 250;
/** Three rounds of reconciliation. */
const PATIENCE_MS = 16 * 60_000;
const SCENARIO_STREAM = 20_000;

/**
 * Moves money at the bank in a box, takes a base backup of Postgres meanwhile, continues, and loses both servers. It restores
 * Postgres from the backup, and Temporal starts empty. Then it follows docs/operating.md while clients repeat unanswered
 * requests, and compares the ledger with the bank's state.
 */
export async function restoreDrill(options: RestoreOptions): Promise<RestoreReport> {
  const { folder, seed, durationMs, log } = options;
  await using cluster = await startCluster(options);
  await using endpoints = await Endpoints.start(seed);
  endpoints.mend();
  await using bank = await startBank(folder, cluster.apiUrls[0] ?? '', returnsFaultPlan(seed));
  await using closing = new AsyncDisposableStack();
  const connection = Connection.lazy({ address: cluster.temporalAddress });
  closing.defer(() => connection.close());
  const temporal = new Client({ connection });
  const givingUp = new AbortController();
  const shop = await openBankShop(cluster, endpoints, bank.door, new Tally(), givingUp.signal);
  await joinBank(cluster, bank, shop.storeId, folder);

  const ending = new AbortController();
  const customers = serveCustomers(shop, seed, ending.signal);
  log(`Customers pay for ${durationMs / 1_000} s before the backup`);
  await sleep(durationMs);
  const takenAt = new Date();
  const [dataDir, backup] = [join(folder, 'postgres'), join(folder, 'backup')];
  await takeBaseBackup(cluster.database, dataDir, backup);
  log(`The backup is taken; customers pay for ${durationMs / 1_000} s more`);
  await sleep(durationMs);
  ending.abort();
  const downAtMs = performance.now();
  await loseServers(cluster, dataDir, backup);
  const lost = workSince(await bank.door.state(), takenAt);
  log('Both servers lost their data; Postgres is restored from the backup');

  const recovered = await recover(cluster, takenAt);
  log(recovered.trim());
  await startAgain(cluster);
  await rebuildWorkflows(cluster, log);
  const upAtMs = performance.now();
  log(`Everything runs again after ${Math.round((upAtMs - downAtMs) / 1_000)} s`);

  const left = await settleBank({ cluster, temporal, bank, shop, customers, givingUp });
  const settledMs = performance.now() - upAtMs;
  const [state, rows] = [await bank.door.state(), await readMoneyRows(cluster.database, shop.storeId)];
  return {
    seed,
    durationMs,
    lost,
    recovered: recovered.trim(),
    downMs: upAtMs - downAtMs,
    settledMs,
    differences: [...left, ...(await differencesOf(cluster, temporal, shop, state, rows))],
  };
}

/** Kills every process at once except the bank, which belongs to another company. */
async function loseServers({ members, postgres, temporal }: Cluster, dataDir: string, backup: string) {
  await Promise.all([...members.map(({ process }) => process.kill()), postgres.end(), temporal.server.end()]);
  await temporal.forget();
  restoreBaseBackup(backup, dataDir);
  await postgres.restart();
}

async function startAgain({ members, temporal }: Cluster): Promise<void> {
  await temporal.server.restart();
  for (const { process } of members) process.start();
  await Promise.all(members.map(({ process }) => process.ready()));
}

/** The commands that an operator runs before workers and APIs are started again. */
async function recover(cluster: Cluster, takenAt: Date): Promise<string> {
  const [account] = await cluster.database.em
    .fork()
    .execute<{ id: string }[]>('select id from provider_accounts');
  return runCommand(cluster, [
    'accounts',
    'recover',
    account?.id ?? '',
    '--since',
    takenAt.toISOString(),
    '--yes',
  ]);
}

interface Settling {
  readonly cluster: Cluster;
  readonly temporal: Client;
  readonly bank: ChaosBank;
  readonly shop: BankShop;
  readonly customers: Promise<void>;
  readonly givingUp: AbortController;
}

/** Waits until all work has ended. @returns the work that has not. */
async function settleBank({
  cluster,
  temporal,
  bank,
  shop,
  customers,
  givingUp,
}: Settling): Promise<string[]> {
  const { database } = cluster;
  let isServing = true;
  const giveUp = setTimeout(() => givingUp.abort(), PATIENCE_MS);
  const served = customers.finally(() => {
    isServing = false;
  });
  const settling = new BankSettling(database, temporal, bank.door);
  const { open } = await settled({
    database,
    temporal,
    integratorOf: () => shop.integrator,
    elsewhere: () => settling.open(isServing),
    staysOpen: async () => cancelledInLostTime(database, await bank.door.state()),
    audit: async () => void (await auditAhead(cluster)),
    isServing: () => isServing,
    patienceMs: PATIENCE_MS,
  });
  clearTimeout(giveUp);
  givingUp.abort();
  await served;
  return open.map((each) => `not ended: ${openText(each)}`);
}

/**
 * Charges whose cancellation was lost: they are open again until they expire (docs/operating.md, "What a restore loses"). Their
 * code was removed at the bank, or paid too late and that payment was returned.
 */
async function cancelledInLostTime(
  database: Cluster['database'],
  { charges }: BankState,
): Promise<ReadonlySet<string>> {
  const rows = await database.em.fork().execute<{ id: string; reference: string; isReturned: boolean }[]>(`
    select id, provider_reference as reference, exists (
      select from payments where charge_id = charges.id and outcome = 'RETURNED' and amount_cents = charges.amount_cents
    ) as "isReturned" from charges where status = 'PENDING'`);
  const isRemoved = (reference: string) => charges[reference]?.status.startsWith('REMOVIDA') ?? false;
  return new Set(
    rows.filter(({ reference, isReturned }) => isReturned || isRemoved(reference)).map(({ id }) => id),
  );
}

async function differencesOf(
  { database }: Cluster,
  temporal: Client,
  shop: BankShop,
  state: BankState,
  rows: MoneyRows,
): Promise<string[]> {
  const { discrepancies } = await verifyLedger(database.em.fork());
  return [
    ...discrepancies.map((each) => `ledger: ${JSON.stringify(each)}`),
    ...(await failedWorkflows(temporal)),
    ...compareRestored(state, rows, shop),
  ];
}

/** Runs scenarios of customers of the bank's store, one after the other. Scenarios that have started run to their end. */
async function serveCustomers(shop: BankShop, seed: number, ending: AbortSignal): Promise<void> {
  const weights = Object.fromEntries(
    Object.entries(BANK_SCENARIOS).map(([name, { weight }]) => [name, weight]),
  );
  let number = 0;
  const serve = async () => {
    while (!ending.aborted) {
      const chance = new Chance(seed, SCENARIO_STREAM + number++);
      const name = chance.weighted(weights) as keyof typeof BANK_SCENARIOS;
      await BANK_SCENARIOS[name].scenario(shop, chance).catch((error: unknown) => {
        shop.contradictions.push(`a scenario of ${name} did not end: ${error}`);
      });
      await sleep(PAUSE_MS);
    }
  };
  await Promise.all(Array.from({ length: CUSTOMERS }, serve));
}

function workSince({ charges, payments, transfers }: BankState, takenAt: Date): RestoreReport['lost'] {
  const isLost = (instant: string) => Date.parse(instant) >= takenAt.getTime();
  const paid = Object.values(payments);
  return {
    charges: Object.values(charges).filter(({ createdAt }) => isLost(createdAt)).length,
    payments: paid.filter(({ paidAt }) => isLost(paidAt)).length,
    refunds: paid.flatMap(({ refunds }) => refunds).filter(({ askedAt }) => isLost(askedAt)).length,
    transfers: Object.values(transfers).filter(({ askedAt }) => isLost(askedAt)).length,
  };
}

/** The report as people read it. @param folder where data and logs are kept if something differs. */
export function restoreReportText(report: RestoreReport, folder: string): string {
  const { seed, durationMs, lost, recovered, downMs, settledMs, differences } = report;
  const seconds = (ms: number) => (ms / 1_000).toFixed(1);
  return [
    `Seed ${seed}, ${durationMs / 1_000} s before the backup and ${durationMs / 1_000} s after it`,
    `Lost: ${lost.charges} charges, ${lost.payments} payments, ${lost.refunds} refunds and ${lost.transfers} transfers ` +
      'that the bank knows of',
    recovered,
    `Down for ${seconds(downMs)} s; everything had ended ${seconds(settledMs)} s later`,
    differences.length === 0
      ? '0 lost, 0 doubled'
      : [`${differences.length} differences:`, ...differences, `Data and logs are kept in ${folder}`].join(
          '\n  ',
        ),
  ].join('\n');
}
