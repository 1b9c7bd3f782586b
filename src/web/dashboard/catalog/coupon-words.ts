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
  if (maxRedeems === UNLIMITED_REDEEMS)
    return say(`${redeemsCount}, sem limite`, `${redeemsCount}, no limit`);
  return say(`${redeemsCount} de ${maxRedeems}`, `${redeemsCount} of ${maxRedeems}`);
}

/** The API calls a coupon EXPIRED whose uses are all made. No date ends it. */
export function couponStatusName(status: CouponView['status'], say: Say): string {
  if (status === 'ACTIVE') return say('Ativo', 'Active');
  return status === 'EXPIRED' ? say('Esgotado', 'Used up') : say('Desligado', 'Switched off');
}

export function couponBadge({ status }: CouponView, say: Say): Html {
  return badge(status === 'ACTIVE' ? 'good' : 'plain', couponStatusName(status, say));
}

/** Until when payers can use it, as a sentence. */
export function validityText({ status, maxRedeems, redeemsCount }: CouponView, say: Say): string {
  if (status === 'EXPIRED')
    return say(
      'Esgotado: aumente o limite para que valha de novo.',
      'Used up: raise the limit to make it valid again.',
    );
  if (status === 'INACTIVE')
    return say('Desligado: ninguém pode usá-lo agora.', 'Switched off: nobody can use it now.');
  if (maxRedeems === UNLIMITED_REDEEMS)
    return say('Vale até ser desligado.', 'Valid until it is switched off.');
  const left = maxRedeems - redeemsCount;
  return left === 1
    ? say(
        'Vale para mais um uso, ou até ser desligado.',
        'Valid for one more use, or until it is switched off.',
      )
    : say(
        `Vale para mais ${left} usos, ou até ser desligado.`,
        `Valid for ${left} more uses, or until it is switched off.`,
      );
}
