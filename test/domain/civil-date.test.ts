import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  addDays,
  civilDate,
  daysBetween,
  isCivilDate,
  isDayOnly,
  saoPauloDateOf,
  saoPauloMidnight,
  saoPauloNoon,
  weekday,
} from '../../src/domain/civil-date.ts';
import { civilDateBetween } from './arbitraries.ts';

const anyDate = civilDateBetween('1997-01-01', '2100-12-31');

describe('a civil date', () => {
  it.each(['2024-02-29', '2000-02-29', '1997-10-07', '2100-12-31'])('accepts the civil date %s', (text) => {
    expect(isCivilDate(text)).toBe(true);
  });

  it.each([
    '2023-02-29',
    '2100-02-29',
    '2024-02-30',
    '2024-13-01',
    '2024-00-10',
    '2024-1-1',
    '20240101',
    '2024-01-01T00:00',
    ' 2024-01-01',
    '2024-01-01\n',
    '٢٠٢٤-٠١-٠١',
    '',
  ])('refuses the civil date %p', (text) => {
    expect(isCivilDate(text)).toBe(false);
    expect(() => civilDate(text)).toThrow(RangeError);
  });

  it('counts civil dates without gaps', () => {
    expect(addDays(civilDate('2024-02-28'), 1)).toBe('2024-02-29');
    expect(addDays(civilDate('2024-12-31'), 1)).toBe('2025-01-01');
    expect(addDays(civilDate('2025-03-01'), -1)).toBe('2025-02-28');
    fc.assert(
      fc.property(anyDate, fc.integer({ min: -400, max: 400 }), (date, days) => {
        expect(daysBetween(date, addDays(date, days))).toBe(days);
      }),
    );
  });

  it('lets noon stand for a day without a time, and no other instant', () => {
    expect(saoPauloNoon(civilDate('2026-11-27'))).toEqual(new Date('2026-11-27T15:00:00.000Z'));
    fc.assert(
      fc.property(anyDate, (date) => {
        const noon = saoPauloNoon(date);
        expect(saoPauloDateOf(noon)).toBe(date);
        expect(isDayOnly(noon)).toBe(true);
        expect(isDayOnly(new Date(noon.getTime() + 1))).toBe(false);
        expect(isDayOnly(saoPauloMidnight(date))).toBe(false);
      }),
    );
  });

  it('returns the weekday of a civil date', () => {
    expect(weekday(civilDate('2024-11-03'))).toBe(0);
    expect(weekday(civilDate('2024-11-09'))).toBe(6);
    fc.assert(
      fc.property(anyDate, (date) => {
        expect(weekday(addDays(date, 1))).toBe((weekday(date) + 1) % 7);
      }),
    );
  });
});

describe('São Paulo time', () => {
  it('places São Paulo three hours behind UTC', () => {
    expect(saoPauloDateOf(new Date('2024-11-05T02:59:59.999Z'))).toBe('2024-11-04');
    expect(saoPauloDateOf(new Date('2024-11-05T03:00:00.000Z'))).toBe('2024-11-05');
    expect(saoPauloMidnight(civilDate('2024-11-07')).toISOString()).toBe('2024-11-07T03:00:00.000Z');
  });

  it('places São Paulo two hours behind UTC in daylight saving', () => {
    expect(saoPauloMidnight(civilDate('2018-12-25')).toISOString()).toBe('2018-12-25T02:00:00.000Z');
  });

  it('starts a day at one in the morning if daylight saving skips midnight', () => {
    expect(saoPauloMidnight(civilDate('2018-11-04')).toISOString()).toBe('2018-11-04T03:00:00.000Z');
  });

  it('starts a day at the second midnight when daylight saving ends', () => {
    expect(saoPauloMidnight(civilDate('2018-02-18')).toISOString()).toBe('2018-02-18T03:00:00.000Z');
  });

  it('starts every day from 1997 to 2100 at midnight', () => {
    fc.assert(
      fc.property(anyDate, (date) => {
        const midnight = saoPauloMidnight(date);
        expect(saoPauloDateOf(midnight)).toBe(date);
        expect(saoPauloDateOf(new Date(midnight.getTime() - 1))).toBe(addDays(date, -1));
      }),
      { numRuns: 1000 },
    );
  });
});
