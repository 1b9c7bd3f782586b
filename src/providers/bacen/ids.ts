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

/** What the payer's bank takes back of a payment, by the payment and the bank's own id of the return. */
interface ReturnAtBank {
  readonly endToEndId: string;
  readonly refundId: string;
}

/** The id of a dispute: banks name none, and ids of returns are unique within their payment alone. */
export function disputeIdOf({ endToEndId, refundId }: ReturnAtBank): string {
  return `${endToEndId}/${refundId}`;
}

/** The payment that a dispute is about, by the dispute's id. */
export function endToEndIdOfDispute(providerDisputeId: string): string {
  return providerDisputeId.split('/', 1)[0] ?? '';
}
