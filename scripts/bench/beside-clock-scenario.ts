import { type Bench, chargesToPay, openStore, payEach } from './bench.ts';
import type { Figures } from './figures.ts';
import { percentile, until } from './load.ts';

/** Weekly subscriptions of the store whose clock is advanced. */
const SUBSCRIPTIONS = 25;

/** The advance of the clock: some hundreds of cycles, which take longer than the payments that run meanwhile. */
const SPAN = 'P12W';

/** Parts of payments with the clock and without it alternate, so that both run on the machine in the same state. */
const PAIRS = 3;

/** The time from a payment of one store to its webhook, with and without an advance of another store's clock. */
export async function besideClock(bench: Bench): Promise<Figures> {
  await using cleanup = new AsyncDisposableStack();
  const { api } = await openStore(bench);
  cleanup.defer(() => api.close());
  const plan = await api.createProduct('WEEKLY');
  for (let made = 0; made < SUBSCRIPTIONS; made += 1) await api.subscribePayer(plan);
  const aloneMs: number[] = [];
  const besideMs: number[] = [];
  let clockMs = 0;
  for (let pair = 0; pair < PAIRS; pair += 1) {
    aloneMs.push(...(await payEach(bench, await chargesToPay(bench))).latenciesMs);
    const chargeIds = await chargesToPay(bench);
    const beganMs = performance.now();
    await api.advanceClock(SPAN);
    besideMs.push(...(await payEach(bench, chargeIds, () => api.isClockReady())).latenciesMs);
    await until('the clock', () => api.isClockReady());
    clockMs += performance.now() - beganMs;
  }
  return {
    clockBesidePayments: besideMs.length,
    clockAloneP50Ms: percentile(aloneMs, 50),
    clockBesideP50Ms: percentile(besideMs, 50),
    clockBesideP50ToAlone: percentile(besideMs, 50) / percentile(aloneMs, 50),
    clockBesideP99ToAlone: percentile(besideMs, 99) / percentile(aloneMs, 99),
    clockCycleMs: clockMs / (PAIRS * SUBSCRIPTIONS * 12),
  };
}
