import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { codeToPay } from '../../src/domain/code-to-pay.ts';
import { MAX_AMOUNT_CENTS } from '../../src/domain/money.ts';
import { buildBrCode, parseBrCode } from '../../src/domain/pix.ts';
import { AMOUNT_ELEMENT, changedCode, payeeCode } from '../support/outside/payee-codes.ts';

describe('the code that a payment with a txid is ordered with', () => {
  it('keeps key, txid and names, and leaves out whatever else the code carries', () => {
    const account = '0014br.gov.bcb.pix0115ana@example.com';
    const given = changedCode(
      payeeCode(),
      `2637${account}`,
      // A description, and the account template of another scheme.
      `2648${account}0207Aluguel27260014com.other.pays0104evil`,
    );
    expect(parseBrCode(given)).toMatchObject({ key: 'ana@example.com', txid: 'PEDIDO1042' });
    expect(codeToPay(given, 700)).toBe(payeeCode());
  });

  it('adds the exact amount if the code leaves it open', () => {
    const open = changedCode(payeeCode(), AMOUNT_ELEMENT, '');
    expect(parseBrCode(open)?.amountCents).toBeNull();
    expect(codeToPay(open, 650)).toBe(payeeCode({ amountCents: 650 }));
  });

  it.each([
    ['the code has no txid', changedCode(payeeCode(), '62140510PEDIDO1042', '62070503***')],
    ['the txid is no txid', changedCode(payeeCode(), 'PEDIDO1042', 'PEDIDO-042')],
    ['the key has spaces', changedCode(payeeCode(), 'ana@example.com', 'ana example com')],
    ['the code is damaged', payeeCode().replace('7.00', '8.00')],
  ])('returns no code if %s', (_, code) => {
    expect(codeToPay(code, 700)).toBeNull();
  });

  it('keeps key, txid and amount of any code that can be built', () => {
    const letters = fc.constantFrom(...'ABCxyz0189');
    const content = fc.record({
      key: fc.string({ unit: letters, minLength: 1, maxLength: 77 }),
      txid: fc.string({ unit: letters, minLength: 1, maxLength: 25 }),
      amountCents: fc.integer({ min: 1, max: MAX_AMOUNT_CENTS }),
      merchantName: fc.string({ unit: 'grapheme', maxLength: 40 }),
      merchantCity: fc.string({ unit: 'grapheme', maxLength: 40 }),
      description: fc.string({ unit: 'grapheme', maxLength: 90 }),
    });
    fc.assert(
      fc.property(content, (given) => {
        const { key, txid, amountCents } = given;
        const ordered = codeToPay(buildBrCode(given), amountCents);
        expect(ordered && parseBrCode(ordered)).toMatchObject({ key, txid, amountCents });
      }),
    );
  });
});
