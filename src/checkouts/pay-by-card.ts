import type { KeptCard } from '../charges/methods/method.ts';
import { newCharge } from '../charges/new-charge.ts';
import type { Charge } from '../database/entities/charge.ts';
import type { Checkout } from '../database/entities/checkout.ts';
import type { Em } from '../database/orm.ts';
import type { CardToken } from '../domain/card.ts';
import { mayChargeAgain } from '../domain/checkout.ts';
import { keepsCards } from '../providers/ports/cards.ts';
import { withPort } from '../providers/provider.ts';
import { limitCardAttempts } from './card-attempts.ts';
import type { CheckoutOrder } from './checkout-order.ts';
import { acceptedCard, refuseWrongCard } from './entered-card.ts';
import { cardTotalsCents, passedFees } from './passed-fees.ts';
import type { PaymentChoice } from './payment-choice.ts';
import type { CheckoutDeps } from './payment-deps.ts';
import { refuseUnless } from './payment-refusal.ts';

/**
 * The charge of a card: of the order's amount, and of the fees on top if the payer pays them. A wallet pays the amount only.
 * @param order of the price, which is zero if a trial starts.
 * @param needsCard whether it is stored for the next cycle, even if nothing is due now.
 */
export async function cardCharge(
  { config }: CheckoutDeps,
  em: Em,
  checkout: Checkout,
  choice: PaymentChoice,
  order: CheckoutOrder,
  needsCard: boolean,
): Promise<Charge> {
  const { amountCents: priceCents, provider, now } = order;
  const { installmentsCount } = choice;
  const issuer = withPort(provider, 'cards');
  const passed = passedFees(checkout, issuer.cards, config.platformFee);
  const totals = cardTotalsCents(priceCents, checkout, issuer.cards, passed);
  refuseUnless(
    installmentsCount === 1 || totals[installmentsCount - 1] !== undefined,
    'INSTALLMENTS_NOT_OFFERED',
  );
  // What the form carried is left unread: the payer types the card on the provider's page.
  const isHosted = !keepsCards(issuer.cards);
  refuseUnless(!(isHosted && needsCard), 'METHOD_NOT_POSSIBLE');
  if (!isHosted) refuseWrongCard(issuer.cards.entry, choice.card, now);
  // The check is exact when the charge is stored. Here it spares the provider a request that would be refused.
  await limitCardAttempts(em, checkout.id, checkout.frequency, now);
  const terms = isHosted
    ? NO_CARD
    : keptCardOf(
        await acceptedCard(issuer.cards.entry, choice.card, {
          submissionKey: choice.submissionKey,
          payer: order.payer,
          keepsCard: mayChargeAgain(checkout),
          isFree: priceCents === 0,
        }),
      );
  const isWallet = terms.cardWallet != null;
  refuseUnless(checkout.methods.includes(terms.cardWallet ?? 'CARD'), 'METHOD_NOT_OFFERED');
  refuseUnless(!isWallet || installmentsCount === 1, 'INSTALLMENTS_NOT_OFFERED');
  if (priceCents === 0) return newCharge({ ...order, method: 'FREE', terms });
  const totalCents = isWallet ? priceCents : totals[installmentsCount - 1];
  refuseUnless(totalCents !== undefined, 'METHOD_NOT_POSSIBLE');
  const { shownCardCents } = choice;
  const isAsShown = isWallet || passed === null || shownCardCents === null || shownCardCents === totalCents;
  refuseUnless(isAsShown, 'CARD_TOTAL_CHANGED');
  const charge = await newCharge({
    ...order,
    amountCents: totalCents,
    method: 'CARD',
    terms: { ...terms, installmentsCount },
  });
  return { ...charge, customerFeeCents: totalCents - priceCents };
}

/** A charge whose card its payer types on the provider's page. */
const NO_CARD: KeptCard = { cardToken: null, cardBrand: null, cardLastFour: null, cardExpiryMonth: null };

function keptCardOf({ token, brand, lastFour, expiryMonth, wallet = null }: CardToken): KeptCard {
  const shown = { cardBrand: brand, cardLastFour: lastFour, cardExpiryMonth: expiryMonth };
  return { cardToken: token, ...shown, cardWallet: wallet };
}
