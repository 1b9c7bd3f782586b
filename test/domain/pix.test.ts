import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { hasError, isStaticPix, parsePix } from 'pix-utils';
import { crc16 } from '../../src/domain/crc16.ts';
import { decimalOf, MAX_AMOUNT_CENTS } from '../../src/domain/money.ts';
import { type BrCodeContent, buildBrCode, parseBrCode } from '../../src/domain/pix.ts';

/** The static code printed in Bacen's "Manual de Padrões para Iniciação do Pix". */
const BACEN_EXAMPLE =
  '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426655440000' +
  '5204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D';

const CONTENT: BrCodeContent = {
  key: '123e4567-e12b-12d1-a456-426655440000',
  merchantName: 'Fulano de Tal',
  merchantCity: 'BRASILIA',
  amountCents: 12_345,
  txid: 'bole0123456789ABC',
};

const PRINTABLE = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i));
const LETTERS_AND_DIGITS = PRINTABLE.filter((character) => /[A-Za-z0-9]/.test(character));

function textOf(characters: string[], maxLength: number): fc.Arbitrary<string> {
  return fc.string({ unit: fc.constantFrom(...characters), minLength: 1, maxLength });
}

const anyContent: fc.Arbitrary<BrCodeContent> = fc.record({
  key: textOf(PRINTABLE.slice(1), 77),
  merchantName: fc.string({ unit: 'grapheme', maxLength: 40 }),
  merchantCity: fc.string({ unit: 'grapheme', maxLength: 40 }),
  amountCents: fc.integer({ min: 1, max: MAX_AMOUNT_CENTS }),
  txid: textOf(LETTERS_AND_DIGITS, 25),
  description: fc.string({ unit: 'grapheme', maxLength: 120 }),
});

describe('the checksum of a BR Code', () => {
  it('calculates the checksum as CRC-16/CCITT-FALSE', () => {
    expect(crc16('123456789')).toBe('29B1');
    expect(crc16('')).toBe('FFFF');
    expect(crc16(BACEN_EXAMPLE.slice(0, -4))).toBe('1D3D');
  });

  it('detects any change of a single character', () => {
    const code = buildBrCode(CONTENT);
    const everyChange = fc.tuple(
      fc.nat(code.length - 1),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
    );
    fc.assert(
      fc.property(everyChange, ([position, character]) => {
        fc.pre(code[position] !== character);
        expect(parseBrCode(code.slice(0, position) + character + code.slice(position + 1))).toBeNull();
      }),
      { numRuns: 1000 },
    );
    for (let position = 0; position < code.length; position++) {
      for (const character of PRINTABLE.filter((other) => other !== code[position])) {
        expect(parseBrCode(code.slice(0, position) + character + code.slice(position + 1))).toBeNull();
      }
    }
  });
});

describe('a BR Code', () => {
  it('builds a code with the layout of Bacen’s manual', () => {
    expect(buildBrCode({ ...CONTENT, description: 'Pedido 1' })).toBe(
      withChecksum(
        '00020126700014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400000208Pedido 1' +
          '5204000053039865406123.455802BR5913Fulano de Tal6008BRASILIA62210517bole0123456789ABC',
      ),
    );
  });

  it.each([
    [1, '54040.01'],
    [100, '54041.00'],
    [MAX_AMOUNT_CENTS, '541199999999.99'],
    [999_999_999_999, '54139999999999.99'],
  ])('encodes %d cents exactly', (amountCents, element) => {
    const code = buildBrCode({ ...CONTENT, amountCents });
    expect(code).toContain(element);
    expect(parseBrCode(code)?.amountCents).toBe(amountCents);
  });

  it('gives back key, amount and transaction id whatever names and description hold', () => {
    fc.assert(
      fc.property(anyContent, (content) => {
        const code = buildBrCode(content);
        const reading = parseBrCode(code);
        expect(code).toMatch(/^[\x20-\x7e]+$/);
        expect(reading).toMatchObject({
          key: content.key,
          amountCents: content.amountCents,
          txid: content.txid,
        });
        expect(reading?.merchantName).toMatch(/^[\x21-\x7e]([\x20-\x7e]{0,23}[\x21-\x7e])?$/);
        expect(reading?.merchantCity).toMatch(/^[\x21-\x7e]([\x20-\x7e]{0,13}[\x21-\x7e])?$/);
      }),
      { numRuns: 500 },
    );
  });

  it('builds codes that pix-utils reads with the same content', () => {
    fc.assert(
      fc.property(anyContent, (content) => {
        const code = buildBrCode(content);
        const theirs = parsePix(code);
        if (hasError(theirs) || !isStaticPix(theirs)) throw new Error('pix-utils does not read it');
        const ours = parseBrCode(code);
        expect(theirs.pixKey).toBe(content.key);
        expect(theirs.txid).toBe(content.txid);
        expect(theirs.transactionAmount?.toFixed(2)).toBe(decimalOf(content.amountCents));
        expect(theirs.merchantName).toBe(ours?.merchantName);
        expect(theirs.merchantCity).toBe(ours?.merchantCity);
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['Padaria São João', 'Padaria Sao Joao'],
    ['Açaí 🍇 da Praça', 'Acai da Praca'],
    ['Comércio de Materiais Elétricos Ltda', 'Comercio de Materiais Ele'],
    ['Um nome com espaço no corte', 'Um nome com espaco no cor'],
    ['Vinte e quatro letras aa bcd', 'Vinte e quatro letras aa'],
    ['🍇', 'NAO INFORMADO'],
    ['', 'NAO INFORMADO'],
  ])('names the merchant %p as %p', (merchantName, shown) => {
    expect(parseBrCode(buildBrCode({ ...CONTENT, merchantName }))?.merchantName).toBe(shown);
  });

  it('cuts the city to 15 characters', () => {
    const code = buildBrCode({ ...CONTENT, merchantCity: 'São José dos Campos' });
    expect(parseBrCode(code)?.merchantCity).toBe('Sao Jose dos Ca');
  });

  it('leaves the description out when the key takes all the room', () => {
    const code = buildBrCode({ ...CONTENT, key: 'k'.repeat(77), description: 'Pedido 1' });
    expect(code).not.toContain('Pedido');
    expect(parseBrCode(code)?.key).toBe('k'.repeat(77));
  });

  it.each<[string, Partial<BrCodeContent>]>([
    ['no key', { key: '' }],
    ['a key that is too long', { key: 'k'.repeat(78) }],
    ['a key with a space', { key: 'a b' }],
    ['no txid', { txid: '' }],
    ['a txid that is too long', { txid: 'a'.repeat(26) }],
    ['punctuation in the txid', { txid: 'bole_1' }],
    ['an amount of zero', { amountCents: 0 }],
    ['part of a cent', { amountCents: 1.5 }],
    ['an amount that is too large', { amountCents: 1_000_000_000_000 }],
    ['no number as amount', { amountCents: Number.NaN }],
  ])('is not built with %s', (_, wrong) => {
    expect(() => buildBrCode({ ...CONTENT, ...wrong })).toThrow(RangeError);
  });
});

describe('reading a BR Code', () => {
  it('reads Bacen’s example, which leaves amount and transaction id open', () => {
    expect(parseBrCode(BACEN_EXAMPLE)).toEqual({
      key: '123e4567-e12b-12d1-a456-426655440000',
      amountCents: null,
      txid: null,
      merchantName: 'Fulano de Tal',
      merchantCity: 'BRASILIA',
    });
  });

  const head = '00020126330014br.gov.bcb.pix0111fulano@b.co52040000';
  const tail = '5802BR5906Fulano6008BRASILIA62070503***';

  it.each([
    ['10', 1_000],
    ['10.5', 1_050],
    ['10.50', 1_050],
    ['0.07', 7],
  ])('reads the amount %s as %d cents', (decimal, cents) => {
    const code = withChecksum(`${head}530398654${String(decimal.length).padStart(2, '0')}${decimal}${tail}`);
    expect(parseBrCode(code)?.amountCents).toBe(cents);
  });

  it.each([
    ['is in another currency', `${head}5303840${tail}`],
    ['has an amount with three decimals', `${head}530398654051.234${tail}`],
    ['has a negative amount', `${head}53039865405-1.00${tail}`],
    ['says the currency twice', `${head}53039865303986${tail}`],
    ['has a length beyond its end', `${head}5303986${tail}6299`],
    ['refers to a charge by URL', `00020126300014br.gov.bcb.pix2508pix.b.co520400005303986${tail}`],
    ['is not Pix', `00020126230015com.example.pay0100520400005303986${tail}`],
    ['has no merchant', `${head}53039865802BR6008BRASILIA62070503***`],
  ])('refuses a BR Code that %s', (_, unsigned) => {
    expect(parseBrCode(withChecksum(unsigned))).toBeNull();
  });

  it('refuses text that is not a BR Code', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(parseBrCode(text)).toBeNull();
        expect(parseBrCode(withChecksum(text))).toBeNull();
      }),
    );
  });
});

function withChecksum(unsigned: string): string {
  return `${unsigned}6304${crc16(`${unsigned}6304`)}`;
}
