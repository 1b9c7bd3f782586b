import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { issueKey } from '../../src/cli/keys.ts';
import { createStore } from '../../src/cli/stores.ts';
import { ChargeEntity } from '../../src/database/entities/charge.ts';
import { CheckoutEntity } from '../../src/database/entities/checkout.ts';
import type { Database } from '../../src/database/orm.ts';
import type { ChargeId } from '../../src/domain/ids.ts';
import { PERMISSIONS } from '../../src/domain/permission.ts';
import { chargeWorkflowId } from '../../workflows/charge.contract.ts';
import type { Endpoints } from '../embedded/data-folder.ts';
import type { Api } from './api.ts';
import type { Durations } from './durations.ts';
import { until } from './load.ts';
import type { Received, Sink } from './sink.ts';

/** The objects that scenarios use. */
export interface Bench {
  readonly api: Api;
  readonly sink: Sink;
  /** The process of API and worker. */
  readonly servicePid: number;
  /** The addresses of the service's parts. */
  readonly endpoints: Endpoints;
  /** A pool like the service's own, on the same database. */
  readonly database: Database;
  readonly temporal: Client;
  /** Where the worker of the do-nothing workflow listens. */
  readonly nothingQueue: string;
  readonly durations: Durations;
}

/** Committed charges and checkouts whose workflow has not been started yet. */
export async function backlogOf({ database }: Bench): Promise<number> {
  const em = database.em.fork();
  const charges = await em.count(ChargeEntity, { workflowStartedAt: null });
  return charges + (await em.count(CheckoutEntity, { workflowStartedAt: null }));
}

/** A second store, and the API with its key. The caller closes the API. */
export async function openStore({
  api,
  database,
}: Pick<Bench, 'api' | 'database'>): Promise<{ storeId: string; key: string; api: Api }> {
  const now = new Date();
  const em = database.em.fork();
  const { id: storeId } = await createStore(em, { name: 'Loja', city: 'SAO PAULO' }, now);
  const newKey = { storeId, devMode: true, permissions: PERMISSIONS, description: 'bench' };
  const { keyText: key } = await issueKey(em, newKey, now);
  return { storeId, key, api: api.as(key) };
}

/** The pause between two payments on an idle service, in which the previous delivery and its workflow end. */
const IDLE_PAUSE_MS = 25;

/** Makes payments one at a time. @returns the time from each payment to its webhook. */
export async function payOneByOne(bench: Bench): Promise<{ latenciesMs: number[]; received: Received[] }> {
  return payEach(bench, await chargesToPay(bench));
}

/** Creates the charges for payments one at a time, with started workflows. */
export async function chargesToPay(bench: Bench): Promise<string[]> {
  const { api, durations } = bench;
  const chargeIds: string[] = [];
  while (chargeIds.length < durations.payments) chargeIds.push(await api.createCharge());
  await until('the starts', async () => (await backlogOf(bench)) === 0);
  return chargeIds;
}

/** Pays these charges one at a time, until `isOver`. @returns the time from each payment to its webhook. */
export async function payEach(
  { api, sink }: Bench,
  chargeIds: readonly string[],
  isOver: () => Promise<boolean> = async () => false,
): Promise<{ latenciesMs: number[]; received: Received[] }> {
  const latenciesMs: number[] = [];
  const received: Received[] = [];
  for (const chargeId of chargeIds) {
    if (await isOver()) break;
    const webhook = sink.next(chargeId);
    const sentMs = performance.now();
    const answered = api.simulatePayment(chargeId);
    const arrived = await webhook;
    latenciesMs.push(arrived.atMs - sentMs);
    received.push(arrived);
    await answered;
    await sleep(IDLE_PAUSE_MS);
  }
  return { latenciesMs, received };
}

/** The size of the sample of workflows. Each look-up is a call to Temporal. */
const SAMPLE = 100;

/**
 * The number of these acknowledged charges that are missing in Postgres or, in an even sample, have no workflow at Temporal.
 */
export async function countLost(
  { database, temporal }: Bench,
  chargeIds: readonly string[],
): Promise<number> {
  const [row] = await database.em
    .fork()
    .execute<{ kept: number }[]>(
      'select count(*)::int as kept from charges where id in (select json_array_elements_text(?::json))',
      [JSON.stringify(chargeIds)],
    );
  const missingRows = new Set(chargeIds).size - (row?.kept ?? 0);
  const found = await Promise.all(sampleOf(chargeIds, SAMPLE).map((id) => hasWorkflow(temporal, id)));
  return missingRows + found.filter((isThere) => !isThere).length;
}

async function hasWorkflow(temporal: Client, chargeId: string): Promise<boolean> {
  const handle = temporal.workflow.getHandle(chargeWorkflowId(chargeId as ChargeId));
  return handle.describe().then(
    () => true,
    () => false,
  );
}

/** The most history events of one charge, in its workflow and that of its delivery together. */
export async function mostEvents({ temporal }: Bench, charges: readonly Received[]): Promise<number> {
  const counts = await Promise.all(
    sampleOf(charges, SAMPLE).map(async ({ subjectId, deliveryId }) => {
      const ids = [chargeWorkflowId(subjectId as ChargeId), `delivery/${deliveryId}`];
      const lengths = ids.map(async (id) => {
        const handle = temporal.workflow.getHandle(id);
        await handle.result();
        return (await handle.describe()).historyLength;
      });
      const [charge = 0, delivery = 0] = await Promise.all(lengths);
      return charge + delivery;
    }),
  );
  return Math.max(...counts);
}

/** Up to `size` of the values, spread evenly over all of them. */
function sampleOf<Value>(values: readonly Value[], size: number): Value[] {
  const step = Math.max(1, values.length / size);
  const sample: Value[] = [];
  for (let at = 0; at < values.length; at += step) sample.push(values[Math.floor(at)] as Value);
  return sample;
}
