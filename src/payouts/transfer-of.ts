import type { Payout } from '../database/entities/payout.ts';
import { payeeKeyOf } from '../domain/payee.ts';
import type { SendPix, SentTransfer } from '../providers/provider.ts';
import { mayBeSameKey } from '../providers/same-key.ts';

/**
 * Whether a listed transfer with a payout's reference has its content. The reference follows from the request, so another
 * content under it is another request's. The key of the store's own account is a setting of the account and may have
 * changed since, so it is not compared.
 */
export function isTransferOf(
  { amountCents, pixKeyType, pixKey }: Payout,
  { amountCents: listedCents, payeeKey }: SentTransfer,
): boolean {
  if (listedCents !== amountCents) return false;
  if (payeeKey === null || pixKeyType === null || pixKey === null) return true;
  return mayBeSameKey(payeeKey, payeeKeyOf({ type: pixKeyType, key: pixKey }));
}

/** What a provider is asked to send, or to look up. */
export function transferOf({ id, amountCents, pixKey, pixKeyType, payeeTxid }: Payout, now: Date): SendPix {
  const destination =
    pixKey === null || pixKeyType === null ? null : { type: pixKeyType, key: pixKey, txid: payeeTxid };
  return { reference: id, amountCents, destination, now };
}
