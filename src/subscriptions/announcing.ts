import { type Customer, CustomerEntity } from '../database/entities/customer.ts';
import type { DeliveryToStart } from '../database/entities/delivery.ts';
import type { Subscription } from '../database/entities/subscription.ts';
import type { Em } from '../database/orm.ts';
import type { CustomerId, StoreId } from '../domain/ids.ts';

/** One environment of one store. */
export interface EnvironmentOwner {
  readonly storeId: StoreId;
  readonly devMode: boolean;
}

/** What one transaction announces at most. */
export interface Announcing {
  readonly owner: EnvironmentOwner;
  readonly now: Date;
  readonly limit: number;
}

export interface WrittenAnnouncements {
  /** The number of subscriptions. */
  readonly announced: number;
  /** To start after the commit. */
  readonly deliveries: readonly DeliveryToStart[];
}

/** The customers of these subscriptions by id. */
export async function customersOf(
  em: Em,
  subscriptions: readonly Pick<Subscription, 'customerId'>[],
): Promise<ReadonlyMap<CustomerId | null, Customer>> {
  const ids = subscriptions.map(({ customerId }) => customerId).filter((id) => id !== null);
  const customers = await em.find(CustomerEntity, { id: { $in: ids } });
  return new Map(customers.map((customer) => [customer.id, customer]));
}
