import { type Checkout, CheckoutEntity } from '../../database/entities/checkout.ts';
import { SubscriptionEntity } from '../../database/entities/subscription.ts';
import type { Em } from '../../database/orm.ts';
import { CHARGE_STATUSES, type ChargeMethod, PAYMENT_METHODS } from '../../domain/charge.ts';
import type { CheckoutId, CustomerId, SubscriptionId } from '../../domain/ids.ts';
import { ownedBy } from '../frame/rows.ts';
import type { Caller } from '../keys/caller.ts';
import type { PaymentFilter } from './places.ts';
import type { ListPaymentsQuery } from './schema.ts';

/**
 * An `externalId` need not be unique, but usually identifies one order. Only the newest checkouts with it are
 * searched.
 */
const MAX_CHECKOUTS = 20;

const METHODS: readonly ChargeMethod[] = [...PAYMENT_METHODS, 'FREE'];

/** The query condition of GET `/payments/list`. */
export async function paymentFilter(
  em: Em,
  caller: Caller,
  query: ListPaymentsQuery,
): Promise<PaymentFilter> {
  const { method, status, customerId, paidFrom, paidTo } = query;
  return {
    methods: method === undefined ? METHODS : [method],
    statuses: status === undefined ? CHARGE_STATUSES : [status],
    among: await amongOf(em, caller, query),
    customerId: (customerId as CustomerId | undefined) ?? null,
    createdFrom: query.createdFrom ?? null,
    createdTo: query.createdTo ?? null,
    paid:
      paidFrom === undefined && paidTo === undefined ? null : { from: paidFrom ?? null, to: paidTo ?? null },
  };
}

/** Combines both filters: a checkout matches only if it also has the `externalId`. */
async function amongOf(
  em: Em,
  caller: Caller,
  { checkoutId, subscriptionId, externalId }: ListPaymentsQuery,
): Promise<PaymentFilter['among']> {
  const named: (readonly CheckoutId[])[] = [];
  if (checkoutId !== undefined) named.push([checkoutId as CheckoutId]);
  if (subscriptionId !== undefined) named.push(await checkoutsOf(em, caller, subscriptionId));
  const isNamed = named.length > 0;
  if (externalId !== undefined) named.push(await checkoutsKnownAs(em, caller, externalId));
  const [first, ...others] = named;
  if (first === undefined) return null;
  const checkoutIds = first.filter((id) => others.every((ids) => ids.includes(id)));
  // A charge with an `externalId` of its own belongs to no checkout.
  return { checkoutIds, externalId: isNamed ? null : (externalId ?? null) };
}

async function checkoutsOf(em: Em, caller: Caller, subscriptionId: string): Promise<CheckoutId[]> {
  const where = { ...ownedBy(caller), id: subscriptionId as SubscriptionId };
  const subscription = await em.findOne(SubscriptionEntity, where, { disableIdentityMap: true });
  return subscription === null ? [] : [subscription.checkoutId];
}

async function checkoutsKnownAs(em: Em, caller: Caller, externalId: string): Promise<CheckoutId[]> {
  const checkouts = await em.find(
    CheckoutEntity,
    { ...ownedBy(caller), externalId },
    { orderBy: { createdAt: 'desc', id: 'desc' }, limit: MAX_CHECKOUTS, disableIdentityMap: true },
  );
  return checkouts.map(({ id }: Pick<Checkout, 'id'>) => id);
}
