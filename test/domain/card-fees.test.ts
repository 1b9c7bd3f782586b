import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  MAX_INSTALLMENTS,
  NO_CARD_FEES,
  passedFeesOf,
  readCardFees,
  totalsWithFeesCents,
  totalWithFeesCents,
} from '../../src/domain/card-fees.ts';
import { MAX_AMOUNT_CENTS } from '../../src/domain/money.ts';
import { feeCentsOf, type PlatformFee } from '../../src/domain/platform-fee.ts';

const feeOf = (share: number, fixedCents: number): PlatformFee => ({ share, fixedCents });
const FOUR_PERCENT = feeOf(400, 60);
const keptCents = (cents: number, fees: readonly PlatformFee[]) =>
  cents - fees.reduce((sum, fee) => sum + feeCentsOf(fee, cents), 0);

const anyFee = fc.record({
  share: fc.integer({ min: 0, max: 4_500 }),
  fixedCents: fc.integer({ min: 0, max: 5_000 }),
});
const anyFees = fc.array(anyFee, { minLength: 0, maxLength: 2 });
const anyPrice = fc.oneof(
  fc.integer({ min: 1, max: 2_000 }),
  fc.integer({ min: 1, max: 100_000_000 }),
  fc.integer({ min: 1, max: MAX_AMOUNT_CENTS }),
);

describe('the total of a card whose payer pays the fees', () => {
  it('takes the smallest amount that leaves the price after the fee', () => {
    expect(totalWithFeesCents(10_000, [FOUR_PERCENT])).toBe(10_479);
    expect(totalWithFeesCents(1, [FOUR_PERCENT])).toBe(64);
    expect(totalWithFeesCents(10_000, [feeOf(350, 60)])).toBe(10_425);
    expect(totalWithFeesCents(10_000, [feeOf(350, 60), feeOf(399, 39)])).toBe(10_917);
    expect(totalWithFeesCents(10_000, [feeOf(0, 0)])).toBe(10_000);
    expect(totalWithFeesCents(10_000, [])).toBe(10_000);
  });

  it('leaves the price, and a cent less would not, for any price and fees', () => {
    fc.assert(
      fc.property(anyPrice, anyFees, (price, fees) => {
        const total = totalWithFeesCents(price, fees);
        if (total === null) return expect(keptCents(MAX_AMOUNT_CENTS, fees)).toBeLessThan(price);
        expect(keptCents(total, fees)).toBeGreaterThanOrEqual(price);
        expect(keptCents(total - 1, fees)).toBeLessThan(price);
      }),
      { numRuns: 2_000 },
    );
  });

  it('equals the first one that a search from the price on finds', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3_000 }), anyFees, (price, fees) => {
        let total = price;
        while (keptCents(total, fees) < price) total += 1;
        expect(totalWithFeesCents(price, fees)).toBe(total);
      }),
      { numRuns: 300 },
    );
  });

  it('does not exist if the fees take everything, or if no charge can have it', () => {
    expect(totalWithFeesCents(1, [feeOf(5_000, 0), feeOf(5_000, 0)])).toBeNull();
    expect(totalWithFeesCents(MAX_AMOUNT_CENTS, [FOUR_PERCENT])).toBeNull();
    expect(totalsWithFeesCents(MAX_AMOUNT_CENTS, [[feeOf(0, 0)], [FOUR_PERCENT]])).toEqual([
      MAX_AMOUNT_CENTS,
    ]);
  });
});

describe('fees as people write them', () => {
  it('reads one fee for every number of installments', () => {
    const fees = readCardFees('3,99 + 0,39');
    expect(fees?.size).toBe(MAX_INSTALLMENTS);
    expect([fees?.get(1), fees?.get(12)]).toEqual([feeOf(399, 39), feeOf(399, 39)]);
  });

  it('reads fees by number of installments', () => {
    const fees = readCardFees('1: 2.99+0.49; 2-6: 3.49+0.49; 7-12: 3.9 + 1;');
    expect([1, 2, 6, 7, 12].map((count) => fees?.get(count))).toEqual([
      feeOf(299, 49),
      feeOf(349, 49),
      feeOf(349, 49),
      feeOf(390, 100),
      feeOf(390, 100),
    ]);
    expect(readCardFees('4')?.get(3)).toEqual(feeOf(400, 0));
  });

  it.each([
    '',
    ';',
    'x',
    '51',
    '3.999',
    '3+',
    '1:3;1:4',
    '6-2:3',
    '13:3',
    '1-13:3',
    '3;4',
    '-3',
    '3%',
    '0:3',
  ])('refuses %j', (text) => expect(readCardFees(text)).toBeNull());
});

describe('the fees that payers pay', () => {
  const platform = { PIX: feeOf(0, 80), BOLETO: feeOf(0, 250), CARD: feeOf(350, 60) };

  it("adds the platform's to the provider's, up to the first unknown number", () => {
    const passed = passedFeesOf(
      platform,
      new Map([
        [1, feeOf(299, 49)],
        [3, feeOf(349, 49)],
      ]),
    );
    expect(passed).toEqual([[feeOf(350, 60), feeOf(299, 49)]]);
  });

  it('changes with the number of installments where the platform says so', () => {
    const card = { ...platform.CARD, byInstallments: new Map([[2, feeOf(450, 60)]]) };
    const passed = passedFeesOf({ ...platform, CARD: card }, NO_CARD_FEES);
    expect(totalsWithFeesCents(10_000, passed).slice(0, 3)).toEqual([10_425, 10_534, 10_425]);
    expect(passed).toHaveLength(MAX_INSTALLMENTS);
  });
});
