import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  LEAST_PRORATED_CENTS,
  type PeriodPart,
  restOfPeriodCents,
  settledCycle,
  unusedCents,
} from '../../src/domain/proration.ts';

const MONTH_SECONDS = 30 * 24 * 60 * 60;

function whole(priceCents: number, periodSeconds = MONTH_SECONDS): PeriodPart {
  return {
    periodNumber: 1,
    periodSeconds,
    remainingSeconds: periodSeconds,
    priceCents,
    planCents: priceCents,
  };
}

/** A part that begins with so many seconds left, charged as it must be. */
function changed(parts: readonly PeriodPart[], priceCents: number, remainingSeconds: number): PeriodPart {
  const planCents = restOfPeriodCents(parts, priceCents, remainingSeconds);
  return { ...(parts[0] as PeriodPart), remainingSeconds, priceCents, planCents };
}

describe('a price that changes within a period', () => {
  it('charges half the difference in the middle', () => {
    expect(restOfPeriodCents([whole(3_000)], 9_000, MONTH_SECONDS / 2)).toBe(3_000);
  });

  it('leaves credit if the new price is lower', () => {
    expect(restOfPeriodCents([whole(9_000)], 3_000, MONTH_SECONDS / 2)).toBe(-3_000);
  });

  it('costs nothing to change there and back at once', () => {
    const dearer = changed([whole(3_000)], 9_999, 1_234_567);
    expect(dearer.planCents + restOfPeriodCents([whole(3_000), dearer], 3_000, 1_234_567)).toBe(0);
  });

  it('returns what is not used', () => {
    expect(unusedCents([whole(10_000)], MONTH_SECONDS / 4)).toBe(2_500);
    expect(unusedCents([whole(10_000)], 0)).toBe(0);
  });

  it('charges price × time over the period within a cent, however often it changes', () => {
    const change = fc.record({
      priceCents: fc.integer({ min: 0, max: 1_000_000_00 }),
      remainingSeconds: fc.integer({ min: 0, max: 366 * 86_400 }),
    });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1_000_000_00 }),
        fc.integer({ min: 7 * 86_400, max: 366 * 86_400 }),
        fc.array(change, { maxLength: 12 }),
        (firstPriceCents, periodSeconds, changes) => {
          const inOrder = changes
            .map(({ remainingSeconds, priceCents }) => ({
              priceCents,
              remainingSeconds: Math.min(remainingSeconds, periodSeconds),
            }))
            .sort((one, other) => other.remainingSeconds - one.remainingSeconds);
          let parts: readonly PeriodPart[] = [whole(firstPriceCents, periodSeconds)];
          for (const { priceCents, remainingSeconds } of inOrder)
            parts = [...parts, changed(parts, priceCents, remainingSeconds)];
          const charged = parts.reduce((sum, { planCents }) => sum + planCents, 0);
          // By another way: each second at the price of its time.
          const used = parts.reduce((sum, part, index) => {
            const seconds = part.remainingSeconds - (parts[index + 1]?.remainingSeconds ?? 0);
            return sum + (part.priceCents * seconds) / periodSeconds;
          }, 0);
          expect(Math.abs(charged - used)).toBeLessThan(1);
        },
      ),
      { numRuns: 10_000 },
    );
  });
});

describe('credit', () => {
  it('pays a cycle before its payer does', () => {
    const cycle = { planCents: 5_000, usageCents: 300, creditCents: 1_200, isPart: false };
    expect(settledCycle(cycle)).toEqual({ amountCents: 4_100, creditUsedCents: 1_200, creditLeftCents: 0 });
  });

  it('keeps what is left for later cycles', () => {
    const cycle = { planCents: 1_000, usageCents: 0, creditCents: 1_200, isPart: false };
    expect(settledCycle(cycle)).toEqual({ amountCents: 0, creditUsedCents: 1_000, creditLeftCents: 200 });
  });

  it('grows by a part that costs less than nothing', () => {
    const cycle = { planCents: -700, usageCents: 100, creditCents: 50, isPart: true };
    expect(settledCycle(cycle)).toEqual({ amountCents: 0, creditUsedCents: -600, creditLeftCents: 650 });
  });

  it('charges a very small part with the next cycle', () => {
    const part = { planCents: LEAST_PRORATED_CENTS - 1, usageCents: 0, creditCents: 0, isPart: true };
    const first = settledCycle(part);
    expect(first).toMatchObject({ amountCents: 0, creditLeftCents: 1 - LEAST_PRORATED_CENTS });
    const next = settledCycle({
      planCents: 5_000,
      usageCents: 0,
      creditCents: first.creditLeftCents,
      isPart: false,
    });
    expect(next).toMatchObject({ amountCents: 5_000 + LEAST_PRORATED_CENTS - 1, creditLeftCents: 0 });
  });

  it('keeps the sum of charge and credit', () => {
    const cents = fc.integer({ min: -100_000, max: 100_000 });
    fc.assert(
      fc.property(
        cents,
        fc.nat(100_000),
        cents,
        fc.boolean(),
        (planCents, usageCents, creditCents, isPart) => {
          const { amountCents, creditUsedCents, creditLeftCents } = settledCycle({
            planCents,
            usageCents,
            creditCents,
            isPart,
          });
          expect(amountCents).toBeGreaterThanOrEqual(0);
          expect(amountCents + creditUsedCents).toBe(planCents + usageCents);
          expect(creditUsedCents + creditLeftCents).toBe(creditCents);
        },
      ),
    );
  });
});
