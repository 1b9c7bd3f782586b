import { type Checkout, CheckoutEntity } from '../../database/entities/checkout.ts';
import { SubscriptionEntity } from '../../database/entities/subscription.ts';
import type { Em } from '../../database/orm.ts';
import { CHARGE_STATUSES, type ChargeMethod, PAYMENT_METHODS } from '../../domain/charge.ts';
import type { CheckoutId, CustomerId, SubscriptionId } from '../../domain/ids.ts';
import type { Caller } from '../frame/caller.ts';
import { ownedBy } from '../frame/rows.ts';
import type { PaymentFilter } from './places.ts';
import type { ListPaymentsQuery } from './schema.ts';

/** Of all that share an `externalId`, which need not be unique, the newest ones: it mostly stands for one order. */
const MAX_CHECKOUTS = 20;

const METHODS: readonly ChargeMethod[] = [...PAYMENT_METHODS, 'FREE'];

/** The condition of GET `/payments/list`. */
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

/** All that is asked for must be true: of a checkout and an `externalId`, the checkout where it has that. */
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
  // A charge that has an `externalId` of its own is of no checkout.
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
