import { METHODS } from '../charges/methods/index.ts';
import { payerOf } from '../database/charge-payer.ts';
import { type Charge, ChargeEntity } from '../database/entities/charge.ts';
import type { Checkout } from '../database/entities/checkout.ts';
import { CouponEntity } from '../database/entities/coupon.ts';
import type { Em } from '../database/orm.ts';
import { PAYMENT_METHODS, type PaymentMethod } from '../domain/charge.ts';
import { discountCentsOf } from '../domain/coupon.ts';
import type { CouponId } from '../domain/ids.ts';
import { payableUntil } from '../domain/last-day-to-pay.ts';
import { parseTaxId } from '../domain/tax-id.ts';
import type { TypedPayer } from './payer.ts';
import type { PaymentChoice } from './payment-choice.ts';

/** Methods whose charges wait for their payer. */
const WAITED_FOR = PAYMENT_METHODS.filter((method) => METHODS[method].decidedBy === 'PAYER');

/** Less than this is too short to open a bank's app and pay. */
const MIN_TIME_LEFT_MS = 5 * 60_000;

/**
 * The PIX or boleto that this payer of a checkout received before and can still pay, so that a returning payer gets
 * no second one and reserves no second use of a coupon. Null if there is none, and for links, whose payers are
 * different people.
 */
export async function findWaitingCharge(
  em: Em,
  checkout: Checkout,
  { method, couponCode, payer }: PaymentChoice,
  now: Date,
): Promise<Charge | null> {
  if (checkout.frequency === 'MULTIPLE_PAYMENTS' || METHODS[method].decidedBy !== 'PAYER') return null;
  const { storeId, devMode } = checkout;
  // The coupon need not have another use: the charge has already reserved one.
  const coupon =
    couponCode && (await em.findOne(CouponEntity, { storeId, devMode, code: couponCode, deletedAt: null }));
  if (couponCode !== null && !coupon) return null;
  const waiting = await em.findOne(
    ChargeEntity,
    {
      checkoutId: checkout.id,
      method,
      status: 'PENDING',
      upsellOf: null,
      couponId: coupon ? coupon.id : null,
      amountCents: checkout.amountCents - (coupon ? discountCentsOf(coupon, checkout.amountCents) : 0),
      closesAt: { $gt: new Date(now.getTime() + MIN_TIME_LEFT_MS) },
      $or: [{ lateFrom: null }, { lateFrom: { $gt: now } }],
    },
    { orderBy: { createdAt: 'desc' }, disableIdentityMap: true },
  );
  return waiting !== null && isPayable(waiting, now) && isMadeOutTo(waiting, payer) ? waiting : null;
}

/**
 * The newest payable PIX or boleto of a checkout, for any payer; optionally of one method or coupon only. Null for
 * a payment link, whose payers are different people.
 */
export async function findOpenCharge(
  em: Em,
  { id: checkoutId, frequency }: Checkout,
  now: Date,
  also: { readonly method?: PaymentMethod; readonly couponId?: CouponId | null } = {},
): Promise<Charge | null> {
  if (frequency === 'MULTIPLE_PAYMENTS') return null;
  const open = {
    checkoutId,
    status: 'PENDING',
    upsellOf: null,
    cycleId: null,
    closesAt: { $gt: now },
  } as const;
  const newest = await em.findOne(
    ChargeEntity,
    { ...open, method: { $in: WAITED_FOR }, ...also },
    { orderBy: { createdAt: 'desc' }, disableIdentityMap: true },
  );
  return newest !== null && isPayable(newest, now) ? newest : null;
}

/** A boleto past its last day may still be open, as its provider has not said yet whether it was paid. */
function isPayable(charge: Charge, now: Date): boolean {
  return payableUntil(charge) > now;
}

/** A payer who enters another name or tax id needs another boleto. */
export function isMadeOutTo(charge: Charge, typed: TypedPayer): boolean {
  const { name, taxId, email } = payerOf(charge);
  if (typed.taxId !== null && parseTaxId(typed.taxId)?.bare !== taxId) return false;
  return (typed.name === null || typed.name === name) && (typed.email === null || typed.email === email);
}
