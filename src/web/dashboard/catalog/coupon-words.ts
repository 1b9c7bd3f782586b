import type { CouponView } from '../../../api/coupons/schema.ts';
import { isUsedUp, UNLIMITED_REDEEMS } from '../../../domain/coupon.ts';
import type { Html } from '../../frame/html.ts';
import type { Locale } from '../../i18n/catalogs.ts';
import { timeText } from '../../i18n/dates.ts';
import { badge } from '../frame/components.ts';
import type { Say } from '../frame/locale.ts';
import type { Visit } from '../frame/visit.ts';
import { amount, percentText } from '../words.ts';

/** `10%`, `12,5%` or `R$ 15,00`. */
export function discountText(
  { discountKind, discount }: Pick<CouponView, 'discountKind' | 'discount'>,
  locale: Locale,
): string {
  return discountKind === 'FIXED' ? amount(discount) : percentText(discount / 100, locale, 2);
}

/** Which payments of a subscription it discounts. */
export function durationText({ duration, durationInCycles: count }: CouponView, say: Say): string {
  if (duration === 'ONCE') return say('dashboard.catalog.firstPaymentOnly');
  return duration === 'FOREVER'
    ? say('dashboard.catalog.everyPayment')
    : say('dashboard.catalog.firstPayments', { count: count ?? 0 });
}

/** `3 de 100`, or `3` without a limit. */
export function usesText({ redeemsCount, maxRedeems }: CouponView, say: Say): string {
  if (maxRedeems === UNLIMITED_REDEEMS) return say('dashboard.catalog.noLimit', { redeemsCount });
  return say('dashboard.catalog.of', { redeemsCount, maxRedeems });
}

/** The name of a status. The API calls a coupon EXPIRED whose uses are all made, or whose validity is over. */
export function couponStatusName(status: CouponView['status'], say: Say): string {
  if (status === 'ACTIVE') return say('dashboard.catalog.active');
  return status === 'EXPIRED' ? say('dashboard.catalog.usedUpOrOver') : say('dashboard.catalog.switchedOff');
}

export function couponBadge(coupon: CouponView, say: Say): Html {
  const { status } = coupon;
  if (status !== 'EXPIRED')
    return badge(status === 'ACTIVE' ? 'good' : 'plain', couponStatusName(status, say));
  return badge('plain', isUsedUp(coupon) ? say('dashboard.catalog.usedUp') : say('dashboard.catalog.over'));
}

/** Until when payers can use it, as a sentence. */
export function validityText(visit: Visit, coupon: CouponView): string {
  const { say, storeNow } = visit;
  const { status, maxRedeems, redeemsCount, validFrom } = coupon;
  if (isUsedUp(coupon)) return say('dashboard.catalog.usedUpRaiseTheLimitTo');
  if (status === 'EXPIRED') return say('dashboard.catalog.overChooseALaterDay');
  if (status === 'INACTIVE') return say('dashboard.catalog.switchedOffNobodyCanUseIt');
  if (validFrom !== null && Date.parse(validFrom) > storeNow.getTime())
    return say('dashboard.catalog.validFromThen', { day: timeText(visit.locale, validFrom) });
  if (maxRedeems === UNLIMITED_REDEEMS) return say('dashboard.catalog.validUntilItIsSwitched');
  const left = maxRedeems - redeemsCount;
  return say('dashboard.catalog.validForMoreUsesOr', { left });
}
