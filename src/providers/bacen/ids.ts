import type { ChargeId } from '../../domain/ids.ts';

/** An id's part without its prefix: 26 letters and digits (src/ids.ts), which is what a txid may have. */
const ULID_LENGTH = 26;

/**
 * What the bank knows a charge by. It follows from the charge's id, so that asking twice asks for one
 * (Bacen's document, `TxId`: 26 to 35 letters and digits).
 */
export function txidOf(chargeId: ChargeId): string {
  return chargeId.slice(-ULID_LENGTH);
}

/** What the bank knows a refund or transfer by, `tran_…` as `tran…`: 1 to 35 letters and digits. */
export function bankIdOf(reference: string): string {
  return reference.replace('_', '');
}

/** The reference that {@link bankIdOf} was made of. Ids of others stay as they are. */
export function referenceOfId(id: string): string {
  return /^[a-z]{4}[0-9A-Z]{26}$/.test(id) ? `${id.slice(0, 4)}_${id.slice(4)}` : id;
}
