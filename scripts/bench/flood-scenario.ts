import { issueKey } from '../../src/cli/keys.ts';
import { PERMISSIONS } from '../../src/domain/permission.ts';
import { PIX_CHARGE } from './api.ts';
import { type Bench, backlogOf, openStore } from './bench.ts';
import type { Figures } from './figures.ts';
import { type FloodCounts, startFlood, withKey } from './flood.ts';
import { percentile, until } from './load.ts';
import { createAndPay, newSeen, PARTS, ratio, type Seen } from './measured-store.ts';

const KEYS = 25;

/** Ten times the limit of a store. */
const PER_SECOND = 1_000;

/** More requests than every client may send at once. After them the limits answer. */
const BURST = 500;

const KINDS = ['alone', 'sender', 'oneKey', 'manyKeys'] as const;
type Kind = (typeof KINDS)[number];

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
    senders: (kind === 'manyKeys' ? keys : keys.slice(0, 1)).map(withKey),
    perSecond: PER_SECOND,
    request: { method: 'POST', path: '/v2/transparents/create', body: PIX_CHARGE },
    before: BURST,
  });
  await createAndPay(bench, seen);
  const counts = await running.stop();
  return url === null ? null : counts;
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
