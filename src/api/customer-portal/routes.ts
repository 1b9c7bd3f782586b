import { ChargeEntity } from '../../database/entities/charge.ts';
import { type Checkout, CheckoutEntity } from '../../database/entities/checkout.ts';
import { CustomerPortalEntity } from '../../database/entities/customer-portal.ts';
import type { Em } from '../../database/orm.ts';
import type { CheckoutId, CustomerId, CustomerPortalId } from '../../domain/ids.ts';
import { mintId } from '../../ids.ts';
import { requireCustomer } from '../customers/queries.ts';
import { notFound } from '../frame/errors.ts';
import { type Route, route } from '../frame/route.ts';
import { ownedBy } from '../frame/rows.ts';
import type { Caller } from '../keys/caller.ts';
import {
  createCustomerPortalBody,
  customerPortalExample,
  customerPortalView,
  presentCustomerPortal,
} from './schema.ts';

const create = route({
  method: 'POST',
  path: '/customer-portal/create',
  summary: 'Create a link to the customer portal',
  description: `On its page the customer proves their e-mail address with a code of six digits, and then sees their payments and
subscriptions. The link itself shows nothing, and does not expire. The customer needs an \`email\`.`,
  permission: 'CUSTOMER:CREATE',
  body: createCustomerPortalBody,
  response: customerPortalView,
  errors: ['NOT_FOUND'],
  example: { body: { customerId: customerPortalExample.customerId }, response: customerPortalExample },
  async handler({ em, key, body, now, deps }) {
    const customer = await requireCustomer(em, key, body.customerId);
    const checkoutId = body.checkoutId ?? null;
    const link = {
      id: mintId<CustomerPortalId>('customerPortal', now),
      ...ownedBy(key),
      customerId: customer.id,
      checkoutId: checkoutId === null ? null : (await requirePurchase(em, key, checkoutId, customer.id)).id,
      createdAt: now,
    };
    await em.insert(CustomerPortalEntity, link);
    return presentCustomerPortal(link, deps.publicUrl);
  },
});

/** @throws ApiError NOT_FOUND, the same for a checkout of another store and of another customer. */
async function requirePurchase(
  em: Em,
  caller: Caller,
  id: string,
  customerId: CustomerId,
): Promise<Pick<Checkout, 'id'>> {
  const checkoutId = id as CheckoutId;
  const own = { ...ownedBy(caller), id: checkoutId };
  const checkout = await em.findOne(CheckoutEntity, own, { disableIdentityMap: true });
  if (checkout === null) throw notFound('Checkout');
  if (checkout.customerId === customerId) return checkout;
  const paid = { checkoutId, customerId, paidAt: { $ne: null } };
  if ((await em.count(ChargeEntity, paid)) === 0) throw notFound('Checkout');
  return checkout;
}

/** Links to the customer portal. */
export const customerPortalRoutes: readonly Route[] = [create];
