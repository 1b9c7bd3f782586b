import { cardTotalsCents } from '../../checkouts/passed-fees.ts';
import { isCardWallet } from '../../domain/card.ts';
import { METHOD_TRAITS } from '../../domain/payment-methods.ts';
import { say } from '../frame/language.ts';
import { sayAmount } from '../i18n/money.ts';
import type { CardPrices } from './installment-words.ts';
import type { LoadedCheckout } from './load-checkout.ts';
import type { Order } from './order-summary.ts';
import type { SubscriptionPlan } from './subscription-plan.ts';

/** What cards cost. A subscription has no installments, and is charged its price. */
export function cardPricesOf(
  { checkout, cardTerms, passedFees }: LoadedCheckout,
  priceCents: number,
  plan: SubscriptionPlan | null,
): CardPrices {
  const passed = priceCents === 0 ? null : passedFees;
  const maxInstallments = plan === null ? checkout.maxInstallments : 1;
  const terms = cardTerms ?? { maxInstallments };
  return {
    priceCents,
    totals: cardTotalsCents(priceCents, { maxInstallments }, terms, passed),
    passesFees: passed !== null,
    lastIsLarger: cardTerms?.lastInstallmentIsLarger ?? false,
  };
}

/** The total of the only way to pay, if that is a card in one payment whose payer pays the fee; otherwise null. */
function onlyTotalCents({ checkout }: LoadedCheckout, { totals, passesFees }: CardPrices): number | null {
  const [totalCents = null, ...others] = totals;
  const isOnly =
    checkout.methods.every((method) => !isCardWallet(method) && METHOD_TRAITS[method].passesFees) &&
    others.length === 0;
  return passesFees && isOnly ? totalCents : null;
}

/** The amount in the heading: the price, unless nobody can pay it. */
export function headingCents(loaded: LoadedCheckout, priceCents: number): number {
  return onlyTotalCents(loaded, cardPricesOf(loaded, priceCents, null)) ?? priceCents;
}

/** How the summary of an order shows the card fee: as a part of the total, or below it if other methods cost the price. */
export function cardOrderOf(
  loaded: LoadedCheckout,
  priceCents: number,
): Pick<Order, 'totalCents' | 'cardFeeCents' | 'afterwards'> {
  const prices = cardPricesOf(loaded, priceCents, null);
  const onlyCents = onlyTotalCents(loaded, prices);
  if (onlyCents !== null) return { totalCents: onlyCents, cardFeeCents: onlyCents - priceCents };
  const [totalCents] = prices.totals;
  if (!prices.passesFees || totalCents === undefined) return { totalCents: priceCents };
  const amount = sayAmount(totalCents);
  const text = prices.totals.length === 1 ? amount : say('checkout.fromAmount', { amount });
  return { totalCents: priceCents, afterwards: { label: say('checkout.byCard'), text } };
}
