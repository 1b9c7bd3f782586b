import { newCharge } from '../charges/new-charge.ts';
import { type Charge, ChargeEntity } from '../database/entities/charge.ts';
import type { Checkout } from '../database/entities/checkout.ts';
import type { Em } from '../database/orm.ts';
import { addBusinessDays } from '../domain/business-days.ts';
import { chargeMethodsOf, type PaymentMethod } from '../domain/charge.ts';
import { DEFAULT_BUSINESS_DAYS } from '../domain/charge-deadlines.ts';
import { saoPauloDateOf } from '../domain/civil-date.ts';
import { METHOD_TRAITS } from '../domain/payment-methods.ts';
import { askForMandate } from '../mandates/ask-for-mandate.ts';
import { type CheckoutOrder, ofCheckout, orderOf, pixTermsOf } from './checkout-order.ts';
import { cardCharge } from './pay-by-card.ts';
import { knownPayer, payerNeedsOf } from './payer.ts';
import type { PaymentChoice } from './payment-choice.ts';
import type { CheckoutDeps, PaymentMoment } from './payment-deps.ts';
import { refuseUnless } from './payment-refusal.ts';
import { providerOrRefusal } from './provider-or-refusal.ts';
import { quote } from './quote.ts';
import { startPayment } from './start-payment.ts';
import { storePayment } from './store-payment.ts';

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
    payerNeedsOf(provider, choice.method, checkout),
  );
  const { submissionKey } = choice;
  const { dueNowCents } = price;
  const named = { ...payer.payer, address: payer.address };
  const order = orderOf(deps, em, checkout, submissionKey, named, provider, dueNowCents, now);
  const issued: Charge = {
    ...(await chosenCharge(deps, em, checkout, choice, order)),
    ...ofCheckout(checkout, choice.submissionKey),
    // A trial's charge costs nothing anyway: the coupon discounts the charges after it.
    discountCents: checkout.trialDays === null ? price.discountCents : 0,
    couponId: price.coupon?.id ?? null,
    items: checkout.items,
  };
  const saved = choice.card !== null && 'saved' in choice.card ? choice.card.saved : null;
  const { charge, mandate } = await askForMandate(deps, em, checkout, issued, payer.payer, provider);
  const stored = await storePayment(deps.database, charge, payer, { ...moment, saved, mandate });
  return startPayment(deps, stored, moment);
}

/** Validates the choice first, so that no provider is called for a payment that is then refused. */
async function chosenCharge(
  deps: CheckoutDeps,
  em: Em,
  checkout: Checkout,
  choice: PaymentChoice,
  order: CheckoutOrder,
): Promise<Charge> {
  const { amountCents, now } = order;
  refuseUnless(chargeMethodsOf(checkout.methods).includes(choice.method), 'METHOD_NOT_OFFERED');
  // A subscription needs a stored card for its next cycle, even if this payment is of nothing.
  const needsCard = METHOD_TRAITS[choice.method].keepsInstrument && checkout.frequency === 'SUBSCRIPTION';
  if (amountCents === 0 && !needsCard) return newCharge({ ...order, method: 'FREE', terms: {} });
  const chargeBy: Readonly<Record<PaymentMethod, () => Promise<Charge>>> = {
    PIX: () => newCharge({ ...order, method: 'PIX', terms: pixTermsOf(checkout, now) }),
    BOLETO: () => newCharge({ ...order, method: 'BOLETO', terms: boletoTermsOf(checkout, now) }),
    CARD: () => cardCharge(deps, em, checkout, choice, order, needsCard),
  };
  return chargeBy[choice.method]();
}

function boletoTermsOf({ interest, fine }: Checkout, now: Date) {
  return { dueDate: addBusinessDays(saoPauloDateOf(now), DEFAULT_BUSINESS_DAYS), interest, fine };
}
