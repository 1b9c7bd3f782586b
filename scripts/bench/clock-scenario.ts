import type { Api } from './api.ts';
import { type Bench, openStore } from './bench.ts';
import type { Figures } from './figures.ts';
import { until } from './load.ts';

/**
 * How long the clock of a store takes for two years of one subscription, whose card fails in the fifth month and whose plan
 * changes in the ninth, and for a year of many subscriptions.
 */
export async function clock(bench: Bench): Promise<Figures> {
  const { clocked } = bench.durations;
  return {
    clockOneSeconds: await throughTwoYears(bench),
    clockSubscriptions: clocked,
    clockManySeconds: await throughAYear(bench, clocked),
  };
}

/** @returns the seconds of all steps together. Each step is requested when the previous one has ended. */
async function throughTwoYears(bench: Bench): Promise<number> {
  await using cleanup = new AsyncDisposableStack();
  const { api } = await openStore(bench);
  cleanup.defer(() => api.close());
  const plan = await api.createProduct('MONTHLY');
  const subscriptionId = await api.subscribePayer(plan, failingInMonths(5));
  const better = await api.createProduct('MONTHLY');
  const beforeMs = await advance(api, 'P9M');
  await api.changePlan(subscriptionId, better);
  return (beforeMs + (await advance(api, 'P15M'))) / 1_000;
}

async function throughAYear(bench: Bench, count: number): Promise<number> {
  await using cleanup = new AsyncDisposableStack();
  const { api } = await openStore(bench);
  cleanup.defer(() => api.close());
  const plan = await api.createProduct('MONTHLY');
  for (let made = 0; made < count; made += 1) await api.subscribePayer(plan);
  return (await advance(api, 'P1Y')) / 1_000;
}

/** A card of the sandbox that is declined twice in the month that its expiry names. */
function failingInMonths(months: number): { number: string; expiry: string } {
  const month = new Date();
  month.setUTCDate(1);
  month.setUTCMonth(month.getUTCMonth() + months);
  const [year, number] = month.toISOString().split('-');
  return { number: '4000000000000259', expiry: `${number}/${year}` };
}

async function advance(api: Api, by: string): Promise<number> {
  const beganMs = performance.now();
  await api.advanceClock(by);
  await until('the clock', () => api.isClockReady());
  return performance.now() - beganMs;
}
