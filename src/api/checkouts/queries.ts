import { type FilterQuery, raw } from '@mikro-orm/core';
import { customerSearchOf, findCustomerIds } from '../../customers/find-customers.ts';
import { hasTaxId } from '../../database/encryption/tax-id-search.ts';
import { type Checkout, CheckoutEntity } from '../../database/entities/checkout.ts';
import { CustomerEntity } from '../../database/entities/customer.ts';
import { SubscriptionEntity } from '../../database/entities/subscription.ts';
import type { Em } from '../../database/orm.ts';
import type { CheckoutMethod } from '../../domain/charge.ts';
import { CHECKOUT_FREQUENCIES, type CheckoutFrequency } from '../../domain/checkout.ts';
import { type CheckoutId, type CustomerId, ID_PREFIX, type SubscriptionId } from '../../domain/ids.ts';
import { parseTaxId } from '../../domain/tax-id.ts';
import { paginateWithMetadata } from '../frame/metadata-filter.ts';
import type { ListQuery, Page } from '../frame/pagination.ts';
import type { ApiRequest } from '../frame/request.ts';
import { keptBy, ownedBy, requireRow } from '../frame/rows.ts';
import { createdWithin } from '../frame/time-range.ts';
import type { Caller } from '../keys/caller.ts';
import type { ListCheckoutsQuery } from './schema.ts';

/** A filter by e-mail matches at most this many customers. A tax id belongs to one customer only. */
const MAX_CUSTOMERS = 1_000;

/**
 * @param frequency limits the result to this kind, as in `/payment-links/*`; null for any.
 * @throws ApiError NOT_FOUND, as {@link requireRow} does, and for a checkout of another kind.
 */
export function requireCheckout(
  em: Em,
  caller: Caller,
  id: string,
  frequency: CheckoutFrequency | null,
): Promise<Checkout> {
  const where = { ...keptBy(caller), id: id as CheckoutId, ...(frequency !== null && { frequency }) };
  const what = frequency === 'MULTIPLE_PAYMENTS' ? 'Payment link' : 'Checkout';
  return requireRow(em, CheckoutEntity, where, what);
}

/**
 * A page of checkouts. @param frequency limits the result to this kind, as in `/payment-links/*`; null for
 * any.
 */
export function pageOfCheckouts(
  request: ApiRequest<ListCheckoutsQuery & ListQuery>,
  frequency: CheckoutFrequency | null,
): Promise<Page<Checkout>> {
  const { em, key, query } = request;
  const kinds = frequency === null ? CHECKOUT_FREQUENCIES : [frequency];
  const filter = () => checkoutFilter(em, key, query, frequency);
  return paginateWithMetadata(request, CheckoutEntity, kinds, keptBy, filter);
}

/** The query condition of GET `/checkouts/list` and `/payment-links/list`. */
export async function checkoutFilter(
  em: Em,
  caller: Caller,
  query: ListCheckoutsQuery & { readonly checkoutId?: string | undefined },
  frequency: CheckoutFrequency | null,
): Promise<FilterQuery<Checkout>> {
  const { externalId, status, email, taxId, customerId, method, keyword, ...created } = query;
  const id = query.id && (await checkoutIdIn(em, caller, query.id));
  const { checkoutId } = query;
  const ofCustomer =
    email === undefined && taxId === undefined
      ? null
      : await customerIds(em, {
          ...keptBy(caller),
          ...(email !== undefined && { [raw('lower(email) = lower(?)', [email])]: [] }),
          // An invalid tax id matches no customer.
          ...(taxId !== undefined && hasTaxId(em, caller, parseTaxId(taxId)?.bare ?? '')),
        });
  return {
    ...keptBy(caller),
    ...(frequency !== null && { frequency }),
    ...(id !== undefined && { id: id as CheckoutId }),
    ...(externalId !== undefined && { externalId }),
    ...(status !== undefined && { status }),
    ...createdWithin(created),
    ...(ofCustomer !== null && { customerId: { $in: ofCustomer } }),
    ...(method !== undefined && { [raw(OFFERS[method])]: [] }),
    $and: [
      checkoutId === undefined ? {} : { id: checkoutId as CheckoutId },
      customerId === undefined ? {} : { customerId: customerId as CustomerId },
      keyword === undefined ? {} : await aboutKeyword(em, caller, keyword),
    ],
  };
}

/** The id of a checkout, also from the id of the subscription that it started. An unknown id finds nothing. */
async function checkoutIdIn(em: Em, caller: Caller, id: string): Promise<string> {
  if (!id.startsWith(ID_PREFIX.subscription)) return id;
  const where = { ...ownedBy(caller), id: id as SubscriptionId };
  const found = await em.findOne(SubscriptionEntity, where, { disableIdentityMap: true });
  return found?.checkoutId ?? id;
}

/** Conditions as in the indexes of migrations 0077 and 0099. They have no parameters, so that Postgres recognizes them. */
const OFFERS: Readonly<Record<CheckoutMethod, string>> = {
  PIX: `methods @> '{PIX}'`,
  BOLETO: `methods @> '{BOLETO}'`,
  CARD: `methods @> '{CARD}'`,
  APPLE_PAY: `methods @> '{APPLE_PAY}'`,
  GOOGLE_PAY: `methods @> '{GOOGLE_PAY}'`,
};

/** Checkouts that a text identifies, by themselves or by their customer. */
async function aboutKeyword(em: Em, caller: Caller, keyword: string): Promise<FilterQuery<Checkout>> {
  if (keyword.startsWith(ID_PREFIX.checkout)) return { id: keyword as CheckoutId };
  const search = customerSearchOf(keyword);
  const customerId = { $in: [...(await findCustomerIds(em, caller, search, MAX_CUSTOMERS))] };
  const ofCustomers = { customerId };
  if (search.kind !== 'text') return ofCustomers;
  return { $or: [{ externalId: keyword }, ofCustomers] };
}

async function customerIds(em: Em, where: object): Promise<CustomerId[]> {
  const customers = await em.find(CustomerEntity, where, { limit: MAX_CUSTOMERS, disableIdentityMap: true });
  return customers.map(({ id }) => id);
}
