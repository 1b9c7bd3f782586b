import type { ChargeId } from '../domain/ids.ts';
import { statement } from './statement.ts';

/** Notes that a provider is about to be asked to issue a charge, by a request that nothing recognises when it is made again. */
export const noteOrder = statement<{ chargeId: ChargeId; provider: string; now: Date }>(
  'note the order of a charge',
  () => `
  insert into charge_orders (charge_id, provider, request_hash, asked_at) values (:chargeId, :provider, null, :now)`,
);

/**
 * Notes the same of a request that is recognised: under the first of these ids, in the order given, that comes after all
 * that are stored, but for one that was rebuilt after a restore: it is the request's own. The same request, made again, is given the id that was noted first, unless that one is dead.
 * @returns no row if what was noted has been taken back meanwhile, or if all these ids are stored.
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

/** The charge is stored, in the same transaction. No row where what was issued for it was taken back before. */
export const endOrder = statement<{ chargeId: ChargeId }, { chargeId: ChargeId }>(
  'end the order of a charge that is stored',
  () => `
  delete from charge_orders where charge_id = :chargeId and taken_back_at is null returning charge_id as "chargeId"`,
);

/** An order that nobody is at any more. */
export interface UnstoredOrder {
  readonly chargeId: ChargeId;
  /** Its charge may have been stored, shown to a payer, and lost with a restore: it is never closed. */
  readonly isKept: boolean;
}

/** Orders of a provider that nobody is at any more, page by page. */
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
 * From now on the charge cannot be stored. No row where somebody has asked for it again, or has stored it: a request that
 * waited for the order of another one can note it again after the charge was stored.
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

/** Forgets the order of a charge that is stored; its bank has nothing to close. No row where the charge is not stored. */
export const forgetStoredOrder = statement<{ chargeId: ChargeId }, { chargeId: ChargeId }>(
  'forget the order of a stored charge',
  () => `
  delete from charge_orders
  where charge_id = :chargeId and exists (select from charges where charges.id = charge_orders.charge_id)
  returning charge_id as "chargeId"`,
);

/**
 * Keeps the orders of every provider from being taken back: the database may be older than what its clients were answered.
 * One that was being taken back goes on to be.
 */
export const keepAllOrders = statement<{ now: Date }>(
  'keep all orders of charges',
  () => 'update charge_orders set kept_since = :now where kept_since is null and taken_back_at is null',
);

/** Nothing is left at the provider of an order that was kept. */
export const forgetKeptOrder = statement<{ chargeId: ChargeId; askedBefore: Date }>(
  'forget an order that was kept',
  () => `
  delete from charge_orders
  where charge_id = :chargeId and kept_since is not null and asked_at < :askedBefore`,
);

/** Nothing of it is left at the provider. */
export const forgetOrder = statement<{ chargeId: ChargeId }>(
  'forget an order that was taken back',
  () => 'delete from charge_orders where charge_id = :chargeId and taken_back_at is not null',
);
