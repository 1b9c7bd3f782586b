import type { Payout } from '../database/entities/payout.ts';
import { payeeKeyOf } from '../domain/payee.ts';
import type { SendPix, SentTransfer } from '../providers/ports/payouts.ts';
import { mayBeSameKey } from '../providers/same-key.ts';

/**
 * Whether a listed transfer with a payout's reference has the payout's content. The reference is derived from the
 * request, so other content belongs to another request. The key of the store's own account is a setting that may
 * have changed since, so it is not compared.
 */
export function isTransferOf(
  { amountCents, pixKeyType, pixKey }: Payout,
  { amountCents: listedCents, payeeKey }: SentTransfer,
): boolean {
  if (listedCents !== amountCents) return false;
  if (payeeKey === null || pixKeyType === null || pixKey === null) return true;
  return mayBeSameKey(payeeKey, payeeKeyOf({ type: pixKeyType, key: pixKey }));
}

/** The input for sending a transfer, or looking it up. */
export function transferOf({ id, amountCents, pixKey, pixKeyType, payeeTxid }: Payout, now: Date): SendPix {
  const destination =
    pixKey === null || pixKeyType === null ? null : { type: pixKeyType, key: pixKey, txid: payeeTxid };
  return { reference: id, amountCents, destination, now };
}
