import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { pendingPartCents, withFees } from '../../src/domain/receivable.ts';

const DAY = new Date('2027-01-03T03:00:00.000Z');
const total = (cents: readonly number[]) => cents.reduce((sum, each) => sum + each, 0);
const partsOf = (cents: readonly number[]) => cents.map((amountCents) => ({ amountCents, settlesAt: DAY }));

describe('the installments of a payment', () => {
  it('divides the fee exactly, and charges no installment more than it has', () => {
    const shared = fc.array(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 2, maxLength: 12 });
    fc.assert(
      fc.property(shared, fc.double({ min: 0, max: 1, noNaN: true }), (cents, share) => {
        const feeCents = Math.floor(share * (total(cents) - 1));
        const parts = withFees(partsOf(cents), feeCents);
        expect(total(parts.map((part) => part.feeCents))).toBe(feeCents);
        expect(parts.every((part) => part.feeCents >= 0 && part.feeCents <= part.amountCents)).toBe(true);
      }),
    );
  });

  it('makes none if the fee takes everything, or if there is one part', () => {
    expect(withFees(partsOf([100, 100]), 200)).toEqual([]);
    expect(withFees(partsOf([10_000]), 200)).toEqual([]);
  });
});

it('takes reversed money from what is pending first, however it is divided', () => {
  const cents = fc.integer({ min: 0, max: 100_000 });
  fc.assert(
    fc.property(cents, fc.array(cents, { maxLength: 6 }), (unsettledCents, reversals) => {
      let before = 0;
      const taken = reversals.map((part) => {
        const pending = pendingPartCents(unsettledCents, before, part);
        before += part;
        return pending;
      });
      expect(total(taken)).toBe(Math.min(unsettledCents, before));
    }),
  );
});
