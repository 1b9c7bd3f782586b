import type { StoreId } from '../../src/domain/ids.ts';
import { fill } from '../../test/support/rows/fill.ts';
import { filled, LISTS } from '../../test/support/rows/filled-lists.ts';
import { say } from '../embedded/run-and-stop.ts';
import type { Api } from './api.ts';
import { apiDocument } from './api-document.ts';
import { type Bench, openStore, payOneByOne } from './bench.ts';
import { openDashboard } from './dashboard-pages.ts';
import type { Figures } from './figures.ts';
import { percentile } from './load.ts';
import { apiReads, linkedPages, sendRead } from './read-requests.ts';

/** The shares of three stores in all charges. The load runs on the middle one. */
const SHARES = [0.9, 0.09, 0.01];

/** The number of requests for each list. */
const TIMES = 10;

/**
 * Times of creates, payments and lists in a database of millions, compared with an empty one. The database
 * stays filled for the later scenarios of the run, so only the first round measures.
 */
export async function size(bench: Bench): Promise<Figures> {
  const { durations, database } = bench;
  if (await isFilled(database)) return {};
  const empty = await medians(bench);
  if (durations.filledCharges === 0) return {};
  const stores = [];
  for (const share of SHARES)
    stores.push({ ...(await openStore(bench)), charges: Math.ceil(share * durations.filledCharges) });
  const startedMs = performance.now();
  await fill(database, stores);
  const fillSeconds = (performance.now() - startedMs) / 1_000;
  const full = await medians(bench);
  const pages = await pagesOf(stores.map(({ api }) => api));
  const dashboard = await dashboardOf(bench, stores);
  const reads = await readsOf(bench, stores[0]);
  for (const { api } of stores) await api.close();
  return {
    filledCharges: durations.filledCharges,
    fillSeconds,
    createToEmpty: full.createMs / empty.createMs,
    payToEmpty: full.payMs / empty.payMs,
    listP50Ms: percentile(pages, 50),
    listP99Ms: percentile(pages, 99),
    ...dashboard,
    ...reads,
  };
}

/** How often each kind of request is sent. The fastest counts: the first one may wait for the disk. */
const READS = 3;

/**
 * Every kind of GET request of the API and the dashboard, of the largest store. Tests forbid Postgres to read whole tables, so only
 * here a statement is seen that it answers by reading one.
 */
async function readsOf(bench: Bench, store: { api: Api; storeId: string } | undefined): Promise<Figures> {
  if (store === undefined) return {};
  const { api, storeId } = store;
  const document = await apiDocument(bench.endpoints.apiUrl);
  const reads = [...(await apiReads({ api }, document)), ...(await linkedPages(bench, storeId as StoreId))];
  const fastest: number[] = [];
  for (const read of reads) {
    const tookMs: number[] = [];
    const statuses = new Set<number>();
    for (let time = 0; time < READS; time += 1) {
      const startedMs = performance.now();
      statuses.add(await sendRead(bench, read));
      tookMs.push(performance.now() - startedMs);
    }
    const readMs = Math.min(...tookMs);
    fastest.push(readMs);
    const answers = [...statuses].join(' and ');
    if (readMs > SLOW_MS || answers !== '200')
      say(`slow: ${read.path}: ${readMs.toFixed(0)} ms, answered ${answers}`);
  }
  return { readKinds: reads.length, readP99Ms: percentile(fastest, 99), readMostMs: Math.max(...fastest) };
}

async function isFilled({ em }: Bench['database']): Promise<boolean> {
  const rows = await em.fork().execute('select from webhooks where id = ?', [filled('webh_', 0)]);
  return rows.length > 0;
}

/** The pages of the largest store, which has nine of ten charges. */
async function dashboardOf(bench: Bench, stores: readonly { readonly storeId: string }[]): Promise<Figures> {
  const largest = await openDashboard(bench, stores[0]?.storeId ?? '');
  return {
    dashboardP50Ms: percentile(largest.tookMs, 50),
    dashboardP99Ms: percentile(largest.tookMs, 99),
    dashboardKilobytes: largest.largestBytes / 1_000,
  };
}

/** Medians of a create by itself, and of a payment to its webhook. */
async function medians(bench: Bench) {
  const creates: number[] = [];
  while (creates.length < bench.durations.payments) {
    const startedMs = performance.now();
    await bench.api.createCharge();
    creates.push(performance.now() - startedMs);
  }
  const { latenciesMs } = await payOneByOne(bench);
  return { createMs: percentile(creates, 50), payMs: percentile(latenciesMs, 50) };
}

/** The report names pages that took at least this long. */
const SLOW_MS = 50;

async function pagesOf(stores: readonly Api[]): Promise<number[]> {
  const tookMs: number[] = [];
  const slow = new Map<string, number[]>();
  for (let time = 0; time < TIMES; time += 1) {
    for (const [number, api] of stores.entries()) {
      for (const path of LISTS) {
        const startedMs = performance.now();
        await api.list(`/v2${path}`);
        const pageMs = performance.now() - startedMs;
        tookMs.push(pageMs);
        const name = `store ${number + 1}, ${path}`;
        if (pageMs > SLOW_MS) slow.set(name, [...(slow.get(name) ?? []), Math.round(pageMs)]);
      }
    }
  }
  for (const [name, pages] of slow) say(`slow: ${name}: ${pages.join(', ')} ms`);
  return tookMs;
}
