import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { addBusinessDays, isBusinessDay, nextBusinessDay } from '../../src/domain/business-days.ts';
import {
  addDays,
  civilDate,
  daysBetween,
  saoPauloDateOf,
  saoPauloMidnight,
  weekday,
} from '../../src/domain/civil-date.ts';
import { civilDateBetween } from './arbitraries.ts';

const anyDate = civilDateBetween('1997-01-01', '2100-01-01');

/** Days off from Monday to Friday, as "MM-DD MM-DD …". */
function bankHolidaysOnWeekdays(year: number): string {
  const holidays: string[] = [];
  for (let day = civilDate(`${year}-01-01`); day.startsWith(`${year}`); day = addDays(day, 1)) {
    if (weekday(day) % 6 !== 0 && !isBusinessDay(day)) holidays.push(day.slice(5));
  }
  return holidays.join(' ');
}

describe('business days', () => {
  it.each([
    [2023, '02-20 02-21 04-07 04-21 05-01 06-08 09-07 10-12 11-02 11-15 12-25'],
    [2024, '01-01 02-12 02-13 03-29 05-01 05-30 11-15 11-20 12-25'],
    [2025, '01-01 03-03 03-04 04-18 04-21 05-01 06-19 11-20 12-25'],
    [2026, '01-01 02-16 02-17 04-03 04-21 05-01 06-04 09-07 10-12 11-02 11-20 12-25'],
  ])('excludes the bank holidays of %d that Febraban publishes', (year, holidays) => {
    expect(bankHolidaysOnWeekdays(year)).toBe(holidays);
  });

  it('excludes weekends from business days', () => {
    expect(isBusinessDay(civilDate('2024-11-09'))).toBe(false);
    expect(isBusinessDay(civilDate('2024-11-10'))).toBe(false);
    expect(isBusinessDay(civilDate('2024-11-11'))).toBe(true);
  });

  it('includes 20 November until it became a national holiday in 2024', () => {
    expect(isBusinessDay(civilDate('2023-11-20'))).toBe(true);
    expect(isBusinessDay(civilDate('2024-11-20'))).toBe(false);
  });

  it('includes Ash Wednesday and 31 December, on which banks settle', () => {
    expect(isBusinessDay(civilDate('2025-03-05'))).toBe(true);
    expect(isBusinessDay(civilDate('2025-12-31'))).toBe(true);
  });

  it.each([
    ['2000-03-07', '2000-04-21', '2000-06-22'],
    ['2008-02-05', '2008-03-21', '2008-05-22'],
    ['2019-03-05', '2019-04-19', '2019-06-20'],
    ['2038-03-09', '2038-04-23', '2038-06-24'],
    ['2049-03-02', '2049-04-16', '2049-06-17'],
    ['2076-03-03', '2076-04-17', '2076-06-18'],
    ['2100-02-09', '2100-03-26', '2100-05-27'],
  ])('excludes Carnival %s, Good Friday %s and Corpus Christi %s for every Easter', (...days) => {
    const dates = days.map(civilDate);
    const carnivalMonday = addDays(civilDate(days[0]), -1);
    expect(dates.map(weekday)).toEqual([2, 5, 4]);
    expect([carnivalMonday, ...dates].filter(isBusinessDay)).toEqual([]);
  });
});

describe('adding business days', () => {
  it('makes a boleto created on Monday due on Thursday, as in the public sample', () => {
    const dueDate = addBusinessDays(saoPauloDateOf(new Date('2024-11-04T14:22:00Z')), 3);
    expect(dueDate).toBe('2024-11-07');
    expect(saoPauloMidnight(dueDate).toISOString()).toBe('2024-11-07T03:00:00.000Z');
  });

  it('counts from the first business day after a weekend or holiday', () => {
    expect(addBusinessDays(civilDate('2024-11-09'), 1)).toBe('2024-11-11');
    expect(addBusinessDays(civilDate('2025-02-28'), 1)).toBe('2025-03-05');
    expect(addBusinessDays(civilDate('2024-11-09'), 0)).toBe('2024-11-11');
    expect(addBusinessDays(civilDate('2024-11-11'), 0)).toBe('2024-11-11');
  });

  it('lands on a business day with exactly that many business days passed', () => {
    fc.assert(
      fc.property(anyDate, fc.integer({ min: 1, max: 60 }), (date, count) => {
        const end = addBusinessDays(date, count);
        let passed = 0;
        for (let day = addDays(date, 1); day <= end; day = addDays(day, 1)) if (isBusinessDay(day)) passed++;
        expect(isBusinessDay(end)).toBe(true);
        expect(passed).toBe(count);
      }),
    );
  });

  it('never lands earlier for a later start or a larger count', () => {
    fc.assert(
      fc.property(anyDate, fc.integer({ min: 1, max: 30 }), fc.nat(30), (date, count, later) => {
        expect(addBusinessDays(addDays(date, later), count) >= addBusinessDays(date, count)).toBe(true);
        expect(addBusinessDays(date, count + 1) > addBusinessDays(date, count)).toBe(true);
      }),
    );
  });

  it('refuses to count backwards or in fractions', () => {
    expect(() => addBusinessDays(civilDate('2024-11-11'), -1)).toThrow(RangeError);
    expect(() => addBusinessDays(civilDate('2024-11-11'), 1.5)).toThrow(RangeError);
  });
});

describe('the next business day', () => {
  it('returns the same day if banks are open, or a day at most five days later', () => {
    fc.assert(
      fc.property(anyDate, (date) => {
        const next = nextBusinessDay(date);
        expect(isBusinessDay(next)).toBe(true);
        expect(next === date).toBe(isBusinessDay(date));
        expect(daysBetween(date, next)).toBeLessThanOrEqual(5);
      }),
    );
  });
});
