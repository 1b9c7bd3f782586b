import { setTimeout as sleep } from 'node:timers/promises';
import { issueKey } from '../../src/cli/keys.ts';
import { PERMISSIONS } from '../../src/domain/permission.ts';
import { type Bench, backlogOf, openStore } from './bench.ts';
import type { Figures } from './figures.ts';
import { type FloodCounts, startFlood } from './flood.ts';
import { percentile, until } from './load.ts';

const KEYS = 25;

/** Ten times the limit of a store. */
const PER_SECOND = 1_000;

/** Parts of the kinds alternate, so that all of them run on the machine in the same state. */
const PARTS = 2;

/** The pause between two calls of the measured store, far below its own limit. */
const PAUSE_MS = 25;

const KINDS = ['alone', 'sender', 'oneKey', 'manyKeys'] as const;
type Kind = (typeof KINDS)[number];

/** The latencies of the measured store. */
interface Seen {
  readonly createMs: number[];
  /** From sending the payment to its webhook. */
  readonly payMs: number[];
  answered503: number;
}

/**
 * How long creates and payments of one store take while another store sends ten times its limit, with one key and with many,
 * compared with no flood. `sender` floods a server that does nothing, which shows the cost of the sender itself on this
 * machine.
 */
export async function flood(bench: Bench): Promise<Figures> {
  const { storeId, keys } = await storeOfFlood(bench);
  const seen = Object.fromEntries(KINDS.map((kind) => [kind, newSeen()])) as Record<Kind, Seen>;
  const floods: FloodCounts[] = [];
  for (let part = 0; part < PARTS; part += 1) {
    for (const kind of KINDS) {
      const counts = await beside(bench, kind, keys, seen[kind]);
      if (counts !== null) floods.push(counts);
      await leaveUnstarted(bench, storeId);
      await until('the starts', async () => (await backlogOf(bench)) === 0);
    }
  }
  return figuresOf(seen, floods);
}

/** Measures one part of one kind. @returns the counts of the flood, or null without one. */
async function beside(
  bench: Bench,
  kind: Kind,
  keys: readonly string[],
  seen: Seen,
): Promise<FloodCounts | null> {
  if (kind === 'alone') {
    await createAndPay(bench, seen);
    return null;
  }
  const url = kind === 'sender' ? null : bench.endpoints.apiUrl;
  await using running = await startFlood({
    url,
    keys: kind === 'manyKeys' ? keys : keys.slice(0, 1),
    perSecond: PER_SECOND,
  });
  await createAndPay(bench, seen);
  const counts = await running.stop();
  return url === null ? null : counts;
}

async function createAndPay({ api, sink, durations }: Bench, seen: Seen): Promise<void> {
  const chargeIds: string[] = [];
  while (chargeIds.length < Math.ceil(durations.payments / PARTS)) {
    const sentMs = performance.now();
    chargeIds.push(await api.createCharge());
    seen.createMs.push(performance.now() - sentMs);
    await sleep(PAUSE_MS);
  }
  for (const chargeId of chargeIds) {
    const webhook = sink.next(chargeId);
    const sentMs = performance.now();
    const answered = api.simulatePayment(chargeId);
    seen.payMs.push((await webhook).atMs - sentMs);
    if (!(await answered)) seen.answered503 += 1;
    await sleep(PAUSE_MS);
  }
}

/**
 * Marks charges that the flood left unstarted as started, so that they do not disturb the next kind. Without limits, their
 * start would take minutes.
 */
async function leaveUnstarted({ database }: Bench, storeId: string): Promise<void> {
  await database.em
    .fork()
    .execute(
      'update charges set workflow_started_at = created_at where store_id = ? and workflow_started_at is null',
      [storeId],
    );
}

function figuresOf(seen: Readonly<Record<Kind, Seen>>, floods: readonly FloodCounts[]): Figures {
  const { alone, sender, oneKey, manyKeys } = seen;
  const seconds = sumOf(floods, ({ seconds }) => seconds);
  const create = (beside: Seen, percent: number) => ratio(beside.createMs, alone.createMs, percent);
  const pay = (beside: Seen, percent: number) => ratio(beside.payMs, alone.payMs, percent);
  return {
    floodSentPerSecond: sumOf(floods, ({ sent }) => sent) / seconds,
    floodAllowedPerSecond: sumOf(floods, ({ allowed }) => allowed) / seconds,
    floodAloneCreateP50Ms: percentile(alone.createMs, 50),
    floodAlonePayP50Ms: percentile(alone.payMs, 50),
    floodSenderCreateP50ToAlone: create(sender, 50),
    floodSenderCreateP99ToAlone: create(sender, 99),
    floodSenderPayP50ToAlone: pay(sender, 50),
    floodSenderPayP99ToAlone: pay(sender, 99),
    floodOneKeyCreateP50ToAlone: create(oneKey, 50),
    floodOneKeyCreateP99ToAlone: create(oneKey, 99),
    floodOneKeyPayP50ToAlone: pay(oneKey, 50),
    floodOneKeyPayP99ToAlone: pay(oneKey, 99),
    floodManyKeysCreateP50ToAlone: create(manyKeys, 50),
    floodManyKeysCreateP99ToAlone: create(manyKeys, 99),
    floodManyKeysPayP50ToAlone: pay(manyKeys, 50),
    floodManyKeysPayP99ToAlone: pay(manyKeys, 99),
    floodAnswered503: oneKey.answered503 + manyKeys.answered503,
  };
}

function newSeen(): Seen {
  return { createMs: [], payMs: [], answered503: 0 };
}

function ratio(beside: readonly number[], alone: readonly number[], percent: number): number {
  return percentile(beside, percent) / percentile(alone, percent);
}

function sumOf(floods: readonly FloodCounts[], of: (counts: FloodCounts) => number): number {
  return floods.reduce((sum, counts) => sum + of(counts), 0);
}

/** A store other than the measured one. */
async function storeOfFlood(bench: Bench): Promise<{ storeId: string; keys: string[] }> {
  const { storeId, api } = await openStore(bench);
  await api.close();
  const keys: string[] = [];
  while (keys.length < KEYS) {
    const key = { storeId, devMode: true, permissions: PERMISSIONS, description: 'flood' };
    keys.push((await issueKey(bench.database.em.fork(), key, new Date())).keyText);
  }
  return { storeId, keys };
}
