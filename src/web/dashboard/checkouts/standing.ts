import type { CheckoutSummary } from '../../../api/checkouts/checkout-summaries.ts';
import type { ShownCheckout } from '../../../wire/checkout.ts';
import type { Html } from '../../frame/html.ts';
import { badge } from '../frame/components.ts';
import type { Say } from '../frame/locale.ts';
import type { Visit } from '../frame/visit.ts';
import { partlyRefundedBadge, statusBadge, statusName } from '../words.ts';

/** The same in words. */
export function standingName(
  { frequency, status }: Pick<ShownCheckout, 'frequency' | 'status'>,
  summary: CheckoutSummary | undefined,
  say: Say,
): string {
  if (frequency === 'MULTIPLE_PAYMENTS' && status === 'PENDING') return say('dashboard.checkouts.activeLink');
  const isPartly = status === 'PAID' && summary?.isPartlyRefunded === true;
  return isPartly ? say('dashboard.words.partlyRefunded') : statusName(status, say);
}

/** The status shown for a checkout. A payment link stays open after it is paid, so it is shown as active. */
export function standingOf(
  { say }: Visit,
  { frequency, status }: Pick<ShownCheckout, 'frequency' | 'status'>,
  summary: CheckoutSummary | undefined,
): Html {
  if (frequency === 'MULTIPLE_PAYMENTS' && status === 'PENDING')
    return badge('good', say('dashboard.checkouts.activeLink'));
  const isPartly = status === 'PAID' && summary?.isPartlyRefunded === true;
  return isPartly ? partlyRefundedBadge(say) : statusBadge(status, say);
}
