import type { ChargeId } from '../../domain/ids.ts';
import { DUE_MARK, ownPartOf } from '../../ids.ts';

/** The part of an id after its prefix: 26 letters and digits (src/ids.ts), which a txid allows. */
const ULID_LENGTH = 26;

/**
 * The bank's id of a charge. It is derived from the charge's id, so a repeated request creates no second charge
 * (Bacen's document, `TxId`: 26 to 35 letters and digits).
 */
export function txidOf(chargeId: ChargeId): string {
  return chargeId.slice(-ULID_LENGTH);
}

/** Like {@link txidOf}, of a charge with a due date. Banks keep those in a resource of their own, which the txid alone names. */
export function dueTxidOf(chargeId: ChargeId): string {
  return `${DUE_MARK}${txidOf(chargeId)}`;
}

/** Whether a txid is one of {@link dueTxidOf}. */
export function isDueTxid(txid: string): boolean {
  return ownPartOf(txid) !== txid;
}

/** The bank's id of a refund or transfer, `tran_…` as `tran…`: 1 to 35 letters and digits. */
export function bankIdOf(reference: string): string {
  return reference.replace('_', '');
}

/** The reference behind a {@link bankIdOf}. Foreign ids stay as they are. */
export function referenceOfId(id: string): string {
  return /^[a-z]{4}[0-9A-Z]{26}$/.test(id) ? `${id.slice(0, 4)}_${id.slice(4)}` : id;
}

/** A return by the payer's bank: the payment and the bank's own id of the return. */
interface ReturnAtBank {
  readonly endToEndId: string;
  readonly refundId: string;
}

/** The id of a dispute: banks have none, and ids of returns are unique only within their payment. */
export function disputeIdOf({ endToEndId, refundId }: ReturnAtBank): string {
  return `${endToEndId}/${refundId}`;
}

/** The disputed payment, from the dispute's id. */
export function endToEndIdOfDispute(providerDisputeId: string): string {
  return providerDisputeId.split('/', 1)[0] ?? '';
}
