import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { saoPauloDateOf } from '../../src/domain/civil-date.ts';
import { cyclePeriod, firstPeriodFrom, PRODUCT_CYCLES } from '../../src/domain/cycle.ts';

/** Days on which periods start, as São Paulo reads them. */
function startsOf(anchor: string, cycle: (typeof PRODUCT_CYCLES)[number], count: number): string[] {
  return Array.from({ length: count }, (_, index) =>
    saoPauloDateOf(cyclePeriod(new Date(anchor), cycle, index).startsAt),
  );
}

const anyAnchor = fc.date({ min: new Date('2020-01-01'), max: new Date('2060-01-01'), noInvalidDate: true });
const anyCycle = fc.constantFrom(...PRODUCT_CYCLES);
const anyIndex = fc.integer({ min: 0, max: 400 });

describe('firstPeriodFrom', () => {
  it('returns the first period that starts at the instant or later', () => {
    const anyInstant = fc.date({
      min: new Date('2010-01-01'),
      max: new Date('2999-01-01'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(anyAnchor, anyCycle, anyInstant, anyIndex, (anchor, cycle, instant, least) => {
        const startOf = (index: number) => cyclePeriod(anchor, cycle, index).startsAt.getTime();
        const first = firstPeriodFrom(anchor, cycle, instant, least);
        expect(first).toBeGreaterThanOrEqual(least);
        if (first > least) expect(startOf(first - 1)).toBeLessThan(instant.getTime());
        expect(startOf(first)).toBeGreaterThanOrEqual(instant.getTime());
        // An instant at which a period starts belongs to it.
        expect(firstPeriodFrom(anchor, cycle, new Date(startOf(first)), least)).toBe(first);
      }),
    );
  });

  it('finds it after centuries without a search week by week', () => {
    const [anchor, instant] = [new Date('2026-11-30T15:00:00Z'), new Date('2991-01-01T00:00:00Z')];
    // A second each, week by week.
    for (let time = 0; time < 1_000; time += 1)
      expect(firstPeriodFrom(anchor, 'WEEKLY', instant, 0)).toBe(50_304);
  });
});

describe('a billing period', () => {
  it('returns a period begun on 31 January to the 31st after each shorter month', () => {
    expect(startsOf('2028-01-31T15:00:00Z', 'MONTHLY', 6)).toEqual([
      '2028-01-31',
      '2028-02-29',
      '2028-03-31',
      '2028-04-30',
      '2028-05-31',
      '2028-06-30',
    ]);
  });

  it('renews a period begun on 29 February on the 28th, or the 29th in leap years', () => {
    expect(startsOf('2028-02-29T15:00:00Z', 'ANNUALLY', 5)).toEqual([
      '2028-02-29',
      '2029-02-28',
      '2030-02-28',
      '2031-02-28',
      '2032-02-29',
    ]);
  });

  it('advances by a week, a quarter or half a year exactly', () => {
    expect(startsOf('2026-12-30T15:00:00Z', 'WEEKLY', 3)).toEqual(['2026-12-30', '2027-01-06', '2027-01-13']);
    expect(startsOf('2026-11-30T15:00:00Z', 'QUARTERLY', 3)).toEqual([
      '2026-11-30',
      '2027-02-28',
      '2027-05-30',
    ]);
    expect(startsOf('2026-08-31T15:00:00Z', 'SEMIANNUALLY', 3)).toEqual([
      '2026-08-31',
      '2027-02-28',
      '2027-08-31',
    ]);
  });

  it('uses the day in São Paulo, not the day in UTC', () => {
    // 23:30 on 31 January in São Paulo.
    expect(startsOf('2027-02-01T02:30:00Z', 'MONTHLY', 2)).toEqual(['2027-01-31', '2027-02-28']);
  });

  it('joins periods without gap or overlap', () => {
    fc.assert(
      fc.property(anyAnchor, anyCycle, anyIndex, (anchor, cycle, index) => {
        const { startsAt, endsAt } = cyclePeriod(anchor, cycle, index);
        expect(endsAt).toEqual(cyclePeriod(anchor, cycle, index + 1).startsAt);
        expect(endsAt.getTime()).toBeGreaterThan(startsAt.getTime());
      }),
    );
  });

  it('starts on the anchor day, or on the last day of a shorter month', () => {
    fc.assert(
      fc.property(anyAnchor, anyCycle, anyIndex, (anchor, cycle, index) => {
        if (cycle === 'WEEKLY') return;
        const dayOf = (instant: Date) => Number(saoPauloDateOf(instant).slice(8));
        const { startsAt } = cyclePeriod(anchor, cycle, index);
        const [year = 0, month = 0] = saoPauloDateOf(startsAt).split('-').map(Number);
        const lastDay = new Date(Date.UTC(year, month, 0)).getUTCDate();
        expect(dayOf(startsAt)).toBe(Math.min(dayOf(anchor), lastDay));
      }),
    );
  });

  it('starts with the anchor itself, and keeps its time of day', () => {
    fc.assert(
      fc.property(anyAnchor, anyCycle, anyIndex, (anchor, cycle, index) => {
        expect(cyclePeriod(anchor, cycle, 0).startsAt).toEqual(anchor);
        const { startsAt } = cyclePeriod(anchor, cycle, index);
        // São Paulo has had one offset since 2019, so the time of day in UTC is the same too.
        expect(startsAt.getTime() % 86_400_000).toBe(anchor.getTime() % 86_400_000);
      }),
    );
  });
});
