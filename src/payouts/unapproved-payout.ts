import type { Payout } from '../database/entities/payout.ts';
import type { PayoutsPort, TransferAnswer } from '../providers/ports/payouts.ts';
import { transferOf } from './transfer-of.ts';

/** Why a payout failed that was not approved. */
const FAILURES = { REJECTED: 'approval_rejected', EXPIRED: 'approval_expired' } as const;

/** Banks' look-ups lag behind their orders by seconds; after this long, an order that is not found was not made. */
export const LONGEST_LAG_MS = 10 * 60 * 1_000;

/**
 * The provider's answer for a payout that was rejected or has expired. Recebe has not ordered it since, but its id
 * is derived from the request: before a restore of the database, the same payout may have been approved and sent.
 * So the provider is asked, and its answer counts. "Not found" counts once its look-up can no longer lag behind an
 * order from before the decision.
 *
 * Even if that answer was wrong, no money is lost. Every bank that sends also lists what it sent. The round that
 * finds the payout there debits it again, notifies the store and asks a person (`revivePayout`). Until then the
 * store may have spent the money, so the balance can become negative. A longer wait would only make that rarer, and
 * would keep the money of every rejected payout reserved.
 */
export async function answerOfUnapproved(
  payouts: Pick<PayoutsPort, 'find'>,
  payout: Payout,
  {
    approval,
    decidedAt,
    now,
  }: { readonly approval: keyof typeof FAILURES; readonly decidedAt: Date; readonly now: Date },
): Promise<TransferAnswer> {
  const found = await payouts.find(transferOf(payout, now));
  const failed = { outcome: 'FAILED', reason: FAILURES[approval] } as const;
  if (found.outcome === 'FAILED') return failed;
  if (found.outcome !== 'NOT_FOUND') return found;
  const isFinal = found.isFinal || now.getTime() - decidedAt.getTime() >= LONGEST_LAG_MS;
  return isFinal ? failed : { outcome: 'PENDING' };
}
