import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { CheckoutId, CustomerId, CustomerPortalId, StoreId } from '../../domain/ids.ts';

/** A link to the customer portal. It opens a page that asks its reader to prove the customer's e-mail address. */
export const CustomerPortalEntity = defineEntity({
  name: 'CustomerPortal',
  tableName: 'customer_portals',
  properties: {
    id: p.text().$type<CustomerPortalId>().primary(),
    storeId: p.text().$type<StoreId>(),
    devMode: p.boolean(),
    customerId: p.text().$type<CustomerId>(),
    /** The purchase that the portal leads back to. */
    checkoutId: p.text().$type<CheckoutId>().strictNullable(),
    createdAt: p.datetime(),
  },
});
export type CustomerPortal = InferEntity<typeof CustomerPortalEntity>;
