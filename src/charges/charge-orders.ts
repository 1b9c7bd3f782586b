import { statement } from '../database/statement.ts';
import type { ChargeId } from '../domain/ids.ts';

/**
 * Notes that a provider is about to be asked to issue a charge, for a request that cannot be recognized when it is
 * repeated.
 */
export const noteOrder = statement<{ chargeId: ChargeId; provider: string; now: Date }>(
  'note the order of a charge',
  () => `
  insert into charge_orders (charge_id, provider, request_hash, asked_at) values (:chargeId, :provider, null, :now)`,
);

/**
 * Like {@link noteOrder}, for a request that is recognized when it is repeated. It takes the first of these ids, in
 * order, after all stored ones; a charge that was rebuilt after a restore does not count, as it belongs to the
 * request. A repeated request gets the id that was noted first, unless that one is dead.
 * @returns no row if the noted order has been cancelled meanwhile, or if all these ids are stored.
 */
export const noteRequestedOrder = statement<
  {
    chargeIds: readonly ChargeId[];
    provider: string;
    requestHash: string;
    /** Nobody can pay what was issued under this id. */
    dead: ChargeId | null;
    now: Date;
  },
  { chargeId: ChargeId }
>(
  'note the order of a charge that a request names',
  () => `
  with given as (
    select given.id, given.generation, coalesce(charges.content_hash <> 'recovered', false) as is_stored
    from unnest(:chargeIds::text[]) with ordinality as given (id, generation)
      left join charges on charges.id = given.id
  ), free as (
    select id from given
    where generation > (select coalesce(max(generation) filter (where is_stored), 0) from given)
    order by generation limit 1
  )
  insert into charge_orders as ordered (charge_id, provider, request_hash, asked_at)
  select id, :provider, :requestHash, :now from free
  on conflict (request_hash) do update set
    asked_at = greatest(ordered.asked_at, excluded.asked_at),
    charge_id = case when ordered.charge_id = :dead then excluded.charge_id else ordered.charge_id end
    where ordered.taken_back_at is null
  returning charge_id as "chargeId"`,
);

/** How many of these ids are stored. */
export const countStored = statement<{ chargeIds: readonly ChargeId[] }, { count: number }>(
  'count stored charges',
  () => `
  select count(*)::int as count from charges where id = any(:chargeIds::text[]) and content_hash <> 'recovered'`,
);

/** Ends the order in the transaction that stores the charge. No row if the order was cancelled before. */
export const endOrder = statement<{ chargeId: ChargeId }, { chargeId: ChargeId }>(
  'end the order of a charge that is stored',
  () => `
  delete from charge_orders where charge_id = :chargeId and taken_back_at is null returning charge_id as "chargeId"`,
);

/** An order that no request handles any more. */
export interface UnstoredOrder {
  readonly chargeId: ChargeId;
  /** Its charge may have been stored, shown to a payer and lost in a restore, so it is never closed. */
  readonly isKept: boolean;
}

/** Orders of a provider that no request handles any more, page by page. */
export const unstoredOrders = statement<
  { provider: string; askedBefore: Date; after: string; limit: number },
  UnstoredOrder
>(
  'orders of charges that were never stored',
  () => `
  select charge_id as "chargeId", kept_since is not null as "isKept" from charge_orders
  where provider = :provider and charge_id > :after and asked_at < :askedBefore
  order by charge_id limit :limit`,
);

/**
 * Prevents the charge from being stored. No row if it was requested again, or is stored: a request that waited for
 * another one's order can note the order again after the charge was stored.
 */
export const takeOrderBack = statement<
  { chargeId: ChargeId; askedBefore: Date; now: Date },
  { chargeId: ChargeId }
>(
  'take the order of a charge back',
  () => `
  update charge_orders set taken_back_at = coalesce(taken_back_at, :now)
  where charge_id = :chargeId and asked_at < :askedBefore and kept_since is null
    and not exists (select from charges where charges.id = charge_orders.charge_id)
  returning charge_id as "chargeId"`,
);

/** Deletes the order of a stored charge; its bank has nothing to close. No row if the charge is not stored. */
export const forgetStoredOrder = statement<{ chargeId: ChargeId }, { chargeId: ChargeId }>(
  'forget the order of a stored charge',
  () => `
  delete from charge_orders
  where charge_id = :chargeId and exists (select from charges where charges.id = charge_orders.charge_id)
  returning charge_id as "chargeId"`,
);

/**
 * Protects all orders from being cancelled: the database may be older than answers that clients received. A
 * cancellation in progress continues.
 */
export const keepAllOrders = statement<{ now: Date }>(
  'keep all orders of charges',
  () => 'update charge_orders set kept_since = :now where kept_since is null and taken_back_at is null',
);

/** Deletes a kept order of which nothing is left at the provider. */
export const forgetKeptOrder = statement<{ chargeId: ChargeId; askedBefore: Date }>(
  'forget an order that was kept',
  () => `
  delete from charge_orders
  where charge_id = :chargeId and kept_since is not null and asked_at < :askedBefore`,
);

/** Deletes an order of which nothing is left at the provider. */
export const forgetOrder = statement<{ chargeId: ChargeId }>(
  'forget an order that was taken back',
  () => 'delete from charge_orders where charge_id = :chargeId and taken_back_at is not null',
);
