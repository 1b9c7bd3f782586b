import type { Payout } from '../../src/database/entities/payout.ts';
import type { PaymentProvider, SendPix, TransferAnswer } from '../../src/providers/provider.ts';

/** Why a payout failed that was not approved. */
const FAILURES = { REJECTED: 'approval_rejected', EXPIRED: 'approval_expired' } as const;

/** Banks' look-ups lag behind their orders by seconds; after this long, an order that is not found was not made. */
const LONGEST_LAG_MS = 10 * 60 * 1_000;

/**
 * What became of a payout that was rejected or has expired. Recebe has not ordered it since, but its id follows from the
 * request: before a restore of the database, the same payout may have been approved and sent. So the provider is asked,
 * and its answer counts. "Not found" counts once its look-up can no longer lag behind an order from before the decision.
 */
export async function answerOfUnapproved(
  provider: Pick<PaymentProvider, 'findTransfer'>,
  payout: Payout,
  {
    approval,
    decidedAt,
    now,
  }: { readonly approval: keyof typeof FAILURES; readonly decidedAt: Date; readonly now: Date },
): Promise<TransferAnswer> {
  const found = await provider.findTransfer(transferOf(payout, now));
  const failed = { outcome: 'FAILED', reason: FAILURES[approval] } as const;
  if (found.outcome === 'FAILED') return failed;
  if (found.outcome !== 'NOT_FOUND') return found;
  const isFinal = found.isFinal || now.getTime() - decidedAt.getTime() >= LONGEST_LAG_MS;
  return isFinal ? failed : { outcome: 'PENDING' };
}

/** What a provider is asked to send, or to look up. */
export function transferOf({ id, amountCents, pixKey, pixKeyType, payeeTxid }: Payout, now: Date): SendPix {
  const destination =
    pixKey === null || pixKeyType === null ? null : { type: pixKeyType, key: pixKey, txid: payeeTxid };
  return { reference: id, amountCents, destination, now };
}
