import type { ChargeId } from '../domain/ids.ts';
import { statement } from './statement.ts';

/**
 * Notes that a provider is about to be asked to issue a charge. The same request, made again, is given the id that was
 * noted first, unless that has been taken back meanwhile: then there is no row.
 */
export const noteOrder = statement<
  { chargeId: ChargeId; provider: string; requestHash: string | null; now: Date },
  { chargeId: ChargeId }
>(
  'note the order of a charge',
  () => `
  insert into charge_orders as ordered (charge_id, provider, request_hash, asked_at)
  values (:chargeId, :provider, :requestHash, :now)
  on conflict (request_hash) do update set asked_at = greatest(ordered.asked_at, excluded.asked_at)
    where ordered.taken_back_at is null
  returning charge_id as "chargeId"`,
);

/** The charge is stored, in the same transaction. No row where what was issued for it was taken back before. */
export const endOrder = statement<{ chargeId: ChargeId }, { chargeId: ChargeId }>(
  'end the order of a charge that is stored',
  () => `
  delete from charge_orders where charge_id = :chargeId and taken_back_at is null returning charge_id as "chargeId"`,
);

/** Orders of a provider that nobody is at any more, page by page. */
export const forgottenOrders = statement<
  { provider: string; askedBefore: Date; after: string; limit: number },
  { chargeId: ChargeId }
>(
  'orders of charges that were never stored',
  () => `
  select charge_id as "chargeId" from charge_orders
  where provider = :provider and charge_id > :after and asked_at < :askedBefore
  order by charge_id limit :limit`,
);

/** From now on the charge cannot be stored. No row where somebody has asked for it again, or has stored it. */
export const takeOrderBack = statement<
  { chargeId: ChargeId; askedBefore: Date; now: Date },
  { chargeId: ChargeId }
>(
  'take the order of a charge back',
  () => `
  update charge_orders set taken_back_at = coalesce(taken_back_at, :now)
  where charge_id = :chargeId and asked_at < :askedBefore returning charge_id as "chargeId"`,
);

/** Nothing of it is left at the provider. */
export const forgetOrder = statement<{ chargeId: ChargeId }>(
  'forget an order that was taken back',
  () => 'delete from charge_orders where charge_id = :chargeId and taken_back_at is not null',
);
