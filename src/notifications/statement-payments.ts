import { statement } from '../database/statement.ts';

export interface BookedPayment {
  readonly providerPaymentId: string;
  readonly amountCents: number;
  /** What refunds and disputes have returned or reserved. */
  readonly reversedCents: number;
}

/** The payments of an account with these ids of the provider. */
export const paymentsById = statement<
  { provider: string; providerPaymentIds: readonly string[] },
  BookedPayment
>(
  'payments of an account by their ids',
  () => `
  select payment.provider_payment_id as "providerPaymentId", payment.amount_cents as "amountCents",
    case payment.outcome when 'ACCEPTED' then charge.reversed_cents else payment.amount_cents end as "reversedCents"
  from payments payment join charges charge on charge.id = payment.charge_id
  where payment.provider = :provider and payment.provider_payment_id = any(:providerPaymentIds::text[])`,
);

/** The installments of accepted payments with these ids of the provider. Payments that settle at once have none. */
export const bookedInstallments = statement<
  { provider: string; providerPaymentIds: readonly string[] },
  { readonly providerPaymentId: string; readonly number: number; readonly grossCents: number }
>(
  'installments of payments by their ids',
  () => `
  select payment.provider_payment_id as "providerPaymentId", receivable.number,
    receivable.gross_cents as "grossCents"
  from payments payment join receivables receivable on receivable.charge_id = payment.charge_id
  where payment.provider = :provider and payment.provider_payment_id = any(:providerPaymentIds::text[])
    and payment.outcome = 'ACCEPTED'`,
);

/** The fees of disputes of these payments that are booked, by the provider's ids of the fees. */
export const bookedDisputeFees = statement<
  { provider: string; providerPaymentIds: readonly string[]; providerFeeIds: readonly string[] },
  { readonly providerFeeId: string; readonly chargedCents: number }
>(
  'booked fees of disputes',
  () => `
  select fee.provider_fee_id as "providerFeeId", fee.charged_cents as "chargedCents"
  from payments payment
    join disputes dispute on dispute.charge_id = payment.charge_id
    join dispute_fees fee on fee.dispute_id = dispute.id
  where payment.provider = :provider and payment.provider_payment_id = any(:providerPaymentIds::text[])
    and fee.provider_fee_id = any(:providerFeeIds::text[])`,
);
