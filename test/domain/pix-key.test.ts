import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { buildBrCode } from '../../src/domain/pix.ts';
import { otherAmountOf, PIX_KEY_TYPES, parsePixKey } from '../../src/domain/pix-key.ts';

const CODE_CONTENT = {
  key: 'ana@example.com',
  merchantName: 'Ana Souza',
  merchantCity: 'Recife',
  amountCents: 2_500,
  txid: 'PEDIDO1042',
};
const BR_CODE = buildBrCode(CODE_CONTENT);

/** A code that leaves the amount open, with a checksum that fits. */
const OPEN_CODE =
  '00020126370014br.gov.bcb.pix0115ana@example.com5204000053039865802BR5909Ana Souza6006Recife62070503***6304F5A1';

describe('a PIX key', () => {
  it.each([
    ['CPF', '529.982.247-25', '52998224725'],
    ['CPF', '52998224725', '52998224725'],
    ['CNPJ', '11.222.333/0001-81', '11222333000181'],
    ['CNPJ', '11222333000181', '11222333000181'],
    ['CNPJ', '12.ABC.345/01DE-35', '12ABC34501DE35'],
    ['CNPJ', '12ABC34501DE35', '12ABC34501DE35'],
    ['PHONE', '+5511912345678', '+5511912345678'],
    ['PHONE', '+55 (11) 91234-5678', '+5511912345678'],
    ['PHONE', '5511912345678', '+5511912345678'],
    ['PHONE', '(11) 91234-5678', '+5511912345678'],
    ['PHONE', '1131234567', '+551131234567'],
    ['PHONE', '(55) 99123-4567', '+5555991234567'],
    ['PHONE', '+55 55 99123-4567', '+5555991234567'],
    ['EMAIL', 'Ana.Souza+pix@Example.com', 'ana.souza+pix@example.com'],
    ['EMAIL', `${'a'.repeat(65)}@example.com`, `${'a'.repeat(65)}@example.com`],
    ['RANDOM', '2F9C1B7E-5A34-4D0F-9B1E-7C6A8D3E4F50', '2f9c1b7e-5a34-4d0f-9b1e-7c6a8d3e4f50'],
    ['BR_CODE', BR_CODE, BR_CODE],
    ['BR_CODE', OPEN_CODE, OPEN_CODE],
  ] as const)('normalizes a key of type %s: %s becomes %s', (type, text, kept) => {
    expect(parsePixKey(type, text)).toBe(kept);
  });

  it.each([
    ['CPF', '529.982.247-24', 'wrong check digits'],
    ['CPF', '11222333000181', 'a CNPJ'],
    ['CPF', '529982247-25', 'half the punctuation'],
    ['CNPJ', '12.ABC.345/01DE-36', 'wrong check digits'],
    ['CNPJ', '52998224725', 'a CPF'],
    ['CNPJ', '12.abc.345/01de-35', 'lower case'],
    ['PHONE', '+1 191 234 5678', 'another country'],
    ['PHONE', '+11912345678', 'another country, though the digits would do in São Paulo'],
    ['PHONE', '+55991234567', 'no area code'],
    ['PHONE', '5491123456789', 'another country without its plus'],
    ['PHONE', '912345678', 'no area code'],
    ['PHONE', '11812345678', 'a mobile number that does not begin with 9'],
    ['PHONE', '01912345678', 'no such area code'],
    ['PHONE', '11 91234-5678 ramal 2', 'an extension'],
    ['PHONE', '', 'nothing'],
    ['EMAIL', 'ana', 'no domain'],
    ['EMAIL', 'ana@example', 'no top-level domain'],
    ['EMAIL', 'ana @example.com', 'a space'],
    ['EMAIL', 'ana@example.com\n', 'a line break'],
    ['EMAIL', 'anа@example.com', 'a Cyrillic letter'],
    ['EMAIL', `${'a'.repeat(66)}@example.com`, '78 characters'],
    ['RANDOM', '2f9c1b7e5a344d0f9b1e7c6a8d3e4f50', 'no hyphens'],
    ['RANDOM', '2f9c1b7e-5a34-4d0f-9b1e-7c6a8d3e4f5g', 'a letter beyond f'],
    ['BR_CODE', `${BR_CODE.slice(0, -1)}${BR_CODE.endsWith('0') ? '1' : '0'}`, 'a wrong checksum'],
    ['BR_CODE', BR_CODE.replace('25.00', '26.00'), 'an amount that was changed'],
    ['BR_CODE', 'ana@example.com', 'a key'],
  ] as const)('refuses a key of type %s: %j, for %s', (type, text, _why) => {
    expect(parsePixKey(type, text)).toBeNull();
  });

  it('returns a normalized key unchanged', () => {
    const digits = (length: number) => fc.stringMatching(new RegExp(`^\\d{${length}}$`));
    const phone = fc
      .tuple(fc.constantFrom('', '+', '55', '+55', '+55 '), fc.oneof(digits(10), digits(11)))
      .map((parts) => parts.join(''));
    const code = fc
      .record({ amountCents: fc.integer({ min: 1, max: 9_999_999_999 }), merchantName: fc.string() })
      .map((changes) => buildBrCode({ ...CODE_CONTENT, ...changes }));
    const text = fc.oneof(phone, fc.emailAddress(), fc.uuid(), code, fc.string(), digits(11), digits(14));
    fc.assert(
      fc.property(fc.constantFrom(...PIX_KEY_TYPES), text, (type, given) => {
        const kept = parsePixKey(type, given);
        if (kept !== null) expect(parsePixKey(type, kept)).toBe(kept);
      }),
      { numRuns: 1_000 },
    );
  });

  it('accepts a phone number with or without the country code', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[1-9]{2}(9\d{8}|[2-5]\d{7})$/), (national) => {
        for (const text of [national, `55${national}`, `+55${national}`, `+55 ${national}`])
          expect(parsePixKey('PHONE', text)).toBe(`+55${national}`);
      }),
    );
  });
});

describe('the amount that a BR Code asks for', () => {
  it('reports no other amount if the code has the same amount or leaves it open', () => {
    expect(otherAmountOf(BR_CODE, 2_500)).toBeNull();
    expect(otherAmountOf(OPEN_CODE, 2_500)).toBeNull();
  });

  it("reports the code's amount if it differs from the amount to send", () => {
    expect(otherAmountOf(BR_CODE, 2_501)).toBe(2_500);
  });
});
