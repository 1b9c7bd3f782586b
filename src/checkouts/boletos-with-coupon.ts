import type { Em } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import type { CouponId } from '../domain/ids.ts';
import { SQL_WITH_DUE_DATE } from '../domain/payment-methods.ts';
import { PaymentRefusal } from './payment-refusal.ts';

const LOCK_COUPON = statement<{ couponId: CouponId }, { maxRedeems: number; redeemsCount: number }>(
  'lock a coupon for a boleto',
  () => `
  select max_redeems as "maxRedeems", redeems_count as "redeemsCount" from coupons
  where id = :couponId for no key update`,
);

/** Reads no more index entries than boletos may hold. */
const COUNT = statement<{ couponId: CouponId; most: number }, { held: number }>(
  'count boletos with a coupon',
  () => `
  select count(*) as held from (
    select from charges
    where coupon_id = :couponId and method in (${SQL_WITH_DUE_DATE}) and status = 'PENDING'
    limit :most
  ) boleto`,
);

/**
 * A boleto costs nothing to request and reserves a use of its coupon for days: unpaid boletos can reserve at most
 * half of a limited coupon's remaining uses, but at least one. Call it in the transaction that reserves the coupon:
 * concurrent reservations wait, so each sees the earlier ones.
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
