import { cardCharge, freeCharge, type Issued, issueBoleto, issuePix } from '../charges/issue-charge.ts';
import { type Charge, ChargeEntity, NEW_CHARGE } from '../database/entities/charge.ts';
import type { Checkout } from '../database/entities/checkout.ts';
import type { Em } from '../database/orm.ts';
import { type TypedCard, wrongCardField } from '../domain/card.ts';
import type { PaymentMethod } from '../domain/charge.ts';
import { maxInstallmentsFor } from '../domain/checkout.ts';
import { platformFeeCentsOf } from '../domain/platform-fee.ts';
import { type PaymentProvider, providerOf } from '../providers/provider.ts';
import { limitCardAttempts } from './card-attempts.ts';
import { insertCharge } from './insert-charge.ts';
import { knownPayer, type TypedPayer } from './payer.ts';
import type { CheckoutDeps, PaymentMoment } from './payment-deps.ts';
import { PaymentRefusal, type PaymentRefusalReason } from './payment-refusal.ts';
import { type Quote, quote } from './quote.ts';
import { startPayment } from './start-payment.ts';

/** What the payer chose and typed. */
export interface PaymentChoice {
  /** The same key twice is one payment: a form that was sent twice must not charge twice. */
  readonly attemptKey: string;
  readonly method: PaymentMethod;
  readonly couponCode: string | null;
  /** Of a card payment; 1 for all others. */
  readonly installmentsCount: number;
  /** For the method CARD. */
  readonly card: TypedCard | null;
  readonly payer: TypedPayer;
}

/**
 * Begins a payment of a checkout: a PIX code or a boleto that waits for its payer, or a card payment that is decided when
 * this returns. The charge comes back PENDING, PAID, or FAILED with the reason; a card payment that is still PENDING could not
 * be decided yet, and will be.
 *
 * @throws PaymentRefusal where it cannot be begun; nothing is stored and no coupon used then.
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
    attemptKey: choice.attemptKey,
  });
  if (sentBefore !== null) return sentBefore;
  refuseUnless(
    checkout.status === 'PENDING' && (checkout.expiresAt === null || now < checkout.expiresAt),
    'NOT_OPEN',
  );
  const provider = providerOf(deps.providers, checkout.devMode);
  if (provider === null) throw new PaymentRefusal('NO_PAYMENT_PROVIDER');
  const price = await quote(em, checkout, choice.couponCode);
  const payer = await knownPayer(em, checkout, choice.method, choice.payer);
  const issued = await issue(em, checkout, choice, price, provider, now);
  const charge: Charge = {
    ...newCharge(checkout, choice.attemptKey, now),
    amountCents: price.dueNowCents,
    discountCents: price.discountCents,
    couponId: price.coupon?.id ?? null,
    items: checkout.items,
    ...issued,
    platformFeeCents: platformFeeCentsOf(deps.config.platformFee, issued.method, price.dueNowCents),
  };
  return startPayment(deps, await insertCharge(deps.database, charge, payer), moment);
}

/** Checks of the choice come first, so that a provider is never asked for what is then refused. */
async function issue(
  em: Em,
  checkout: Checkout,
  choice: PaymentChoice,
  { dueNowCents }: Quote,
  provider: PaymentProvider,
  now: Date,
): Promise<Issued> {
  refuseUnless(checkout.methods.includes(choice.method), 'METHOD_NOT_OFFERED');
  // A subscription keeps the card for its next cycle, also where this payment is of nothing.
  const needsCard = choice.method === 'CARD' && checkout.frequency === 'SUBSCRIPTION';
  if (dueNowCents === 0 && !needsCard) return freeCharge(now, null);
  const order = { checkout, amountCents: dueNowCents, provider, now };
  if (choice.method === 'PIX') return issuePix(em, order);
  if (choice.method === 'BOLETO') return issueBoleto(em, order);
  const { installmentsCount } = choice;
  const offered = maxInstallmentsFor(dueNowCents, checkout.maxInstallments);
  refuseUnless(installmentsCount >= 1 && installmentsCount <= offered, 'INSTALLMENTS_NOT_OFFERED');
  const card = checkedCard(choice.card, now);
  await limitCardAttempts(em, checkout, now);
  const token = await provider.tokenizeCard(card);
  if (token === null) throw new PaymentRefusal('CARD_NOT_ACCEPTED');
  if (dueNowCents === 0) return freeCharge(now, token);
  return cardCharge(token, installmentsCount, provider.name, now);
}

const CARD_REFUSALS = {
  number: 'CARD_NUMBER_INVALID',
  holderName: 'CARD_HOLDER_REQUIRED',
  expiry: 'CARD_EXPIRY_INVALID',
  cvv: 'CARD_CVV_INVALID',
} as const;

function checkedCard(card: TypedCard | null, now: Date): TypedCard {
  if (card === null) throw new PaymentRefusal('CARD_REQUIRED');
  const wrong = wrongCardField(card, now);
  if (wrong !== null) throw new PaymentRefusal(CARD_REFUSALS[wrong]);
  return card;
}

/** What every charge of a checkout begins with. */
export function newCharge({ id, storeId, devMode }: Checkout, attemptKey: string, now: Date) {
  return {
    ...NEW_CHARGE,
    storeId,
    devMode,
    checkoutId: id,
    attemptKey,
    createdAt: now,
    updatedAt: now,
  };
}

function refuseUnless(condition: boolean, reason: PaymentRefusalReason): void {
  if (!condition) throw new PaymentRefusal(reason);
}
