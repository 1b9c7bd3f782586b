import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { couponProblemOf, couponStatusOf, discountCentsOf } from '../../src/domain/coupon.ts';
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

const NOW = new Date('2026-11-27T12:00:00Z');
const EARLIER = new Date('2026-11-27T11:59:59.999Z');
const LATER = new Date('2026-11-27T12:00:00.001Z');

describe('the status of a coupon', () => {
  const always = {
    status: 'ACTIVE',
    maxRedeems: -1,
    redeemsCount: 0,
    validFrom: null,
    validUntil: null,
  } as const;
  const statusOf = (changes: object) => couponStatusOf({ ...always, ...changes }, NOW);

  it('never expires a coupon without a cap', () => {
    expect(statusOf({ redeemsCount: 1_000_000 })).toBe('ACTIVE');
  });

  it('expires an active or inactive coupon once its cap is reached', () => {
    expect(statusOf({ maxRedeems: 2, redeemsCount: 1 })).toBe('ACTIVE');
    expect(statusOf({ maxRedeems: 2, redeemsCount: 2 })).toBe('EXPIRED');
    expect(statusOf({ status: 'INACTIVE', maxRedeems: 2, redeemsCount: 2 })).toBe('EXPIRED');
  });

  it('reports an inactive coupon as INACTIVE while it is below its cap', () => {
    expect(statusOf({ status: 'INACTIVE', maxRedeems: 2, redeemsCount: 0 })).toBe('INACTIVE');
  });

  it('expires a coupon at the end of its validity, and not before its beginning', () => {
    expect(statusOf({ validUntil: LATER })).toBe('ACTIVE');
    expect(statusOf({ validUntil: NOW })).toBe('EXPIRED');
    expect(statusOf({ status: 'INACTIVE', validUntil: EARLIER })).toBe('EXPIRED');
    expect(statusOf({ validFrom: LATER })).toBe('ACTIVE');
  });
});

describe('a payment with a coupon', () => {
  const coupon = {
    status: 'ACTIVE' as const,
    maxRedeems: 3,
    redeemsCount: 1,
    reservedCount: 1,
    validFrom: null,
    validUntil: null,
  };

  it.each([
    [null, {}],
    ['COUPON_NOT_VALID', { status: 'INACTIVE' as const }],
    ['COUPON_OUTSIDE_VALIDITY', { validFrom: LATER }],
    [null, { validFrom: NOW, validUntil: LATER }],
    ['COUPON_OUTSIDE_VALIDITY', { validUntil: NOW }],
    ['COUPON_EXHAUSTED', { reservedCount: 2 }],
  ])('returns %s for %o', (problem, changes) => {
    expect(couponProblemOf({ ...coupon, ...changes }, NOW)).toBe(problem);
  });

  it('refuses a coupon that was deleted', () => {
    expect(couponProblemOf(null, NOW)).toBe('COUPON_NOT_VALID');
  });
});
