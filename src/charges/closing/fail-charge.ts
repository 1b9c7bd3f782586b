import type { Charge } from '../../database/entities/charge.ts';
import { CheckoutEntity } from '../../database/entities/checkout.ts';
import { CustomerEntity } from '../../database/entities/customer.ts';
import type { DeliveryToStart } from '../../database/entities/delivery.ts';
import type { Em } from '../../database/orm.ts';
import type { ChargeStatus, FailureReason } from '../../domain/charge.ts';
import type { CheckoutId } from '../../domain/ids.ts';
import { failedPaymentEventData } from '../../events/checkout.ts';
import { subscribedAmong, writeEvent } from '../../events/record.ts';
import type { ChargeDeps } from '../effects.ts';
import { statusOf } from '../load-charge.ts';
import { closeCharge, endUnpaid } from './close-charge.ts';

/** The events of a checkout's failed payment in v2 and v1. */
const FAILED_EVENT_NAMES = ['checkout.payment_failed', 'billing.failed'] as const;
type FailedEventName = (typeof FAILED_EVENT_NAMES)[number];

/**
 * Ends a failed payment: of a card, or of a PIX code of a cycle. The same transaction writes
 * `checkout.payment_failed`, or v1's `billing.failed`, if someone is listening. A cycle's failure has the event
 * `subscription.payment_failed`.
 * @returns the charge's status afterwards.
 */
export async function failCharge(
  deps: ChargeDeps,
  em: Em,
  charge: Charge,
  failureReason: FailureReason,
  now: Date,
): Promise<ChargeStatus> {
  const failed = { ...charge, status: 'FAILED' as const, failureReason, updatedAt: now };
  const { checkoutId, cycleId } = charge;
  if (checkoutId === null || cycleId !== null) return closeCharge(em, charge.id, failed, now);
  const subscribed = await subscribedAmong(em, charge, FAILED_EVENT_NAMES);
  if (subscribed.length === 0) return closeCharge(em, charge.id, failed, now);
  const { status, deliveries } = await em.transactional(async (tx) => {
    // A worker that was slower writes no second event: the first one may be old enough to have been deleted.
    if (!(await endUnpaid(tx, charge.id, failed, now)))
      return { status: await statusOf(tx, charge.id), deliveries: [] };
    return {
      status: failed.status,
      deliveries: await writeFailedEvents(deps, tx, checkoutId, failed, subscribed, now),
    };
  });
  // If this process dies here, the sweeper starts the deliveries.
  await Promise.all(deliveries.map((delivery) => deps.startDelivery(delivery)));
  return status;
}

async function writeFailedEvents(
  deps: ChargeDeps,
  em: Em,
  checkoutId: CheckoutId,
  failed: Charge,
  names: readonly FailedEventName[],
  now: Date,
): Promise<DeliveryToStart[]> {
  const checkout = await em.findOneOrFail(CheckoutEntity, { id: checkoutId });
  const customer = failed.customerId && (await em.findOne(CustomerEntity, { id: failed.customerId }));
  const data = failedPaymentEventData(checkout, failed, customer || null, deps.publicUrl);
  const deliveries: DeliveryToStart[] = [];
  for (const name of names) deliveries.push(...(await writeEvent(em, failed, name, failed.id, data, now)));
  return deliveries;
}
