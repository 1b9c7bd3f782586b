import type { Checkout } from '../database/entities/checkout.ts';
import { type PassedFees, passedFeesOf, totalsWithFeesCents } from '../domain/card-fees.ts';
import { maxInstallmentsFor } from '../domain/checkout.ts';
import type { PlatformFees } from '../domain/platform-fee.ts';
import type { CardsPort, CardTerms } from '../providers/ports/cards.ts';

type PassingCheckout = Pick<Checkout, 'passesFees' | 'frequency'>;

/**
 * The fees that a payer of a checkout pays with a card.
 * @returns null if the store pays them; empty if the account does not say what its provider keeps.
 */
export function passedFees(
  { passesFees, frequency }: PassingCheckout,
  cards: Pick<CardsPort, 'fees'>,
  platformFees: PlatformFees,
): PassedFees | null {
  if (!passesFees || frequency === 'SUBSCRIPTION') return null;
  return cards.fees === undefined ? [] : passedFeesOf(platformFees, cards.fees);
}

/**
 * What a price costs with a typed card in 1, 2, … installments, as far as the checkout, the provider and the amount allow them.
 * @param passed see {@link passedFees}.
 */
export function cardTotalsCents(
  priceCents: number,
  { maxInstallments }: Pick<Checkout, 'maxInstallments'>,
  cards: Pick<CardTerms, 'maxInstallments'>,
  passed: PassedFees | null,
): readonly number[] {
  const most = maxInstallmentsFor(priceCents, Math.min(maxInstallments, cards.maxInstallments));
  if (passed === null) return Array.from({ length: most }, () => priceCents);
  return totalsWithFeesCents(priceCents, passed).slice(0, most);
}
