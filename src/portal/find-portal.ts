import { type Customer, CustomerEntity } from '../database/entities/customer.ts';
import { CustomerPortalEntity } from '../database/entities/customer-portal.ts';
import type { Em } from '../database/orm.ts';
import type { CheckoutId, CustomerId, CustomerPortalId } from '../domain/ids.ts';
import { isIdOf } from '../ids.ts';

/** The customer whose portal a link opens. */
export interface Portal {
  readonly customer: Customer;
  /** The purchase that the portal leads back to; null if the link names none. */
  readonly checkoutId: CheckoutId | null;
}

/** The portal of a link's id, or of a customer's own id, which receipts link to. Null if there is none, also once the customer was deleted. */
export async function findPortal(em: Em, id: string): Promise<Portal | null> {
  if (isIdOf('customer', id)) return portalOf(em, id as CustomerId, null);
  if (!isIdOf('customerPortal', id)) return null;
  const portalId = id as CustomerPortalId;
  const link = await em.findOne(CustomerPortalEntity, { id: portalId }, { disableIdentityMap: true });
  return link && portalOf(em, link.customerId, link.checkoutId);
}

async function portalOf(em: Em, id: CustomerId, checkoutId: CheckoutId | null): Promise<Portal | null> {
  const customer = await em.findOne(CustomerEntity, { id, deletedAt: null }, { disableIdentityMap: true });
  return customer && { customer, checkoutId };
}
