import type { Em } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import type { CouponId } from '../domain/ids.ts';
import { PaymentRefusal } from './payment-refusal.ts';

const LOCK_COUPON = statement<{ couponId: CouponId }, { maxRedeems: number; redeemsCount: number }>(
  'lock a coupon for a boleto',
  () => `
  select max_redeems as "maxRedeems", redeems_count as "redeemsCount" from coupons
  where id = :couponId for no key update`,
);

/** It reads no more entries of an index than boletos may hold. */
const COUNT = statement<{ couponId: CouponId; most: number }, { held: number }>(
  'count boletos with a coupon',
  () => `
  select count(*) as held from (
    select from charges
    where coupon_id = :couponId and method = 'BOLETO' and status = 'PENDING'
    limit :most
  ) boleto`,
);

/**
 * A boleto costs nothing to ask for and holds a use of its coupon for days: unpaid ones may hold half of what
 * is left of it, and at least one. Called in the transaction that goes on to reserve the coupon: whoever else
 * reserves it waits, so that each sees those before it.
 * @throws PaymentRefusal COUPON_HELD_BY_BOLETOS
 */
export async function limitBoletosWithCoupon(em: Em, couponId: CouponId): Promise<void> {
  const [coupon] = await LOCK_COUPON(em, { couponId });
  if (coupon === undefined || coupon.maxRedeems === -1) return;
  const left = coupon.maxRedeems - coupon.redeemsCount;
  const most = Math.max(1, Math.floor(left / 2));
  const [counted] = await COUNT(em, { couponId, most });
  if ((counted?.held ?? 0) >= most) throw new PaymentRefusal('COUPON_HELD_BY_BOLETOS');
}
