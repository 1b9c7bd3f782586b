import type { Customer } from '../database/entities/customer.ts';
import type { DeliveryToStart } from '../database/entities/delivery.ts';
import type { Em } from '../database/orm.ts';
import { CHANGEABLE_DETAILS, type DetailChanger } from '../domain/customer.ts';
import { mintId } from '../ids.ts';
import { customerEventData } from './customer.ts';
import { subscribedAmong, writeEvent } from './record.ts';

/**
 * Writes `customer.updated` in the transaction that has changed a customer's details, unless they are as before, or nobody wants the event.
 * @returns the deliveries to start after the commit.
 */
export async function writeCustomerUpdated(
  tx: Em,
  before: Customer,
  after: Customer,
  changedBy: DetailChanger,
  now: Date,
): Promise<DeliveryToStart[]> {
  const changed = CHANGEABLE_DETAILS.filter(
    (detail) => JSON.stringify(before[detail]) !== JSON.stringify(after[detail]),
  );
  if (changed.length === 0) return [];
  const { id: customerId, storeId, devMode } = after;
  if ((await subscribedAmong(tx, { storeId, devMode }, ['customer.updated'])).length === 0) return [];
  // Each change is an event of its own, also two within a millisecond.
  const subjectId = `${customerId}/${mintId('event', now)}`;
  const data = customerEventData(after, changed, changedBy);
  return writeEvent(tx, { storeId, devMode, customerId }, 'customer.updated', subjectId, data, now);
}
