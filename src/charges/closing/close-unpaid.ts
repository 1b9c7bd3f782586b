import type { Charge } from '../../database/entities/charge.ts';
import { CustomerEntity } from '../../database/entities/customer.ts';
import type { Em } from '../../database/orm.ts';
import type { ChargeStatus } from '../../domain/charge.ts';
import { subscribedAmong, writeEvent } from '../../events/record.ts';
import { unpaidTransparentEventData } from '../../events/transparent.ts';
import type { ChargeDeps } from '../effects.ts';
import { statusOf } from '../load-charge.ts';
import { type Closing, closeCharge, endUnpaid } from './close-charge.ts';

/**
 * Ends an unpaid charge. For a transparent charge, the same transaction writes `transparent.expired` or
 * `transparent.cancelled` if someone is listening for it.
 * @returns the charge's status afterwards.
 */
export async function closeUnpaid(
  deps: ChargeDeps,
  em: Em,
  charge: Charge,
  closing: Extract<Closing, { readonly status: 'EXPIRED' | 'CANCELLED' }>,
  now: Date,
): Promise<ChargeStatus> {
  const { id, checkoutId, customerId } = charge;
  const name = closing.status === 'EXPIRED' ? 'transparent.expired' : 'transparent.cancelled';
  const isSubscribed = checkoutId === null && (await subscribedAmong(em, charge, [name])).length > 0;
  if (!isSubscribed) return closeCharge(em, id, closing, now);
  const { status, deliveries } = await em.transactional(async (tx) => {
    // A worker that was slower writes no second event: the first one may be old enough to have been deleted.
    if (!(await endUnpaid(tx, id, closing, now))) return { status: await statusOf(tx, id), deliveries: [] };
    const customer = customerId && (await tx.findOne(CustomerEntity, { id: customerId }));
    const closed = { ...charge, status: closing.status, updatedAt: now };
    const data = unpaidTransparentEventData(closed, customer || null, deps.publicUrl);
    return { status: closing.status, deliveries: await writeEvent(tx, charge, name, id, data, now) };
  });
  // If this process dies here, the sweeper starts the deliveries.
  await Promise.all(deliveries.map((delivery) => deps.startDelivery(delivery)));
  return status;
}
