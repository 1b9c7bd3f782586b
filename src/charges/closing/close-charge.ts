import { afterCommit } from '../../database/after-commit.ts';
import type { Charge } from '../../database/entities/charge.ts';
import type { Em } from '../../database/orm.ts';
import { statement } from '../../database/statement.ts';
import type { ChargeStatus, FailureReason } from '../../domain/charge.ts';
import type { ChargeId } from '../../domain/ids.ts';
import { countFailure } from '../../metrics/counters.ts';
import { statusOf } from '../load-charge.ts';
import { METHODS } from '../methods/index.ts';

/** One statement, so that a coupon's reserved use is given back exactly when the charge ends. */
const CLOSE = statement<
  { chargeId: ChargeId; status: ChargeStatus; failureReason: FailureReason | null; now: Date },
  Pick<Charge, 'method' | 'devMode'>
>(
  'close a charge',
  () => `
  with closed as (
    update charges set status = :status, failure_reason = :failureReason, action_url = null, updated_at = :now
    where id = :chargeId and status = 'PENDING' returning coupon_id, method, dev_mode
  ), released as (
    update coupons set reserved_count = reserved_count - 1 from closed where coupons.id = closed.coupon_id
  )
  select method, dev_mode as "devMode" from closed`,
);

/** How a charge ends without a payment. */
export type Closing =
  | { readonly status: 'EXPIRED' | 'CANCELLED' }
  | { readonly status: 'FAILED'; readonly failureReason: FailureReason };

/** How a charge ends at its deadline. An unpaid PIX code of a cycle is a failed attempt (contract section 6). */
export function closingAtDeadline({ cycleId }: Pick<Charge, 'cycleId'>): Closing {
  return cycleId === null ? { status: 'EXPIRED' } : { status: 'FAILED', failureReason: 'pix_expired' };
}

/** How a charge ends that is given up without an answer. */
export function closingWhenGivenUp({
  method,
  actionRequiredAt,
}: Pick<Charge, 'method' | 'actionRequiredAt'>): Closing {
  if (actionRequiredAt !== null) return { status: 'FAILED', failureReason: 'authentication_required' };
  return { status: 'FAILED', failureReason: METHODS[method].givenUpAs };
}

/**
 * Ends a charge without a payment, unless it has already ended. Its event belongs into the same transaction.
 * @returns whether it has ended now.
 */
export async function endUnpaid(em: Em, chargeId: ChargeId, closing: Closing, now: Date): Promise<boolean> {
  const { status } = closing;
  const failureReason = closing.status === 'FAILED' ? closing.failureReason : null;
  const [closed] = await CLOSE(em, { chargeId, status, failureReason, now });
  if (closed === undefined) return false;
  if (failureReason !== null) afterCommit(em, () => countFailure(closed, failureReason));
  return true;
}

/** The same of a charge without an event. @returns its status afterwards. */
export async function closeCharge(
  em: Em,
  chargeId: ChargeId,
  closing: Closing,
  now: Date,
): Promise<ChargeStatus> {
  return (await endUnpaid(em, chargeId, closing, now)) ? closing.status : statusOf(em, chargeId);
}
