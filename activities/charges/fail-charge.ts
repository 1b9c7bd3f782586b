import type { Charge } from '../../src/database/entities/charge.ts';
import { CheckoutEntity } from '../../src/database/entities/checkout.ts';
import { CustomerEntity } from '../../src/database/entities/customer.ts';
import type { DeliveryToStart } from '../../src/database/entities/delivery.ts';
import type { Em } from '../../src/database/orm.ts';
import type { ChargeStatus, FailureReason } from '../../src/domain/charge.ts';
import type { CheckoutId } from '../../src/domain/ids.ts';
import { writeEvent } from '../../src/events/record.ts';
import { billingFailedData } from '../../src/events/v1/v1-only.ts';
import type { ActivityDeps } from '../deps.ts';
import { closeCharge } from './close-charge.ts';

/**
 * Ends a payment that failed: a card's, or a PIX code's of a subscription's cycle. Where an endpoint of v1 is
 * subscribed to it, `billing.failed` is written in the same transaction; of a subscription's cycle
 * `subscription.payment_failed` tells.
 * @returns the charge's status afterwards.
 */
export async function failCharge(
  deps: ActivityDeps,
  em: Em,
  charge: Charge,
  failureReason: FailureReason,
  now: Date,
): Promise<ChargeStatus> {
  const failed = { ...charge, status: 'FAILED' as const, failureReason, updatedAt: now };
  const end = (on: Em) => closeCharge(on, charge.id, failed, now);
  const { checkoutId, cycleId } = charge;
  if (checkoutId === null || cycleId !== null || !(await isHeard(em, charge))) return end(em);
  const { status, deliveries } = await em.transactional(async (tx) => {
    const ended = await end(tx);
    if (ended !== 'FAILED') return { status: ended, deliveries: [] };
    return { status: ended, deliveries: await tell(deps, tx, checkoutId, failed, now) };
  });
  // Should this process die here, the sweeper starts them.
  await Promise.all(deliveries.map((delivery) => deps.startDelivery(delivery)));
  return status;
}

/** A look ahead, which spares everybody else a transaction: who is told in the end is read within it. */
async function isHeard(em: Em, { storeId, devMode }: Charge): Promise<boolean> {
  const heard = await em.execute<unknown[]>(
    `select 1 from webhooks where store_id = :storeId and dev_mode = :devMode and not v2 and deleted_at is null and disabled_at is null
       and 'billing.failed' = any (events) limit 1`,
    { storeId, devMode },
  );
  return heard.length > 0;
}

async function tell(
  deps: ActivityDeps,
  em: Em,
  checkoutId: CheckoutId,
  failed: Charge,
  now: Date,
): Promise<DeliveryToStart[]> {
  const checkout = await em.findOneOrFail(CheckoutEntity, { id: checkoutId });
  const customer = failed.customerId && (await em.findOne(CustomerEntity, { id: failed.customerId }));
  const data = billingFailedData(checkout, failed, customer || null, deps.publicUrl);
  return writeEvent(em, failed, 'billing.failed', failed.id, data, now);
}
