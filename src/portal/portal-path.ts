import { type Customer, CustomerEntity } from '../database/entities/customer.ts';
import type { Em } from '../database/orm.ts';
import type { CustomerId } from '../domain/ids.ts';

/**
 * The path of the portal of a payment's customer, for a mail to its payer. Null if the customer has another address: the payer
 * could not sign in with theirs.
 */
export async function portalPathFor(
  em: Em,
  customerId: CustomerId | null,
  email: string,
): Promise<string | null> {
  if (customerId === null) return null;
  const own = { id: customerId, deletedAt: null };
  const customer: Customer | null = await em.findOne(CustomerEntity, own, { disableIdentityMap: true });
  return customer?.email?.toLowerCase() === email.toLowerCase() ? `/portal/${customerId}` : null;
}
