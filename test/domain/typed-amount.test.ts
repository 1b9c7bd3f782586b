import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decimalOf, formatBrl } from '../../src/domain/money.ts';
import { parseTypedAmount } from '../../src/domain/typed-amount.ts';

describe('a typed amount', () => {
  it.each([
    ['10', 1_000],
    ['10,5', 1_050],
    ['10.5', 1_050],
    ['R$ 10', 1_000],
    ['r$10,00', 1_000],
    [' R$ 10 ', 1_000],
    ['49.90', 4_990],
    ['1.234,56', 123_456],
    ['1,234.56', 123_456],
    ['1.234.567', 123_456_700],
    ['1,234,567', 123_456_700],
    ['1234,5', 123_450],
    ['0,01', 1],
    ['0', 0],
    ['100000', 10_000_000],
  ])('reads %j as %i cents', (text, cents) => {
    expect(parseTypedAmount(text)).toEqual({ cents });
  });

  it.each(['1.234', '1,234', 'R$ 12.345', '999,000'])('refuses %j, which has two readings', (text) => {
    expect(parseTypedAmount(text)).toEqual({ problem: 'AMBIGUOUS' });
  });

  it.each([
    '',
    'R$',
    'ten',
    '-1,00',
    '1,2,3',
    '1.23.456,00',
    '1234.567',
    '0.123',
    '12,345',
    '1e3',
    '10,',
    ',5',
    '1.234,567',
    '1 000',
    '9999999999999',
    '１０',
  ])('finds no amount in %j', (text) => {
    expect(parseTypedAmount(text)).toHaveProperty('problem');
    expect(parseTypedAmount(text)).not.toHaveProperty('cents');
  });

  it('reads every amount back as the pages and the API write it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 99_999_999_999 }), (cents) => {
        const english = formatBrl(cents).replace(/[.,]/g, (sign) => (sign === '.' ? ',' : '.'));
        for (const text of [formatBrl(cents), decimalOf(cents), decimalOf(cents).replace('.', ','), english])
          expect(parseTypedAmount(text)).toEqual({ cents });
      }),
    );
  });
});
