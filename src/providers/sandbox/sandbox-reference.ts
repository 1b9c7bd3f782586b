/** A BR Code's txid holds 25 letters and digits; the end of an id is its random part and most of its time. */
const TXID_LENGTH = 25;

/** The sandbox's id of a charge, or of a debit; an id that is one already stays as it is. */
export function sandboxReferenceOf(chargeId: string): string {
  return chargeId.slice(-TXID_LENGTH);
}
