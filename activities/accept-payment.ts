import type { Charge } from '../src/database/charge.ts';
import { CustomerEntity } from '../src/database/customer.ts';
import type { DeliveryToStart } from '../src/database/delivery.ts';
import { unattemptedDeliveries } from '../src/database/delivery-to-start.ts';
import type { Em } from '../src/database/orm.ts';
import { PaymentEntity } from '../src/database/payment.ts';
import { saoPauloDateOf } from '../src/domain/civil-date.ts';
import { chargeDueCents } from '../src/domain/late-charges.ts';
import type { ProviderPayment } from '../src/providers/provider.ts';
import { transparentEventData } from './event-data.ts';
import { newDeliveries, newEvent } from './new-event.ts';
import { writeAcceptance } from './write-acceptance.ts';

/** What integrators are told of it. */
const EVENT = 'transparent.completed';

/**
 * Makes a charge PAID by this payment: the row, the payment, the event and its deliveries, all or none.
 *
 * @returns the deliveries to start where the charge is paid by this very payment, now or since an earlier run of the
 *   activity; null where the money belongs back with the payer: the charge had ended, was paid already, or costs more, or the
 *   payment was made after the deadline.
 */
export async function acceptPayment(
  em: Em,
  charge: Charge,
  provider: string,
  payment: ProviderPayment,
  now: Date,
  publicUrl: string,
): Promise<DeliveryToStart[] | null> {
  if (charge.status !== 'PENDING') return acceptedBefore(em, charge, provider, payment);
  if (payment.paidAt >= charge.closesAt) return null;
  if (payment.amountCents < chargeDueCents(charge, saoPauloDateOf(payment.paidAt))) return null;

  const customer = charge.customerId && (await em.findOne(CustomerEntity, { id: charge.customerId }));
  const { amountCents, paidAt, payer } = payment;
  const paid = { status: 'PAID' as const, paidAmountCents: amountCents, paidAt, updatedAt: now };
  const data = transparentEventData({ ...charge, ...paid }, customer || null, payer, publicUrl);
  const event = newEvent(charge, EVENT, charge.id, data, now);
  const deliveries = await newDeliveries(em, event);
  const isAccepted = await writeAcceptance(em, charge.id, provider, payment, event, deliveries);
  // Somebody was faster: another payment or the deadline, or this payment in an earlier run that lost its answer.
  return isAccepted ? deliveries : acceptedBefore(em, charge, provider, payment);
}

/** The payment may have been accepted by an earlier run: its deliveries that have not been attempted are still to start. */
async function acceptedBefore(
  em: Em,
  charge: Charge,
  provider: string,
  payment: ProviderPayment,
): Promise<DeliveryToStart[] | null> {
  const accepted = { provider, providerPaymentId: payment.providerPaymentId, outcome: 'ACCEPTED' as const };
  const count = await em.count(PaymentEntity, { chargeId: charge.id, ...accepted });
  return count === 0 ? null : unattemptedDeliveries(em, `${EVENT}/${charge.id}`);
}
