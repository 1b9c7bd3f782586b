import { buildBrCode, parseBrCode } from './pix.ts';

/**
 * The static BR Code that a payment with a txid is ordered with: key, txid and names of the given code, and the exact
 * amount. A bank is never given the code as it came. A code without an amount could not be paid, and whatever else it
 * carries (a location, another account template) might have the bank pay something that nobody has checked.
 *
 * @returns null if the code has no txid, or its key or txid is of a form that no PIX can carry.
 */
export function codeToPay(brCode: string, amountCents: number): string | null {
  const reading = parseBrCode(brCode);
  if (reading === null || reading.txid === null) return null;
  try {
    return buildBrCode({ ...reading, txid: reading.txid, amountCents });
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
