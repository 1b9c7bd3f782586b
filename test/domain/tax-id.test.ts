import { describe, expect, it } from '@jest/globals';
import { cnpj, cpf } from 'cpf-cnpj-validator';
import fc from 'fast-check';
import { formatTaxId, maskTaxId, parseTaxId } from '../../src/domain/tax-id.ts';

const DIGITS = [...'0123456789'];
const CAPITALS_AND_DIGITS = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

const anyCpf = textOf(DIGITS, 9).map((base) => withCheckDigits(base, cpf.verifierDigit));
const anyCnpj = textOf(CAPITALS_AND_DIGITS, 12).map((base) => withCheckDigits(base, cnpj.verifierDigit));
const anyTaxId = fc.oneof(anyCpf, anyCnpj).filter((bare) => !/^(.)\1*$/.test(bare));

function textOf(characters: string[], length: number): fc.Arbitrary<string> {
  return fc.string({ unit: fc.constantFrom(...characters), minLength: length, maxLength: length });
}

function withCheckDigits(base: string, digitOf: (digits: string) => number): string {
  const first = digitOf(base);
  return `${base}${first}${digitOf(`${base}${first}`)}`;
}

describe('a tax id', () => {
  it.each([
    ['529.982.247-25', 'CPF', '52998224725'],
    ['52998224725', 'CPF', '52998224725'],
    ['123.456.789-09', 'CPF', '12345678909'],
    ['11.222.333/0001-81', 'CNPJ', '11222333000181'],
    ['11222333000181', 'CNPJ', '11222333000181'],
    ['12.ABC.345/01DE-35', 'CNPJ', '12ABC34501DE35'],
    ['12ABC34501DE35', 'CNPJ', '12ABC34501DE35'],
  ])('reads %s as a %s', (text, kind, bare) => {
    expect(parseTaxId(text)).toEqual({ kind, bare });
  });

  it.each([
    ['a wrong CPF check digit', '529.982.247-24'],
    ['a wrong CNPJ check digit', '11.222.333/0001-80'],
    ['a wrong alphanumeric check digit', '12.ABC.345/01DE-36'],
    ['lowercase letters', '12.abc.345/01de-35'],
    ['letters as check digits', '12ABC34501DEAB'],
    ['half the punctuation', '529982247-25'],
    ['spaces around it', ' 52998224725'],
    ['a line break after it', '52998224725\n'],
    ['digits of another script', '٥٢٩٩٨٢٢٤٧٢٥'],
    ['a leading zero lost', '1222333000181'],
    ['nothing', ''],
  ])('refuses a tax ID with %s', (_, text) => {
    expect(parseTaxId(text)).toBeNull();
  });

  it.each(DIGITS)('refuses a tax ID that is %s repeated', (digit) => {
    expect(parseTaxId(digit.repeat(11))).toBeNull();
    expect(parseTaxId(digit.repeat(14))).toBeNull();
  });

  it('reads a tax ID with and without punctuation alike', () => {
    fc.assert(
      fc.property(anyTaxId, (bare) => {
        expect(parseTaxId(bare)).toEqual({ kind: bare.length === 11 ? 'CPF' : 'CNPJ', bare });
        expect(parseTaxId(formatTaxId(bare))).toEqual(parseTaxId(bare));
      }),
    );
  });

  it('refuses every other pair of check digits', () => {
    fc.assert(
      fc.property(anyTaxId, fc.integer({ min: 1, max: 99 }), (bare, offset) => {
        const wrong = String((Number(bare.slice(-2)) + offset) % 100).padStart(2, '0');
        expect(parseTaxId(bare.slice(0, -2) + wrong)).toBeNull();
      }),
    );
  });

  it('formats a tax ID with its punctuation', () => {
    expect(formatTaxId('52998224725')).toBe('529.982.247-25');
    expect(formatTaxId('12ABC34501DE35')).toBe('12.ABC.345/01DE-35');
  });

  it('masks a tax ID to the digits that webhooks may show', () => {
    expect(maskTaxId('12345678909')).toBe('123.***.***-**');
    expect(maskTaxId('12345678000195')).toBe('12.***.***/0001-**');
    expect(maskTaxId('12ABC34501DE35')).toBe('12.***.***/01DE-**');
  });
});
