import type { CouponView } from '../../../api/coupons/schema.ts';
import { UNLIMITED_REDEEMS } from '../../../domain/coupon.ts';
import type { Html } from '../../frame/html.ts';
import { badge } from '../frame/components.ts';
import type { Say } from '../frame/locale.ts';
import { amount } from '../words.ts';

/** `10 %`, `12,5 %` or `R$ 15,00`. */
export function discountText({ discountKind, discount }: CouponView): string {
  return discountKind === 'FIXED' ? amount(discount) : `${String(discount).replace('.', ',')} %`;
}

/** `3 de 100`, or `3` without a limit. */
export function usesText({ redeemsCount, maxRedeems }: CouponView, say: Say): string {
  if (maxRedeems === UNLIMITED_REDEEMS) return say('dashboard.catalog.noLimit', { redeemsCount });
  return say('dashboard.catalog.of', { redeemsCount, maxRedeems });
}

/** The API calls a coupon EXPIRED whose uses are all made. No date ends it. */
export function couponStatusName(status: CouponView['status'], say: Say): string {
  if (status === 'ACTIVE') return say('dashboard.catalog.active');
  return status === 'EXPIRED' ? say('dashboard.catalog.usedUp') : say('dashboard.catalog.switchedOff');
}

export function couponBadge({ status }: CouponView, say: Say): Html {
  return badge(status === 'ACTIVE' ? 'good' : 'plain', couponStatusName(status, say));
}

/** Until when payers can use it, as a sentence. */
export function validityText({ status, maxRedeems, redeemsCount }: CouponView, say: Say): string {
  if (status === 'EXPIRED') return say('dashboard.catalog.usedUpRaiseTheLimitTo');
  if (status === 'INACTIVE') return say('dashboard.catalog.switchedOffNobodyCanUseIt');
  if (maxRedeems === UNLIMITED_REDEEMS) return say('dashboard.catalog.validUntilItIsSwitched');
  const left = maxRedeems - redeemsCount;
  return say('dashboard.catalog.validForMoreUsesOr', { left });
}
