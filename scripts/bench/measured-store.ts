import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from './bench.ts';
import { percentile } from './load.ts';

/** Parts with and without others alternate, so that all of them run on the machine in the same state. */
export const PARTS = 2;

/** The pause between two calls of the measured store, far below its own limit. */
const PAUSE_MS = 25;

/** The latencies of the measured store. */
export interface Seen {
  readonly createMs: number[];
  /** From sending the payment to its webhook. */
  readonly payMs: number[];
  answered503: number;
}

/** Creates charges and pays them, one at a time: one part of a scenario. */
export async function createAndPay({ api, sink, durations }: Bench, seen: Seen): Promise<void> {
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

export function newSeen(): Seen {
  return { createMs: [], payMs: [], answered503: 0 };
}

/** A percentile beside others, in relation to the same without them. */
export function ratio(beside: readonly number[], alone: readonly number[], percent: number): number {
  return percentile(beside, percent) / percentile(alone, percent);
}
