import { CustomerEntity } from '../database/entities/customer.ts';
import type { DeliveryToStart } from '../database/entities/delivery.ts';
import type { Em } from '../database/orm.ts';
import { writeCustomerUpdated } from '../events/write-customer-updated.ts';
import type { ProvenCustomer } from './sessions.ts';

/** What customers may change about themselves. Their address proves who they are, and their tax id is the store's key. */
export interface OwnDetails {
  readonly name: string;
  /** Null for none. */
  readonly cellphone: string | null;
  /** Eight digits; null for none. */
  readonly zipCode: string | null;
}

/**
 * Changes a customer's details as they have entered them, with the event, in the caller's transaction. Who has described the customer
 * first (`typedByPayer`) stays as it is.
 * @param shownAt the version of the details that the form has shown.
 * @returns the deliveries to start after the commit; null if somebody has changed the customer since, and nothing happened.
 */
export async function changeOwnDetails(
  tx: Em,
  { id, email }: ProvenCustomer,
  details: OwnDetails,
  shownAt: Date,
  now: Date,
): Promise<readonly DeliveryToStart[] | null> {
  const asShown = { id, email, updatedAt: shownAt, deletedAt: null };
  const before = await tx.findOne(CustomerEntity, asShown, { disableIdentityMap: true });
  if (before === null) return null;
  const change = { ...details, updatedAt: now };
  const count = await tx.nativeUpdate(CustomerEntity, asShown, change);
  return count === 0 ? null : writeCustomerUpdated(tx, before, { ...before, ...change }, 'CUSTOMER', now);
}
