import { describe, expect, it } from '@jest/globals';
import { expiringMonths, lastValidDay, shownExpiry } from '../../src/domain/card-expiry.ts';
import { addDays, type CivilDate, civilDate, daysBetween } from '../../src/domain/civil-date.ts';

/** Which announcement a card gets on a day if none was made before. */
function announcedOn(day: CivilDate, expiryMonth: string): number | null {
  const found = expiringMonths(day).filter(({ after, until }) => expiryMonth > after && expiryMonth <= until);
  expect(found.length).toBeLessThanOrEqual(1);
  return found[0]?.days ?? null;
}

describe('the expiry of a card', () => {
  it('finds the last valid day of a card in its month', () => {
    expect(lastValidDay('2027-02')).toBe('2027-02-28');
    expect(lastValidDay('2028-02')).toBe('2028-02-29');
    expect(lastValidDay('2027-12')).toBe('2027-12-31');
  });

  it('shows an expiry as numbers of month and year, or as unknown', () => {
    expect(shownExpiry('2027-02')).toEqual({ expiryMonth: 2, expiryYear: 2027 });
    expect(shownExpiry(null)).toEqual({ expiryMonth: null, expiryYear: null });
  });

  it.each([
    ['2027-01-28', null],
    ['2027-01-29', 30],
    ['2027-02-20', 30],
    ['2027-02-21', 7],
    ['2027-02-28', 7],
    ['2027-03-01', null],
  ])('announces a card of February on %s as expiring in %s days', (day, days) => {
    expect(announcedOn(civilDate(day), '2027-02')).toBe(days);
  });

  it('announces a card by the days that are left, on every day of six years', () => {
    for (let day = civilDate('2026-01-01'); day < '2032-01-01'; day = addDays(day, 1)) {
      for (const month of ['2026-12', '2028-02', '2030-04', '2031-01']) {
        const left = daysBetween(day, lastValidDay(month));
        const due = left < 0 || left > 30 ? null : left > 7 ? 30 : 7;
        expect([day, month, announcedOn(day, month)]).toEqual([day, month, due]);
      }
    }
  });
});
