import { statement } from '../database/statement.ts';
import type { ChargeId } from '../domain/ids.ts';
import { OTHERS_AT_BANK_ACCOUNT } from '../notifications/provider-listings.ts';

/** A payment of a bank as stored here. */
export interface WrittenPayment {
  readonly providerPaymentId: string;
  readonly chargeId: ChargeId;
  readonly amountCents: number;
  /** The part that its payer has received back. */
  readonly refundedCents: number;
  /** That part plus pending returns. */
  readonly reversedCents: number;
}

const WRITTEN = `
  select payment.provider_payment_id as "providerPaymentId", payment.charge_id as "chargeId",
    payment.amount_cents as "amountCents",
    case payment.outcome
      when 'ACCEPTED' then charge.refunded_cents
      when 'RETURNED' then payment.amount_cents
      else 0
    end as "refundedCents",
    case payment.outcome when 'ACCEPTED' then charge.reversed_cents else payment.amount_cents end as "reversedCents"
  from payments payment join charges charge on charge.id = payment.charge_id`;

/**
 * Payments of an account within a time, by the index `payments_at_banks`. One day of one account, and so read at
 * once.
 */
export const paymentsOfTime = statement<{ provider: string; from: Date; until: Date }, WrittenPayment>(
  'payments of an account within a time',
  () => `${WRITTEN}
  where payment.provider = :provider and payment.provider <> 'sandbox'
    and payment.paid_at >= :from and payment.paid_at < :until`,
);

/** The listed payments of an account that are stored for another account with the same bank account. */
export const paymentsOfOthers = statement<
  { provider: string; providerPaymentIds: readonly string[] },
  WrittenPayment
>(
  'payments of other accounts at a bank account',
  () => `
  with others as materialized (${OTHERS_AT_BANK_ACCOUNT})
  ${WRITTEN}
  where (payment.provider, payment.provider_payment_id) in (
    select others.id, listed.id from others cross join unnest(:providerPaymentIds::text[]) listed (id)
  )`,
);
