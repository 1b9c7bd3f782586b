import { crc16 } from '../../../src/domain/crc16.ts';
import { buildBrCode } from '../../../src/domain/pix.ts';

/** The static BR Code of a payee who recognises the payment by its txid. */
export function payeeCode({ amountCents = 700, txid = 'PEDIDO1042', key = 'ana@example.com' } = {}): string {
  return buildBrCode({ key, merchantName: 'Ana Souza', merchantCity: 'Recife', amountCents, txid });
}

/** The same code with something else in it, such as no amount, and a checksum that is right again. */
export function changedCode(code: string, what: string | RegExp, into: string): string {
  const unsigned = code.slice(0, -4).replace(what, into);
  return unsigned + crc16(unsigned);
}

/** The element that says the amount. */
export const AMOUNT_ELEMENT = /54\d\d[\d.]+(?=5802BR)/;
