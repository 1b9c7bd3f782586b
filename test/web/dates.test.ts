import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { LOCALES } from '../../src/web/i18n/catalogs.ts';
import {
  clockText,
  dayText,
  exactTimeText,
  monthName,
  shortDay,
  shortMonth,
  spreadsheetTime,
  timeText,
  weekdayText,
} from '../../src/web/i18n/dates.ts';

/** 23:05:09 of the day before in São Paulo. */
const LATE = new Date('2026-12-03T02:05:09.000Z');

describe('dates', () => {
  it.each([
    ['a day', dayText, '02/12/2026', '2 Dec 2026', '02/12/2026'],
    ['a time', timeText, '02/12/2026, 23:05', '2 Dec 2026, 23:05', '02/12/2026, 23:05'],
    ['an exact time', exactTimeText, '02/12/2026, 23:05:09', '2 Dec 2026, 23:05:09', '02/12/2026, 23:05:09'],
    ['the hour', clockText, '23:05', '23:05', '23:05'],
    ['a weekday', weekdayText, 'quarta-feira, 02/12/2026', 'Wednesday, 2 Dec 2026', 'miércoles, 02/12/2026'],
    ['a short day', shortDay, '02/12', '2 Dec', '02/12'],
    ['a short month', shortMonth, 'dez 26', 'Dec 26', 'dic 26'],
    ['a month', monthName, 'Dezembro de 2026', 'December 2026', 'Diciembre de 2026'],
    ['a cell of a file', spreadsheetTime, '02/12/2026 23:05', '2026-12-02 23:05', '02/12/2026 23:05'],
  ] as const)('writes %s in one form per language', (_, format, portuguese, english, spanish) => {
    expect([format('pt-BR', LATE), format('en', LATE), format('es', LATE)]).toEqual([
      portuguese,
      english,
      spanish,
    ]);
    expect(format('en', LATE.toISOString())).toBe(english);
  });

  it.each(LOCALES)('keeps a day of the calendar in %s', (locale) => {
    expect(dayText(locale, '2026-12-02')).toBe(dayText(locale, LATE));
  });

  it('leaves no other file of pages, mails and invoices with a form of its own', () => {
    const others = ['src/web', 'src/mail', 'src/invoices'].flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .map((name) => join(folder, name))
        .filter((file) => /\.[jt]s$/.test(file) && file !== join('src/web/i18n/dates.ts'))
        .filter((file) => /DateTimeFormat|toLocale(?:Date|Time)?String/.test(readFileSync(file, 'utf8'))),
    );
    expect(others).toEqual([]);
  });
});
