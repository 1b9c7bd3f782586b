import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { couponStatusOf, discountCentsOf } from '../../src/domain/coupon.ts';
import { MAX_AMOUNT_CENTS } from '../../src/domain/money.ts';

const percentage = (discountValue: number) => ({ discountKind: 'PERCENTAGE' as const, discountValue });
const fixed = (discountValue: number) => ({ discountKind: 'FIXED' as const, discountValue });
const cents = fc.integer({ min: 1, max: MAX_AMOUNT_CENTS });
const hundredths = fc.integer({ min: 1, max: 10_000 });

describe('a discount', () => {
  it('rounds a percentage discount half up to the cent', () => {
    expect(discountCentsOf(percentage(1_000), 2_500)).toBe(250);
    expect(discountCentsOf(percentage(5_000), 1)).toBe(1);
    expect(discountCentsOf(percentage(4_999), 1)).toBe(0);
    expect(discountCentsOf(percentage(1_250), 1_004)).toBe(126);
    expect(discountCentsOf(percentage(1_250), 1_003)).toBe(125);
    expect(discountCentsOf(percentage(10_000), MAX_AMOUNT_CENTS)).toBe(MAX_AMOUNT_CENTS);
  });

  it('keeps a percentage discount within half a cent of the exact value', () => {
    fc.assert(
      fc.property(hundredths, cents, (value, total) => {
        const distance =
          BigInt(discountCentsOf(percentage(value), total)) * 10_000n - BigInt(value) * BigInt(total);
        expect(distance > -5_000n && distance <= 5_000n).toBe(true);
      }),
    );
  });

  it('subtracts a fixed discount in full, up to the total', () => {
    expect(discountCentsOf(fixed(1_000), 2_500)).toBe(1_000);
    expect(discountCentsOf(fixed(1_000), 1_000)).toBe(1_000);
    expect(discountCentsOf(fixed(1_000), 999)).toBe(999);
  });

  it('returns whole cents from zero to the total for any discount', () => {
    const anyDiscount = fc.oneof(cents.map(fixed), hundredths.map(percentage));
    fc.assert(
      fc.property(anyDiscount, cents, (discount, total) => {
        const off = discountCentsOf(discount, total);
        expect(Number.isInteger(off) && off >= 0 && off <= total).toBe(true);
      }),
    );
  });
});

describe('a coupon', () => {
  const status = 'ACTIVE' as const;

  it('never expires a coupon without a cap', () => {
    expect(couponStatusOf({ status, maxRedeems: -1, redeemsCount: 1_000_000 })).toBe('ACTIVE');
  });

  it('expires an active or inactive coupon once its cap is reached', () => {
    expect(couponStatusOf({ status, maxRedeems: 2, redeemsCount: 1 })).toBe('ACTIVE');
    expect(couponStatusOf({ status, maxRedeems: 2, redeemsCount: 2 })).toBe('EXPIRED');
    expect(couponStatusOf({ status: 'INACTIVE', maxRedeems: 2, redeemsCount: 2 })).toBe('EXPIRED');
  });

  it('reports an inactive coupon as INACTIVE while it is below its cap', () => {
    expect(couponStatusOf({ status: 'INACTIVE', maxRedeems: 2, redeemsCount: 0 })).toBe('INACTIVE');
  });
});
