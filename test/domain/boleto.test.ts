import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  barCodeOf,
  buildBarCode,
  buildFreeField,
  digitableLine,
  dueFactor,
  formatDigitableLine,
  parseDigitableLine,
} from '../../src/domain/boleto.ts';
import { addDays, civilDate, daysBetween } from '../../src/domain/civil-date.ts';
import { MAX_AMOUNT_CENTS } from '../../src/domain/money.ts';
import { civilDateBetween } from './arbitraries.ts';

/** Banco do Brasil's published example: R$ 1,00 due on 31 December 2007. */
const PUBLISHED_LINE = '00190.50095 40144.816069 06809.350314 3 37370000000100';
const PUBLISHED_BAR_CODE = '00193373700000001000500940144816060680935031';

function digits(length: number): fc.Arbitrary<string> {
  return fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: length, maxLength: length });
}

const anyContent = fc.record({
  bankCode: digits(3),
  dueDate: civilDateBetween('1997-10-08', '2099-12-31'),
  amountCents: fc.integer({ min: 1, max: MAX_AMOUNT_CENTS }),
  freeField: digits(25),
});

describe('the due factor', () => {
  it.each([
    ['1997-10-08', 1],
    ['2000-07-03', 1000],
    ['2010-11-17', 4789],
    ['2025-02-21', 9999],
    ['2025-02-22', 1000],
    ['2049-10-13', 9999],
    ['2049-10-14', 1000],
  ])('numbers the due factor of %s as %d', (date, factor) => {
    expect(dueFactor(civilDate(date))).toBe(factor);
  });

  it('gives each day of the present cycle a unique due factor', () => {
    const cycleStart = civilDate('2025-02-22');
    fc.assert(
      fc.property(civilDateBetween('2025-02-22', '2049-10-13'), (date) => {
        expect(addDays(cycleStart, dueFactor(date) - 1000)).toBe(date);
      }),
    );
  });

  it('differs between days less than a cycle apart', () => {
    const date = civilDateBetween('2000-07-03', '2090-01-01');
    fc.assert(
      fc.property(date, fc.integer({ min: 1, max: 8999 }), (first, days) => {
        expect(dueFactor(first)).not.toBe(dueFactor(addDays(first, days)));
        expect(dueFactor(first)).toBe(dueFactor(addDays(first, 9000)));
      }),
    );
  });

  it('refuses a due factor for days before the count began', () => {
    expect(() => dueFactor(civilDate('1997-10-07'))).toThrow(RangeError);
  });
});

describe('a bar code', () => {
  it('builds the bar code and line that Banco do Brasil publishes', () => {
    const dueDate = civilDate('2007-12-31');
    const freeField = '0500940144816060680935031';
    expect(buildBarCode({ bankCode: '001', dueDate, amountCents: 100, freeField })).toBe(PUBLISHED_BAR_CODE);
    expect(formatDigitableLine(digitableLine(PUBLISHED_BAR_CODE))).toBe(PUBLISHED_LINE);
  });

  it('carries the bank’s own data in 25 digits', () => {
    expect(buildFreeField({ agency: '1', account: '234', wallet: '9', ourNumber: '12345678901' })).toBe(
      '0001091234567890100002340',
    );
    const tooLong = { agency: '12345', account: '1', wallet: '1', ourNumber: '1' };
    expect(() => buildFreeField(tooLong)).toThrow(RangeError);
    expect(() => buildFreeField({ ...tooLong, agency: '' })).toThrow(RangeError);
  });

  it.each([
    ['bank code', { bankCode: '1' }],
    ['amount', { amountCents: MAX_AMOUNT_CENTS + 1 }],
    ['free field', { freeField: '0'.repeat(24) }],
  ])('refuses to build a bar code when the %s does not fit', (_, wrong) => {
    const right = {
      bankCode: '001',
      dueDate: civilDate('2025-06-01'),
      amountCents: 300,
      freeField: '0'.repeat(25),
    };
    expect(() => buildBarCode({ ...right, ...wrong })).toThrow(RangeError);
  });
});

describe('a digitable line', () => {
  it('reads a digitable line with or without punctuation', () => {
    const reading = {
      barCode: PUBLISHED_BAR_CODE,
      bankCode: '001',
      amountCents: 100,
      dueFactor: 3737,
      freeField: '0500940144816060680935031',
    };
    expect(parseDigitableLine(PUBLISHED_LINE)).toEqual(reading);
    expect(parseDigitableLine(PUBLISHED_LINE.replace(/\D/g, ''))).toEqual(reading);
  });

  it('decodes a line into the fields of its bar code', () => {
    fc.assert(
      fc.property(anyContent, (content) => {
        const barCode = buildBarCode(content);
        const line = digitableLine(barCode);
        expect(barCode).toMatch(/^\d{44}$/);
        expect(line).toMatch(/^\d{47}$/);
        expect(barCodeOf(line)).toBe(barCode);
        expect(parseDigitableLine(formatDigitableLine(line))).toEqual({
          barCode,
          bankCode: content.bankCode,
          amountCents: content.amountCents,
          dueFactor: dueFactor(content.dueDate),
          freeField: content.freeField,
        });
      }),
    );
  });

  it('refuses any wrong digit, except in due factor or amount with check digit 1', () => {
    fc.assert(
      fc.property(anyContent, (content) => {
        const line = digitableLine(buildBarCode(content));
        const passing = singleDigitErrors(line).filter(({ wrong }) => parseDigitableLine(wrong) !== null);
        expect(passing.filter(({ position }) => position < 33 || line[32] !== '1')).toEqual([]);
      }),
    );
  });

  it('misses some wrong amounts with check digit 1, which three remainders share', () => {
    const dueDate = civilDate('2025-06-02');
    const freeField = '0'.repeat(25);
    const passing = Array.from({ length: 100 }, (_, i) => i + 300).flatMap((amountCents) => {
      const line = digitableLine(buildBarCode({ bankCode: '001', dueDate, amountCents, freeField }));
      return singleDigitErrors(line).filter(({ wrong }) => parseDigitableLine(wrong) !== null);
    });
    expect(passing.length).toBeGreaterThan(0);
    expect(passing.every(({ wrong }) => wrong[32] === '1')).toBe(true);
  });

  it.each(['', PUBLISHED_LINE.slice(1), `${PUBLISHED_LINE}0`, PUBLISHED_LINE.replace('3 3', 'A 3')])(
    'refuses %p as a digitable line',
    (text) => {
      expect(parseDigitableLine(text)).toBeNull();
    },
  );

  it('refuses another currency even if its check digits are right', () => {
    const inReais = buildBarCode({
      bankCode: '001',
      dueDate: civilDate('2025-06-02'),
      amountCents: 1,
      freeField: '0'.repeat(25),
    });
    const readings = Array.from({ length: 10 }, (_, digit) => `0018${digit}${inReais.slice(5)}`).map(
      (barCode) => parseDigitableLine(digitableLine(barCode)),
    );
    expect(readings.every((reading) => reading === null)).toBe(true);
  });

  it('prints the amount and the due factor at the end of the line', () => {
    const dueDate = civilDate('2025-06-02');
    const line = digitableLine(
      buildBarCode({ bankCode: '001', dueDate, amountCents: 12_345, freeField: '0'.repeat(25) }),
    );
    expect(line.slice(33)).toBe('11000000012345');
    expect(daysBetween(civilDate('2025-02-22'), dueDate)).toBe(100);
  });
});

function singleDigitErrors(line: string): { wrong: string; position: number }[] {
  return [...line].flatMap((right, position) =>
    [...'0123456789']
      .filter((digit) => digit !== right)
      .map((digit) => ({ wrong: line.slice(0, position) + digit + line.slice(position + 1), position })),
  );
}
