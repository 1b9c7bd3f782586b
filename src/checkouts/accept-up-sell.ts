import type { KeptCard } from '../charges/methods/method.ts';
import { newCharge } from '../charges/new-charge.ts';
import { payerOf } from '../database/charge-payer.ts';
import type { Charge } from '../database/entities/charge.ts';
import { type Checkout, CheckoutEntity } from '../database/entities/checkout.ts';
import { type Product, ProductEntity } from '../database/entities/product.ts';
import type { Em } from '../database/orm.ts';
import { itemOf } from '../domain/checkout.ts';
import { type CheckoutOrder, ofCheckout, orderOf, pixTermsOf } from './checkout-order.ts';
import type { CheckoutDeps, PaymentMoment } from './payment-deps.ts';
import { PaymentRefusal } from './payment-refusal.ts';
import { providerOrRefusal } from './provider-or-refusal.ts';
import { startPayment } from './start-payment.ts';
import { storePayment } from './store-payment.ts';

/** How long a confirmation page offers an upsell: it charges a card with one click, which an old link must not do. */
const OFFER_MS = 60 * 60 * 1_000;

/**
 * The product that the confirmation page offers, or null. Only a charge that was paid within the last hour, and is
 * no upsell itself, offers one, and only while the product is sold (contract section 5).
 */
export async function offeredUpSell(
  em: Em,
  checkout: Checkout,
  charge: Charge,
  now: Date,
): Promise<Product | null> {
  if (checkout.upSellProductId === null || charge.status !== 'PAID' || charge.upsellOf !== null) return null;
  // The payer makes only the first payment of a subscription on the page, not the renewals.
  if (charge.cycleId !== null) return null;
  if (charge.paidAt === null || now.getTime() - charge.paidAt.getTime() > OFFER_MS) return null;
  const onSale = { deletedAt: null, archivedAt: null, cycle: null };
  return em.findOne(ProductEntity, { id: checkout.upSellProductId, ...onSale });
}

/**
 * Creates the upsell's charge: on the same card, else by PIX. A repeated call returns the same charge.
 * @throws PaymentRefusal NOT_OPEN if nothing is offered any more.
 */
export async function acceptUpSell(
  deps: CheckoutDeps,
  paid: Charge,
  submissionKey: string,
  moment: PaymentMoment,
): Promise<Charge> {
  const em = deps.database.em.fork();
  const checkout = paid.checkoutId && (await em.findOne(CheckoutEntity, { id: paid.checkoutId }));
  const product = checkout && (await offeredUpSell(em, checkout, paid, moment.now));
  if (!checkout || product === null) throw new PaymentRefusal('NOT_OPEN');
  const provider = await providerOrRefusal(deps, checkout, keptCardOf(paid) === null ? 'PIX' : 'CARD');
  const payer = payerOf(paid);
  const { priceCents } = product;
  const order = orderOf(deps, em, checkout, submissionKey, payer, provider, priceCents, moment.now);
  const charge: Charge = {
    ...(await upSellCharge(paid, order)),
    ...ofCheckout(checkout, submissionKey),
    items: [itemOf(product)],
    upsellOf: paid.id,
  };
  const { customerId, customerNamedBy } = paid;
  const known = { payer, address: null, customer: customerId && { customerId, customerNamedBy } };
  return startPayment(deps, await storePayment(deps.database, charge, known, moment), moment);
}

/**
 * On the card that has just paid, else by a code. The checkout has been paid, so its deadline no longer limits the
 * code's.
 */
function upSellCharge(paid: Charge, order: CheckoutOrder): Promise<Charge> {
  const card = keptCardOf(paid);
  return card === null
    ? newCharge({ ...order, method: 'PIX', terms: pixTermsOf({ expiresAt: null }, order.now) })
    : newCharge({ ...order, method: 'CARD', terms: { ...card, installmentsCount: 1 } });
}

function keptCardOf({
  cardToken,
  cardBrand,
  cardLastFour,
  cardExpiryMonth,
  cardWallet,
}: Charge): KeptCard | null {
  if (cardToken === null || cardBrand === null || cardLastFour === null) return null;
  return { cardToken, cardBrand, cardLastFour, cardExpiryMonth, cardWallet };
}
