import { statement } from '../database/statement.ts';

/**
 * The disputes listed by a provider with accepted payments whose changes are not stored here. A dispute that has
 * ended here has no changes. A lost one also ends a payment in suspense.
 */
export const unnotifiedDisputes = statement<
  {
    provider: string;
    providerDisputeIds: readonly string[];
    providerPaymentIds: readonly string[];
    statuses: readonly string[];
  },
  { providerDisputeId: string }
>(
  'disputes that are not written',
  () => `
  select listed.dispute_id as "providerDisputeId"
  from unnest(:providerDisputeIds::text[], :providerPaymentIds::text[], :statuses::text[])
      listed (dispute_id, payment_id, status)
    join lateral (
      select id from payments
      where provider = :provider and provider_payment_id = listed.payment_id
        and (outcome = 'ACCEPTED' or (outcome = 'HELD' and listed.status = 'LOST')) limit 1
    ) payment on true
    left join lateral (
      select status from disputes where provider = :provider and provider_dispute_id = listed.dispute_id limit 1
    ) known on true
  where known.status is null or (known.status = 'OPEN' and listed.status <> 'OPEN')`,
);

/** Disputes of a provider that are not decided here, oldest first. */
export const openDisputes = statement<{ provider: string }, { providerDisputeId: string }>(
  'open disputes of a provider',
  () => `
  select provider_dispute_id as "providerDisputeId" from disputes
  where provider = :provider and status = 'OPEN' order by opened_at, id`,
);
