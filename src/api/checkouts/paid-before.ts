import { isMadeOutTo } from '../../checkouts/waiting-charge.ts';
import type { Charge } from '../../database/entities/charge.ts';
import type { Checkout } from '../../database/entities/checkout.ts';
import { CouponEntity } from '../../database/entities/coupon.ts';
import type { Em } from '../../database/orm.ts';
import { bareCardNumber, expiryMonthOf } from '../../domain/card.ts';
import { NOBODY } from '../../domain/payer.ts';
import { brokenRule } from '../frame/errors.ts';
import type { SimulateBody } from './schema.ts';

/**
 * Refuses to simulate another payment of a paid checkout. Nothing would be charged, and the response would
 * show the old payment as the new one. A request that matches the payment is accepted, because it may be a
 * retry.
 *
 * Cards are compared by their last four digits and expiry, because only those are stored.
 * @param paid the charge that paid the checkout.
 * @throws ApiError 422 that names the field that differs.
 */
export async function refuseAnotherPayment(
  em: Em,
  checkout: Checkout,
  paid: Charge,
  body: SimulateBody,
): Promise<void> {
  const path = await differingField(em, checkout, paid, body);
  if (path === null) return;
  const stays =
    checkout.frequency === 'SUBSCRIPTION'
      ? ': use subscriptions/update to change how the subscription is paid'
      : ': create another one to pay in another way';
  throw brokenRule('NOT_OPEN', path, `is not how the checkout was paid${stays}`);
}

async function differingField(
  em: Em,
  { customerNamedBy }: Checkout,
  paid: Charge,
  body: SimulateBody,
): Promise<string | null> {
  const { method, card, installments, coupon, payer } = body;
  // A free payment has no method.
  const paidBy = paid.cardWallet ?? paid.method;
  if (method !== undefined && paid.method !== 'FREE' && method !== paidBy) return 'method';
  if (card !== undefined && bareCardNumber(card.number).slice(-4) !== paid.cardLastFour) return 'card.number';
  if (card?.expiry !== undefined && expiryMonthOf(card.expiry) !== paid.cardExpiryMonth) return 'card.expiry';
  if (installments > 1 && installments !== paid.installmentsCount) return 'installments';
  if (coupon !== undefined && !(await hasCoupon(em, paid, coupon))) return 'coupon';
  // If the merchant set the customer, the payer's own input does not count.
  return customerNamedBy === 'MERCHANT' || isMadeOutTo(paid, payer ?? NOBODY) ? null : 'payer';
}

/**
 * Compares coupons by the id stored with the payment: the code of a deleted coupon may belong to another
 * coupon by now.
 */
async function hasCoupon(em: Em, { couponId }: Charge, code: string): Promise<boolean> {
  if (couponId === null) return false;
  return (await em.count(CouponEntity, { id: couponId, code })) === 1;
}
