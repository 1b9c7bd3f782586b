import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { DueTerms } from '../../src/domain/charge.ts';
import { addDays, civilDate, daysBetween } from '../../src/domain/civil-date.ts';
import { amountDueCents, amountDueOn } from '../../src/domain/fine-and-interest.ts';
import { lastDayToPay, lastDayToPayWithoutAdditions } from '../../src/domain/last-day-to-pay.ts';
import { MAX_AMOUNT_CENTS } from '../../src/domain/money.ts';
import { civilDateBetween } from './arbitraries.ts';

/** R$ 100,00 due on a Friday, 1 % a month and a fine of 2 %. */
const TERMS: DueTerms = {
  method: 'BOLETO',
  amountCents: 10_000,
  dueDate: civilDate('2025-01-10'),
  interest: { value: 100 },
  fine: { value: 200, type: 'PERCENTAGE' },
};
const SATURDAY = civilDate('2025-01-11');

const anyTerms: fc.Arbitrary<DueTerms> = fc.record({
  method: fc.constant('BOLETO' as const),
  amountCents: fc.integer({ min: 300, max: MAX_AMOUNT_CENTS }),
  dueDate: civilDateBetween('1997-10-08', '2099-12-31'),
  interest: fc.option(fc.record({ value: fc.integer({ min: 1, max: 5_000 }) })),
  fine: fc.option(
    fc.record({
      value: fc.integer({ min: 1, max: 10_000 }),
      type: fc.constantFrom('PERCENTAGE' as const, 'FIXED' as const),
    }),
  ),
});

describe('a boleto paid in time', () => {
  it('costs its amount on the due date', () => {
    expect(amountDueCents(TERMS, civilDate('2025-01-10'))).toBe(10_000);
  });

  it('allows payment without additions on Monday if due on Saturday', () => {
    const terms = { ...TERMS, dueDate: SATURDAY };
    expect(lastDayToPayWithoutAdditions(SATURDAY)).toBe('2025-01-13');
    expect(amountDueOn(terms, civilDate('2025-01-13'))).toEqual({
      amountCents: 10_000,
      fineCents: 0,
      interestCents: 0,
      totalCents: 10_000,
      daysLate: 0,
    });
  });

  it('allows payment without additions after Carnival if due during it', () => {
    expect(lastDayToPayWithoutAdditions(civilDate('2025-03-01'))).toBe('2025-03-05');
  });

  it('costs exactly its amount until the last day without additions', () => {
    fc.assert(
      fc.property(anyTerms, fc.nat(40), (terms, daysBefore) => {
        const paidOn = addDays(lastDayToPayWithoutAdditions(terms.dueDate), -daysBefore);
        expect(amountDueCents(terms, paidOn)).toBe(terms.amountCents);
      }),
    );
  });
});

describe('a boleto paid late', () => {
  it('costs the fine once and a thirtieth of the monthly interest for each day', () => {
    expect(amountDueOn(TERMS, civilDate('2025-01-20'))).toEqual({
      amountCents: 10_000,
      fineCents: 200,
      interestCents: 33,
      totalCents: 10_233,
      daysLate: 10,
    });
    expect(amountDueOn(TERMS, civilDate('2025-02-09'))).toMatchObject({ fineCents: 200, interestCents: 100 });
  });

  it('counts late days from the due date, though Saturday and Sunday came for free', () => {
    const terms = { ...TERMS, dueDate: SATURDAY };
    expect(amountDueOn(terms, civilDate('2025-01-14'))).toMatchObject({ daysLate: 3, interestCents: 10 });
  });

  it('adds a fixed fine unchanged', () => {
    const terms: DueTerms = { ...TERMS, interest: null, fine: { value: 1_000, type: 'FIXED' } };
    expect(amountDueCents(terms, civilDate('2025-01-13'))).toBe(11_000);
  });

  it('costs half a cent of interest as one cent, and less than half as none', () => {
    const oneDayLate = civilDate('2025-01-11');
    const oneCent: DueTerms = { ...TERMS, amountCents: 1_500, fine: null };
    expect(amountDueOn(oneCent, oneDayLate).interestCents).toBe(1);
    expect(amountDueOn({ ...oneCent, amountCents: 1_499 }, oneDayLate).interestCents).toBe(0);
  });

  it('rounds fine and interest separately, so that receipt lines add up', () => {
    const terms: DueTerms = { ...TERMS, amountCents: 1_525, fine: { value: 10, type: 'PERCENTAGE' } };
    // 1.525 and 0.508 cents: 2 + 1, although their sum would round to 2.
    expect(amountDueOn(terms, civilDate('2025-01-11'))).toMatchObject({
      fineCents: 2,
      interestCents: 1,
      totalCents: 1_528,
    });
  });

  it('rounds exact interest half up, unless the bar code cannot hold the amount', () => {
    fc.assert(
      fc.property(anyTerms, fc.integer({ min: 1, max: 60 }), (terms, daysAfter) => {
        const paidOn = addDays(lastDayToPayWithoutAdditions(terms.dueDate), daysAfter);
        const { interestCents, daysLate, totalCents } = amountDueOn(terms, paidOn);
        fc.pre(totalCents < MAX_AMOUNT_CENTS);
        const exactNumerator =
          BigInt(terms.amountCents) * BigInt(terms.interest?.value ?? 0) * BigInt(daysLate);
        const twiceError = 2n * (exactNumerator - BigInt(interestCents) * 300_000n);
        expect(daysLate).toBe(daysBetween(terms.dueDate, paidOn));
        expect(twiceError >= -300_000n && twiceError < 300_000n).toBe(true);
      }),
    );
  });

  it('never costs less than its amount or the day before, and its parts add up', () => {
    fc.assert(
      fc.property(anyTerms, fc.integer({ min: -5, max: 70 }), (terms, days) => {
        const today = amountDueOn(terms, addDays(terms.dueDate, days));
        const tomorrow = amountDueOn(terms, addDays(terms.dueDate, days + 1));
        expect(today.totalCents).toBeGreaterThanOrEqual(terms.amountCents);
        expect(tomorrow.totalCents).toBeGreaterThanOrEqual(today.totalCents);
        expect(today.totalCents).toBe(today.amountCents + today.fineCents + today.interestCents);
        expect(today.totalCents).toBeLessThanOrEqual(MAX_AMOUNT_CENTS);
      }),
    );
  });

  it('costs no more than the ten digits of its bar code hold, however absurd its terms', () => {
    const value = Number.MAX_SAFE_INTEGER;
    for (const type of ['FIXED', 'PERCENTAGE'] as const) {
      const terms: DueTerms = { ...TERMS, interest: { value }, fine: { value, type } };
      expect(amountDueCents(terms, civilDate('2025-01-20'))).toBe(MAX_AMOUNT_CENTS);
      expect(amountDueCents({ ...terms, fine: null }, civilDate('2025-01-20'))).toBe(MAX_AMOUNT_CENTS);
    }
  });
});

describe('the last day to pay', () => {
  it('ends payment on the last day without additions if there are none', () => {
    expect(lastDayToPay({ ...TERMS, dueDate: SATURDAY, interest: null, fine: null })).toBe('2025-01-13');
  });

  it('ends payment 60 days later if there is interest or a fine', () => {
    expect(lastDayToPay({ ...TERMS, dueDate: SATURDAY, interest: null })).toBe('2025-03-14');
    expect(lastDayToPay({ ...TERMS, dueDate: SATURDAY, fine: null })).toBe('2025-03-14');
  });

  it('keeps the last day to pay if interest and fine are zero', () => {
    expect(lastDayToPay({ ...TERMS, interest: { value: 0 }, fine: { value: 0, type: 'FIXED' } })).toBe(
      '2025-01-10',
    );
  });
});
