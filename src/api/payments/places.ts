import type { Em } from '../../database/orm.ts';
import { type Statement, statement } from '../../database/statement.ts';
import type { ChargeMethod, ChargeStatus } from '../../domain/charge.ts';
import type { ChargeId, CheckoutId, CustomerId } from '../../domain/ids.ts';
import type { Position, Wanted } from '../frame/pagination.ts';
import type { Caller } from '../keys/caller.ts';

/** Filters for payments; null for no filter. */
export interface PaymentFilter {
  readonly methods: readonly ChargeMethod[];
  readonly statuses: readonly ChargeStatus[];
  /** Limits the result to payments of these checkouts, and those with this `externalId` of their own. */
  readonly among: { readonly checkoutIds: readonly CheckoutId[]; readonly externalId: string | null } | null;
  readonly customerId: CustomerId | null;
  readonly createdFrom: Date | null;
  readonly createdTo: Date | null;
  readonly paid: { readonly from: Date | null; readonly to: Date | null } | null;
}

/** A payment's position in the list. */
export type Place = Position & { readonly id: ChargeId };

/**
 * Matching payments, nearest first (docs/decisions/0016). With `paid` alone they are ordered by payment time,
 * otherwise by creation.
 */
export async function placesOf(
  em: Em,
  { storeId, devMode }: Caller,
  filter: PaymentFilter,
  { from, direction, take }: Wanted,
): Promise<Place[]> {
  const isOlder = direction === 'older';
  return find(sourceOf(filter), direction)(em, {
    ...inputsOf(filter, { storeId, devMode }),
    at: from?.createdAt ?? (isOlder ? 'infinity' : '-infinity'),
    id: from?.id ?? '',
    take,
  });
}

/** The statement's inputs that do not depend on the page. */
export function inputsOf(filter: PaymentFilter, { storeId, devMode }: Pick<Caller, 'storeId' | 'devMode'>) {
  return {
    storeId,
    devMode,
    methods: filter.methods,
    statuses: filter.statuses,
    checkoutIds: filter.among?.checkoutIds ?? [],
    externalId: filter.among?.externalId ?? null,
    customerId: filter.customerId,
    createdFrom: filter.createdFrom ?? '-infinity',
    createdTo: filter.createdTo ?? 'infinity',
    isPaid: filter.paid !== null,
    paidFrom: filter.paid?.from ?? '-infinity',
    paidTo: filter.paid?.to ?? 'infinity',
  };
}

/** The table and index to read from. */
export type Source = 'store' | 'paid' | 'checkouts' | 'customer';

export function sourceOf({ among, customerId, paid }: PaymentFilter): Source {
  if (among !== null) return 'checkouts';
  if (customerId !== null) return 'customer';
  return paid === null ? 'store' : 'paid';
}

/** Whether the list is ordered by payment time. */
export function isInOrderOfPayment(filter: PaymentFilter): boolean {
  return sourceOf(filter) === 'paid';
}

const statements = new Map<string, Statement<object, Place>>();

function find(source: Source, direction: Wanted['direction']): Statement<object, Place> {
  const name = `find payments of a ${source}, ${direction}`;
  const known = statements.get(name);
  if (known !== undefined) return known;
  const made = statement<object, Place>(name, () => select(source, direction));
  statements.set(name, made);
  return made;
}

function select(source: Source, direction: Wanted['direction']): string {
  const order = direction === 'older' ? 'desc' : 'asc';
  return `${matching(source, direction)} order by "createdAt" ${order}, id ${order} limit :take::bigint`;
}

/**
 * Each method and status is one range of an index in list order. The query reads at most one page of each
 * range. @param more columns of each payment.
 */
export function matching(source: Source, direction: Wanted['direction'], more = ''): string {
  const at = source === 'paid' ? 'paid_at' : 'created_at';
  const [order, beyond] = direction === 'older' ? ['desc', '<'] : ['asc', '>'];
  // Conditions that always apply have no "or", so that Postgres uses the index.
  const isPaid = 'charge.paid_at >= :paidFrom::timestamptz and charge.paid_at < :paidTo::timestamptz';
  const paid = source === 'paid' ? isPaid : `(not :isPaid::boolean or ${isPaid})`;
  const isOfCustomer = 'charge.customer_id = :customerId::text';
  const ofCustomer = source === 'customer' ? isOfCustomer : `(:customerId::text is null or ${isOfCustomer})`;
  const nearest = (where: string) => `(
    select charge.${at} as "createdAt", charge.id${more} from charges charge
    where charge.store_id = :storeId and charge.dev_mode = :devMode and ${where}
      and charge.created_at >= :createdFrom::timestamptz and charge.created_at < :createdTo::timestamptz
      and ${paid} and ${ofCustomer}
      and (charge.${at}, charge.id) ${beyond} (:at::timestamptz, :id::text)
    order by charge.${at} ${order}, charge.id ${order} limit :take::bigint
  ) place`;
  const ranges = 'unnest(:methods::text[]) as method (name), unnest(:statuses::text[]) as status (name)';
  const ofRange = 'charge.method = method.name and charge.status = status.name';
  const any = 'charge.method = any (:methods::text[]) and charge.status = any (:statuses::text[])';
  return {
    store: `select place.* from ${ranges}, lateral ${nearest(ofRange)}`,
    paid: `select place.* from ${ranges}, lateral ${nearest(ofRange)}`,
    checkouts: `
      select place.* from unnest(:checkoutIds::text[]) as checkout (id), ${ranges},
        lateral ${nearest(`charge.checkout_id = checkout.id and ${ofRange}`)}
      union all select place.* from ${nearest(`charge.external_id = :externalId and ${any}`)}`,
    customer: `select place.* from ${nearest(any)}`,
  }[source];
}
