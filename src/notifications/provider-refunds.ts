import { statement } from '../database/statement.ts';

/**
 * The refunds listed by a provider with accepted payments that are not booked here, or have ended since.
 * A refund that the store requested is left to its run, unless it FAILED and was made after all. For HELD payments,
 * new returns: one may be the last part.
 */
export const unbookedRefunds = statement<
  {
    provider: string;
    refundIds: readonly string[];
    providerPaymentIds: readonly string[];
    statuses: readonly string[];
  },
  { refundId: string }
>(
  'refunds that are not booked',
  () => `
  select listed.refund_id as "refundId"
  from unnest(:refundIds::text[], :providerPaymentIds::text[], :statuses::text[])
      listed (refund_id, payment_id, status)
    join lateral (
      select outcome from payments
      where provider = :provider and provider_payment_id = listed.payment_id and outcome in ('ACCEPTED', 'HELD') limit 1
    ) payment on true
    left join refunds known on known.id = listed.refund_id
  where (known.id is null and listed.status <> 'REFUSED' and payment.outcome = 'ACCEPTED')
    or (payment.outcome = 'HELD' and listed.status = 'RETURNED')
    or (known.initiated_by = 'BANK' and known.status = 'PENDING' and listed.status <> 'PENDING')
    or (known.status = 'FAILED' and listed.status = 'RETURNED')`,
);

/** Closes the notes of stores whose balance is no longer negative. */
export const closeNegativeBalances = statement<{ now: Date }, { subjectId: string }>(
  'close notes of negative balances',
  () => `
  update attention set resolved_at = :now
  from ledger_balances balance
  where attention.kind = 'NEGATIVE_BALANCE' and attention.resolved_at is null
    and balance.store_id = attention.store_id and balance.dev_mode = attention.dev_mode
    and balance.available_cents >= 0
  returning attention.subject_id as "subjectId"`,
);
