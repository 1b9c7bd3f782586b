import type { RequestCost } from '../../request-cost.ts';

/**
 * How much longer the main thread is busy with a request than is counted: its headers are read, its answer is logged, and memory is
 * cleared. Three quarters of a page, or of a form with wrong fields, are counted (2026-12-01), and half of a page that does not exist.
 */
const REAL_PART = 4 / 3;
const LEAST_UNCOUNTED_MS = 0.5;

/** @param times how often the time of a request is paid back, of which once passes while it runs. */
export function owed(times: number): (cost: RequestCost) => number {
  return ({ mainThreadMs }) => Math.max(mainThreadMs * REAL_PART, mainThreadMs + LEAST_UNCOUNTED_MS) * times;
}
