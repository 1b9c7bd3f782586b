import type { KeptCard } from '../charges/methods/method.ts';
import { newCharge } from '../charges/new-charge.ts';
import { type Charge, ChargeEntity } from '../database/entities/charge.ts';
import type { Checkout } from '../database/entities/checkout.ts';
import type { Em } from '../database/orm.ts';
import { addBusinessDays } from '../domain/business-days.ts';
import type { CardToken } from '../domain/card.ts';
import { chargeMethodsOf, type PaymentMethod } from '../domain/charge.ts';
import { DEFAULT_BUSINESS_DAYS } from '../domain/charge-deadlines.ts';
import { maxInstallmentsFor, mayChargeAgain } from '../domain/checkout.ts';
import { saoPauloDateOf } from '../domain/civil-date.ts';
import { keepsCards } from '../providers/ports/cards.ts';
import { withPort } from '../providers/provider.ts';
import { limitCardAttempts } from './card-attempts.ts';
import { type CheckoutOrder, ofCheckout, orderOf, pixTermsOf } from './checkout-order.ts';
import { acceptedCard, type EnteredCard, refuseWrongCard } from './entered-card.ts';
import { knownPayer, payerNeedsOf, type TypedPayer } from './payer.ts';
import type { CheckoutDeps, PaymentMoment } from './payment-deps.ts';
import { PaymentRefusal, type PaymentRefusalReason } from './payment-refusal.ts';
import { providerOrRefusal } from './provider-or-refusal.ts';
import { quote } from './quote.ts';
import { startPayment } from './start-payment.ts';
import { storePayment } from './store-payment.ts';

/** The payer's choice and input. */
export interface PaymentChoice {
  /** The same key is the same payment, so that a form submitted twice charges once. */
  readonly submissionKey: string;
  readonly method: PaymentMethod;
  readonly couponCode: string | null;
  /** For a card payment; 1 for all others. */
  readonly installmentsCount: number;
  /** For the method CARD. */
  readonly card: EnteredCard | null;
  readonly payer: TypedPayer;
}

/**
 * Begins a payment of a checkout: a PIX code or a boleto that waits for its payer, or a card payment, which is
 * decided when this returns. The charge is PENDING, PAID, or FAILED with the reason; a card payment that is still
 * PENDING will be decided later.
 *
 * @throws PaymentRefusal if it cannot begin; nothing is stored and no coupon used then.
 */
export async function payCheckout(
  deps: CheckoutDeps,
  checkout: Checkout,
  choice: PaymentChoice,
  moment: PaymentMoment,
): Promise<Charge> {
  const { now } = moment;
  const em = deps.database.em.fork();
  const sentBefore = await em.findOne(ChargeEntity, {
    checkoutId: checkout.id,
    submissionKey: choice.submissionKey,
  });
  if (sentBefore !== null) return sentBefore;
  refuseUnless(
    checkout.status === 'PENDING' && (checkout.expiresAt === null || now < checkout.expiresAt),
    'NOT_OPEN',
  );
  const provider = await providerOrRefusal(deps, checkout, choice.method);
  const price = await quote(em, checkout, choice.couponCode, now);
  const payer = await knownPayer(
    em,
    checkout,
    choice.method,
    choice.payer,
    payerNeedsOf(provider, choice.method),
  );
  const { submissionKey } = choice;
  const { dueNowCents } = price;
  const named = { ...payer.payer, address: payer.address };
  const order = orderOf(deps, em, checkout, submissionKey, named, provider, dueNowCents, now);
  const charge: Charge = {
    ...(await makeCharge(em, checkout, choice, order)),
    ...ofCheckout(checkout, choice.submissionKey),
    // A trial's charge costs nothing anyway: the coupon discounts the charges after it.
    discountCents: checkout.trialDays === null ? price.discountCents : 0,
    couponId: price.coupon?.id ?? null,
    items: checkout.items,
  };
  const saved = choice.card !== null && 'saved' in choice.card ? choice.card.saved : null;
  return startPayment(deps, await storePayment(deps.database, charge, payer, { ...moment, saved }), moment);
}

/** Validates the choice first, so that no provider is called for a payment that is then refused. */
async function makeCharge(
  em: Em,
  checkout: Checkout,
  choice: PaymentChoice,
  order: CheckoutOrder,
): Promise<Charge> {
  const { amountCents, provider, now } = order;
  refuseUnless(chargeMethodsOf(checkout.methods).includes(choice.method), 'METHOD_NOT_OFFERED');
  // A subscription needs a stored card for its next cycle, even if this payment is of nothing.
  const needsCard = choice.method === 'CARD' && checkout.frequency === 'SUBSCRIPTION';
  if (amountCents === 0 && !needsCard) return newCharge({ ...order, method: 'FREE', terms: {} });
  switch (choice.method) {
    case 'PIX':
      return newCharge({
        ...order,
        method: 'PIX',
        provider: withPort(provider, 'pix'),
        terms: pixTermsOf(checkout, now),
      });
    case 'BOLETO': {
      const { interest, fine } = checkout;
      const dueDate = addBusinessDays(saoPauloDateOf(now), DEFAULT_BUSINESS_DAYS);
      return newCharge({
        ...order,
        method: 'BOLETO',
        provider: withPort(provider, 'boletos'),
        terms: { dueDate, interest, fine },
      });
    }
    case 'CARD': {
      const { installmentsCount } = choice;
      const issuer = withPort(provider, 'cards');
      const possible = issuer.cards.maxInstallments;
      const offered = maxInstallmentsFor(amountCents, Math.min(checkout.maxInstallments, possible));
      refuseUnless(installmentsCount >= 1 && installmentsCount <= offered, 'INSTALLMENTS_NOT_OFFERED');
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
              isFree: amountCents === 0,
            }),
          );
      refuseUnless(checkout.methods.includes(terms.cardWallet ?? 'CARD'), 'METHOD_NOT_OFFERED');
      refuseUnless(terms.cardWallet == null || installmentsCount === 1, 'INSTALLMENTS_NOT_OFFERED');
      if (amountCents === 0) return newCharge({ ...order, method: 'FREE', terms });
      return newCharge({
        ...order,
        method: 'CARD',
        provider: issuer,
        terms: { ...terms, installmentsCount },
      });
    }
  }
}

/** A charge whose card its payer types on the provider's page. */
const NO_CARD: KeptCard = { cardToken: null, cardBrand: null, cardLastFour: null, cardExpiryMonth: null };

function keptCardOf({ token, brand, lastFour, expiryMonth, wallet = null }: CardToken): KeptCard {
  const shown = { cardBrand: brand, cardLastFour: lastFour, cardExpiryMonth: expiryMonth };
  return { cardToken: token, ...shown, cardWallet: wallet };
}

function refuseUnless(condition: boolean, reason: PaymentRefusalReason): void {
  if (!condition) throw new PaymentRefusal(reason);
}
