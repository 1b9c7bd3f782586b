import { ApplicationFailure } from '@temporalio/common';
import type { Em } from '../../src/database/orm.ts';
import type { ChargeStatus, FailureReason } from '../../src/domain/charge.ts';
import type { ChargeId } from '../../src/domain/ids.ts';

/** One statement: the use of a coupon that the charge held is given back exactly when the charge ends. */
const CLOSE = `
  with closed as (
    update charges set status = ?, failure_reason = ?, updated_at = ?
    where id = ? and status = 'PENDING' returning coupon_id
  ), released as (
    update coupons set reserved_count = reserved_count - 1 from closed where coupons.id = closed.coupon_id
  )
  select 1 from closed`;

export type Closing =
  | { readonly status: 'EXPIRED' | 'CANCELLED' }
  | { readonly status: 'FAILED'; readonly failureReason: FailureReason };

/** Ends a charge without a payment, unless it has ended already. @returns its status afterwards. */
export async function closeCharge(
  em: Em,
  chargeId: ChargeId,
  closing: Closing,
  now: Date,
): Promise<ChargeStatus> {
  const { status } = closing;
  const failureReason = closing.status === 'FAILED' ? closing.failureReason : null;
  const closed = await em.execute<unknown[]>(CLOSE, [status, failureReason, now, chargeId]);
  return closed.length === 1 ? status : statusOf(em, chargeId);
}

/** The status that Postgres holds at this moment. */
export async function statusOf(em: Em, chargeId: ChargeId): Promise<ChargeStatus> {
  const [row] = await em.execute<{ status: ChargeStatus }[]>('select status from charges where id = ?', [
    chargeId,
  ]);
  if (row === undefined) throw noCharge(chargeId);
  return row.status;
}

/** Nothing that is tried again would find it. */
export function noCharge(chargeId: ChargeId): ApplicationFailure {
  return ApplicationFailure.nonRetryable(`No charge ${chargeId}`, 'CHARGE_NOT_FOUND');
}
