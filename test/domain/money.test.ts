import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  decimalOf,
  formatBrl,
  isAmountCents,
  MAX_AMOUNT_CENTS,
  roundHalfUpDivide,
} from '../../src/domain/money.ts';

describe('money', () => {
  it.each([1, 300, MAX_AMOUNT_CENTS])('takes %d cents as an amount', (amount) => {
    expect(isAmountCents(amount)).toBe(true);
  });

  it.each([
    0,
    -1,
    1.5,
    MAX_AMOUNT_CENTS + 1,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    '100',
    100n,
    null,
    undefined,
  ])('refuses %p as an amount', (amount) => {
    expect(isAmountCents(amount)).toBe(false);
  });

  it('rounds an exact half up and anything less down', () => {
    expect(roundHalfUpDivide(1n, 2n)).toBe(1);
    expect(roundHalfUpDivide(49_999_999n, 100_000_000n)).toBe(0);
    expect(roundHalfUpDivide(5n, 2n)).toBe(3);
    expect(roundHalfUpDivide(7n, 3n)).toBe(2);
  });

  it('rounds to the nearest integer however large the fraction', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 15n }),
        fc.bigInt({ min: 1n, max: 10n ** 12n }),
        (numerator, denominator) => {
          const distance = numerator - BigInt(roundHalfUpDivide(numerator, denominator)) * denominator;
          expect(2n * distance >= -denominator && 2n * distance < denominator).toBe(true);
        },
      ),
    );
  });

  it('refuses to round what it could not give exactly', () => {
    expect(() => roundHalfUpDivide(2n ** 53n, 1n)).toThrow(RangeError);
    expect(() => roundHalfUpDivide(-1n, 2n)).toThrow(RangeError);
    expect(() => roundHalfUpDivide(1n, 0n)).toThrow(RangeError);
  });

  it('writes reais the way Brazil reads them', () => {
    expect(formatBrl(123_456)).toBe('R$ 1.234,56');
    expect(formatBrl(5)).toBe('R$ 0,05');
    expect(formatBrl(100_000)).toBe('R$ 1.000,00');
    expect(formatBrl(MAX_AMOUNT_CENTS)).toBe('R$ 99.999.999,99');
  });

  it('loses no cent when written as a decimal', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (cents) => {
        expect(decimalOf(cents)).toMatch(/^(0|[1-9]\d*)\.\d\d$/);
        expect(Number(decimalOf(cents).replace('.', ''))).toBe(cents);
      }),
    );
    expect(() => decimalOf(0.5)).toThrow(RangeError);
  });
});
