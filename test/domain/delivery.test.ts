import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { RETRY_DELAYS_MS, retryDelayMs } from '../../src/domain/delivery.ts';

const HOUR_MS = 3_600_000;
const MIDDLE = 0.5;

describe('the retry schedule of webhooks', () => {
  it('waits 5 s, 1 min, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h', () => {
    const delaysMs = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((attempt) => retryDelayMs(attempt, MIDDLE));
    expect(delaysMs).toEqual([
      5_000,
      60_000,
      300_000,
      1_800_000,
      2 * HOUR_MS,
      5 * HOUR_MS,
      10 * HOUR_MS,
      14 * HOUR_MS,
      20 * HOUR_MS,
      24 * HOUR_MS,
    ]);
  });

  it('stops retrying after the eleventh attempt', () => {
    expect(retryDelayMs(10, MIDDLE)).not.toBeNull();
    expect(retryDelayMs(11, MIDDLE)).toBeNull();
    expect(retryDelayMs(12, MIDDLE)).toBeNull();
  });

  it('retries over more than a weekend', () => {
    const totalMs = RETRY_DELAYS_MS.reduce((sum, delayMs) => sum + delayMs, 0);
    expect(totalMs / HOUR_MS).toBeGreaterThan(72);
    expect(totalMs / HOUR_MS).toBeLessThan(80);
  });

  it('stays within 10 % of each delay, in whole milliseconds, and reaches both ends', () => {
    expect(retryDelayMs(1, 0)).toBe(4_500);
    expect(retryDelayMs(1, 1 - Number.EPSILON)).toBe(5_500);
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10 }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (attempt, random) => {
          const delayMs = retryDelayMs(attempt, random) ?? Number.NaN;
          const nominalMs = RETRY_DELAYS_MS[attempt - 1] ?? Number.NaN;
          expect(Number.isInteger(delayMs)).toBe(true);
          expect(Math.abs(delayMs - nominalMs)).toBeLessThanOrEqual(nominalMs * 0.1 + 0.5);
        },
      ),
    );
  });
});
