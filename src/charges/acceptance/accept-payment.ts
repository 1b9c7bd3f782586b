import { afterCommit } from '../../database/after-commit.ts';
import type { Charge } from '../../database/entities/charge.ts';
import { type Checkout, CheckoutEntity } from '../../database/entities/checkout.ts';
import type { DeliveryToStart } from '../../database/entities/delivery.ts';
import { PaymentEntity } from '../../database/entities/payment.ts';
import type { Em } from '../../database/orm.ts';
import { hasRunOut } from '../../domain/charge.ts';
import { METHOD_TRAITS } from '../../domain/payment-methods.ts';
import { unattemptedDeliveries } from '../../events/delivery-to-start.ts';
import { newDeliveries, newEvent } from '../../events/record.ts';
import { countPayment } from '../../metrics/counters.ts';
import type { ProviderPayment } from '../../providers/ports/payment.ts';
import { bookSplits } from '../../sub-accounts/splits.ts';
import { writeReceivables } from '../receivables/receivable-rows.ts';
import { settlementPlanOf } from '../receivables/settlement-plan.ts';
import { acceptanceOf, completedEventName } from './acceptance-kinds.ts';
import { isInTimeAndEnough } from './in-time-and-enough.ts';

/**
 * Makes a charge PAID by this payment. One transaction writes the charge, what it pays for (a checkout or a cycle),
 * its coupon, the payment, the event and its deliveries.
 *
 * @param payment null if there is nothing to pay: a coupon covers everything, or a trial begins.
 * @returns the deliveries to start if this payment has paid the charge, now or in an earlier run of the activity.
 *   Null if the payment must be returned: the charge or its purpose was cancelled or already paid, costs more, or
 *   its deadline passed before the payment. A payment made in time is accepted however late its notification is
 *   (contract section 4).
 */
export async function acceptPayment(
  em: Em,
  charge: Charge,
  provider: string,
  payment: ProviderPayment | null,
  now: Date,
  publicUrl: string,
): Promise<DeliveryToStart[] | null> {
  const mayBePaid = charge.status === 'PENDING' || (payment !== null && hasRunOut(charge));
  if (!mayBePaid) return acceptedBefore(em, charge, provider, payment);
  if (payment !== null && !isInTimeAndEnough(charge, payment)) return null;
  if (hasRunOut(charge) && (await wasTurnedDown(em, provider, payment))) return null;

  const paidAt = payment?.paidAt ?? now;
  const { settlesAt, settledAt, receivables } = settlementPlanOf(charge, payment, paidAt, now);
  const paid = {
    ...charge,
    status: 'PAID' as const,
    paidAmountCents: payment?.amountCents ?? 0,
    paidComponents:
      METHOD_TRAITS[charge.method].lateAmountBy === 'BANK' && charge.dueDate !== null
        ? (payment?.components ?? null)
        : null,
    paidAt,
    settlesAt,
    settledAt,
    // A card that was typed on the provider's page is known only now.
    cardBrand: charge.cardBrand ?? payment?.card?.brand ?? null,
    cardLastFour: charge.cardLastFour ?? payment?.card?.lastFour ?? null,
    failureReason: null,
    updatedAt: now,
  };
  const published = {
    payer: payment?.payer ?? { name: null, taxId: null },
    metadata: payment?.metadata ?? {},
  };
  const { eventName, data, write } = await acceptanceOf(em, paid, published, now, publicUrl);
  const event = newEvent(charge, eventName, charge.id, data, now);
  const deliveries = await newDeliveries(em, event, data);
  const acceptance = { charge: paid, provider, payment, event, deliveries, receivables };
  const accept = (on: Em) => write({ ...acceptance, em: on });
  const isAccepted =
    receivables.length === 0 && charge.splits === null
      ? await accept(em)
      : await em.transactional(async (tx) => {
          if (!(await accept(tx))) return false;
          await writeReceivables(tx, receivables);
          await bookSplits(tx, paid, now);
          return true;
        });
  // Another payment or the deadline was faster, or an earlier run accepted this payment and lost its answer.
  if (!isAccepted) return acceptedBefore(em, charge, provider, payment);
  afterCommit(em, () => countPayment(paid));
  return deliveries;
}

/** An earlier run may have accepted the payment. Its deliveries without an attempt must still be started. */
export async function acceptedBefore(
  em: Em,
  charge: Charge,
  provider: string,
  payment: ProviderPayment | null,
): Promise<DeliveryToStart[] | null> {
  const isAccepted =
    payment === null ? charge.status === 'PAID' : await isAcceptedPayment(em, charge, provider, payment);
  return isAccepted ? deliveriesLeft(em, charge) : null;
}

/** Deliveries of a paid charge's event without an attempt: an earlier run may have died before starting them. */
export async function deliveriesLeft(em: Em, charge: Charge): Promise<DeliveryToStart[]> {
  const checkout: Checkout | null =
    charge.checkoutId === null ? null : await em.findOneOrFail(CheckoutEntity, { id: charge.checkoutId });
  const eventName = await completedEventName(em, charge, checkout);
  return unattemptedDeliveries(em, `${eventName}/${charge.id}`);
}

/** A payment that was returned, or is held in suspense, can never be accepted, even if it is notified again. */
async function wasTurnedDown(em: Em, provider: string, payment: ProviderPayment | null): Promise<boolean> {
  if (payment === null) return false;
  const { providerPaymentId } = payment;
  const turnedDown = { provider, providerPaymentId, outcome: { $ne: 'ACCEPTED' as const } };
  return (await em.count(PaymentEntity, turnedDown)) > 0;
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
