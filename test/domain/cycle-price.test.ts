import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  type CycleDiscount,
  cycleDiscountOf,
  cyclePriceOf,
  recurringDiscountCentsOf,
} from '../../src/domain/cycle-price.ts';
import { MAX_AMOUNT_CENTS } from '../../src/domain/money.ts';

const cents = fc.integer({ min: 1, max: MAX_AMOUNT_CENTS });
const discounts = fc.record({
  code: fc.constant('A'),
  discountKind: fc.constantFrom('FIXED' as const, 'PERCENTAGE' as const),
  discountValue: fc.integer({ min: 1, max: 10_000 }),
  lastNumber: fc.option(fc.integer({ min: 1, max: 20 })),
});
const TENTH: CycleDiscount = { code: 'A', discountKind: 'PERCENTAGE', discountValue: 1_000, lastNumber: 3 };

describe('the price of a cycle', () => {
  it('takes a coupon off the plan through its last cycle, and never off usage', () => {
    const at = (number: number) =>
      cyclePriceOf({ number, planCents: 4_999, usageCents: 100, discount: TENTH });
    expect(at(3)).toEqual({ discountCents: 500, amountCents: 4_599 });
    expect(at(4)).toEqual({ discountCents: 0, amountCents: 5_099 });
  });

  it('adds plan and usage less discount, within the maximum, for any coupon', () => {
    const given = [fc.integer({ min: 1, max: 30 }), cents, cents, fc.option(discounts)] as const;
    fc.assert(
      fc.property(...given, (number, planCents, usageCents, discount) => {
        const price = cyclePriceOf({ number, planCents, usageCents, discount });
        const full = planCents - price.discountCents + usageCents;
        expect(price.amountCents).toBe(Math.min(full, MAX_AMOUNT_CENTS));
        expect(price.amountCents).toBeGreaterThanOrEqual(usageCents);
      }),
    );
  });

  it('counts a coupon for one cycle as no discount of recurring revenue', () => {
    const of = (lastNumber: number | null) =>
      recurringDiscountCentsOf({ number: 1, planCents: 5_000, discount: { ...TENTH, lastNumber } });
    expect([of(1), of(2), of(null)]).toEqual([0, 500, 500]);
  });
});

it.each([
  ['ONCE', null, 1],
  ['REPEATING', 4, 4],
  ['FOREVER', null, null],
] as const)('copies a coupon %s with its last cycle', (duration, durationCycles, lastNumber) => {
  const coupon = { code: 'A', discountKind: 'FIXED', discountValue: 5, duration, durationCycles } as const;
  expect(cycleDiscountOf(coupon)).toEqual({ code: 'A', discountKind: 'FIXED', discountValue: 5, lastNumber });
});
