import type { Charge } from '../src/database/charge.ts';
import { CheckoutEntity } from '../src/database/checkout.ts';
import { CustomerEntity } from '../src/database/customer.ts';
import type { DeliveryToStart } from '../src/database/delivery.ts';
import { unattemptedDeliveries } from '../src/database/delivery-to-start.ts';
import type { Em } from '../src/database/orm.ts';
import { PaymentEntity } from '../src/database/payment.ts';
import { saoPauloDateOf } from '../src/domain/civil-date.ts';
import type { EventName } from '../src/domain/event.ts';
import { chargeDueCents } from '../src/domain/late-charges.ts';
import type { ProviderPayment } from '../src/providers/provider.ts';
import { checkoutEventData } from './checkout-event-data.ts';
import { transparentEventData } from './event-data.ts';
import { newDeliveries, newEvent } from './new-event.ts';
import { writeAcceptance } from './write-acceptance.ts';
import { writeCheckoutAcceptance } from './write-checkout-acceptance.ts';

/** What integrators are told of it. */
function eventNameOf({ checkoutId }: Charge): EventName {
  return checkoutId === null ? 'transparent.completed' : 'checkout.completed';
}

/**
 * Makes a charge PAID by this payment: the charge, its checkout, its coupon, the payment, the event and its deliveries, all
 * or none.
 *
 * @param payment null where a coupon has left nothing to pay.
 * @returns the deliveries to start where the charge is paid by this very payment, now or since an earlier run of the
 *   activity; null where the money belongs back with the payer: the charge or its checkout had ended, was paid already, or
 *   costs more, or the payment was made after the deadline.
 */
export async function acceptPayment(
  em: Em,
  charge: Charge,
  provider: string,
  payment: ProviderPayment | null,
  now: Date,
  publicUrl: string,
): Promise<DeliveryToStart[] | null> {
  if (charge.status !== 'PENDING') return acceptedBefore(em, charge, provider, payment);
  if (payment !== null && !isInTimeAndEnough(charge, payment)) return null;

  const customer = charge.customerId && (await em.findOne(CustomerEntity, { id: charge.customerId }));
  const paidAmountCents = payment?.amountCents ?? 0;
  const paid = {
    ...charge,
    status: 'PAID' as const,
    paidAmountCents,
    paidAt: payment?.paidAt ?? now,
    updatedAt: now,
  };
  const payer = payment?.payer ?? { name: null, taxId: null };
  const checkout = charge.checkoutId && (await em.findOneOrFail(CheckoutEntity, { id: charge.checkoutId }));
  const data = checkout
    ? checkoutEventData(checkout, paid, customer || null, payer, publicUrl)
    : transparentEventData(paid, customer || null, payer, publicUrl);
  const event = newEvent(charge, eventNameOf(charge), charge.id, data, now);
  const deliveries = await newDeliveries(em, event);
  const acceptance = { em, charge: paid, provider, payment, event, deliveries };
  const isAccepted = await (checkout ? writeCheckoutAcceptance(acceptance) : writeAcceptance(acceptance));
  // Somebody was faster: another payment or the deadline, or this payment in an earlier run that lost its answer.
  return isAccepted ? deliveries : acceptedBefore(em, charge, provider, payment);
}

function isInTimeAndEnough(charge: Charge, { paidAt, amountCents }: ProviderPayment): boolean {
  // A card is charged by us and at once: it has no deadline that a payer could miss.
  if (charge.method !== 'CARD' && paidAt >= charge.closesAt) return false;
  return amountCents >= chargeDueCents(charge, saoPauloDateOf(paidAt));
}

/** The payment may have been accepted by an earlier run: its deliveries that have not been attempted are still to start. */
async function acceptedBefore(
  em: Em,
  charge: Charge,
  provider: string,
  payment: ProviderPayment | null,
): Promise<DeliveryToStart[] | null> {
  const isAccepted =
    payment === null ? charge.status === 'PAID' : await isAcceptedPayment(em, charge, provider, payment);
  return isAccepted ? deliveriesLeft(em, charge) : null;
}

/** Deliveries of a paid charge's event that have not been attempted: an earlier run may have died before starting them. */
export function deliveriesLeft(em: Em, charge: Charge): Promise<DeliveryToStart[]> {
  return unattemptedDeliveries(em, `${eventNameOf(charge)}/${charge.id}`);
}

async function isAcceptedPayment(
  em: Em,
  charge: Charge,
  provider: string,
  { providerPaymentId }: ProviderPayment,
): Promise<boolean> {
  const accepted = { provider, providerPaymentId, outcome: 'ACCEPTED' as const };
  return (await em.count(PaymentEntity, { chargeId: charge.id, ...accepted })) > 0;
}
